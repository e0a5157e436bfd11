package api_test

import (
	"reflect"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

func TestEpicStates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const path, one = "/api/app/epic-workflow/states", "/api/app/epic-states/"
		names := func(want string) testkit.Case {
			return testkit.Case{Name: "the order", Method: "GET", Path: "/api/app/epic-workflow", Status: 200, Want: `{"id":500000000,"epic_states":` + want + `}`}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			names(`[{"name":"to do","type":"unstarted","position":1},{"name":"in progress"},{"name":"done"}]`),
			{Method: "POST", Path: path, Body: `{"name":"review","type":"STARTED","description":"Look","color":"#abcdef"}`, Status: 201,
				Want: `{"id":500000011,"name":"review","type":"started","position":3,"description":"Look","color":"#abcdef","entity_type":"epic-state"}`},
			{Method: "POST", Path: path, Body: `{"name":"idea","type":"unstarted","before_id":500000001}`, Status: 201, Want: `{"id":500000012,"position":1}`},
			names(`[{"name":"idea","position":1},{"name":"to do","position":2},{"name":"in progress","position":3},{"name":"review","position":4},{"name":"done","position":5}]`),
			{Name: "no backlog", Method: "POST", Path: path, Body: `{"name":"x","type":"backlog"}`, Status: 400, Want: `{"errors":{"type":"must be one of: unstarted, started, done"}}`},
			{Name: "no verb", Method: "POST", Path: path, Body: `{"name":"x","type":"done","verb":"x"}`, Status: 400, Want: `{"errors":{"verb":"disallowed-key"}}`},
			{Name: "too long", Method: "POST", Path: path, Body: map[string]any{"name": strings.Repeat("x", 129), "type": "done", "description": strings.Repeat("x", 1025)}, Status: 400,
				Want: `{"errors":{"name":"must have at most 128 characters","description":"must have at most 1024 characters"}}`},
			{Name: "beside another type", Method: "POST", Path: path, Body: `{"name":"x","type":"done","after_id":500000002}`, Status: 422},
			{Name: "beside a story state", Method: "PUT", Path: one + "500000011", Body: `{"after_id":500000007}`, Status: 422},
			{Method: "PUT", Path: one + "500000011", Body: `{"name":"check","color":null,"description":"","before_id":500000002}`, Status: 200,
				Want: `{"name":"check","description":"","position":3}`},
			{Name: "a story state", Method: "PUT", Path: one + "500000007", Body: `{"name":"x"}`, Status: 404},
			{Name: "the default", Method: "DELETE", Path: one + "500000001", Status: 422},
			{Name: "a default of stories", Method: "PUT", Path: "/api/app/epic-workflow", Body: `{"default_epic_state_id":500000005}`, Status: 422,
				Want: `{"errors":{"default_epic_state_id":"must name an epic state"}}`},
			{Method: "PUT", Path: "/api/app/epic-workflow", Body: `{"default_epic_state_id":500000012}`, Status: 200, Want: `{"default_epic_state_id":500000012}`},
			{Name: "no longer the default", Method: "DELETE", Path: one + "500000001", Status: 204},
			{Name: "the last done", Method: "DELETE", Path: one + "500000003", Status: 422},
			{Name: "gone", Method: "DELETE", Path: one + "500000001", Status: 404},
			names(`[{"name":"idea","position":1},{"name":"check","position":2},{"name":"in progress","position":3},{"name":"done","position":4}]`),
		})
	})
}

func TestDeleteEpicStateWithEpics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ws := s.Owner.Workspace
		const path = "/api/app/epic-states/500000011"
		s.Owner.Want(t, 201, "POST", "/api/app/epic-workflow/states", `{"name":"review","type":"started"}`)
		epics := s.InsertEpics(t, ws, 500000011, 501)
		before := int64(len(s.Changes(t, ws, 0)))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "DELETE", Path: path, Status: 422, Want: `{"errors":{"replacement_state_id":"is needed to say where the epics go"}}`},
			{Name: "a story state", Method: "DELETE", Path: path + "?replacement_state_id=500000007", Status: 422},
			{Name: "the query beats the body", Method: "DELETE", Path: path + "?replacement_state_id=500000003", Body: `{"replacement_state_id":500000007}`, Status: 204},
		})
		if got := testkit.EpicsIn(t, address, ws, 500000003); !reflect.DeepEqual(got, epics) {
			t.Errorf("the epics are %v, want %v", got, epics)
		}
		changes := s.Changes(t, ws, before)
		// The last one deletes the state and moves the one behind it up.
		if len(changes) != 2 || len(changes[0].Items) != 500 || len(changes[1].Items) != 3 || changes[1].Number != before+2 {
			t.Fatalf("%d changes", len(changes))
		}
		item := changes[0].Items[0]
		for field, delta := range map[string]map[string]any{
			"epic_state_id": {"old": 500000011.0, "new": 500000003.0},
			"started":       {"old": false, "new": true},
			"completed":     {"old": false, "new": true},
		} {
			if item.EntityType != "epic" || item.Action != "update" || !reflect.DeepEqual(item.Data[field], any(delta)) {
				t.Errorf("%s of an epic is recorded as %+v", field, item)
			}
		}
	})
}
