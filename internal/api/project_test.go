package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestProjectCreate(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, flow, other := s.Owner.Member.ID, defaultWorkflow(t, s), putWorkflow(t, s)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		long := func(field string, n int) map[string]any {
			body := map[string]any{"name": "n", "team_id": flow.TeamID}
			body[field] = strings.Repeat("ü", n)
			return body
		}
		at := func(field string, n int, status int) testkit.Case {
			return testkit.Case{Name: fmt.Sprint(field, " of ", n), Method: "POST", Path: "/projects", Body: long(field, n), Status: status}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/projects", Status: 200, Want: `[]`},
			{Name: "everything", Method: "POST", Path: "/projects", Status: 201,
				Body: fmt.Sprintf(`{"name":"Engine","abbreviation":"eng","color":"#AAbbcc","created_at":"2020-02-03T04:05:06Z","description":"d","external_id":"x1",
					"follower_ids":["%s","%s"],"iteration_length":3,"start_time":"2021-01-01T00:00:00Z","team_id":%d,"updated_at":"2020-02-03T04:05:07+02:00"}`,
					me, me, other.TeamID),
				Want: fmt.Sprintf(`{"name":"Engine","abbreviation":"eng","color":"#AAbbcc","created_at":"2020-02-03T04:05:06Z","description":"d","external_id":"x1",
					"follower_ids":["%s"],"iteration_length":3,"start_time":"2021-01-01T00:00:00Z","team_id":%d,"workflow_id":%d,"updated_at":"2020-02-03T02:05:07Z",
					"archived":false,"show_thermometer":false,"days_to_thermometer":5,"entity_type":"project",
					"stats":{"num_points":0,"num_stories":0,"num_related_documents":0}}`, me, other.TeamID, other.ID)},
			{Name: "the least", As: member, Method: "POST", Path: "/projects", Body: fmt.Sprintf(`{"name":"Engine","team_id":%d}`, flow.TeamID), Status: 201,
				Want: fmt.Sprintf(`{"name":"Engine","abbreviation":null,"color":null,"description":null,"external_id":null,"follower_ids":[],"iteration_length":2,
					"start_time":"2026-01-05T10:00:00Z","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z","team_id":%d,"workflow_id":%d}`,
					flow.TeamID, flow.ID)},
			{Name: "empty texts", Method: "POST", Path: "/projects", Status: 201,
				Body: fmt.Sprintf(`{"name":"n","team_id":%d,"abbreviation":"","description":"","external_id":"","iteration_length":0}`, flow.TeamID),
				Want: `{"abbreviation":"","description":"","external_id":"","iteration_length":0}`},
			{Name: "nothing", Method: "POST", Path: "/projects", Body: `{}`, Status: 400,
				Want: `{"errors":{"name":"missing-required-key","team_id":"missing-required-key"}}`},
			{Name: "every bad field", Method: "POST", Path: "/projects", Status: 400,
				Body: `{"name":" ","abbreviation":null,"color":"red","created_at":"yesterday","description":7,"external_id":null,"follower_ids":[1],
					"iteration_length":-1,"start_time":null,"team_id":"1","updated_at":"2026-01-05","archived":true}`,
				Want: `{"errors":{"name":"must not be blank","abbreviation":"must not be null","color":"must be a colour of the form #rrggbb",
					"description":"must be a string","external_id":"must not be null","follower_ids":["must be a UUID"],"iteration_length":"must be at least 0",
					"start_time":"must not be null","team_id":"must be an integer","archived":"disallowed-key",
					"created_at":"must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z"}}`},
			{Name: "unknown team", Method: "POST", Path: "/projects", Body: `{"name":"n","team_id":0}`, Status: 422,
				Want: `{"errors":{"team_id":"names no existing team: 0"}}`},
			{Name: "a workflow is no team", Method: "POST", Path: "/projects", Body: fmt.Sprintf(`{"name":"n","team_id":%d}`, flow.ID), Status: 422},
			{Name: "unknown follower", Method: "POST", Path: "/projects", Status: 422,
				Body: fmt.Sprintf(`{"name":"n","team_id":%d,"follower_ids":["%s"]}`, flow.TeamID, nobody),
				Want: `{"errors":{"follower_ids":"names no existing member: ` + nobody + `"}}`},
			{Name: "observer", As: observer, Method: "POST", Path: "/projects", Body: fmt.Sprintf(`{"name":"n","team_id":%d}`, flow.TeamID), Status: 403,
				Want: `{"tag":"forbidden"}`},
			at("name", 128, 201), at("name", 129, 400), at("abbreviation", 63, 201), at("abbreviation", 64, 400),
			at("external_id", 128, 201), at("external_id", 129, 400), at("description", 100_000, 201), at("description", 100_001, 400),
		})
	})
}

