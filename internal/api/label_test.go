package api_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestLabels(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/labels", Status: 200, Want: `[]`},
			{Method: "POST", Path: "/labels", Body: `{"name":"Größe","color":"#AAbbcc","external_id":"x1","description":"d"}`, Status: 201,
				Want: `{"id":2,"name":"Größe","color":"#AAbbcc","external_id":"x1","description":"d","archived":false,"entity_type":"label",
					"app_url":"` + s.URL + `/first/label/2","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z",
					"stats":{"num_stories_total":0,"num_epics":0}}`},
			{Name: "the same name folded", Method: "POST", Path: "/labels", Body: `{"name":" GRÖSSE "}`, Status: 422, Want: `{"errors":{"name":"already exists"}}`},
			{Name: "the same name in v2", Method: "POST", Path: "/api/v2/labels", Body: `{"name":"grösse"}`, Status: 422},
			{Name: "the same name in v1", Method: "POST", Path: "/api/v1/labels", Body: `{"name":"grösse"}`, Status: 422},
			{Name: "every bad field", Method: "POST", Path: "/labels", Body: `{"nme":1,"color":"red","external_id":"","description":null}`, Status: 400,
				Want: `{"errors":{"nme":"disallowed-key","name":"missing-required-key","color":"must be a colour of the form #rrggbb",
					"external_id":"must have at least 1 characters","description":"must not be null"}}`},
			{Name: "name of 129 characters", Method: "POST", Path: "/labels", Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400,
				Want: `{"errors":{"name":"must have at most 128 characters"}}`},
			{Name: "description of 1025 characters", Method: "POST", Path: "/labels", Body: map[string]any{"name": "x", "description": strings.Repeat("ü", 1025)}, Status: 400,
				Want: `{"errors":{"description":"must have at most 1024 characters"}}`},
			{Name: "every limit exactly", Method: "POST", Path: "/labels", Status: 201, Body: map[string]any{
				"name": strings.Repeat("ü", 128), "description": strings.Repeat("ü", 1024), "external_id": strings.Repeat("ü", 128)}},
			{Name: "observer", As: observer, Method: "POST", Path: "/labels", Body: `{"name":"x"}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "observer reads", As: observer, Method: "GET", Path: "/labels/2", Status: 200, Want: `{"id":2}`},
			{Method: "GET", Path: "/labels/99", Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "PUT", Path: "/labels/2", Body: `{"name":"Size","archived":true,"color":null,"description":""}`, Status: 200,
				Want: `{"name":"Size","archived":true,"color":null,"description":"","external_id":"x1"}`},
			{Name: "taken name", Method: "PUT", Path: "/labels/2", Body: map[string]any{"name": strings.Repeat("Ü", 128)}, Status: 422},
			{Name: "its own name in another case", Method: "PUT", Path: "/labels/2", Body: `{"name":"SIZE"}`, Status: 200, Want: `{"name":"SIZE"}`},
			{Method: "PUT", Path: "/labels/2", Body: `{"archived":null}`, Status: 400, Want: `{"errors":{"archived":"must not be null"}}`},
			{Method: "PUT", Path: "/labels/99", Body: `{"name":"x"}`, Status: 404},
			{Name: "v2 sees the change", Method: "GET", Path: "/api/v2/labels/2", Status: 200, Want: `{"name":"SIZE","archived":true}`},
			{Name: "v2 creates without a description", Method: "POST", Path: "/api/v2/labels", Body: `{"name":"x","description":"d"}`, Status: 400,
				Want: `{"errors":{"description":"disallowed-key"}}`},
			{Name: "v1 updates the name alone", Method: "PUT", Path: "/api/v1/labels/2", Body: `{"color":"#112233"}`, Status: 400,
				Want: `{"errors":{"name":"missing-required-key","color":"disallowed-key"}}`},
			{Method: "PUT", Path: "/api/v1/labels/2", Body: `{"name":"Old"}`, Status: 200, Want: `{"id":2,"name":"Old","num_stories_total":0}`},
			{Name: "v1 gets no single label", Method: "GET", Path: "/api/v1/labels/2", Status: 405},
			{Method: "POST", Path: "/api/v1/labels", Body: `{"name":"v1","external_id":"e"}`, Status: 201, Want: `{"name":"v1"}`},
			{Method: "DELETE", Path: "/labels/2", Status: 204},
			{Method: "DELETE", Path: "/labels/2", Status: 404},
			{Method: "DELETE", Path: "/api/v1/labels/2", Status: 404},
		})
		for _, l := range s.Owner.Want(t, 200, "GET", "/labels?slim=true", nil).List(t) {
			if _, has := l["stats"]; has {
				t.Errorf("the slim list holds stats: %v", l)
			}
		}
		for _, l := range s.Owner.Want(t, 200, "GET", "/labels?slim=false", nil).List(t) {
			if _, has := l["stats"]; !has {
				t.Errorf("the full list lacks stats: %v", l)
			}
		}
	})
}

// TestLabelStats counts unarchived stories and epics by the type of their state.
func TestLabelStats(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		label := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"counted"}`).ID(t)
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"other"}`)
		states := stateIDs(t, s)
		run := testkit.Beside(t, address, s.Owner.Workspace)
		run(`update workflow_state set type = 'backlog' where workspace_id = $1 and id = $2`, states["Unscheduled"])
		for _, story := range []struct {
			state    string
			estimate any
			archived bool
			label    string
		}{
			{"Unscheduled", 1, false, "counted"},
			{"Ready for Development", 2, false, "counted"},
			{"In Development", 4, false, "counted"},
			{"Ready for Review", nil, false, "counted"},
			{"Completed", 8, false, "counted"},
			{"Completed", 16, true, "counted"},
			{"Completed", 32, false, "other"},
		} {
			s.Owner.Want(t, 201, "POST", "/stories", map[string]any{
				"name": "Story", "workflow_state_id": states[story.state], "estimate": story.estimate, "archived": story.archived,
				"labels": []any{map[string]any{"name": story.label}},
			})
		}
		for _, epic := range []struct {
			state    string
			archived bool
		}{{"to do", false}, {"in progress", false}, {"done", false}, {"done", false}, {"done", true}} {
			id := s.Owner.Want(t, 201, "POST", "/epics", map[string]any{
				"name": "Epic", "epic_state_id": states[epic.state], "labels": []any{map[string]any{"name": "counted"}},
			}).ID(t)
			s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/epics/%d", id), map[string]any{"archived": epic.archived})
		}
		path := fmt.Sprintf("/labels/%d", label)
		v3Stats := `{"stats":{"num_epics":4,"num_epics_total":4,"num_epics_unstarted":1,"num_epics_in_progress":1,"num_epics_completed":2,
			"num_stories_total":5,"num_stories_backlog":1,"num_stories_unstarted":1,"num_stories_in_progress":2,"num_stories_completed":1,
			"num_stories_unestimated":1,"num_points_total":15,"num_points_backlog":1,"num_points_unstarted":2,"num_points_in_progress":4,
			"num_points_completed":8,"num_related_documents":0}}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: v3Stats},
			{Method: "PUT", Path: path, Body: `{"color":"#112233"}`, Status: 200, Want: v3Stats},
			{Method: "GET", Path: "/api/beta" + path, Status: 200, Want: v3Stats},
			{Method: "GET", Path: "/labels", Status: 200, Want: `[` + v3Stats + `,{"stats":{"num_stories_total":1,"num_points_completed":32,"num_epics":0}}]`},
			{Name: "v2 knows no backlog", Method: "GET", Path: "/api/v2" + path, Status: 200, Want: `{"stats":{"num_epics":4,"num_epics_total":4,
				"num_epics_unstarted":1,"num_epics_in_progress":1,"num_epics_completed":2,"num_stories_total":5,"num_stories_unstarted":2,
				"num_stories_in_progress":2,"num_stories_completed":1,"num_stories_unestimated":1,"num_points_total":15,"num_points_unstarted":3,
				"num_points_in_progress":4,"num_points_completed":8,"num_related_documents":0}}`},
			{Method: "GET", Path: "/api/v1/labels", Status: 200, Want: `[
				{"name":"counted","num_stories_total":5,"num_stories_in_progress":2,"num_stories_completed":1},
				{"name":"other","num_stories_total":1,"num_stories_in_progress":0,"num_stories_completed":1}]`},
			{Name: "stories and epics do not hold a label", Method: "DELETE", Path: path, Status: 204},
			{Method: "GET", Path: "/api/v1/labels", Status: 200, Want: `[{"name":"other","num_stories_total":1}]`},
		})
	})
}

