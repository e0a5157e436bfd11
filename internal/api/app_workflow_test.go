package api_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// The first workspace's ids: the epic workflow and its three states come before them.
const (
	standard    = 500000004
	unscheduled = iota + 500000004
	readyForDevelopment
	inDevelopment
	readyForReview
	readyForDeploy
	completed
)

func TestWorkflowAdministration(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		const path = "/api/app/workflows"
		first, second := path+"/500000004", path+"/500000011"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "no name", Method: "POST", Path: path, Body: `{"description":"x"}`, Status: 400, Want: `{"errors":{"name":"missing-required-key"}}`},
			{Name: "too long", Method: "POST", Path: path, Status: 400, Body: map[string]any{"name": strings.Repeat("x", 129), "description": strings.Repeat("x", 1025)},
				Want: `{"errors":{"name":"must have at most 128 characters","description":"must have at most 1024 characters"}}`},
			{Name: "at the limits", Method: "POST", Path: path, Status: 201, Body: map[string]any{"name": strings.Repeat("x", 128), "description": strings.Repeat("x", 1024)},
				Want: `{"id":500000011,"auto_assign_owner":true,"default_state_id":500000012,"team_id":2,"entity_type":"workflow","states":[
					{"name":"Unscheduled","type":"unstarted","position":1},{"name":"Ready for Development"},{"name":"In Development"},
					{"name":"Ready for Review"},{"name":"Ready for Deploy"},{"name":"Completed","type":"done","position":6}]}`},
			{Method: "POST", Path: path, Body: `{"name":"Third","auto_assign_owner":false}`, Status: 201, Want: `{"id":500000018,"description":"","auto_assign_owner":false}`},
			{Method: "PUT", Path: second, Body: `{"name":"Second","description":"","auto_assign_owner":false,"default_state_id":500000014}`, Status: 200,
				Want: `{"name":"Second","description":"","auto_assign_owner":false,"default_state_id":500000014}`},
			{Name: "a state of another workflow", Method: "PUT", Path: second, Body: `{"default_state_id":500000005}`, Status: 422,
				Want: `{"errors":{"default_state_id":"must name a state of this workflow"}}`},
			{Name: "null", Method: "PUT", Path: second, Body: `{"name":null,"default_state_id":null,"before_id":null}`, Status: 400},
			{Name: "none", Method: "PUT", Path: path + "/7", Body: `{"name":"x"}`, Status: 404},
			{Method: "PUT", Path: second, Body: `{"before_id":500000004}`, Status: 200},
			{Method: "GET", Path: path, Status: 200, Want: `[{"id":500000011},{"id":500000004},{"id":500000018}]`},
			{Method: "PUT", Path: second, Body: `{"after_id":500000018}`, Status: 200},
			{Name: "v3 shows the same order", Method: "GET", Path: "/workflows", Status: 200, Want: `[{"id":500000004},{"id":500000018},{"id":500000011}]`},
			{Name: "beside itself", Method: "PUT", Path: second, Body: `{"before_id":500000011}`, Status: 422, Want: `{"errors":{"before_id":"must name another workflow"}}`},
			{Name: "beside none", Method: "PUT", Path: second, Body: `{"after_id":7}`, Status: 422, Want: `{"errors":{"after_id":"must name another workflow"}}`},
			{Name: "two places", Method: "PUT", Path: second, Body: `{"after_id":500000004,"before_id":500000018}`, Status: 422},
			{Name: "the default cannot go", Method: "DELETE", Path: first, Status: 422,
				Want: `{"errors":{"id":"names the default workflow: make another one the default first"}}`},
			{Name: "nor stop to be it", Method: "PUT", Path: first, Body: `{"default":false}`, Status: 422},
			{Name: "another can be it", Method: "PUT", Path: second, Body: `{"default":true}`, Status: 200},
			{Method: "GET", Path: "/api/app/workspace", Status: 200, Want: `{"default_workflow_id":500000011}`},
			{Name: "no longer the default", Method: "PUT", Path: first, Body: `{"default":false}`, Status: 200},
			{Name: "a bad replacement matters without stories too", Method: "DELETE", Path: first, Body: `{"replacement_state_id":500000005}`, Status: 422,
				Want: `{"errors":{"replacement_state_id":"must name a state of another workflow"}}`},
			{Method: "DELETE", Path: first, Status: 204},
			{Method: "DELETE", Path: first, Status: 404},
			{Method: "GET", Path: path, Status: 200, Want: `[{"id":500000018},{"id":500000011,"states":[{},{},{},{},{},{}]}]`},
			{Name: "the others closed up", Method: "GET", Path: "/teams", Status: 200, Want: `[{"name":"Third","position":1},{"name":"Second","position":2}]`},
			{As: other, Method: "GET", Path: path, Status: 200, Want: `[{"id":500000004,"name":"Standard"}]`},
		})
	})
}

