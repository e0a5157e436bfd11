package api_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
)

func TestWorkflowStates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const path = "/api/app/workflows/500000004/states"
		state := func(id int64) string { return fmt.Sprintf("/api/app/states/%d", id) }
		order := func(names ...string) testkit.Case {
			states := make([]string, len(names))
			for i, n := range names {
				states[i] = fmt.Sprintf(`{"name":%q,"position":%d}`, n, i+1)
			}
			return testkit.Case{Name: "the order", Method: "GET", Path: "/workflows/500000004", Status: 200, Want: `{"states":[` + strings.Join(states, ",") + `]}`}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "last of its type", Method: "POST", Path: path, Status: 201,
				Body: `{"name":"Blocked","type":"Started","description":"Waits","color":"#AAbbcc","verb":"block"}`,
				Want: `{"id":500000011,"name":"Blocked","type":"started","description":"Waits","color":"#AAbbcc","verb":"block","position":6,"num_stories":0,
					"entity_type":"workflow-state","created_at":"2026-01-05T10:00:00Z"}`},
			{Name: "the first of its type", Method: "POST", Path: path, Body: `{"name":"Icebox","type":"BACKLOG"}`, Status: 201,
				Want: `{"id":500000012,"type":"backlog","position":1,"verb":null,"description":""}`},
			{Name: "before another", Method: "POST", Path: path, Body: `{"name":"Triage","type":"unstarted","before_id":500000005}`, Status: 201, Want: `{"position":2}`},
			{Name: "after another", Method: "POST", Path: path, Body: `{"name":"Pairing","type":"started","after_id":500000007}`, Status: 201, Want: `{"id":500000014,"position":6}`},
			order("Icebox", "Triage", "Unscheduled", "Ready for Development", "In Development", "Pairing", "Ready for Review", "Ready for Deploy", "Blocked", "Completed"),

			{Name: "another type", Method: "POST", Path: path, Body: `{"name":"x","type":"done","before_id":500000007}`, Status: 422,
				Want: `{"errors":{"before_id":"must name another state of the same workflow and type"}}`},
			{Name: "both sides", Method: "POST", Path: path, Body: `{"name":"x","type":"started","before_id":500000008,"after_id":500000007}`, Status: 422,
				Want: `{"errors":{"after_id":"cannot be given together with before_id"}}`},
			{Name: "every bad field", Method: "POST", Path: path, Body: `{"type":"finished","color":"red","verb":"","position":1,"before_id":"x"}`, Status: 400,
				Want: `{"errors":{"name":"missing-required-key","type":"must be one of: backlog, unstarted, started, done","color":"must be a colour of the form #rrggbb",
					"verb":"must have at least 1 characters","position":"disallowed-key","before_id":"must be an integer"}}`},
			{Name: "too long", Method: "POST", Path: path, Status: 400,
				Body: map[string]any{"name": strings.Repeat("x", 129), "type": "done", "description": strings.Repeat("x", 1025), "verb": strings.Repeat("x", 65)},
				Want: `{"errors":{"name":"must have at most 128 characters","description":"must have at most 1024 characters","verb":"must have at most 64 characters"}}`},
			{Name: "no such workflow", Method: "POST", Path: "/api/app/workflows/7/states", Body: `{"name":"x","type":"done"}`, Status: 404},

			{Name: "at the limits", Method: "PUT", Path: state(500000011), Status: 200,
				Body: map[string]any{"name": strings.Repeat("ü", 128), "description": strings.Repeat("ü", 1024), "verb": strings.Repeat("ü", 64), "color": "#000000"}},
			{Name: "unset", Method: "PUT", Path: state(500000011), Body: `{"name":"Stuck","color":null,"verb":null,"description":""}`, Status: 200,
				Want: `{"name":"Stuck","verb":null,"description":"","type":"started"}`},
			{Name: "the type stays", Method: "PUT", Path: state(500000011), Body: `{"type":"done"}`, Status: 400, Want: `{"errors":{"type":"disallowed-key"}}`},
			{Name: "null name", Method: "PUT", Path: state(500000011), Body: `{"name":null,"description":null}`, Status: 400},
			{Name: "none", Method: "PUT", Path: state(standard), Body: `{"name":"x"}`, Status: 404},
			{Name: "move up", Method: "PUT", Path: state(500000011), Body: `{"before_id":500000007}`, Status: 200, Want: `{"position":5}`},
			{Name: "move down", Method: "PUT", Path: state(500000014), Body: `{"after_id":500000009,"name":"Pair"}`, Status: 200, Want: `{"position":9,"name":"Pair"}`},
			order("Icebox", "Triage", "Unscheduled", "Ready for Development", "Stuck", "In Development", "Ready for Review", "Ready for Deploy", "Pair", "Completed"),
			{Name: "beside another type", Method: "PUT", Path: state(500000011), Body: `{"after_id":500000006}`, Status: 422},
			{Name: "beside itself", Method: "PUT", Path: state(500000011), Body: `{"after_id":500000011}`, Status: 422},

			{Name: "delete", Method: "DELETE", Path: state(500000012), Status: 204},
			{Name: "again", Method: "DELETE", Path: state(500000012), Status: 404},
			order("Triage", "Unscheduled", "Ready for Development", "Stuck", "In Development", "Ready for Review", "Ready for Deploy", "Pair", "Completed"),
			{Name: "the default", Method: "DELETE", Path: state(unscheduled), Status: 422,
				Want: `{"errors":{"id":"names the default state: choose another default first"}}`},
			{Name: "the last done", Method: "DELETE", Path: state(completed), Status: 422,
				Want: `{"errors":{"id":"names the last state of type done: add another one first"}}`},
			{Method: "PUT", Path: "/api/app/workflows/500000004", Body: `{"default_state_id":500000007}`, Status: 200},
			{Name: "no longer the default", Method: "DELETE", Path: state(unscheduled), Status: 204},
			{Method: "DELETE", Path: state(readyForDevelopment), Status: 204},
			{Name: "the last unstarted", Method: "DELETE", Path: state(500000013), Status: 422},
			{Method: "POST", Path: path, Body: `{"name":"Shipped","type":"DONE"}`, Status: 201},
			{Name: "no longer the last done", Method: "DELETE", Path: state(completed), Status: 204},
			order("Triage", "Stuck", "In Development", "Ready for Review", "Ready for Deploy", "Pair", "Shipped"),
		})
	})
}

