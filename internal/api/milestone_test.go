package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestMilestones(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"milestones", "objectives"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testkit.OnEngines(t, func(t *testing.T, address string) { testMilestones(t, address, "/"+name) })
		})
	}
}

func testMilestones(t *testing.T, address, base string) {
	s := testkit.New(t, address)
	observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
	member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
	stranger := s.NewWorkspace(t, "second")
	known := s.Owner.Want(t, 201, "POST", "/categories", `{"name":"Known","color":"#112233"}`).ID(t)
	id := member.Want(t, 201, "POST", base, map[string]any{
		"name": "Launch", "description": "All of it", "started_at_override": "2025-12-01T01:00:00+01:00", "completed_at_override": "2026-02-01T00:00:00Z",
		"categories": []any{
			map[string]any{"name": "Fresh", "color": "#445566", "external_id": "f1"}, map[string]any{"name": " KNOWN", "color": "#000000"}, map[string]any{"name": "fresh"},
		},
	}).ID(t)
	path := fmt.Sprintf("%s/%d", base, id)
	whole := fmt.Sprintf(`{"id":%d,"name":"Launch","description":"All of it","state":"to do","started":false,"started_at":null,"completed":false,"completed_at":null,
		"started_at_override":"2025-12-01T00:00:00Z","completed_at_override":"2026-02-01T00:00:00Z","archived":false,"entity_type":"milestone",
		"categories":[{"name":"Fresh","color":"#445566","external_id":"f1"},{"id":%d,"name":"Known","color":"#112233"}],"key_result_ids":[],
		"global_id":"v2:m:%s:%[1]d","app_url":"%[4]s/first/milestone/%[1]d","stats":{"num_related_documents":0},
		"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`, id, known, s.Owner.Workspace, s.URL)
	named := func(key string, value any) map[string]any {
		body := map[string]any{"name": "x"}
		body[key] = value
		return body
	}
	testkit.Run(t, s.Owner, []testkit.Case{
		{Method: "GET", Path: path, Status: 200, Want: whole},
		{Method: "GET", Path: base, Status: 200, Want: "[" + whole + "]"},
		{Name: "under the other name", Method: "GET", Path: fmt.Sprintf("/milestones/%d", id), Status: 200, Want: whole},
		{Method: "GET", Path: fmt.Sprintf("/objectives/%d", id), Status: 200, Want: whole},
		{Method: "GET", Path: fmt.Sprintf("/categories/%d%s", known, base), Status: 200, Want: "[" + whole + "]"},
		{Method: "GET", Path: "/categories/99999" + base, Status: 404},
		{As: stranger, Method: "GET", Path: fmt.Sprintf("/categories/%d%s", known, base), Status: 404},
		{As: observer, Method: "GET", Path: path, Status: 200},
		{As: observer, Method: "POST", Path: base, Body: `{"name":"x"}`, Status: 403, Want: `{"tag":"forbidden"}`},
		{As: observer, Method: "PUT", Path: path, Body: `{}`, Status: 403},
		{As: observer, Method: "DELETE", Path: path, Status: 403},
		{As: stranger, Method: "GET", Path: path, Status: 404, Want: `{"message":"Resource not found."}`},
		{As: stranger, Method: "PUT", Path: path, Body: `{}`, Status: 404},
		{As: stranger, Method: "DELETE", Path: path, Status: 404},
		{As: stranger, Method: "GET", Path: path + "/epics", Status: 404},
		{As: stranger, Method: "GET", Path: base, Status: 200, Want: `[]`},

		{Method: "POST", Path: base, Body: `{"state":"unstarted"}`, Status: 400,
			Want: `{"errors":{"name":"missing-required-key","state":"must be one of: to do, in progress, done"}}`},
		{Method: "POST", Path: base, Body: named("archived", true), Status: 400, Want: `{"errors":{"archived":"disallowed-key"}}`},
		{Name: "name of 256", Method: "POST", Path: base, Body: named("name", strings.Repeat("é", 256)), Status: 201},
		{Name: "name of 257", Method: "POST", Path: base, Body: named("name", strings.Repeat("é", 257)), Status: 400,
			Want: `{"errors":{"name":"must have at most 256 characters"}}`},
		{Name: "no name", Method: "POST", Path: base, Body: `{"name":""}`, Status: 400},
		{Name: "description of 100000", Method: "POST", Path: base, Body: named("description", strings.Repeat("é", 100000)), Status: 201},
		{Name: "description of 100001", Method: "POST", Path: base, Body: named("description", strings.Repeat("é", 100001)), Status: 400},
		{Name: "category of 128", Method: "POST", Path: base, Body: named("categories", []any{map[string]any{"name": strings.Repeat("c", 128)}}), Status: 201},
		{Name: "category of 129", Method: "POST", Path: base, Body: named("categories", []any{map[string]any{"name": strings.Repeat("c", 129)}}), Status: 400,
			Want: `{"errors":{"categories":[{"name":"must have at most 128 characters"}]}}`},
		{Name: "bad category", Method: "POST", Path: base, Body: `{"name":"x","categories":[{"color":"red","external_id":""}]}`, Status: 400,
			Want: `{"errors":{"categories":[{"name":"missing-required-key","color":"must be a colour of the form #rrggbb","external_id":"must have at least 1 characters"}]}}`},
		{Name: "null override on creation", Method: "POST", Path: base, Body: `{"name":"x","started_at_override":null}`, Status: 400,
			Want: `{"errors":{"started_at_override":"must not be null"}}`},
		{Name: "created as done", Method: "POST", Path: base, Body: `{"name":"x","state":"done"}`, Status: 201,
			Want: `{"state":"done","started":true,"started_at":"2026-01-05T10:00:00Z","completed":true,"completed_at":"2026-01-05T10:00:00Z"}`},

		{Name: "what may not be null", Method: "PUT", Path: path, Status: 400,
			Body: `{"name":null,"description":null,"state":null,"archived":null,"categories":null,"before_id":null,"after_id":null}`,
			Want: `{"errors":{"name":"must not be null","description":"must not be null","state":"must not be null","archived":"must not be null",
				"categories":"must not be null","before_id":"must not be null","after_id":"must not be null"}}`},
		{Name: "overrides are unset by null", Method: "PUT", Path: path, Body: `{"started_at_override":null,"completed_at_override":null}`, Status: 200,
			Want: `{"started_at_override":null,"completed_at_override":null}`},
		{Method: "PUT", Path: path, Body: `{"state":"in progress"}`, Status: 200, Want: `{"state":"in progress","started":true,"completed":false,"started_at":"2026-01-05T10:00:00Z"}`},
		{Method: "PUT", Path: path, Body: `{"state":"done"}`, Status: 200, Want: `{"started":true,"completed":true,"completed_at":"2026-01-05T10:00:00Z"}`},
		{Method: "PUT", Path: path, Body: `{"state":"in progress"}`, Status: 200, Want: `{"started":true,"completed":false,"completed_at":null}`},
		{Method: "PUT", Path: path, Body: `{"state":"to do"}`, Status: 200, Want: `{"started":false,"started_at":null,"completed":false}`},
		{Name: "order kept", Method: "PUT", Path: path, Body: `{"categories":[{"name":"known"},{"name":"New"},{"name":"Fresh"}],"archived":true,"name":"Landing"}`, Status: 200,
			Want: `{"categories":[{"name":"Known"},{"name":"New"},{"name":"Fresh"}],"archived":true,"name":"Landing","description":"All of it"}`},
		{Method: "PUT", Path: path, Body: `{"categories":[]}`, Status: 200, Want: `{"categories":[]}`},
		{Method: "GET", Path: fmt.Sprintf("/categories/%d%s", known, base), Status: 200, Want: `[]`},
		{Method: "PUT", Path: base + "/99999", Body: `{"before_id":99998}`, Status: 404},
		{Method: "GET", Path: base + "/99999", Status: 404},
		{Method: "GET", Path: base + "/x", Status: 400},
		{Method: "GET", Path: base + "/99999/epics", Status: 404},
		{Method: "GET", Path: path + "/epics", Status: 200, Want: `[]`},
		{Method: "DELETE", Path: path, Status: 204},
		{Method: "DELETE", Path: path, Status: 404},
	})
}

