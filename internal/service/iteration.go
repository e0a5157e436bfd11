package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// IterationView is an iteration and what its wire form shows of other entities.
type IterationView struct {
	tracker.Iteration
	Status  tracker.StateType
	Labels  []LabelWithStats
	Stories tracker.StoryStats
	Groups  []tracker.GroupStories
}

func (s *Service) Iterations(ctx context.Context, by tracker.Actor) ([]IterationView, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]IterationView, error) {
		list, err := tx.Iterations()
		if err != nil {
			return nil, err
		}
		return viewIterations(tx, list, tracker.TimeOf(s.now()))
	})
}

func (s *Service) Iteration(ctx context.Context, by tracker.Actor, id int64) (IterationView, error) {
	return read(ctx, s, by, func(tx *store.Tx) (IterationView, error) {
		i, err := tx.Iteration(id)
		return viewIteration(tx, i, tracker.TimeOf(s.now()), err)
	})
}

// StoriesOfIteration lists the stories that are in the iteration.
func (s *Service) StoriesOfIteration(ctx context.Context, by tracker.Actor, id int64) StoryPages {
	return s.storyPages(ctx, by, func(tx *store.Tx) (store.StoryQuery, error) {
		_, err := tx.Iteration(id)
		return store.StoriesOfIteration(id), err
	})
}

func viewIteration(tx *store.Tx, i tracker.Iteration, now tracker.Time, err error) (IterationView, error) {
	if err != nil {
		return IterationView{}, err
	}
	list, err := viewIterations(tx, []tracker.Iteration{i}, now)
	if err != nil {
		return IterationView{}, err
	}
	return list[0], nil
}

// viewIterations loads what the iterations show, in a fixed number of queries.
func viewIterations(tx *store.Tx, list []tracker.Iteration, now tracker.Time) ([]IterationView, error) {
	ids := make([]int64, len(list))
	var labelIDs []int64
	for n, i := range list {
		ids[n] = i.ID
		labelIDs = append(labelIDs, i.LabelIDs...)
	}
	ws, err := tx.Workspace()
	if err != nil {
		return nil, err
	}
	labels, err := labelsWithStats(tx, distinct(labelIDs))
	if err != nil {
		return nil, err
	}
	stories, err := tx.StoryStats("iteration_id", ids)
	if err != nil {
		return nil, err
	}
	groups, err := tx.IterationGroups(ids)
	out := make([]IterationView, len(list))
	for n, i := range list {
		out[n] = IterationView{Iteration: i, Status: i.Status(ws.Today(now)), Stories: stories[i.EntityID()], Groups: groups[i.ID]}
		for _, id := range i.LabelIDs {
			out[n].Labels = append(out[n].Labels, labels[id])
		}
	}
	return out, err
}

func (s *Service) CreateIteration(ctx context.Context, by tracker.Actor, ch tracker.IterationChange) (IterationView, error) {
	return write(ctx, s, by, func(w *work) (IterationView, error) {
		if err := w.require(tracker.Iterations); err != nil {
			return IterationView{}, err
		}
		i := tracker.Iteration{ID: w.NextID(), CreatedAt: w.now, UpdatedAt: w.now}
		w.primary(i)
		if err := w.changeIteration(&i, ch); err != nil {
			return IterationView{}, err
		}
		i, err := create(w, i, w.InsertIteration)
		return viewIteration(w.Tx, i, w.now, err)
	})
}

func (s *Service) UpdateIteration(ctx context.Context, by tracker.Actor, id int64, ch tracker.IterationChange) (IterationView, error) {
	return write(ctx, s, by, func(w *work) (IterationView, error) {
		if err := w.require(tracker.Iterations); err != nil {
			return IterationView{}, err
		}
		before, err := w.Iteration(id)
		if err != nil {
			return IterationView{}, err
		}
		w.primary(before)
		after := before
		if err := w.changeIteration(&after, ch); err != nil {
			return IterationView{}, err
		}
		i, err := w.updateIteration(before, func(i *tracker.Iteration) { *i = after })
		return viewIteration(w.Tx, i, w.now, err)
	})
}

// changeIteration makes the changes, looking up what they refer to.
func (w *work) changeIteration(i *tracker.Iteration, ch tracker.IterationChange) error {
	ch.Name.Apply(&i.Name)
	ch.StartDate.Apply(&i.StartDate)
	ch.EndDate.Apply(&i.EndDate)
	if err := i.Check(); err != nil {
		return err
	}
	if members, ok := ch.FollowerIDs.Get(); ok {
		i.FollowerIDs = distinct(members)
		if err := mustExist(w, "member", "follower_ids", i.FollowerIDs...); err != nil {
			return err
		}
	}
	if groups, ok := ch.GroupIDs.Get(); ok {
		i.GroupIDs = distinct(groups)
		if err := mustExist(w, "group", "group_ids", i.GroupIDs...); err != nil {
			return err
		}
	}
	if labels, ok := ch.Labels.Get(); ok {
		ids, err := w.labelIDs(labels)
		if err != nil {
			return err
		}
		i.LabelIDs = ids
	}
	if text, ok := ch.Description.Get(); ok && text != i.Description {
		members, groups, err := w.mentions(text)
		if err != nil {
			return err
		}
		i.Description, i.MemberMentions, i.GroupMentions = text, members, groups
	}
	return nil
}

func (w *work) updateIteration(before tracker.Iteration, change func(*tracker.Iteration)) (tracker.Iteration, error) {
	return update(w, before, change, func(after *tracker.Iteration) error { return w.Tx.UpdateIteration(&before, after) })
}

// DeleteIteration leaves the stories, without a trace of the iteration: also those that were in
// it before forget it, since nothing could be shown of it any more.
func (s *Service) DeleteIteration(ctx context.Context, by tracker.Actor, id int64) error {
	return s.cascade(ctx, by,
		func(w *work, limit int) ([]tracker.Story, error) {
			i, err := w.Iteration(id)
			if err != nil {
				return nil, err
			}
			w.primary(i)
			return w.SomeStoriesEverIn(i, limit)
		},
		func(story *tracker.Story) {
			if story.IterationID != nil && *story.IterationID == id {
				story.IterationID, story.IterationSince = nil, nil
			}
			story.PreviousIterations = without(story.PreviousIterations, id)
		},
		func(w *work) error {
			i, err := w.Iteration(id)
			if err != nil {
				return err
			}
			return remove(w, i, func() error { return w.Tx.DeleteIteration(&i) })
		})
}

// unlabelIterations takes a label that goes off all iterations.
func (w *work) unlabelIterations(l tracker.Label) error {
	list, err := w.IterationsReferring("label", l.EntityID())
	if err != nil {
		return err
	}
	for _, i := range list {
		if _, err := w.updateIteration(i, func(i *tracker.Iteration) { i.LabelIDs = without(i.LabelIDs, l.ID) }); err != nil {
			return err
		}
	}
	return nil
}
