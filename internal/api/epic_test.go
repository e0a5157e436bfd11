package api_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestEpicCreate(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, flow := s.Owner.Member.ID, epicWorkflow(t, s)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		stranger := s.NewWorkspace(t, "second").Member.ID
		group := newGroup(t, s, "kernel")
		goal := s.Owner.Want(t, 201, "POST", "/milestones", `{"name":"Goal"}`).ID(t)
		long := func(field string, n int) map[string]any {
			return map[string]any{"name": "n", field: strings.Repeat("ü", n)}
		}
		unknown := func(field, value, reason string) testkit.Case {
			return testkit.Case{Name: "unknown " + field, Method: "POST", Path: "/epics", Body: fmt.Sprintf(`{"name":"n",%q:%s}`, field, value), Status: 422,
				Want: fmt.Sprintf(`{"errors":{%q:%q}}`, field, reason)}
		}
		noMember := "names no existing member: "
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/epics", Status: 200, Want: `[]`},
			{Name: "the least", As: member, Method: "POST", Path: "/epics", Body: `{"name":"Least"}`, Status: 201,
				Want: fmt.Sprintf(`{"name":"Least","description":"","archived":false,"started":false,"started_at":null,"started_at_override":null,
					"completed":false,"completed_at":null,"completed_at_override":null,"deadline":null,"planned_start_date":null,"entity_type":"epic",
					"epic_state_id":%d,"state":"to do","external_id":null,"external_tickets":[],"follower_ids":[],"owner_ids":[],"group_id":null,
					"group_ids":[],"associated_groups":[],"label_ids":[],"labels":[],"member_mention_ids":[],"mention_ids":[],"group_mention_ids":[],
					"milestone_id":null,"objective_ids":[],"project_ids":[],"stories_without_projects":0,"comments":[],"requested_by_id":%q,
					"position":2147483648,"productboard_id":null,"productboard_name":null,"productboard_plugin_id":null,"productboard_url":null,
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z",
					"stats":{"last_story_update":null,"num_points":0,"num_points_backlog":0,"num_points_done":0,"num_points_started":0,
						"num_points_unstarted":0,"num_related_documents":0,"num_stories_backlog":0,"num_stories_done":0,"num_stories_started":0,
						"num_stories_total":0,"num_stories_unestimated":0,"num_stories_unstarted":0}}`, flow.DefaultStateID, member.Member.ID)},
			{Name: "everything", Method: "POST", Path: "/epics", Status: 201,
				Body: fmt.Sprintf(`{"name":"Most","description":"d","completed_at_override":"2026-02-02T02:02:02Z","created_at":"2020-01-01T00:00:00+01:00",
					"deadline":"2026-03-03T00:00:00Z","epic_state_id":%d,"state":"done","external_id":"x","follower_ids":[%q,%q],"group_ids":[%q],
					"labels":[{"name":"Red","color":"#ff0000"},{"name":"red"}],"objective_ids":[%d,%d],"owner_ids":[%q],
					"planned_start_date":"2026-01-31T00:00:00Z","requested_by_id":%q,"started_at_override":"2026-01-01T01:01:01Z",
					"updated_at":"2021-01-01T00:00:00Z"}`, flow.States[1].ID, me, me, group, goal, goal, me, observer.Member.ID),
				Want: fmt.Sprintf(`{"name":"Most","description":"d","completed_at_override":"2026-02-02T02:02:02Z","created_at":"2019-12-31T23:00:00Z",
					"deadline":"2026-03-03T00:00:00Z","epic_state_id":%d,"state":"in progress","started":true,"started_at":"2026-01-05T10:00:00Z",
					"completed":false,"external_id":"x","follower_ids":[%q],"group_ids":[%q],"group_id":%q,"labels":[{"name":"Red","color":"#ff0000"}],
					"objective_ids":[%d],"milestone_id":%d,"owner_ids":[%q],"planned_start_date":"2026-01-31T00:00:00Z","requested_by_id":%q,
					"started_at_override":"2026-01-01T01:01:01Z","updated_at":"2021-01-01T00:00:00Z","position":2147549184}`,
					flow.States[1].ID, me, group, group, goal, goal, me, observer.Member.ID)},
			{Name: "null where it means nothing", Method: "POST", Path: "/epics", Status: 201,
				Body: `{"name":"n","deadline":null,"planned_start_date":null,"group_id":null,"milestone_id":null,"converted_from_story_id":null}`,
				Want: `{"deadline":null,"planned_start_date":null,"group_id":null,"milestone_id":null}`},
			{Name: "nothing", Method: "POST", Path: "/epics", Status: 400, Want: `{"errors":{"name":"missing-required-key"}}`},
			{Name: "every bad field", Method: "POST", Path: "/epics", Status: 400,
				Body: `{"name":" ","description":null,"completed_at_override":null,"created_at":"today","deadline":1,"epic_state_id":null,"external_id":null,
					"follower_ids":["x"],"group_id":"x","group_ids":null,"labels":[{"name":"ok"},{"color":"red"}],"milestone_id":"1","objective_ids":["1"],
					"owner_ids":null,"planned_start_date":"x","requested_by_id":null,"started_at_override":null,"state":"doing","updated_at":null,
					"archived":true,"before_id":1}`,
				Want: `{"message":"The request included invalid or missing parameters.","errors":{"name":"must not be blank","description":"must not be null",
					"completed_at_override":"must not be null","created_at":"must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z",
					"deadline":"must be a timestamp","epic_state_id":"must not be null","external_id":"must not be null","follower_ids":["must be a UUID"],
					"group_id":"must be a UUID","group_ids":"must not be null",
					"labels":[null,{"name":"missing-required-key","color":"must be a colour of the form #rrggbb"}],
					"milestone_id":"must be an integer","objective_ids":["must be an integer"],"owner_ids":"must not be null",
					"planned_start_date":"must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z","requested_by_id":"must not be null",
					"started_at_override":"must not be null","state":"must be one of: to do, in progress, done","updated_at":"must not be null",
					"archived":"disallowed-key","before_id":"disallowed-key"}}`},
			{Name: "empty name", Method: "POST", Path: "/epics", Body: `{"name":""}`, Status: 400, Want: `{"errors":{"name":"must have at least 1 characters"}}`},
			{Method: "POST", Path: "/epics", Body: long("name", 256), Status: 201},
			{Method: "POST", Path: "/epics", Body: long("name", 257), Status: 400, Want: `{"errors":{"name":"must have at most 256 characters"}}`},
			{Method: "POST", Path: "/epics", Body: long("description", 100000), Status: 201},
			{Method: "POST", Path: "/epics", Body: long("description", 100001), Status: 400, Want: `{"errors":{"description":"must have at most 100000 characters"}}`},
			{Method: "POST", Path: "/epics", Body: long("external_id", 128), Status: 201},
			{Method: "POST", Path: "/epics", Body: long("external_id", 129), Status: 400, Want: `{"errors":{"external_id":"must have at most 128 characters"}}`},
			unknown("epic_state_id", "7", "names no existing epic state: 7"),
			unknown("owner_ids", `["`+nobody+`"]`, noMember+nobody),
			unknown("follower_ids", `["`+string(stranger)+`"]`, noMember+string(stranger)),
			unknown("requested_by_id", `"`+nobody+`"`, noMember+nobody),
			unknown("group_ids", `["`+nobody+`"]`, "names no existing group: "+nobody),
			unknown("group_id", `"`+nobody+`"`, "names no existing group: "+nobody),
			unknown("objective_ids", `[99999]`, "names no existing milestone: 99999"),
			unknown("milestone_id", `99999`, "names no existing milestone: 99999"),
			unknown("converted_from_story_id", `99999`, "names no existing story"),
			{Name: "observer", As: observer, Method: "POST", Path: "/epics", Body: `{"name":"n"}`, Status: 403, Want: `{"tag":"forbidden"}`},
		})
	})
}