func TestProjectUpdate(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, flow, other := s.Owner.Member.ID, defaultWorkflow(t, s), putWorkflow(t, s)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		id := newProject(t, s, flow.TeamID)
		path := fmt.Sprint("/projects/", id)
		at := func(field string, n int, status int) testkit.Case {
			return testkit.Case{Name: fmt.Sprint(field, " of ", n), Method: "PUT", Path: path, Body: map[string]any{field: strings.Repeat("ü", n)}, Status: status}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: path, Status: 200,
				Body: fmt.Sprintf(`{"abbreviation":"eng","archived":true,"color":"#112233","days_to_thermometer":14,"description":"d","follower_ids":["%s","%s"],
					"name":"Engine","show_thermometer":true,"team_id":%d}`, me, me, other.TeamID),
				Want: fmt.Sprintf(`{"id":%d,"abbreviation":"eng","archived":true,"color":"#112233","days_to_thermometer":14,"description":"d","follower_ids":["%s"],
					"name":"Engine","show_thermometer":true,"team_id":%d,"workflow_id":%d,"app_url":"%s/first/project/%d"}`,
					id, me, other.TeamID, other.ID, s.URL, id)},
			{Method: "PUT", Path: path, Body: `{"follower_ids":[],"description":"","abbreviation":"","archived":false,"days_to_thermometer":0}`, Status: 200,
				Want: `{"follower_ids":[],"description":"","abbreviation":"","archived":false,"days_to_thermometer":0,"name":"Engine"}`},
			{Name: "nulls", Method: "PUT", Path: path, Status: 400,
				Body: `{"abbreviation":null,"archived":null,"color":null,"days_to_thermometer":null,"description":null,"follower_ids":null,"name":null,
					"show_thermometer":null,"team_id":null}`,
				Want: `{"errors":{"abbreviation":"must not be null","archived":"must not be null","color":"must not be null",
					"days_to_thermometer":"must not be null","description":"must not be null","follower_ids":"must not be null","name":"must not be null",
					"show_thermometer":"must not be null","team_id":"must not be null"}}`},
			{Method: "PUT", Path: path, Body: `{"days_to_thermometer":-1,"name":"","external_id":"x"}`, Status: 400,
				Want: `{"errors":{"days_to_thermometer":"must be at least 0","name":"must have at least 1 characters","external_id":"disallowed-key"}}`},
			{Name: "unknown team", Method: "PUT", Path: path, Body: `{"team_id":999}`, Status: 422, Want: `{"errors":{"team_id":"names no existing team: 999"}}`},
			{Name: "unknown follower", Method: "PUT", Path: path, Body: `{"follower_ids":["` + nobody + `"]}`, Status: 422},
			{Name: "observer", As: observer, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 403},
			{Name: "observer reads", As: observer, Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"id":%d}`, id)},
			{Name: "another workspace", As: s.NewWorkspace(t, "second"), Method: "GET", Path: path, Status: 404},
			{Method: "PUT", Path: "/projects/999", Body: `{"name":"x"}`, Status: 404},
			{Method: "GET", Path: "/projects/0", Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "GET", Path: "/projects/x", Status: 400, Want: `{"errors":{"project-public-id":"must be an integer"}}`},
			at("name", 128, 200), at("name", 129, 400), at("abbreviation", 63, 200), at("abbreviation", 64, 400),
			at("description", 100_000, 200), at("description", 100_001, 400),
		})
	})
}

func TestProjectStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow, other := defaultWorkflow(t, s), putWorkflow(t, s)
		id, empty := newProject(t, s, flow.TeamID), newProject(t, s, flow.TeamID)
		path := fmt.Sprint("/projects/", id)
		for i := range 3 {
			points := int64(i + 1)
			testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
				story.ProjectID, story.Estimate, story.Archived, story.Description = &id, &points, i == 2, "text"
			})
		}
		stats := `"stats":{"num_points":3,"num_stories":2,"num_related_documents":0}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{` + stats + `}`},
			{Method: "PUT", Path: path, Body: `{}`, Status: 200, Want: `{` + stats + `}`},
			{Method: "GET", Path: "/projects", Status: 200, Want: fmt.Sprintf(`[{"id":%d,%s},{"id":%d,"stats":{"num_points":0,"num_stories":0}}]`, id, stats, empty)},
			{Method: "GET", Path: fmt.Sprintf("/projects/%d/stories", empty), Status: 200, Want: `[]`},
			{Method: "GET", Path: "/projects/999/stories", Status: 404},
			{Method: "GET", Path: path + "/stories?includes_description=1", Status: 400, Want: `{"errors":{"includes_description":"must be true or false"}}`},
			{Method: "GET", Path: path + "/stories", Body: `{"includes_description":"true"}`, Status: 400},
			{Name: "stories stand in the way of a move", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"team_id":%d}`, other.TeamID), Status: 422,
				Want: `{"errors":{"team_id":"names the team of another workflow than that of the project's stories"}}`},
			{Name: "the same team", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"team_id":%d}`, flow.TeamID), Status: 200},
		})
		testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
			story.ProjectID, story.WorkflowID, story.StateID = &empty, other.ID, other.DefaultStateID
		})
		s.Owner.Want(t, 200, "PUT", fmt.Sprint("/projects/", empty), map[string]any{"team_id": other.TeamID})
		for _, c := range []struct {
			query, body string
			described   bool
		}{
			{"", "", false}, {"?includes_description=false", "", false}, {"?includes_description=true", "", true}, {"", `{"includes_description":true}`, true},
			{"?includes_description=false", `{"includes_description":true}`, false}, {"?includes_description=true", `{"includes_description":false}`, true},
		} {
			list := s.Owner.Want(t, 200, "GET", path+"/stories"+c.query, c.body).List(t)
			if len(list) != 3 {
				t.Fatalf("%d stories, want 3", len(list))
			}
			if text, shown := list[0]["description"]; shown != c.described || shown && text != "text" {
				t.Errorf("stories%s %s: description %v", c.query, c.body, text)
			}
		}
	})
}

func TestProjectDelete(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := defaultWorkflow(t, s)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		id := newProject(t, s, flow.TeamID)
		path := fmt.Sprint("/projects/", id)
		story := testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) { story.ProjectID, story.Archived = &id, true })
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "an archived story remains", Method: "DELETE", Path: path, Status: 422,
				Want: `{"errors":{"project-public-id":"names a project that still has stories; move or delete them first"}}`},
			{Name: "observer", As: observer, Method: "DELETE", Path: path, Status: 403},
			{Method: "GET", Path: path, Status: 200},
		})
		storeWrite(t, s, func(tx *store.Tx) error { return tx.DeleteStory(&story) })
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestProjectsOff(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := defaultWorkflow(t, s)
		path := fmt.Sprint("/projects/", newProject(t, s, flow.TeamID))
		if err := s.Service.SwitchFeature(context.Background(), testkit.Operator(s.Owner.Workspace), tracker.Projects, false); err != nil {
			t.Fatal(err)
		}
		const off = `{"feature_tag":"projects","message":"The feature projects is disabled in this workspace."}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/projects", Body: `{"name":"n","team_id":999}`, Status: 403, Want: off},
			{Method: "PUT", Path: path, Body: `{"name":"n"}`, Status: 403, Want: off},
			{Name: "403 before 404", Method: "PUT", Path: "/projects/999", Body: `{"name":"n"}`, Status: 403, Want: off},
			{Method: "GET", Path: path, Status: 200},
			{Method: "GET", Path: path + "/stories", Status: 200},
			{Method: "DELETE", Path: path, Status: 204},
		})
	})
}