func TestStatesStayInTheirWorkflow(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		second := s.Owner.Want(t, 201, "POST", "/api/app/workflows", `{"name":"Second"}`).ID(t)
		s.InsertStories(t, s.Owner.Workspace, readyForReview, 65536)
		path := fmt.Sprintf("/api/app/states/%d", readyForReview)
		// A started state of the other workflow, that workflow itself, and nothing.
		for _, neighbour := range []int64{second + 3, second, second + 1000} {
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "PUT", Path: path, Body: map[string]any{"before_id": neighbour}, Status: 422},
				{Method: "DELETE", Path: fmt.Sprintf("%s?replacement_state_id=%d", path, neighbour), Status: 422,
					Want: `{"errors":{"replacement_state_id":"must name another state of the same workflow"}}`},
			})
		}
		if got := testkit.StoriesIn(t, address, s.Owner.Workspace, readyForReview); len(got) != 1 {
			t.Errorf("the stories are %v", got)
		}
	})
}

func TestStateChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Clock.Advance(time.Minute)
		s.Owner.Want(t, 201, "POST", "/api/app/workflows/500000004/states", `{"name":"Blocked","type":"started","before_id":500000008}`)
		s.Owner.Want(t, 200, "PUT", "/api/app/states/500000011", `{"name":"Stuck","after_id":500000008}`)
		s.Owner.Want(t, 200, "PUT", "/api/app/states/500000011", `{"name":"Stuck","after_id":500000008}`)
		s.Owner.Want(t, 204, "DELETE", "/api/app/states/500000011", nil)
		s.Owner.Want(t, 200, "PUT", "/api/app/workflows/500000004", `{"default_state_id":500000006}`)

		var got [][]string
		for i, c := range s.Changes(t, s.Owner.Workspace, before) {
			if c.Number != before+int64(i)+1 || c.Member != s.Owner.Member.ID || c.Via != "app" {
				t.Errorf("change %d is %+v", i, c)
			}
			var items []string
			for _, item := range c.Items {
				text := item.Action + " " + item.EntityID
				if p, ok := item.Data["position"].(map[string]any); ok {
					text += fmt.Sprintf(" %v→%v", p["old"], p["new"])
				}
				items = append(items, text)
			}
			got = append(got, items)
		}
		want := [][]string{
			{"create 500000011", "update 500000008 4→5", "update 500000009 5→6", "update 500000010 6→7"},
			{"update 500000011 4→5", "update 500000008 5→4"},
			{"delete 500000011", "update 500000009 6→5", "update 500000010 7→6"},
			{"update 500000004"},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the changes are %q, want %q", got, want)
		}
		states := s.Owner.Want(t, 200, "GET", "/workflows/500000004", nil).Object(t)["states"].([]any)
		for i, want := range []string{"10:00", "10:00", "10:00", "10:01", "10:01", "10:01"} {
			if at := states[i].(map[string]any)["updated_at"]; at != "2026-01-05T"+want+":00Z" {
				t.Errorf("state %d was updated at %v, want %s", i, at, want)
			}
		}
	})
}

func TestDeleteStateWithManyStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ws := s.Owner.Workspace
		const many = 1200
		positions := make([]int64, many)
		for i := range positions {
			positions[i] = int64(i*7%many+1) * 65536 // neither the order of the ids nor its reverse
		}
		there := s.InsertStories(t, ws, inDevelopment, 65536, 131072, 900000000)
		s.InsertStories(t, ws, readyForReview, positions...)
		want := append(there, testkit.StoriesIn(t, address, ws, readyForReview)...)
		before := int64(len(s.Changes(t, ws, 0)))
		path := "/api/app/states/500000008"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "without a replacement", Method: "DELETE", Path: path, Status: 422,
				Want: `{"errors":{"replacement_state_id":"is needed to say where the stories go"}}`},
			{Name: "itself", Method: "DELETE", Path: path, Body: `{"replacement_state_id":500000008}`, Status: 422},
			{Name: "null", Method: "DELETE", Path: path, Body: `{"replacement_state_id":null}`, Status: 400},
		})
		if got := s.Changes(t, ws, before); len(got) != 0 {
			t.Fatalf("refused deletions did %+v", got)
		}
		s.Owner.Want(t, 204, "DELETE", path, `{"replacement_state_id":500000007}`)

		if got := testkit.StoriesIn(t, address, ws, inDevelopment); !reflect.DeepEqual(got, want) {
			t.Errorf("the stories are %v, want %v", got, want)
		}
		changes := s.Changes(t, ws, before)
		// The last chunk also deletes the state and moves the two behind it up.
		sizes := []int{500, 500, 200 + 1 + 2}
		if len(changes) != len(sizes) {
			t.Fatalf("%d changes, want %d", len(changes), len(sizes))
		}
		var moved []int64
		for i, c := range changes {
			if c.Number != before+int64(i)+1 || len(c.Items) != sizes[i] {
				t.Errorf("change %d has number %d and %d items, want %d", i, c.Number, len(c.Items), sizes[i])
			}
			for _, item := range c.Items {
				if item.EntityType != "story" {
					continue
				}
				var id int64
				if _, err := fmt.Sscan(item.EntityID, &id); err != nil {
					t.Fatal(err)
				}
				moved = append(moved, id)
				delta := map[string]any{"old": float64(readyForReview), "new": float64(inDevelopment)}
				if item.Action != "update" || !reflect.DeepEqual(item.Data["workflow_state_id"], delta) {
					t.Fatalf("story %d is recorded as %+v", id, item)
				}
			}
		}
		if !reflect.DeepEqual(moved, want[len(there):]) {
			t.Errorf("recorded are the stories %v", moved)
		}
	})
}

func TestDeleteStateAtTheChunkSize(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		s.InsertStories(t, s.Owner.Workspace, readyForReview, spread(500)...)
		s.InsertStories(t, s.Owner.Workspace, readyForDeploy, spread(501)...)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Owner.Want(t, 204, "DELETE", "/api/app/states/500000008?replacement_state_id=500000007", nil)
		s.Owner.Want(t, 204, "DELETE", "/api/app/states/500000009?replacement_state_id=500000007", nil)
		changes := s.Changes(t, s.Owner.Workspace, before)
		if len(changes) != 3 || len(changes[0].Items) != 503 || len(changes[1].Items) != 500 || len(changes[2].Items) != 3 {
			t.Errorf("the changes have other sizes: %d", len(changes))
		}
	})
}

// TestStoriesArriveWhileTheirStateGoes lets stories move into a state that is being deleted: those
// that arrive between two chunks go on to the replacement, later ones are refused.
func TestStoriesArriveWhileTheirStateGoes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ws := s.Owner.Workspace
		s.InsertStories(t, ws, readyForReview, spread(1100)...)
		feed := s.InsertStories(t, ws, readyForDevelopment, spread(400)...)
		started, fed := make(chan struct{}), make(chan int)
		go func() {
			close(started)
			arrived := 0
			for _, id := range feed {
				a := s.Owner.Do(t, "PUT", fmt.Sprintf("/stories/%d", id), fmt.Sprintf(`{"workflow_state_id":%d}`, readyForReview))
				if a.Status != 200 {
					break
				}
				arrived++
			}
			fed <- arrived
		}()
		<-started
		s.Owner.Want(t, 204, "DELETE", "/api/app/states/500000008?replacement_state_id=500000007", nil)
		arrived := <-fed
		waiting, moved := testkit.StoriesIn(t, address, ws, readyForDevelopment), testkit.StoriesIn(t, address, ws, inDevelopment)
		if len(waiting) != 400-arrived || len(moved) != 1100+arrived {
			t.Errorf("%d stories arrived, %d wait and %d moved on", arrived, len(waiting), len(moved))
		}
	})
}
