package service_test

import (
	"testing"

	"milepost/internal/service"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// A cascade whose change leaves the reference in place ends with an error, not never.
func TestCascadeEnds(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		by := testkit.Operator(s.Owner.Workspace)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"e"}`).ID(t)
		testkit.PutStories(t, s, s.Owner.Workspace, service.ChunkSize, func(story *tracker.Story) { story.EpicID = &epic })
		for name, wrong := range map[string]func(*tracker.Story){
			"nothing changes":        func(*tracker.Story) {},
			"something else changes": func(story *tracker.Story) { story.Name += "!" },
		} {
			if err := s.Service.LeaveEpic(t.Context(), by, epic, wrong); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		if err := s.Service.LeaveEpic(t.Context(), by, epic, func(story *tracker.Story) { story.EpicID = nil }); err != nil {
			t.Error(err)
		}
		changes := s.Changes(t, s.Owner.Workspace, int64(before))
		if len(changes) != 1 || len(changes[0].Items) != service.ChunkSize {
			t.Errorf("%d changes", len(changes))
		}
	})
}