func TestEpicReadUpdateDelete(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me := s.Owner.Member.ID
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		elsewhere := s.NewWorkspace(t, "second")
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", fmt.Sprintf(`{"name":"Epic","deadline":"2026-03-03T00:00:00Z",
			"planned_start_date":"2026-01-31T00:00:00Z","owner_ids":[%q],"description":"d"}`, me)).ID(t))
		s.Clock.Advance(time.Minute)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{"name":"Epic","description":"d"}`},
			{Name: "observer reads", As: observer, Method: "GET", Path: path, Status: 200, Want: `{"name":"Epic"}`},
			{Name: "another workspace", As: elsewhere, Method: "GET", Path: path, Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "GET", Path: "/epics/0", Status: 404},
			{Method: "GET", Path: "/epics/-1", Status: 404},
			{Method: "GET", Path: "/epics/x", Status: 400, Want: `{"errors":{"epic-public-id":"must be an integer"}}`},
			{Method: "GET", Path: "/epics/9223372036854775808", Status: 400},
			{Method: "PUT", Path: path, Status: 200,
				Body: fmt.Sprintf(`{"name":"New","description":"","archived":true,"external_id":"x","requested_by_id":%q,"owner_ids":[],"follower_ids":[%q],
					"started_at_override":"2026-01-01T00:00:00Z","completed_at_override":"2026-01-02T00:00:00Z"}`, observer.Member.ID, me),
				Want: fmt.Sprintf(`{"name":"New","description":"","archived":true,"external_id":"x","requested_by_id":%q,"owner_ids":[],"follower_ids":[%q],
					"started_at_override":"2026-01-01T00:00:00Z","completed_at_override":"2026-01-02T00:00:00Z","started":false,"completed":false,
					"deadline":"2026-03-03T00:00:00Z","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:01:00Z"}`, observer.Member.ID, me)},
			{Name: "null unsets", Method: "PUT", Path: path, Status: 200,
				Body: `{"deadline":null,"planned_start_date":null,"started_at_override":null,"completed_at_override":null}`,
				Want: `{"deadline":null,"planned_start_date":null,"started_at_override":null,"completed_at_override":null}`},
			{Name: "null elsewhere", Method: "PUT", Path: path, Status: 400,
				Body: `{"name":null,"archived":null,"after_id":null,"before_id":null,"labels":null,"created_at":"2020-01-01T00:00:00Z"}`,
				Want: `{"errors":{"name":"must not be null","archived":"must not be null","after_id":"must not be null","before_id":"must not be null",
					"labels":"must not be null","created_at":"disallowed-key"}}`},
			{Name: "257 characters", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("x", 257)}, Status: 400},
			{Name: "unknown owner", Method: "PUT", Path: path, Body: `{"owner_ids":["` + nobody + `"]}`, Status: 422},
			{Method: "PUT", Path: "/epics/99", Body: `{"name":"x"}`, Status: 404},
			{Name: "another workspace updates", As: elsewhere, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 404},
			{Name: "observer updates", As: observer, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 403},
			{Name: "observer deletes", As: observer, Method: "DELETE", Path: path, Status: 403},
			{Name: "another workspace deletes", As: elsewhere, Method: "DELETE", Path: path, Status: 404},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestEpicsInStates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := epicWorkflow(t, s)
		todo, doing, done := flow.States[0].ID, flow.States[1].ID, flow.States[2].ID
		var review int64
		storeWrite(t, s, func(tx *store.Tx) error {
			review = tx.NextHighID()
			return tx.InsertEpicState(&tracker.EpicState{State: tracker.State{ID: review, Name: "review", Type: tracker.Started, Position: 9}})
		})
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic","state":"to do"}`).ID(t))
		put := func(name, body string, state int64, want string) testkit.Case {
			return testkit.Case{Name: name, Method: "PUT", Path: path, Body: body, Status: 200, Want: fmt.Sprintf(`{"epic_state_id":%d,%s}`, state, want)}
		}
		notStarted := `"state":"to do","started":false,"started_at":null,"completed":false,"completed_at":null`
		for _, c := range []testkit.Case{
			put("started", fmt.Sprintf(`{"epic_state_id":%d}`, review), review,
				`"state":"in progress","started":true,"started_at":"2026-01-05T10:01:00Z","completed":false,"completed_at":null`),
			put("a word for the state it is in", `{"state":"in progress"}`, review, `"started_at":"2026-01-05T10:01:00Z"`),
			put("done", `{"state":"done"}`, done,
				`"state":"done","started":true,"started_at":"2026-01-05T10:01:00Z","completed":true,"completed_at":"2026-01-05T10:03:00Z"`),
			put("done again", fmt.Sprintf(`{"epic_state_id":%d}`, done), done, `"completed_at":"2026-01-05T10:03:00Z","updated_at":"2026-01-05T10:03:00Z"`),
			put("back to the first started state", `{"state":"in progress"}`, doing,
				`"state":"in progress","started":true,"started_at":"2026-01-05T10:01:00Z","completed":false,"completed_at":null`),
			put("back to unstarted, the id wins", fmt.Sprintf(`{"state":"done","epic_state_id":%d}`, todo), todo, notStarted),
			put("straight to done", fmt.Sprintf(`{"state":"to do","epic_state_id":%d}`, done), done,
				`"started":true,"started_at":"2026-01-05T10:07:00Z","completed":true,"completed_at":"2026-01-05T10:07:00Z"`),
			put("back to the word for unstarted", `{"state":"to do"}`, todo, notStarted),
			{Name: "unknown state", Method: "PUT", Path: path, Body: `{"epic_state_id":7,"state":"done"}`, Status: 422,
				Want: `{"errors":{"epic_state_id":"names no existing epic state: 7"}}`},
			{Name: "born done", Method: "POST", Path: "/epics", Body: `{"name":"n","state":"done"}`, Status: 201,
				Want: fmt.Sprintf(`{"epic_state_id":%d,"state":"done","started_at":"2026-01-05T10:10:00Z","completed_at":"2026-01-05T10:10:00Z"}`, done)},
		} {
			s.Clock.Advance(time.Minute)
			testkit.Run(t, s.Owner, []testkit.Case{c})
		}
		storeWrite(t, s, func(tx *store.Tx) error {
			epics, err := tx.SomeEpicsIn(done, 10)
			if err != nil {
				return err
			}
			for _, before := range epics {
				after := before
				after.StateID = todo
				if err := tx.UpdateEpic(&before, &after); err != nil {
					return err
				}
			}
			return tx.DeleteEpicState(done)
		})
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "no such state", Method: "PUT", Path: path, Body: `{"state":"done"}`, Status: 422,
				Want: `{"errors":{"state":"has no epic state in this workspace: done"}}`},
		})
	})
}