func TestObjectivesOff(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := s.Owner.Want(t, 201, "POST", "/milestones", `{"name":"a"}`).ID(t)
		if err := s.Service.SwitchFeature(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.Objectives, false); err != nil {
			t.Fatal(err)
		}
		const off = `{"feature_tag":"objectives","message":"The feature objectives is disabled in this workspace."}`
		for _, base := range []string{"/milestones", "/objectives"} {
			path := fmt.Sprintf("%s/%d", base, id)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "POST", Path: base, Body: `{"name":"b"}`, Status: 403, Want: off},
				{Method: "POST", Path: base, Body: `{}`, Status: 400},
				{Method: "PUT", Path: path, Body: `{"name":"b"}`, Status: 403, Want: off},
				{Method: "PUT", Path: base + "/99999", Body: `{}`, Status: 403, Want: off},
				{Method: "GET", Path: path, Status: 200, Want: `{"name":"a"}`},
				{Method: "GET", Path: base, Status: 200},
			})
		}
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/objectives/%d", id), nil)
	})
}

func TestMilestonesAreMoved(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ids := map[string]int64{}
		for _, name := range []string{"a", "b", "c", "d"} {
			ids[name] = s.Owner.Want(t, 201, "POST", "/milestones", map[string]any{"name": name}).ID(t)
		}
		path := func(name string) string { return fmt.Sprintf("/objectives/%d", ids[name]) }
		order := func() (out string) {
			for _, m := range s.Owner.Want(t, 200, "GET", "/objectives", nil).List(t) {
				out += m["name"].(string)
			}
			return out
		}
		for _, move := range []struct{ name, key, neighbour, want string }{
			{"d", "before_id", "a", "dabc"},
			{"d", "after_id", "b", "abdc"},
			{"a", "after_id", "c", "bdca"},
			{"c", "before_id", "d", "bcda"},
		} {
			body := map[string]any{move.key: ids[move.neighbour]}
			s.Clock.Advance(time.Minute)
			first := s.Owner.Want(t, 200, "PUT", path(move.name), body).Object(t)
			if got := order(); got != move.want {
				t.Errorf("%s %s %s gives %s, want %s", move.name, move.key, move.neighbour, got, move.want)
			}
			s.Clock.Advance(time.Minute)
			if again := s.Owner.Want(t, 200, "PUT", path(move.name), body).Object(t); again["position"] != first["position"] || again["updated_at"] != first["updated_at"] {
				t.Errorf("asking for the same place again moves %s from %v to %v", move.name, first["position"], again["position"])
			}
		}
		for range 40 { // swapping two inside the same gap spends it
			s.Owner.Want(t, 200, "PUT", path("c"), map[string]any{"after_id": ids["b"]})
			s.Owner.Want(t, 200, "PUT", path("d"), map[string]any{"after_id": ids["b"]})
		}
		if got := order(); got != "bdca" {
			t.Errorf("after many moves the order is %s", got)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: path("a"), Body: `{"before_id":99999}`, Status: 422, Want: `{"errors":{"before_id":"names no existing milestone: 99999"}}`},
			{Method: "PUT", Path: path("a"), Body: `{"after_id":99999}`, Status: 422, Want: `{"errors":{"after_id":"names no existing milestone: 99999"}}`},
			{Method: "PUT", Path: path("a"), Body: map[string]any{"after_id": ids["a"]}, Status: 422, Want: `{"errors":{"after_id":"must name another milestone"}}`},
			{Method: "PUT", Path: path("a"), Body: map[string]any{"after_id": ids["b"], "before_id": ids["c"]}, Status: 422,
				Want: `{"errors":{"before_id":"cannot be combined with after_id"}}`},
		})
	})
}

