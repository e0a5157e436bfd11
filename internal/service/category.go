package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) Categories(ctx context.Context, by tracker.Actor) ([]tracker.Category, error) {
	return read(ctx, s, by, (*store.Tx).Categories)
}

func (s *Service) Category(ctx context.Context, by tracker.Actor, id int64) (tracker.Category, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Category, error) { return tx.Category(id) })
}

func (s *Service) CreateCategory(ctx context.Context, by tracker.Actor, p tracker.CategoryParams) (tracker.Category, error) {
	return write(ctx, s, by, func(w *work) (tracker.Category, error) {
		return create(w, tracker.NewCategory(w.NextID(), p, w.now), w.InsertCategory)
	})
}

func (s *Service) UpdateCategory(ctx context.Context, by tracker.Actor, id int64, ch tracker.CategoryChange) (tracker.Category, error) {
	return write(ctx, s, by, func(w *work) (tracker.Category, error) {
		c, err := w.Category(id)
		if err != nil {
			return c, err
		}
		return update(w, c, func(c *tracker.Category) { c.Apply(ch) }, w.Tx.UpdateCategory)
	})
}

// DeleteCategory takes the category off the milestones in it.
func (s *Service) DeleteCategory(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		c, err := w.Category(id)
		if err != nil {
			return none{}, err
		}
		w.primary(c)
		milestones, err := w.MilestonesOfCategory(c)
		if err != nil {
			return none{}, err
		}
		for _, m := range milestones {
			if _, err := w.updateMilestone(m, func(m *tracker.Milestone) { m.CategoryIDs = without(m.CategoryIDs, id) }); err != nil {
				return none{}, err
			}
		}
		return none{}, remove(w, c, func() error { return w.Tx.DeleteCategory(id) })
	})
	return err
}

// categoriesNamed finds the categories that a request names inline and creates those that do not
// exist yet.
func (w *work) categoriesNamed(params []tracker.CategoryParams) ([]tracker.Category, error) {
	return inline(params, w.CategoriesNamed,
		func(p tracker.CategoryParams) string { return p.Name }, func(c tracker.Category) string { return c.Name },
		func(p tracker.CategoryParams) (tracker.Category, error) {
			return create(w, tracker.NewCategory(w.NextID(), p, w.now), w.InsertCategory)
		})
}
