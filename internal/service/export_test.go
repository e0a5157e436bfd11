package service

import (
	"context"

	"milepost/internal/tracker"
)

// ChunkSize is how many stories a cascade changes at once.
const ChunkSize = chunkSize

// LeaveEpic is the cascade that takes an epic from its stories, with another change than the right one.
func (s *Service) LeaveEpic(ctx context.Context, by tracker.Actor, epic int64, change func(*tracker.Story)) error {
	find := func(w *work, limit int) ([]tracker.Story, error) { return w.SomeStoriesOf("epic_id", epic, limit) }
	return s.cascade(ctx, by, find, change, func(*work) error { return nil })
}

// NewID draws an id as use cases do.
func (s *Service) NewID() tracker.UUID { return s.newID() }
