package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) Repositories(ctx context.Context, by tracker.Actor) ([]tracker.Repository, error) {
	return read(ctx, s, by, (*store.Tx).Repositories)
}

func (s *Service) Repository(ctx context.Context, by tracker.Actor, id int64) (tracker.Repository, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Repository, error) { return tx.Repository(id) })
}