// stateIDs finds workflow and epic states by their names.
func stateIDs(t *testing.T, s *testkit.Server) map[string]int64 {
	t.Helper()
	ids := map[string]int64{}
	add := func(states any) {
		for _, v := range states.([]any) {
			state := v.(map[string]any)
			ids[state["name"].(string)] = numberOf(state["id"]).(int64)
		}
	}
	add(s.Owner.Want(t, 200, "GET", "/workflows", nil).List(t)[0]["states"])
	add(s.Owner.Want(t, 200, "GET", "/epic-workflow", nil).Object(t)["epic_states"])
	return ids
}

func TestLabelsNamedInline(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		old := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"Größe","color":"#112233"}`).ID(t)
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		named := func(names ...string) []tracker.Label {
			t.Helper()
			var params []tracker.LabelParams
			for _, n := range names {
				params = append(params, tracker.LabelParams{Name: n, Color: tracker.Some("#445566")})
			}
			labels, err := s.Service.LabelsNamed(context.Background(), testkit.Operator(s.Owner.Workspace), params)
			if err != nil {
				t.Fatal(err)
			}
			return labels
		}
		got := named("new", "GRÖSSE", "New ")
		if len(got) != 2 || got[0].Name != "new" || *got[0].Color != "#445566" || got[1].ID != old || *got[1].Color != "#112233" {
			t.Fatalf("named labels are %+v", got)
		}
		if again := named("NEW", "größe"); len(again) != 2 || again[0].ID != got[0].ID || again[1].ID != old {
			t.Errorf("named again they are %+v", again)
		}
		if none := named(); len(none) != 0 {
			t.Errorf("no names give %+v", none)
		}
		changes := s.Changes(t, s.Owner.Workspace, int64(before))
		if len(changes) != 1 || len(changes[0].Items) != 1 || changes[0].Items[0].EntityID != got[0].EntityID() {
			t.Errorf("changes are %+v, want one creation", changes)
		}
	})
}

func TestLabelListCostsTheSameQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		made := 0
		makeUpTo := func(n int) {
			var params []tracker.LabelParams
			for ; made < n; made++ {
				params = append(params, tracker.LabelParams{Name: fmt.Sprint("label ", made)})
			}
			if _, err := s.Service.LabelsNamed(context.Background(), testkit.Operator(s.Owner.Workspace), params); err != nil {
				t.Fatal(err)
			}
		}
		cost := func(path string) int64 {
			before := s.Store.Queries()
			if got := len(s.Owner.Want(t, 200, "GET", path, nil).List(t)); got != made {
				t.Fatalf("%s lists %d labels, want %d", path, got, made)
			}
			return s.Store.Queries() - before
		}
		paths := []string{"/labels", "/labels?slim=true", "/api/v2/labels", "/api/v1/labels", "/api/beta/labels"}
		few := map[string]int64{}
		makeUpTo(10)
		for _, p := range paths {
			few[p] = cost(p)
		}
		makeUpTo(1000)
		for _, p := range paths {
			if many := cost(p); many != few[p] || many == 0 {
				t.Errorf("%s: 1,000 labels cost %d queries, 10 cost %d", p, many, few[p])
			}
		}
	})
}