func TestEpicMoves(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for range 4 {
			s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`)
		}
		a, b, c, d := int64(2), int64(3), int64(4), int64(5)
		order := func(want ...int64) {
			t.Helper()
			var got []int64
			for _, e := range s.Owner.Want(t, 200, "GET", "/epics", nil).List(t) {
				got = append(got, int64(e["id"].(float64)))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("the epics stand in the order %v, want %v", got, want)
			}
		}
		move := func(id int64, where string, neighbour int64) {
			t.Helper()
			s.Owner.Want(t, 200, "PUT", epicPath(id), fmt.Sprintf(`{%q:%d}`, where, neighbour))
		}
		order(a, b, c, d)
		move(d, "before_id", a)
		order(d, a, b, c)
		move(d, "after_id", b)
		order(a, b, d, c)
		move(a, "after_id", c)
		order(b, d, c, a)
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		move(a, "after_id", c) // stands there already
		wantChanges(t, s, after)
		for range 40 { // uses every gap up
			move(a, "before_id", c)
			move(d, "before_id", c)
		}
		order(b, a, d, c)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "both", Method: "PUT", Path: epicPath(a), Body: `{"before_id":3,"after_id":4}`, Status: 422,
				Want: `{"errors":{"before_id":"cannot be combined with after_id"}}`},
			{Name: "unknown neighbour", Method: "PUT", Path: epicPath(a), Body: `{"before_id":99}`, Status: 422,
				Want: `{"errors":{"before_id":"names no existing epic"}}`},
			{Name: "unknown neighbour after", Method: "PUT", Path: epicPath(a), Body: `{"after_id":99}`, Status: 422,
				Want: `{"errors":{"after_id":"names no existing epic"}}`},
			{Name: "itself", Method: "PUT", Path: epicPath(a), Body: `{"after_id":2}`, Status: 422, Want: `{"errors":{"after_id":"must name another epic"}}`},
		})
		order(b, a, d, c)
	})
}

func TestEpicChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := epicWorkflow(t, s)
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t))
		s.Clock.Advance(time.Minute)
		s.Owner.Want(t, 200, "PUT", path, fmt.Sprintf(`{"name":"New","epic_state_id":%d,"owner_ids":[%q]}`, flow.States[1].ID, s.Owner.Member.ID))
		s.Clock.Advance(time.Minute)
		same := s.Owner.Want(t, 200, "PUT", path, fmt.Sprintf(`{"name":"New","state":"in progress","owner_ids":[%q],"deadline":null,"labels":[]}`, s.Owner.Member.ID))
		if at := same.Object(t)["updated_at"]; at != "2026-01-05T10:01:00Z" {
			t.Errorf("an update that changes nothing moved updated_at to %v", at)
		}
		s.Owner.Want(t, 422, "PUT", path, `{"labels":[{"name":"never made"}],"after_id":99}`)
		s.Owner.Want(t, 204, "DELETE", path, nil)
		wantChanges(t, s, after, "create epic name", "update epic name epic_state_id owner_ids started started_at", "delete epic name owner_ids")
		if labels := s.Owner.Want(t, 200, "GET", "/labels", nil).List(t); len(labels) > 0 {
			t.Errorf("a refused request made the labels %v", labels)
		}
	})
}

func TestUnlinkEpic(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: path + "/unlink-productboard", Status: 204},
			{Method: "POST", Path: path + "/unlink-any-tool/", Status: 204},
			{Method: "POST", Path: path + "/unlink-", Status: 400, Want: `{"errors":{"planning-tool":"must have at least 1 characters"}}`},
			{Method: "POST", Path: path + "/productboard", Status: 404, Want: `{"message":"Page not Found"}`},
			{Method: "PUT", Path: path + "/productboard", Status: 404, Want: `{"message":"Page not Found"}`},
			{Method: "PUT", Path: path + "/unlink-productboard", Status: 405},
			{Method: "POST", Path: "/epics/99/unlink-productboard", Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "POST", Path: "/epics/x/unlink-productboard", Status: 400},
			{As: observer, Method: "POST", Path: path + "/unlink-productboard", Status: 403},
		})
	})
}

func epicPath(id int64) string { return fmt.Sprintf("/epics/%d", id) }

func epicWorkflow(t *testing.T, s *testkit.Server) tracker.EpicWorkflow {
	t.Helper()
	flow, err := s.Service.EpicWorkflow(context.Background(), testkit.Operator(s.Owner.Workspace))
	if err != nil {
		t.Fatal(err)
	}
	return flow
}
