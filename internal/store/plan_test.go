package store_test

import (
	"path/filepath"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// SQLite keeps no statistics, so its plans are the same for every database: lists of stories are
// found by an index of their own, not by reading all stories in the order of their ids.
func TestStoryPlans(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	err := s.Store.Read(t.Context(), s.Owner.Workspace, func(tx *store.Tx) error {
		group := tracker.UUID("00000000-0000-7000-8000-000000000000")
		for index, q := range map[string]store.StoryQuery{
			"story_by_epic (":        store.StoriesOfEpic(1),
			"story_by_project (":     store.StoriesOfProject(1),
			"story_by_iteration (":   store.StoriesOfIteration(1),
			"story_by_group (":       tx.StoriesLike(tracker.StoryFilter{GroupID: tracker.Some(group)}),
			"story_by_external_id (": tx.StoriesLike(tracker.StoryFilter{ExternalID: tracker.Some("x")}),
		} {
			plan, err := store.StoryPlan(tx, q)
			if err != nil {
				return err
			}
			if !strings.Contains(plan, "USING INDEX "+index) || strings.Contains(plan, "SCAN") || strings.Contains(plan, "TEMP B-TREE") {
				t.Errorf("%s is not used: %s", index, plan)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