func TestProjectTextsFromOlderVersionsAreCut(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		p, err := s.Service.CreateProject(context.Background(), testkit.Operator(s.Owner.Workspace), tracker.ProjectParams{
			Name: strings.Repeat("ü", 128) + "x", Description: tracker.Some(strings.Repeat("ö", 100_000) + "x"),
		})
		if err != nil {
			t.Fatal(err)
		}
		if flow := defaultWorkflow(t, s); p.TeamID != flow.TeamID || p.WorkflowID != flow.ID {
			t.Errorf("without a team the project is in team %d, workflow %d", p.TeamID, p.WorkflowID)
		}
		got := s.Owner.Want(t, 200, "GET", "/projects/"+p.EntityID(), nil).Object(t)
		if got["name"] != strings.Repeat("ü", 128) || got["description"] != strings.Repeat("ö", 100_000) {
			t.Errorf("name %q", got["name"])
		}
	})
}

func TestProjectChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow, other := defaultWorkflow(t, s), putWorkflow(t, s)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		path := fmt.Sprint("/projects/", newProject(t, s, flow.TeamID))
		body := fmt.Sprintf(`{"archived":true,"team_id":%d}`, other.TeamID)
		s.Clock.Advance(60e9)
		s.Owner.Want(t, 200, "PUT", path, body)
		s.Clock.Advance(60e9)
		if at := s.Owner.Want(t, 200, "PUT", path, body).Object(t)["updated_at"]; at != "2026-01-05T10:01:00Z" {
			t.Errorf("an update that changes nothing leaves updated_at at %v", at)
		}
		s.Owner.Want(t, 422, "PUT", path, `{"name":"x","team_id":999}`)
		s.Owner.Want(t, 204, "DELETE", path, nil)
		wantChanges(t, s, before, "create project name", "update project archived team_id workflow_id", "delete project name archived")
	})
}

