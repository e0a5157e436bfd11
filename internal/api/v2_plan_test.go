package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const disallowed = "disallowed-key"

// refusals are requests of v2 with keys that it does not know, which it must refuse by name.
func refusals(method, path, required string, keys ...string) (cases []testkit.Case) {
	for _, key := range keys {
		cases = append(cases, testkit.Case{
			Name: method + " " + path + " with " + key, Method: method, Path: path, Body: fmt.Sprintf(`{%s%q:null}`, required, key), Status: 400,
			Want: fmt.Sprintf(`{"errors":{%q:%q}}`, key, disallowed),
		})
	}
	return cases
}

func TestV2Epics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const epics = "/api/v2/epics"
		mia, states := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID, stateIDs(t, s)
		milestone := s.Owner.Want(t, 201, "POST", "/api/v2/milestones", `{"name":"Launch"}`).ID(t)
		id := s.Owner.Want(t, 201, "POST", epics, fmt.Sprintf(`{"name":"Engine","description":"Ask @mia","state":"done","epic_state_id":%d,"external_id":"e-1",
			"deadline":"2026-03-01T00:00:00Z","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z","follower_ids":[%q],"owner_ids":[%[2]q],
			"requested_by_id":%[2]q,"milestone_id":%d,"started_at_override":"2020-01-03T00:00:00Z","completed_at_override":"2020-01-04T00:00:00Z",
			"labels":[{"name":"warm","color":"#112233","external_id":"l-1"}]}`, states["in progress"], mia, milestone)).ID(t)
		other := s.Owner.Want(t, 201, "POST", epics, map[string]any{"name": strings.Repeat("ü", 256), "deadline": nil, "milestone_id": nil}).ID(t)
		path := fmt.Sprintf("%s/%d", epics, id)
		run := testkit.Beside(t, address, s.Owner.Workspace)
		run(`update workflow_state set type = 'backlog' where workspace_id = $1 and id = $2`, unscheduled)
		for _, state := range []int64{unscheduled, ready} {
			newStory(t, s, `"epic_id":%d,"estimate":2,"workflow_state_id":%d,"labels":[{"name":"warm"}]`, id, state)
		}
		s.Clock.Advance(time.Hour)
		whole := fmt.Sprintf(`{"name":"Engine","description":"Ask @mia","state":"in progress","epic_state_id":%d,"external_id":"e-1","mention_ids":[%q],
			"owner_ids":[%[2]q],"follower_ids":[%[2]q],"requested_by_id":%[2]q,"milestone_id":%d,"comments":[],"started":true,"project_ids":[],
			"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z","deadline":"2026-03-01T00:00:00Z",
			"labels":[{"name":"warm","color":"#112233","stats":{"num_stories_total":2,"num_stories_unstarted":2,"num_points_unstarted":4,"num_epics":1,"num_epics_in_progress":1}}],
			"stats":{"num_points":4,"num_points_unstarted":4,"num_stories_unstarted":2,"num_stories_started":0,"num_stories_unestimated":0}}`, states["in progress"], mia, milestone)
		cases := []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole},
			{Method: "GET", Path: epics, Status: 200, Want: fmt.Sprintf(`[%s,{"id":%d,"labels":[],"milestone_id":null}]`, whole, other)},
			{Method: "GET", Path: fmt.Sprintf("/api/v2/milestones/%d/epics", milestone), Status: 200, Want: `[{"name":"Engine","labels":[{"stats":{"num_epics":1}}]}]`},
			{Method: "GET", Path: "/api/v2/milestones/99/epics", Status: 404},
			{Name: "by the word", Method: "PUT", Path: path, Body: `{"state":"done"}`, Status: 200, Want: `{"state":"done","completed":true,"updated_at":"2026-01-05T11:00:00Z"}`},
			{Name: "unset", Method: "PUT", Path: path, Body: `{"deadline":null,"milestone_id":null,"started_at_override":null,"completed_at_override":null,"labels":[]}`, Status: 200,
				Want: `{"deadline":null,"milestone_id":null,"started_at_override":null,"completed_at_override":null,"labels":[]}`},
			{Name: "archived", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"archived":true,"after_id":%d}`, other), Status: 200, Want: `{"archived":true}`},
			{Name: "order", Method: "GET", Path: epics, Status: 200, Want: fmt.Sprintf(`[{"id":%d},{"id":%d}]`, other, id)},
			{Name: "257", Method: "POST", Path: epics, Body: map[string]any{"name": strings.Repeat("ü", 257)}, Status: 400},
			{Name: "257", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 257)}, Status: 400},
			{Method: "POST", Path: epics, Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key"}}`},
			{Name: "colour", Method: "POST", Path: epics, Body: `{"name":"x","labels":[{"name":"y","color":"#abc"}]}`, Status: 400,
				Want: `{"errors":{"labels":[{"color":"must be a colour of the form #rrggbb"}]}}`},
			{Name: "label key", Method: "POST", Path: epics, Body: `{"name":"x","labels":[{"name":"y","description":"z"}]}`, Status: 400,
				Want: `{"errors":{"labels":[{"description":"disallowed-key"}]}}`},
			{Name: "absent milestone", Method: "PUT", Path: path, Body: `{"milestone_id":99}`, Status: 422, Want: `{"errors":{"milestone_id":"names no existing milestone: 99"}}`},
			{Name: "null", Method: "PUT", Path: path, Body: `{"name":null}`, Status: 400},
			{Method: "PUT", Path: epics + "/99", Body: `{}`, Status: 404},
		}
		cases = append(cases, refusals("POST", epics, `"name":"x",`, "group_id", "group_ids", "objective_ids", "planned_start_date", "converted_from_story_id")...)
		cases = append(cases, refusals("PUT", path, "", "group_id", "group_ids", "objective_ids", "planned_start_date", "external_id")...)
		cases = append(cases,
			testkit.Case{Method: "DELETE", Path: path, Status: 204}, testkit.Case{Method: "GET", Path: path, Status: 404},
			testkit.Case{Method: "DELETE", Path: path, Status: 404})
		testkit.Run(t, s.Owner, cases)
	})
}

