package service

import (
	"context"
	"fmt"
	"slices"

	"milepost/internal/tracker"
)

// cascade changes every story that refers to something which is about to go, in chunks that are
// changes of their own, and runs last in the transaction of the final chunk. find lists up to
// limit stories that still refer to it; it fails when there is no such thing. A change that leaves
// the reference in place would go on for ever, so the same stories must not come twice in a row.
func (s *Service) cascade(ctx context.Context, by tracker.Actor, find func(w *work, limit int) ([]tracker.Story, error),
	change func(*tracker.Story), last func(*work) error) error {
	var previous []int64
	return s.inChunks(ctx, by, func(w *work) (done bool, err error) {
		stories, err := find(w, chunkSize)
		if err != nil {
			return false, err
		}
		ids := make([]int64, len(stories))
		for i := range stories {
			ids[i] = stories[i].ID
		}
		if len(ids) > 0 && slices.Equal(ids, previous) {
			return false, fmt.Errorf("the change of story %d and others leaves what they refer to in place", ids[0])
		}
		previous = ids
		for _, story := range stories {
			if _, err := w.updateStory(story, change); err != nil {
				return false, err
			}
		}
		if len(stories) == chunkSize {
			return false, nil
		}
		return true, last(w)
	})
}

// updateStory applies a change to a loaded story, saves and records it.
func (w *work) updateStory(before tracker.Story, change func(*tracker.Story)) (tracker.Story, error) {
	return update(w, before, change, func(after *tracker.Story) error { return w.Tx.UpdateStory(&before, after) })
}