func TestProjectIDsOfWorkflows(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow, other := defaultWorkflow(t, s), putWorkflow(t, s)
		first, second, third := newProject(t, s, flow.TeamID), newProject(t, s, other.TeamID), newProject(t, s, flow.TeamID)
		both, one := fmt.Sprintf(`"project_ids":[%d,%d]`, first, third), fmt.Sprintf(`"project_ids":[%d]`, second)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/workflows", Status: 200, Want: `[{` + both + `},{` + one + `}]`},
			{Method: "GET", Path: fmt.Sprint("/workflows/", other.ID), Status: 200, Want: `{` + one + `}`},
			{Method: "GET", Path: "/teams", Status: 200, Want: `[{` + both + `,"workflow":{` + both + `}},{` + one + `,"workflow":{` + one + `}}]`},
			{Method: "GET", Path: fmt.Sprint("/teams/", flow.TeamID), Status: 200, Want: `{` + both + `}`},
		})
	})
}

func TestProjectListsCostAFixedNumberOfQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := defaultWorkflow(t, s)
		id := newProject(t, s, flow.TeamID)
		fill := func(n int) {
			storeWrite(t, s, func(tx *store.Tx) error {
				for range n {
					if err := tx.InsertProject(&tracker.Project{ID: tx.NextID(), Name: "n", TeamID: flow.TeamID, WorkflowID: flow.ID}); err != nil {
						return err
					}
				}
				return nil
			})
			testkit.PutStories(t, s, s.Owner.Workspace, n, func(story *tracker.Story) { story.ProjectID = &id })
		}
		paths := []string{"/projects", fmt.Sprintf("/projects/%d/stories", id), "/workflows"}
		few := map[string]int64{}
		fill(10)
		for _, path := range paths {
			few[path] = queries(t, s, path)
		}
		fill(990)
		for _, path := range paths {
			if n := queries(t, s, path); n != few[path] {
				t.Errorf("%s costs %d queries with 1,000, %d with 10", path, n, few[path])
			}
		}
	})
}

func newProject(t *testing.T, s *testkit.Server, team int64) int64 {
	t.Helper()
	return s.Owner.Want(t, 201, "POST", "/projects", map[string]any{"name": "Project", "team_id": team}).ID(t)
}

func defaultWorkflow(t *testing.T, s *testkit.Server) tracker.Workflow {
	t.Helper()
	list, err := s.Service.Workflows(context.Background(), testkit.Operator(s.Owner.Workspace))
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// putWorkflow stores a second workflow, with one state.
func putWorkflow(t *testing.T, s *testkit.Server) tracker.Workflow {
	t.Helper()
	var flow tracker.Workflow
	storeWrite(t, s, func(tx *store.Tx) error {
		flow = tracker.Workflow{ID: tx.NextHighID(), TeamID: tx.NextID(), Name: "Second", Position: 2}
		return tx.InsertWorkflow(&flow)
	})
	flow.DefaultStateID = putState(t, s, flow.ID, tracker.Unstarted)
	return flow
}

// putState stores another state of the workflow.
func putState(t *testing.T, s *testkit.Server, workflow int64, kind tracker.StateType) int64 {
	t.Helper()
	var id int64
	storeWrite(t, s, func(tx *store.Tx) error {
		id = tx.NextHighID()
		return tx.InsertWorkflowState(&tracker.WorkflowState{State: tracker.State{ID: id, Name: string(kind), Type: kind, Position: 100}, WorkflowID: workflow})
	})
	return id
}
