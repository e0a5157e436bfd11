package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// Every filter picks exactly the stories it should, and a filter that is absent picks all.
func TestSearchStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := s.Owner.Want(t, 200, "GET", "/workflows", nil).List(t)[0]
		states := flow["states"].([]any)
		state := func(i int) int64 { return int64(states[i].(map[string]any)["id"].(float64)) }
		other := s.NewMember(t, s.Owner, "otto", tracker.Regular)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"E"}`).ID(t)
		project := s.Owner.Want(t, 201, "POST", "/projects", map[string]any{"name": "P", "team_id": flow["team_id"]}).ID(t)
		iteration := s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"I","start_date":"2026-01-05","end_date":"2026-01-09"}`).ID(t)
		group := s.Owner.Want(t, 201, "POST", "/groups", `{"name":"G","mention_name":"g"}`).Object(t)["id"]

		ids := map[string]int64{}
		for name, body := range map[string]string{
			"plain":  `{"name":"plain"}`,
			"full":   fmt.Sprintf(`{"name":"full","story_type":"bug","estimate":3,"external_id":"x-1","owner_ids":["%s"],"epic_id":%d,"project_id":%d,"iteration_id":%d,"group_id":"%s","labels":[{"name":"Große Sache"}],"requested_by_id":"%s","deadline":"2026-02-01T00:00:00Z"}`, other.Member.ID, epic, project, iteration, group, other.Member.ID),
			"done":   fmt.Sprintf(`{"name":"done","workflow_state_id":%d,"story_type":"chore"}`, state(5)),
			"hidden": `{"name":"hidden","archived":true}`,
			"old":    `{"name":"old","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`,
		} {
			ids[name] = s.Owner.Want(t, 201, "POST", "/stories", body).ID(t)
		}
		label := s.Owner.Want(t, 200, "GET", "/labels?slim=true", nil).List(t)[0]["id"]
		for _, c := range []struct{ filter, want string }{
			{`{}`, "plain full done hidden old"},
			{`{"archived":false}`, "plain full done old"},
			{`{"archived":true}`, "hidden"},
			{`{"story_type":"bug"}`, "full"},
			{`{"estimate":3}`, "full"},
			{`{"external_id":"x-1"}`, "full"},
			{fmt.Sprintf(`{"owner_id":"%s"}`, other.Member.ID), "full"},
			{`{"owner_id":null}`, "plain done hidden old"},
			{fmt.Sprintf(`{"owner_ids":["%s"]}`, other.Member.ID), "full"},
			{fmt.Sprintf(`{"requested_by_id":"%s"}`, other.Member.ID), "full"},
			{fmt.Sprintf(`{"epic_id":%d}`, epic), "full"},
			{`{"epic_id":null}`, "plain done hidden old"},
			{fmt.Sprintf(`{"epic_ids":[%d,99]}`, epic), "full"},
			{fmt.Sprintf(`{"project_id":%d}`, project), "full"},
			{`{"project_id":null,"archived":false}`, "plain done old"},
			{fmt.Sprintf(`{"project_ids":[%d]}`, project), "full"},
			{fmt.Sprintf(`{"iteration_id":%d}`, iteration), "full"},
			{fmt.Sprintf(`{"iteration_ids":[%d]}`, iteration), "full"},
			{fmt.Sprintf(`{"group_id":"%s"}`, group), "full"},
			{fmt.Sprintf(`{"group_ids":["%s"]}`, group), "full"},
			{`{"label_name":"GROSSE SACHE"}`, "full"},
			{fmt.Sprintf(`{"label_ids":[%v]}`, label), "full"},
			{fmt.Sprintf(`{"workflow_state_id":%d}`, state(5)), "done"},
			{`{"workflow_state_types":["done","started"]}`, "done"},
			{`{"workflow_state_types":["unstarted"],"archived":false}`, "plain full old"},
			{`{"created_at_end":"2020-01-01T00:00:00Z"}`, "old"},
			{`{"created_at_start":"2020-01-01T00:00:01Z"}`, "plain full done hidden"},
			{`{"updated_at_start":"2020-01-02T00:00:00Z","updated_at_end":"2020-01-02T00:00:00Z"}`, "old"},
			{`{"completed_at_start":"2026-01-05T10:00:00Z"}`, "done"},
			{`{"completed_at_start":"2026-01-05T10:00:01Z"}`, ""},
			{`{"deadline_start":"2026-02-01T00:00:00Z","deadline_end":"2026-02-01T00:00:00Z"}`, "full"},
		} {
			got := map[int64]bool{}
			for _, story := range s.Owner.Want(t, 201, "POST", "/stories/search", c.filter).List(t) {
				got[int64(story["id"].(float64))] = true
				if _, has := story["description"]; has {
					t.Errorf("%s answers with descriptions", c.filter)
				}
			}
			want := strings.Fields(c.want)
			for _, name := range want {
				if !got[ids[name]] {
					t.Errorf("%s misses %s", c.filter, name)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s picks %d stories, want %s", c.filter, len(got), c.want)
			}
		}
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		testkit.Run(t, observer, []testkit.Case{
			{Name: "observers search", Method: "POST", Path: "/stories/search", Body: `{"includes_description":true,"story_type":"bug"}`, Status: 201, Want: `[{"description":""}]`},
			{Method: "POST", Path: "/stories/search", Body: `{"story_type":"epic"}`, Status: 400},
			{Method: "POST", Path: "/stories/search", Body: `{"workflow_state_types":["unstarted","x"]}`, Status: 400, Want: `{"errors":{"workflow_state_types":[null,"must be one of: backlog, unstarted, started, done"]}}`},
			{Method: "POST", Path: "/stories/search", Body: `{"text":"x"}`, Status: 400, Want: `{"errors":{"text":"disallowed-key"}}`},
		})
	})
}

// The index holds only the head of external ids; what differs behind it is told apart all the same.
func TestSearchLongExternalIDs(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		head := strings.Repeat("ü", 64)
		ids := map[string]int64{}
		for _, external := range []string{head, head + "a", head + "b", head[2:]} {
			ids[external] = s.Owner.Want(t, 201, "POST", "/stories", map[string]any{"name": "n", "external_id": external}).ID(t)
		}
		for external, id := range ids {
			list := s.Owner.Want(t, 201, "POST", "/stories/search", map[string]any{"external_id": external}).List(t)
			if len(list) != 1 || int64(list[0]["id"].(float64)) != id {
				t.Errorf("%s finds %v, want %d", external, list, id)
			}
		}
	})
}

// A list that is longer than a page, and than what is sent at once, is complete and in order.
func TestLongStoryList(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const many = store.StoryPageSize + 1
		put := testkit.PutStories(t, s, s.Owner.Workspace, many, func(story *tracker.Story) {})
		list := s.Owner.Want(t, 201, "POST", "/stories/search", `{}`).List(t)
		if len(list) != many {
			t.Fatalf("%d stories, want %d", len(list), many)
		}
		for i, story := range list {
			if int64(story["id"].(float64)) != put[i].ID {
				t.Fatalf("story %d is %v, want %d", i, story["id"], put[i].ID)
			}
		}
	})
}
