package service

import (
	"context"
	"maps"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// EpicList is epics together with what their slim forms show of other entities, loaded in a fixed
// number of queries.
type EpicList struct {
	Epics  []tracker.Epic
	States map[int64]tracker.EpicState
	Labels map[int64]tracker.Label
	Stats  map[int64]tracker.EpicStats
}

// EpicPage is one page of all epics; Next is the number of the page that follows, if any.
type EpicPage struct {
	EpicList
	Total int64
	Next  *int64
}

// EpicDetail is a single epic with its discussion and its current health, if somebody judged it.
type EpicDetail struct {
	EpicList
	Comments []tracker.Thread
	Health   *tracker.Health
}

// viewEpics loads what the epics refer to.
func viewEpics(tx *store.Tx, epics []tracker.Epic) (EpicList, error) {
	view := EpicList{Epics: epics, States: map[int64]tracker.EpicState{}, Labels: map[int64]tracker.Label{}}
	if len(epics) == 0 {
		return view, nil
	}
	err := tx.Together(func(tx *store.Tx) error {
		states, err := tx.EpicStates()
		for _, s := range states {
			view.States[s.ID] = s
		}
		return err
	}, func(tx *store.Tx) error {
		var ids []int64
		for i := range epics {
			ids = append(ids, epics[i].LabelIDs...)
		}
		labels, err := tx.LabelsByID(distinct(ids))
		for _, l := range labels {
			view.Labels[l.ID] = l
		}
		return err
	}, func(tx *store.Tx) (err error) {
		view.Stats, err = tx.EpicStats(epicIDs(epics))
		return err
	})
	return view, err
}

func viewEpic(tx *store.Tx, e tracker.Epic, err error) (detail EpicDetail, _ error) {
	if err != nil {
		return detail, err
	}
	err = tx.Together(func(tx *store.Tx) (err error) {
		detail.EpicList, err = viewEpics(tx, []tracker.Epic{e})
		return err
	}, func(tx *store.Tx) error {
		comments, err := tx.EpicComments(e.ID)
		detail.Comments = tracker.Threads(comments, 0)
		return err
	}, func(tx *store.Tx) (err error) {
		detail.Health, err = tx.HealthOfEpic(e.ID)
		return err
	})
	return detail, err
}

// epicList reads a list of epics in their slim form.
func (s *Service) epicList(ctx context.Context, by tracker.Actor, find func(*store.Tx) ([]tracker.Epic, error)) (EpicList, error) {
	return read(ctx, s, by, func(tx *store.Tx) (EpicList, error) {
		epics, err := find(tx)
		if err != nil {
			return EpicList{}, err
		}
		return viewEpics(tx, epics)
	})
}

func (s *Service) Epics(ctx context.Context, by tracker.Actor) (EpicList, error) {
	return s.epicList(ctx, by, (*store.Tx).Epics)
}

// EpicsOfLabel lists the epics that carry the label.
func (s *Service) EpicsOfLabel(ctx context.Context, by tracker.Actor, id int64) (EpicList, error) {
	return s.epicList(ctx, by, func(tx *store.Tx) ([]tracker.Epic, error) {
		l, err := tx.Label(id)
		if err != nil {
			return nil, err
		}
		return tx.EpicsReferring("label", l.EntityID())
	})
}

// EpicDetails is epics with their discussions and their current health, by epic.
type EpicDetails struct {
	EpicList
	Threads map[int64][]tracker.Thread
	Health  map[int64]tracker.Health
}

// detailEpics loads what the full forms of epics show, in a fixed number of queries.
func detailEpics(tx *store.Tx, epics []tracker.Epic) (details EpicDetails, _ error) {
	ids := epicIDs(epics)
	err := tx.Together(func(tx *store.Tx) (err error) {
		details.EpicList, err = viewEpics(tx, epics)
		return err
	}, func(tx *store.Tx) (err error) {
		details.Threads, err = threadsOf(tx, ids)
		return err
	}, func(tx *store.Tx) (err error) {
		details.Health, err = tx.HealthOfEpics(ids)
		return err
	})
	return details, err
}

func epicIDs(epics []tracker.Epic) []int64 {
	ids := make([]int64, len(epics))
	for i := range epics {
		ids[i] = epics[i].ID
	}
	return ids
}

// threadsOf loads the discussions of epics.
func threadsOf(tx *store.Tx, epics []int64) (map[int64][]tracker.Thread, error) {
	threads := map[int64][]tracker.Thread{}
	comments, err := tx.EpicCommentsOf(epics)
	for _, t := range tracker.Threads(comments, 0) {
		threads[t.EpicID] = append(threads[t.EpicID], t)
	}
	return threads, err
}

// EpicContents is what the versions before v3 show in a list of epics: the discussions, by epic,
// and what carries the labels.
type EpicContents struct {
	Threads    map[int64][]tracker.Thread
	LabelStats map[int64]tracker.LabelStats
}

// EpicContents loads the contents of epics in a fixed number of queries.
func (s *Service) EpicContents(ctx context.Context, by tracker.Actor, list EpicList) (EpicContents, error) {
	return read(ctx, s, by, func(tx *store.Tx) (EpicContents, error) {
		threads, err := threadsOf(tx, epicIDs(list.Epics))
		out := EpicContents{Threads: threads}
		if err == nil && len(list.Labels) > 0 {
			out.LabelStats, err = tx.LabelStats(slices.Collect(maps.Keys(list.Labels))...)
		}
		return out, err
	})
}

// EpicPage lists the epics of one page, counted from 1; pages past the last are empty.
func (s *Service) EpicPage(ctx context.Context, by tracker.Actor, page, size int64) (EpicPage, error) {
	return read(ctx, s, by, func(tx *store.Tx) (EpicPage, error) {
		total, err := tx.CountEpics()
		out := EpicPage{Total: total}
		pages := (total + size - 1) / size
		if err != nil || page > pages {
			return out, err
		}
		if page < pages {
			next := page + 1
			out.Next = &next
		}
		epics, err := tx.EpicPage(size, (page-1)*size)
		if err != nil {
			return out, err
		}
		out.EpicList, err = viewEpics(tx, epics)
		return out, err
	})
}

func (s *Service) Epic(ctx context.Context, by tracker.Actor, id int64) (EpicDetail, error) {
	return read(ctx, s, by, func(tx *store.Tx) (EpicDetail, error) {
		e, err := tx.Epic(id)
		return viewEpic(tx, e, err)
	})
}

// StoriesOfEpic lists the stories of the epic.
func (s *Service) StoriesOfEpic(ctx context.Context, by tracker.Actor, id int64) StoryPages {
	return s.storyPages(ctx, by, func(tx *store.Tx) (store.StoryQuery, error) {
		_, err := tx.Epic(id)
		return store.StoriesOfEpic(id), err
	})
}