func TestWorkflowsAreBounded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for i := 1; i < tracker.MaxWorkflows; i++ {
			s.Owner.Want(t, 201, "POST", "/api/app/workflows", map[string]any{"name": fmt.Sprint(i)})
		}
		for i := len(tracker.DefaultStates); i < tracker.MaxStates; i++ {
			s.Owner.Want(t, 201, "POST", "/api/app/workflows/500000004/states", map[string]any{"name": fmt.Sprint(i), "type": "started"})
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/api/app/workflows", Body: `{"name":"one too many"}`, Status: 422,
				Want: `{"errors":{"workspace":"has 100 workflows already, which is the most"}}`},
			{Method: "POST", Path: "/api/app/workflows/500000004/states", Body: `{"name":"one too many","type":"started"}`, Status: 422,
				Want: `{"errors":{"workflow":"has 100 states already, which is the most"}}`},
		})
	})
}

func TestDeleteWorkflowWithStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ws := s.Owner.Workspace
		gone := s.Owner.Want(t, 201, "POST", "/api/app/workflows", `{"name":"Gone"}`).ID(t)
		from := gone + 1
		kept := s.InsertStories(t, ws, inDevelopment, 65536)
		var moved []int64
		for state := range int64(len(tracker.DefaultStates)) {
			moved = append(moved, s.InsertStories(t, ws, from+state, spread(170)...)...)
		}
		path := fmt.Sprintf("/api/app/workflows/%d", gone)
		before := int64(len(s.Changes(t, ws, 0)))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "without a replacement", Method: "DELETE", Path: path, Status: 422,
				Want: `{"errors":{"replacement_state_id":"is needed to say where the stories go"}}`},
			{Name: "a state of its own", Method: "DELETE", Path: fmt.Sprintf("%s?replacement_state_id=%d", path, from+1), Status: 422},
			{Name: "no state", Method: "DELETE", Path: path + "?replacement_state_id=7", Status: 422},
			{Name: "no number", Method: "DELETE", Path: path + "?replacement_state_id=x", Status: 400},
			{Method: "DELETE", Path: fmt.Sprintf("%s?replacement_state_id=%d", path, inDevelopment), Status: 204},
			{Method: "GET", Path: "/workflows", Status: 200, Want: `[{"id":500000004,"states":[{},{},{"num_stories":1021},{},{},{}]}]`},
		})
		if got := testkit.StoriesIn(t, address, ws, inDevelopment); !reflect.DeepEqual(got, append(kept, moved...)) {
			t.Errorf("the order of the stories is %v", got)
		}
		changes := s.Changes(t, ws, before)
		// 500 stories, 500 more, and the last 20 with the six states and the workflow.
		for i, want := range []int{500, 500, 20 + 6 + 1} {
			if c := changes[i]; len(changes) != 3 || c.Number != before+int64(i)+1 || len(c.Items) != want {
				t.Errorf("change %d of %d has number %d and %d items, want %d", i, len(changes), c.Number, len(c.Items), want)
			}
		}
		if last := changes[2].Items[26]; last.EntityType != "workflow" || last.Action != "delete" || last.Data["name"] != "Gone" {
			t.Errorf("the last item is %+v", last)
		}
	})
}