func TestV2EpicComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID
		epic := s.Owner.Want(t, 201, "POST", "/api/v2/epics", `{"name":"Engine"}`).ID(t)
		list := fmt.Sprintf("/api/v2/epics/%d/comments", epic)
		id := s.Owner.Want(t, 201, "POST", list, fmt.Sprintf(`{"text":"Hello @mia","author_id":%q,"external_id":"c-1","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`, mia)).ID(t)
		one := fmt.Sprintf("%s/%d", list, id)
		first := fmt.Sprintf(`"author_id":%q,"external_id":"c-1","mention_ids":[%[1]q],"entity_type":"epic-comment","deleted":false,"created_at":"2020-01-01T00:00:00Z"`, mia)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "reply", Method: "POST", Path: one, Body: `{"text":"Hello yourself"}`, Status: 201, Want: fmt.Sprintf(`{"text":"Hello yourself","author_id":%q,"comments":[]}`, s.Owner.Member.ID)},
			{Method: "GET", Path: list, Status: 200, Want: fmt.Sprintf(`[{%s,"text":"Hello @mia","comments":[{"text":"Hello yourself"}]}]`, first)},
			{Method: "GET", Path: fmt.Sprintf("/api/v2/epics/%d", epic), Status: 200, Want: fmt.Sprintf(`{"comments":[{%s,"comments":[{"text":"Hello yourself"}]}]}`, first)},
			{Method: "GET", Path: "/api/v2/epics", Status: 200, Want: fmt.Sprintf(`[{"comments":[{%s,"comments":[{"text":"Hello yourself"}]}]}]`, first)},
			{Method: "PUT", Path: one, Body: `{"text":"Bye"}`, Status: 200, Want: `{"text":"Bye","mention_ids":[],"comments":[{"text":"Hello yourself"}]}`},
			{Name: "text", Method: "PUT", Path: one, Body: `{}`, Status: 400, Want: `{"errors":{"text":"missing-required-key"}}`},
			{Name: "100001", Method: "POST", Path: one, Body: map[string]any{"text": strings.Repeat("ü", 100_001)}, Status: 400},
			{Name: "author", Method: "POST", Path: list, Body: `{"text":"x","author_id":"00000000-0000-7000-8000-000000000000"}`, Status: 422},
			{Name: "key", Method: "POST", Path: list, Body: `{"text":"x","parent_id":1}`, Status: 400, Want: `{"errors":{"parent_id":"disallowed-key"}}`},
			{Name: "no epic", Method: "POST", Path: "/api/v2/epics/99/comments", Body: `{"text":"x"}`, Status: 404},
			{Name: "no comment", Method: "POST", Path: list + "/99", Body: `{"text":"x"}`, Status: 404},
			{Name: "not served", Method: "GET", Path: one, Status: 405},
			{Method: "DELETE", Path: one, Status: 204},
			{Method: "GET", Path: list, Status: 200, Want: `[{"deleted":true,"text":"","comments":[{"deleted":false}]}]`},
			{Method: "DELETE", Path: one, Status: 404},
		})
	})
}

