package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// MilestoneView is a milestone and what its wire form shows of other entities.
type MilestoneView struct {
	tracker.Milestone
	Categories   []tracker.Category
	KeyResultIDs []tracker.UUID
	Stories      tracker.StoryStats // of its epics
}

func (s *Service) Milestones(ctx context.Context, by tracker.Actor) ([]MilestoneView, error) {
	return s.milestoneList(ctx, by, (*store.Tx).Milestones)
}

// MilestonesOfCategory lists the milestones in the category.
func (s *Service) MilestonesOfCategory(ctx context.Context, by tracker.Actor, id int64) ([]MilestoneView, error) {
	return s.milestoneList(ctx, by, func(tx *store.Tx) ([]tracker.Milestone, error) {
		c, err := tx.Category(id)
		if err != nil {
			return nil, err
		}
		return tx.MilestonesOfCategory(c)
	})
}

func (s *Service) milestoneList(ctx context.Context, by tracker.Actor, find func(*store.Tx) ([]tracker.Milestone, error)) ([]MilestoneView, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]MilestoneView, error) {
		list, err := find(tx)
		if err != nil {
			return nil, err
		}
		return viewMilestones(tx, list)
	})
}

func (s *Service) Milestone(ctx context.Context, by tracker.Actor, id int64) (MilestoneView, error) {
	return read(ctx, s, by, func(tx *store.Tx) (MilestoneView, error) {
		m, err := tx.Milestone(id)
		return viewMilestone(tx, m, err)
	})
}

// EpicsOfMilestone lists the epics that work towards the milestone.
func (s *Service) EpicsOfMilestone(ctx context.Context, by tracker.Actor, id int64) (EpicList, error) {
	return s.epicList(ctx, by, func(tx *store.Tx) ([]tracker.Epic, error) {
		m, err := tx.Milestone(id)
		if err != nil {
			return nil, err
		}
		return tx.EpicsReferring("objective", m.EntityID())
	})
}

func viewMilestone(tx *store.Tx, m tracker.Milestone, err error) (MilestoneView, error) {
	if err != nil {
		return MilestoneView{}, err
	}
	list, err := viewMilestones(tx, []tracker.Milestone{m})
	if err != nil {
		return MilestoneView{}, err
	}
	return list[0], nil
}

// viewMilestones loads what the milestones show, in a fixed number of queries.
func viewMilestones(tx *store.Tx, list []tracker.Milestone) ([]MilestoneView, error) {
	ids := make([]int64, len(list))
	var categoryIDs []int64
	for i, m := range list {
		ids[i] = m.ID
		categoryIDs = append(categoryIDs, m.CategoryIDs...)
	}
	categories, err := tx.CategoriesByID(distinct(categoryIDs))
	if err != nil {
		return nil, err
	}
	byID := map[int64]tracker.Category{}
	for _, c := range categories {
		byID[c.ID] = c
	}
	results, err := tx.KeyResultsOf(ids...)
	if err != nil {
		return nil, err
	}
	resultIDs := map[int64][]tracker.UUID{}
	for _, k := range results {
		resultIDs[k.MilestoneID] = append(resultIDs[k.MilestoneID], k.ID)
	}
	stories, err := tx.MilestoneStats(ids)
	out := make([]MilestoneView, len(list))
	for i, m := range list {
		out[i] = MilestoneView{Milestone: m, KeyResultIDs: resultIDs[m.ID], Stories: stories[m.EntityID()]}
		for _, id := range m.CategoryIDs {
			out[i].Categories = append(out[i].Categories, byID[id])
		}
	}
	return out, err
}

func (s *Service) CreateMilestone(ctx context.Context, by tracker.Actor, ch tracker.MilestoneChange) (MilestoneView, error) {
	return write(ctx, s, by, func(w *work) (MilestoneView, error) {
		if err := w.require(tracker.Objectives); err != nil {
			return MilestoneView{}, err
		}
		position, err := w.MilestoneLast()
		if err != nil {
			return MilestoneView{}, err
		}
		m := tracker.Milestone{ID: w.NextID(), State: tracker.MilestoneToDo, Position: position, CreatedAt: w.now, UpdatedAt: w.now}
		w.primary(m)
		if err := w.changeMilestone(&m, ch); err != nil {
			return MilestoneView{}, err
		}
		m, err = create(w, m, w.InsertMilestone)
		return viewMilestone(w.Tx, m, err)
	})
}

func (s *Service) UpdateMilestone(ctx context.Context, by tracker.Actor, id int64, ch tracker.MilestoneChange) (MilestoneView, error) {
	return write(ctx, s, by, func(w *work) (MilestoneView, error) {
		if err := w.require(tracker.Objectives); err != nil {
			return MilestoneView{}, err
		}
		before, err := w.Milestone(id)
		if err != nil {
			return MilestoneView{}, err
		}
		w.primary(before)
		after := before
		if err := w.changeMilestone(&after, ch); err != nil {
			return MilestoneView{}, err
		}
		m, err := w.updateMilestone(before, func(m *tracker.Milestone) { *m = after })
		return viewMilestone(w.Tx, m, err)
	})
}

// changeMilestone makes the changes, looking up what they refer to.
func (w *work) changeMilestone(m *tracker.Milestone, ch tracker.MilestoneChange) error {
	m.Apply(ch, w.now)
	if params, ok := ch.Categories.Get(); ok {
		categories, err := w.categoriesNamed(params)
		if err != nil {
			return err
		}
		m.CategoryIDs = nil
		for _, c := range categories {
			m.CategoryIDs = append(m.CategoryIDs, c.ID)
		}
	}
	return place(&m.Position, "milestone", m.ID, ch.BeforeID, ch.AfterID, w.MilestoneBeside)
}

func (w *work) updateMilestone(before tracker.Milestone, change func(*tracker.Milestone)) (tracker.Milestone, error) {
	return update(w, before, change, func(after *tracker.Milestone) error { return w.Tx.UpdateMilestone(&before, after) })
}

// DeleteMilestone leaves the epics, which no longer refer to it; its key results go with it.
func (s *Service) DeleteMilestone(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		m, err := w.Milestone(id)
		if err != nil {
			return none{}, err
		}
		w.primary(m)
		epics, err := w.EpicsReferring("objective", m.EntityID())
		if err != nil {
			return none{}, err
		}
		for _, e := range epics {
			if _, err := w.updateEpic(e, func(e *tracker.Epic) { e.ObjectiveIDs = without(e.ObjectiveIDs, id) }); err != nil {
				return none{}, err
			}
		}
		results, err := w.KeyResultsOf(id)
		if err != nil {
			return none{}, err
		}
		for _, k := range results {
			if err := remove(w, k, func() error { return w.Tx.DeleteKeyResult(k.ID) }); err != nil {
				return none{}, err
			}
		}
		return none{}, remove(w, m, func() error { return w.Tx.DeleteMilestone(&m) })
	})
	return err
}
