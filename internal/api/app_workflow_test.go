package api_test

import (
	"fmt"
	"reflect"
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
		kept := s.InsertStories(t, address, ws, inDevelopment, 65536)
		var moved []int64
		for state := range int64(len(tracker.DefaultStates)) {
			moved = append(moved, s.InsertStories(t, address, ws, from+state, spread(170)...)...)
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

// spread is n positions as stories have them.
func spread(n int) []int64 {
	positions := make([]int64, n)
	for i := range positions {
		positions[i] = int64(i+1) * 65536
	}
	return positions
}
