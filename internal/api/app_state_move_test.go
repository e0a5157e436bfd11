package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
)

// What leaves a state, or a workflow, that is deleted moves by the rules of any other move.
func TestDeletedStatesMoveStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		create := func(name string, state int64) int64 {
			return s.Owner.Want(t, 201, "POST", "/stories", map[string]any{"name": name, "workflow_state_id": state}).ID(t)
		}
		second := s.Owner.Want(t, 201, "POST", "/api/app/workflows", `{"name":"Second"}`).ID(t)
		a, b, c := create("a", readyForReview), create("b", unscheduled), create("c", second+3)
		s.Owner.Want(t, 201, "POST", "/story-links", fmt.Sprintf(`{"subject_id":%d,"verb":"blocks","object_id":%d}`, a, b))
		shown := func(id int64, want string) testkit.Case {
			return testkit.Case{Name: want, Method: "GET", Path: fmt.Sprintf("/stories/%d", id), Status: 200, Want: want}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			shown(a, `{"started_at":"2026-01-05T10:00:00Z","completed":false,"blocker":true}`), shown(b, `{"blocked":true}`),
			shown(c, `{"started_at":"2026-01-05T10:00:00Z","completed":false}`),
		})

		got := deletes(t, s, fmt.Sprintf("/api/app/states/%d?replacement_state_id=%d", readyForReview, completed))
		want := []string{
			fmt.Sprintf("story %d: blocker completed completed_at workflow_state_id", a), fmt.Sprintf("story %d: blocked", b),
		}
		if !slices.Equal(got, want) {
			t.Errorf("the changes are %q, want %q", got, want)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			shown(a, fmt.Sprintf(`{"workflow_state_id":%d,"started":true,"started_at":"2026-01-05T10:00:00Z","completed":true,
				"completed_at":"2026-01-05T11:00:00Z","moved_at":"2026-01-05T11:00:00Z","blocker":false}`, completed)),
			shown(b, `{"blocked":false}`),
			{Method: "POST", Path: fmt.Sprintf("/api/app/workflows/%d/states", standard), Body: `{"name":"Shipped","type":"done"}`, Status: 201},
		})
		deletes(t, s, fmt.Sprintf("/api/app/states/%d?replacement_state_id=%d", completed, readyForDevelopment))
		testkit.Run(t, s.Owner, []testkit.Case{
			shown(a, fmt.Sprintf(`{"workflow_state_id":%d,"started":false,"started_at":null,"completed":false,"completed_at":null,
				"moved_at":"2026-01-05T12:00:00Z","blocker":true}`, readyForDevelopment)),
			shown(b, `{"blocked":true}`),
		})
		got = deletes(t, s, fmt.Sprintf("/api/app/workflows/%d?replacement_state_id=%d", second, readyForDevelopment))
		if want := fmt.Sprintf("story %d: started started_at workflow_id workflow_state_id", c); len(got) != 1 || got[0] != want {
			t.Errorf("the changes are %q, want %q", got, want)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			shown(c, fmt.Sprintf(`{"workflow_id":%d,"workflow_state_id":%d,"started":false,"started_at":null,"moved_at":"2026-01-05T13:00:00Z"}`, standard, readyForDevelopment)),
		})
	})
}

func TestDeletedStatesMoveEpics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		states := stateIDs(t, s)
		state := func(name, kind string) int64 {
			return s.Owner.Want(t, 201, "POST", "/api/app/epic-workflow/states", map[string]any{"name": name, "type": kind}).ID(t)
		}
		review, shipped := state("review", "started"), state("shipped", "done")
		epic := s.Owner.Want(t, 201, "POST", "/epics", map[string]any{"name": "e", "epic_state_id": review}).ID(t)
		shown := func(want string) testkit.Case {
			return testkit.Case{Name: want, Method: "GET", Path: fmt.Sprintf("/epics/%d", epic), Status: 200, Want: want}
		}
		testkit.Run(t, s.Owner, []testkit.Case{shown(`{"started_at":"2026-01-05T10:00:00Z","completed":false}`)})
		got := deletes(t, s, fmt.Sprintf("/api/app/epic-states/%d?replacement_state_id=%d", review, shipped))
		if want := fmt.Sprintf("epic %d: completed completed_at epic_state_id", epic); len(got) != 1 || got[0] != want {
			t.Errorf("the changes are %q, want %q", got, want)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			shown(fmt.Sprintf(`{"epic_state_id":%d,"state":"done","started_at":"2026-01-05T10:00:00Z","completed":true,"completed_at":"2026-01-05T11:00:00Z"}`, shipped)),
		})
		deletes(t, s, fmt.Sprintf("/api/app/epic-states/%d?replacement_state_id=%d", shipped, states["to do"]))
		testkit.Run(t, s.Owner, []testkit.Case{
			shown(`{"state":"to do","started":false,"started_at":null,"completed":false,"completed_at":null}`),
		})
	})
}

// deletes deletes an hour later and tells what is recorded of the stories and epics: their ids and
// what changed of them, but for positions.
func deletes(t *testing.T, s *testkit.Server, path string) []string {
	t.Helper()
	before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
	s.Clock.Advance(time.Hour)
	s.Owner.Want(t, 204, "DELETE", path, nil)
	var out []string
	for _, c := range s.Changes(t, s.Owner.Workspace, before) {
		for _, item := range c.Items {
			if item.EntityType == "story" || item.EntityType == "epic" {
				delete(item.Data, "position")
				out = append(out, fmt.Sprintf("%s %s: %s", item.EntityType, item.EntityID, strings.Join(slices.Sorted(maps.Keys(item.Data)), " ")))
			}
		}
	}
	return out
}