// What refers to a workflow when it is deleted: projects hold it back, groups lose it.
func TestDeleteWorkflowInUse(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := s.Owner.Want(t, 201, "POST", "/api/app/workflows", `{"name":"Gone"}`).Object(t)
		gone := int64(flow["id"].(float64))
		project := s.Owner.Want(t, 201, "POST", "/projects", map[string]any{"name": "P", "team_id": flow["team_id"]}).ID(t)
		group := func(mention string, flows ...int64) string {
			return "/groups/" + s.Owner.Want(t, 201, "POST", "/groups", map[string]any{"name": mention, "mention_name": mention, "workflow_ids": flows}).Object(t)["id"].(string)
		}
		only, both, other := group("only", gone), group("both", gone, standard), group("other", standard)
		s.Owner.Want(t, 200, "PUT", both, map[string]any{"default_workflow_id": gone})
		path, to := fmt.Sprintf("/api/app/workflows/%d", gone), fmt.Sprintf("/projects/%d", project)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "DELETE", Path: path, Status: 422,
				Want: fmt.Sprintf(`{"errors":{"id":"names a workflow that has projects: move [%d] to another team first"}}`, project)},
			{Method: "PUT", Path: to, Body: `{"team_id":1}`, Status: 200, Want: fmt.Sprintf(`{"workflow_id":%d}`, standard)},
			{Method: "DELETE", Path: path, Status: 204},
			{Name: "the workspace's default for the only one", Method: "GET", Path: only, Status: 200, Want: fmt.Sprintf(`{"workflow_ids":[%d],"default_workflow_id":null}`, standard)},
			{Name: "no longer the default", Method: "GET", Path: both, Status: 200, Want: fmt.Sprintf(`{"workflow_ids":[%d],"default_workflow_id":null}`, standard)},
			{Method: "GET", Path: other, Status: 200, Want: fmt.Sprintf(`{"workflow_ids":[%d]}`, standard)},
		})
		changes := s.Changes(t, s.Owner.Workspace, before)
		if len(changes) != 2 || changes[1].PrimaryID != fmt.Sprint(gone) {
			t.Fatalf("the changes are %+v", changes)
		}
		var groups []string
		for _, item := range changes[1].Items {
			if item.EntityType == "group" {
				data, err := json.Marshal(item.Data)
				if err != nil {
					t.Fatal(err)
				}
				groups = append(groups, fmt.Sprintf("/groups/%s %s", item.EntityID, data))
			}
		}
		want := []string{
			fmt.Sprintf(`%s {"workflow_ids":{"adds":[%d],"removes":[%d]}}`, only, standard, gone),
			fmt.Sprintf(`%s {"default_workflow_id":{"old":%d},"workflow_ids":{"removes":[%d]}}`, both, gone, gone),
		}
		slices.Sort(groups)
		slices.Sort(want)
		if !slices.Equal(groups, want) {
			t.Errorf("recorded are %q, want %q", groups, want)
		}
	})
}

// A template counts once for each state that it names, however often it does.
func TestStatesCountTemplates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		template := func(contents string) string {
			return "/entity-templates/" + s.Owner.Want(t, 201, "POST", "/entity-templates", `{"name":"t","story_contents":`+contents+`}`).Object(t)["id"].(string)
		}
		template(`{"name":"none"}`)
		template(fmt.Sprintf(`{"workflow_state_id":%d}`, inDevelopment))
		last := template(fmt.Sprintf(`{"workflow_state_id":%d,"sub_tasks":[{"name":"a","workflow_state_id":%d},{"name":"b","workflow_state_id":%d}]}`,
			inDevelopment, inDevelopment, completed))
		counts := func(developing, done int) string {
			return fmt.Sprintf(`{"states":[{"num_story_templates":0},{},{"num_story_templates":%d},{},{},{"num_story_templates":%d}]}`, developing, done)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/workflows/500000004", Status: 200, Want: counts(2, 1)},
			{Method: "GET", Path: "/api/app/workflows", Status: 200, Want: `[` + counts(2, 1) + `]`},
			{Method: "PUT", Path: "/api/app/states/500000007", Body: `{"name":"Doing"}`, Status: 200, Want: `{"num_story_templates":2}`},
			{Method: "DELETE", Path: last, Status: 204},
			{Method: "GET", Path: "/workflows", Status: 200, Want: `[` + counts(1, 0) + `]`},
			{Name: "a state that is gone leaves its templates", Method: "DELETE", Path: "/api/app/states/500000007", Status: 204},
			{Method: "GET", Path: "/entity-templates", Status: 200, Want: `[{},{"story_contents":{}}]`},
		})
	})
}

// spread is n positions as stories have them.
func spread(n int) []int64 {
	positions := make([]int64, n)
	for i := range positions {
		positions[i] = int64(i+1) * 65536
	}
	return positions
}
