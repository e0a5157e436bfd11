package store_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// SQLite keeps no statistics, so its plans are the same for every database. Lists of stories are found by an index
// of their own, not by reading all stories in the order of their ids; what is summed up of stories is read from an
// index alone, not from their wide rows.
func TestStoryPlans(t *testing.T) {
	t.Parallel()
	list := func(q store.StoryQuery) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := tx.StoryPage(q, 0, true)
			return err
		}
	}
	stats := func(column string, id any) func(*store.Tx) error {
		return func(tx *store.Tx) error {
			_, err := tx.StoryStats(column, id)
			return err
		}
	}
	group := tracker.UUID("00000000-0000-7000-8000-000000000000")
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	err := s.Store.Read(t.Context(), s.Owner.Workspace, func(tx *store.Tx) error {
		for _, row := range []struct {
			want string
			do   func(*store.Tx) error
		}{
			{"USING INDEX story_by_epic (", list(store.StoriesOfEpic(1))},
			{"USING INDEX story_by_project (", list(store.StoriesOfProject(1))},
			{"USING INDEX story_by_iteration (", list(store.StoriesOfIteration(1))},
			{"USING INDEX story_by_group (", list(tx.StoriesLike(tracker.StoryFilter{GroupID: tracker.Some(group)}))},
			{"USING INDEX story_by_external_id (", list(tx.StoriesLike(tracker.StoryFilter{ExternalID: tracker.Some("x")}))},
			{"USING COVERING INDEX story_by_epic (", stats("epic_id", []int64{1, 2})},
			{"USING COVERING INDEX story_by_epic (", stats("epic_id", nil)},
			{"USING COVERING INDEX story_by_iteration (", stats("iteration_id", []int64{1})},
			{"USING COVERING INDEX story_by_project (", stats("project_id", nil)},
			{"USING COVERING INDEX story_by_project (", stats("project_id", int64(1))},
			{"USING COVERING INDEX story_by_group (", stats("group_id", nil)},
			{"USING COVERING INDEX story_by_group (", stats("group_id", group)},
			{"USING COVERING INDEX story_by_state (", func(tx *store.Tx) error { _, err := tx.Workflows(); return err }},
			{"USING COVERING INDEX story_by_iteration (", func(tx *store.Tx) error { _, err := tx.IterationGroups([]int64{1}); return err }},
			{"USING COVERING INDEX story_by_epic (", func(tx *store.Tx) error { _, err := tx.EpicStats([]int64{1}); return err }},
		} {
			plans, err := store.Plans(tx, row.do)
			if err != nil {
				return err
			}
			not := []string{"SCAN story", "SCAN s\n", "TEMP B-TREE"}
			if strings.Contains(row.want, "COVERING") {
				not = []string{"SCAN story", "SCAN s\n", "SEARCH story USING INDEX", "SEARCH s USING INDEX"}
			}
			if !strings.Contains(plans, row.want) || slices.ContainsFunc(not, func(step string) bool { return strings.Contains(plans, step) }) {
				t.Errorf("want %s: %s", row.want, plans)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