func TestV2Milestones(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const milestones = "/api/v2/milestones"
		id := s.Owner.Want(t, 201, "POST", milestones, `{"name":"Launch","description":"Out","state":"in progress","started_at_override":"2026-01-02T00:00:00Z",
			"completed_at_override":"2026-02-02T00:00:00Z","categories":[{"name":"Growth","color":"#112233","external_id":"c-1"}]}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", milestones, map[string]any{"name": strings.Repeat("ü", 256)}).ID(t)
		path := fmt.Sprintf("%s/%d", milestones, id)
		whole := `{"name":"Launch","description":"Out","state":"in progress","started":true,"started_at_override":"2026-01-02T00:00:00Z",
			"completed_at_override":"2026-02-02T00:00:00Z","entity_type":"milestone","categories":[{"name":"Growth","type":"milestone","color":"#112233"}]}`
		cases := []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole},
			{Method: "GET", Path: milestones, Status: 200, Want: fmt.Sprintf(`[%s,{"id":%d,"state":"to do"}]`, whole, other)},
			{Method: "PUT", Path: path, Body: fmt.Sprintf(`{"state":"done","started_at_override":null,"categories":[],"after_id":%d}`, other), Status: 200,
				Want: `{"state":"done","completed":true,"started_at_override":null,"categories":[]}`},
			{Name: "order", Method: "GET", Path: milestones, Status: 200, Want: fmt.Sprintf(`[{"id":%d},{"id":%d}]`, other, id)},
			{Name: "257", Method: "POST", Path: milestones, Body: map[string]any{"name": strings.Repeat("ü", 257)}, Status: 400},
			{Name: "state", Method: "POST", Path: milestones, Body: `{"name":"x","state":"started"}`, Status: 400},
			{Name: "category key", Method: "POST", Path: milestones, Body: `{"name":"x","categories":[{"name":"y","type":"milestone"}]}`, Status: 400,
				Want: `{"errors":{"categories":[{"type":"disallowed-key"}]}}`},
			{Name: "colour", Method: "PUT", Path: path, Body: `{"categories":[{"name":"y","color":"rgb(1,2,3)"}]}`, Status: 400},
			{Name: "absent", Method: "PUT", Path: path, Body: `{"before_id":99}`, Status: 422},
			{Method: "PUT", Path: milestones + "/99", Body: `{}`, Status: 404},
		}
		cases = append(cases, refusals("POST", milestones, `"name":"x",`, "archived", "key_results")...)
		cases = append(cases, refusals("PUT", path, "", "archived")...)
		cases = append(cases,
			testkit.Case{Method: "DELETE", Path: path, Status: 204}, testkit.Case{Method: "GET", Path: path, Status: 404},
			testkit.Case{Method: "DELETE", Path: path, Status: 404})
		testkit.Run(t, s.Owner, cases)
	})
}

func TestV2Projects(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const projects = "/api/v2/projects"
		flow, _ := secondWorkflow(t, s)
		id := s.Owner.Want(t, 201, "POST", projects, `{"name":"Engine"}`).ID(t)
		path := fmt.Sprintf("%s/%d", projects, id)
		whole := fmt.Sprintf(`{"name":"Engine","team_id":%d,"iteration_length":2,"days_to_thermometer":5,"show_thermometer":false,"abbreviation":null,
			"entity_type":"project","stats":{"num_points":3,"num_stories":1}}`, defaultWorkflow(t, s).TeamID)
		story := s.Owner.Want(t, 201, "POST", "/api/v2/stories", fmt.Sprintf(`{"name":"Story","description":"hidden","project_id":%d,"estimate":3}`, id)).ID(t)
		cases := []testkit.Case{
			{Name: "no team means the default one", Method: "GET", Path: path, Status: 200, Want: whole},
			{Method: "GET", Path: projects, Status: 200, Want: `[` + whole + `]`},
			{Method: "GET", Path: path + "/stories", Status: 200, Want: fmt.Sprintf(`[{"id":%d,"project_id":%d,"estimate":3,"task_ids":[]}]`, story, id)},
			{Method: "GET", Path: projects + "/99/stories", Status: 404},
			{Method: "GET", Path: "/api/v2/teams", Status: 200, Want: fmt.Sprintf(`[{"project_ids":[%d],"workflow":{"project_ids":[%[1]d]}},{"project_ids":[]}]`, id)},
			{Name: "another team", Method: "POST", Path: projects, Body: fmt.Sprintf(`{"name":"Second","team_id":%d,"color":"#112233","abbreviation":"abc","external_id":"p-1",
				"iteration_length":3,"start_time":"2026-01-01T00:00:00Z","follower_ids":[%q],"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`, flow.TeamID, s.Owner.Member.ID),
				Status: 201, Want: fmt.Sprintf(`{"team_id":%d,"color":"#112233","iteration_length":3,"updated_at":"2020-01-02T00:00:00Z","external_id":"p-1"}`, flow.TeamID)},
			{Method: "PUT", Path: path, Body: `{"name":"Motor","archived":true,"show_thermometer":true,"days_to_thermometer":9,"color":"#445566","abbreviation":"m"}`, Status: 200,
				Want: `{"name":"Motor","archived":true,"show_thermometer":true,"days_to_thermometer":9,"color":"#445566","abbreviation":"m"}`},
			{Name: "stories outside", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"team_id":%d}`, flow.TeamID), Status: 422},
			{Name: "absent team", Method: "POST", Path: projects, Body: `{"name":"x","team_id":99}`, Status: 422},
			{Name: "128", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 128)}, Status: 200},
			{Name: "129", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400},
			{Name: "129", Method: "POST", Path: projects, Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400},
			{Name: "colour", Method: "POST", Path: projects, Body: `{"name":"x","color":"#abc"}`, Status: 400, Want: `{"errors":{"color":"must be a colour of the form #rrggbb"}}`},
			{Name: "colour", Method: "PUT", Path: path, Body: `{"color":null}`, Status: 400},
			{Name: "stories remain", Method: "DELETE", Path: path, Status: 422},
			{Method: "DELETE", Path: fmt.Sprintf("/api/v2/stories/%d", story), Status: 204},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "GET", Path: path, Status: 404},
		}
		cases = append(cases, refusals("POST", projects, `"name":"x",`, "workflow_id")...)
		cases = append(cases, refusals("GET", path+"/stories", "", "includes_description")...)
		testkit.Run(t, s.Owner, cases)
	})
}
