package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestWorkflows(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := s.Owner.Want(t, 200, "GET", "/workflows", nil).List(t)[0]
		id, team := numberOf(flow["id"]), numberOf(flow["team_id"])
		states := stateIDs(t, s)
		run := testkit.Beside(t, address, s.Owner.Workspace)
		stories := s.InsertStories(t, s.Owner.Workspace, states["In Development"], 1, 2, 3)
		run(`update story set archived = true where workspace_id = $1 and id = $2`, stories[2])
		run(`update workflow_state set type = 'backlog', verb = 'park', color = '#AAbbcc' where workspace_id = $1 and id = $2`, states["Unscheduled"])
		// The default workflow need not be the first.
		run(`insert into workflow (workspace_id, id, team_id, name, description, auto_assign_owner, default_state_id, position, created_at, updated_at)
			values ($1, 7, 8, 'Other', '', false, 0, 0, 0, 0)`)

		flowWith := func(more, unscheduled string) string {
			return fmt.Sprintf(`{%s,"id":%v,"default_state_id":%d,"states":[%s,
				{"name":"Ready for Development","type":"unstarted","num_stories":0,"position":2},
				{"name":"In Development","type":"started","num_stories":2,"position":3},
				{"name":"Ready for Review","type":"started","position":4},
				{"name":"Ready for Deploy","type":"started","position":5},
				{"name":"Completed","type":"done","position":6,"verb":null}]}`, more, id, states["Unscheduled"], unscheduled)
		}
		const backlog = `{"name":"Unscheduled","type":"backlog","verb":"park","color":"#AAbbcc","position":1}`
		const unstarted = `{"name":"Unscheduled","type":"unstarted","verb":"park","color":"#AAbbcc","position":1}`
		v2Flow := flowWith(fmt.Sprintf(`"name":"Standard","entity_type":"workflow","team_id":%v,"project_ids":[]`, team), unstarted)
		v2Team := fmt.Sprintf(`{"id":%v,"name":"Standard","entity_type":"team","project_ids":[],"position":1,"workflow":%s}`, team, v2Flow)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/api/v2/workflows", Status: 200, Want: `[{"name":"Other","states":[]},` + v2Flow + `]`},
			{Method: "GET", Path: "/api/v2/teams", Status: 200, Want: `[{"id":8,"name":"Other"},` + v2Team + `]`},
			{Method: "GET", Path: fmt.Sprint("/api/v2/teams/", team), Status: 200, Want: v2Team},
			{Method: "GET", Path: fmt.Sprint("/api/v2/teams/", id), Status: 404},
			{Name: "v1 has the default workflow alone", Method: "GET", Path: "/api/v1/workflows", Status: 200,
				Want: `[` + flowWith(`"created_at":"2026-01-05T10:00:00Z"`, unstarted) + `]`},
			{Name: "v2 gets no single workflow", Method: "GET", Path: fmt.Sprint("/api/v2/workflows/", id), Status: 404, Want: `{"message":"Page not Found"}`},
		})
		for _, version := range []string{"/api/v3", "/api/beta"} {
			one := flowWith(fmt.Sprintf(`"name":"Standard","team_id":%v,"auto_assign_owner":true`, team), backlog)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: version + "/workflows", Status: 200, Want: `[{"name":"Other"},` + one + `]`},
				{Method: "GET", Path: fmt.Sprint(version, "/workflows/", id), Status: 200, Want: one},
				{Method: "GET", Path: fmt.Sprint(version, "/workflows/", team), Status: 404, Want: `{"message":"Resource not found."}`},
				{Method: "GET", Path: fmt.Sprint(version, "/teams/", team), Status: 200, Want: fmt.Sprintf(`{"id":%v,"workflow":%s}`, team, one)},
				{Method: "GET", Path: fmt.Sprint(version, "/teams/", id), Status: 404},
			})
		}
	})
}

func TestEpicWorkflow(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		states := stateIDs(t, s)
		for _, version := range []string{"v3", "v2", "beta"} {
			testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: "/api/" + version + "/epic-workflow", Status: 200,
				Want: fmt.Sprintf(`{"entity_type":"epic-workflow","default_epic_state_id":%d,"epic_states":[
					{"name":"to do","type":"unstarted","position":1,"entity_type":"epic-state"},
					{"name":"in progress","type":"started","position":2},{"name":"done","type":"done","position":3}]}`, states["to do"])}})
		}
		s.Owner.Want(t, 404, "GET", "/api/v1/epic-workflow", nil)
	})
}

// TestFeatureSwitches: admins and owners switch features, and the workspace remembers.
func TestFeatureSwitches(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		admin := s.NewMember(t, s.Owner, "ada", tracker.Admin)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		is := func(f tracker.Feature, on bool) {
			t.Helper()
			ws, err := s.Service.Workspace(t.Context(), testkit.Operator(s.Owner.Workspace))
			if err != nil {
				t.Fatal(err)
			}
			if ws.Has(f) != on {
				t.Errorf("%s is on: %v, want %v", f, !on, on)
			}
		}
		for path, feature := range map[string]tracker.Feature{
			"/groups": tracker.Groups, "/iterations": tracker.Iterations, "/entity-templates": tracker.EntityTemplates,
		} {
			for _, version := range []string{"/api/v3", "/api/beta"} {
				is(feature, true)
				for _, refused := range []*testkit.Client{member, observer} {
					if a := refused.Want(t, 403, "PUT", version+path+"/disable", nil); a.Object(t)["tag"] != "forbidden" {
						t.Errorf("refused with %s", a.Text)
					}
				}
				is(feature, true)
				for range 2 { // the second time changes nothing
					if a := admin.Want(t, 204, "PUT", version+path+"/disable", nil); a.Text != "" {
						t.Errorf("204 with the body %q", a.Text)
					}
					is(feature, false)
				}
				s.Owner.Want(t, 204, "PUT", version+path+"/enable", nil)
			}
			is(feature, true)
		}
		audit, err := s.Service.Audit(t.Context(), testkit.Operator(s.Owner.Workspace), "", 1000)
		if err != nil {
			t.Fatal(err)
		}
		switches := 0
		for _, entry := range audit {
			if strings.HasPrefix(entry.Action, "feature.") {
				switches++
			}
		}
		if switches != 3*2*2 {
			t.Errorf("the audit log has %d switches, want 12", switches)
		}
		s.Owner.Want(t, 404, "PUT", "/api/v2/groups/enable", nil)
	})
}
