package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// Health is the current health of an epic; without an id when nobody has judged it.
func (s *Service) Health(ctx context.Context, by tracker.Actor, epic int64) (tracker.Health, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Health, error) {
		if _, err := tx.Epic(epic); err != nil {
			return tracker.Health{}, err
		}
		h, err := tx.HealthOfEpic(epic)
		if err != nil || h == nil {
			return tracker.Health{EpicID: epic, Status: tracker.NoHealth}, err
		}
		return *h, nil
	})
}

// HealthHistory lists every judgement of an epic's health, newest first.
func (s *Service) HealthHistory(ctx context.Context, by tracker.Actor, epic int64) ([]tracker.Health, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.Health, error) {
		if _, err := tx.Epic(epic); err != nil {
			return nil, err
		}
		return tx.HealthHistory(epic)
	})
}

func (s *Service) CreateHealth(ctx context.Context, by tracker.Actor, epic int64, ch tracker.HealthChange) (tracker.Health, error) {
	return write(ctx, s, by, func(w *work) (tracker.Health, error) {
		h := tracker.Health{ID: s.newID(), EpicID: epic, AuthorID: by.Member, CreatedAt: w.now, UpdatedAt: w.now}
		if _, err := w.Epic(epic); err != nil {
			return h, err
		}
		h.Apply(ch)
		return create(w, h, w.InsertHealth)
	})
}

func (s *Service) UpdateHealth(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.HealthChange) (tracker.Health, error) {
	return write(ctx, s, by, func(w *work) (tracker.Health, error) {
		h, err := w.Tx.Health(id)
		if err != nil {
			return h, err
		}
		return update(w, h, func(h *tracker.Health) { h.Apply(ch) }, w.Tx.UpdateHealth)
	})
}

func (w *work) removeHealths(epic int64) error {
	history, err := w.Tx.HealthHistory(epic)
	if err != nil {
		return err
	}
	for _, h := range history {
		w.record("delete", h, tracker.Snapshot(h))
	}
	return w.DeleteHealths(epic)
}
