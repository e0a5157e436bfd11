package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) KeyResult(ctx context.Context, by tracker.Actor, id tracker.UUID) (tracker.KeyResult, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.KeyResult, error) { return tx.KeyResult(id) })
}

// CreateKeyResult adds a key result behind the others of the milestone.
func (s *Service) CreateKeyResult(ctx context.Context, by tracker.Actor, milestone int64, p tracker.KeyResultParams) (tracker.KeyResult, error) {
	return write(ctx, s, by, func(w *work) (tracker.KeyResult, error) {
		if err := w.require(tracker.Objectives); err != nil {
			return tracker.KeyResult{}, err
		}
		if _, err := w.Milestone(milestone); err != nil {
			return tracker.KeyResult{}, err
		}
		others, err := w.KeyResultsOf(milestone)
		if err != nil {
			return tracker.KeyResult{}, err
		}
		k := tracker.KeyResult{ID: s.newID(), MilestoneID: milestone, Name: p.Name, Type: p.Type, Position: 1, CreatedAt: w.now, UpdatedAt: w.now}
		if n := len(others); n > 0 {
			k.Position = others[n-1].Position + 1
		}
		err = k.Apply(tracker.KeyResultChange{
			Initial: tracker.Some(p.Initial), Target: tracker.Some(p.Target), Observed: tracker.Some(p.Observed.Or(p.Initial)),
		})
		if err != nil {
			return tracker.KeyResult{}, err
		}
		return create(w, k, w.InsertKeyResult)
	})
}

func (s *Service) UpdateKeyResult(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.KeyResultChange) (tracker.KeyResult, error) {
	return write(ctx, s, by, func(w *work) (tracker.KeyResult, error) {
		if err := w.require(tracker.Objectives); err != nil {
			return tracker.KeyResult{}, err
		}
		before, err := w.KeyResult(id)
		if err != nil {
			return before, err
		}
		after := before
		if err := after.Apply(ch); err != nil {
			return before, err
		}
		return update(w, before, func(k *tracker.KeyResult) { *k = after }, w.Tx.UpdateKeyResult)
	})
}

func (s *Service) DeleteKeyResult(ctx context.Context, by tracker.Actor, id tracker.UUID) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		k, err := w.KeyResult(id)
		if err != nil {
			return none{}, err
		}
		return none{}, remove(w, k, func() error { return w.Tx.DeleteKeyResult(id) })
	})
	return err
}