func TestMilestoneEpics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := s.Owner.Workspace
		gone := s.Owner.Want(t, 201, "POST", "/milestones", `{"name":"gone"}`).ID(t)
		kept := s.Owner.Want(t, 201, "POST", "/milestones", `{"name":"kept"}`).ID(t)
		epic := s.Owner.Want(t, 201, "POST", "/epics", map[string]any{"name": "e", "description": "text", "objective_ids": []any{gone, kept}}).ID(t)
		s.Owner.Want(t, 201, "POST", "/epics", `{"name":"other"}`)
		result := newKeyResult(t, s, gone, tracker.NumericResult, number("0"), number("10"))

		now := tracker.TimeOf(s.Clock.Now())
		flow, err := s.Service.Workflows(t.Context(), testkit.Operator(w))
		if err != nil {
			t.Fatal(err)
		}
		for _, seconds := range []tracker.Time{10, 30} {
			testkit.PutStory(t, s, w, func(story *tracker.Story) {
				state := flow[0].States[5]
				story.EpicID, story.StateID, story.CreatedAt = &epic, state.ID, now-2*seconds
				story.Enter(state.Type, now)
				started := now - seconds
				story.StartedAt = &started
			})
		}
		stats := `{"stats":{"average_cycle_time":20,"average_lead_time":40,"num_related_documents":0}}`
		for _, base := range []string{"/milestones", "/objectives"} {
			path := fmt.Sprintf("%s/%d", base, gone)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: path + "/epics", Status: 200, Want: fmt.Sprintf(`[{"id":%d,"name":"e","description":"text","objective_ids":[%d,%d]}]`, epic, gone, kept)},
				{Method: "GET", Path: path, Status: 200, Want: stats},
				{Method: "GET", Path: base, Status: 200, Want: "[" + stats + "," + stats + "]"},
			})
		}

		before := int64(len(s.Changes(t, w, 0)))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "DELETE", Path: fmt.Sprintf("/milestones/%d", gone), Status: 204},
			{Method: "GET", Path: fmt.Sprintf("/epics/%d", epic), Status: 200, Want: fmt.Sprintf(`{"objective_ids":[%d],"milestone_id":%[1]d}`, kept)},
			{Method: "GET", Path: "/key-results/" + string(result.ID), Status: 404},
			{Method: "GET", Path: fmt.Sprintf("/milestones/%d/epics", kept), Status: 200, Want: fmt.Sprintf(`[{"id":%d}]`, epic)},
		})
		changes := s.Changes(t, w, before)
		if len(changes) != 1 || itemsOf(changes) != "update epic, delete key-result, delete milestone" {
			t.Errorf("the deletion is recorded as %+v", changes)
		}
	})
}

func TestMilestoneChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := s.Owner.Workspace
		before := int64(len(s.Changes(t, w, 0)))
		a := s.Owner.Want(t, 201, "POST", "/objectives", `{"name":"a","state":"in progress","categories":[{"name":"C"}]}`)
		path, category := fmt.Sprintf("/objectives/%d", a.ID(t)), a.Object(t)["categories"].([]any)[0].(map[string]any)["id"]
		s.Clock.Advance(time.Minute)
		same := s.Owner.Want(t, 200, "PUT", path, `{"name":"a","state":"in progress","categories":[{"name":"c"}],"archived":false,"started_at_override":null}`).Object(t)
		if same["updated_at"] != "2026-01-05T10:00:00Z" || same["started_at"] != "2026-01-05T10:00:00Z" {
			t.Errorf("an update that changes nothing gives %v", same)
		}
		s.Owner.Want(t, 200, "PUT", path, `{"description":"more"}`)
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/categories/%v", category), nil)
		after := s.Owner.Want(t, 200, "GET", path, nil).Object(t)
		if len(after["categories"].([]any)) != 0 || after["updated_at"] != "2026-01-05T10:01:00Z" {
			t.Errorf("after its category is deleted, the objective is %v", after)
		}
		var got []string
		for _, c := range s.Changes(t, w, before) {
			got = append(got, itemsOf([]tracker.Change{c}))
		}
		want := []string{"create category, create milestone", "update milestone", "update milestone, delete category"}
		if !slices.Equal(got, want) {
			t.Errorf("the changes are %q, want %q", got, want)
		}
	})
}

func TestMilestoneListCost(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		category := s.Owner.Want(t, 201, "POST", "/categories", `{"name":"C"}`).ID(t)
		put := func(n int) {
			err := s.Store.Write(t.Context(), s.Owner.Workspace, func(tx *store.Tx) error {
				for range n {
					m := tracker.Milestone{ID: tx.NextID(), Name: "m", State: tracker.MilestoneToDo, CategoryIDs: []int64{category}}
					if err := tx.InsertMilestone(&m); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		cost := func(path string, want int) int64 {
			before := s.Store.Queries()
			if got := len(s.Owner.Want(t, 200, "GET", path, nil).List(t)); got != want {
				t.Fatalf("%d milestones, want %d", got, want)
			}
			return s.Store.Queries() - before
		}
		paths := []string{"/milestones", "/objectives", fmt.Sprintf("/categories/%d/milestones", category)}
		few := map[string]int64{}
		put(10)
		for _, path := range paths {
			few[path] = cost(path, 10)
		}
		put(990)
		for _, path := range paths {
			if many := cost(path, 1000); many != few[path] {
				t.Errorf("%s: a list of 1,000 takes %d queries, one of 10 %d", path, many, few[path])
			}
		}
	})
}
