package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// LabelWithStats is a label and what carries it.
type LabelWithStats struct {
	tracker.Label
	Stats tracker.LabelStats
}

// Labels lists the labels; counting what carries them is left out on request.
func (s *Service) Labels(ctx context.Context, by tracker.Actor, slim bool) ([]LabelWithStats, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]LabelWithStats, error) {
		labels, err := tx.Labels()
		if err != nil {
			return nil, err
		}
		var stats map[int64]tracker.LabelStats
		if !slim {
			stats, err = tx.LabelStats()
		}
		out := make([]LabelWithStats, len(labels))
		for i, l := range labels {
			out[i] = LabelWithStats{l, stats[l.ID]}
		}
		return out, err
	})
}

func (s *Service) Label(ctx context.Context, by tracker.Actor, id int64) (LabelWithStats, error) {
	return read(ctx, s, by, func(tx *store.Tx) (LabelWithStats, error) {
		l, err := tx.Label(id)
		return withStats(tx, l, err)
	})
}

func withStats(tx *store.Tx, l tracker.Label, err error) (LabelWithStats, error) {
	if err != nil {
		return LabelWithStats{}, err
	}
	stats, err := tx.LabelStats(l.ID)
	return LabelWithStats{l, stats[l.ID]}, err
}

// labelsWithStats loads the labels with the ids, and what carries them.
func labelsWithStats(tx *store.Tx, ids []int64) (map[int64]LabelWithStats, error) {
	out := map[int64]LabelWithStats{}
	labels, err := tx.LabelsByID(ids)
	if err != nil || len(labels) == 0 {
		return out, err
	}
	stats, err := tx.LabelStats(ids...)
	for _, l := range labels {
		out[l.ID] = LabelWithStats{l, stats[l.ID]}
	}
	return out, err
}

func (s *Service) CreateLabel(ctx context.Context, by tracker.Actor, p tracker.LabelParams) (LabelWithStats, error) {
	return write(ctx, s, by, func(w *work) (LabelWithStats, error) {
		l, err := create(w, tracker.NewLabel(w.NextID(), p, w.now), w.InsertLabel)
		return LabelWithStats{Label: l}, err
	})
}

func (s *Service) UpdateLabel(ctx context.Context, by tracker.Actor, id int64, ch tracker.LabelChange) (LabelWithStats, error) {
	return write(ctx, s, by, func(w *work) (LabelWithStats, error) {
		l, err := w.Label(id)
		if err != nil {
			return LabelWithStats{}, err
		}
		l, err = update(w, l, func(l *tracker.Label) { l.Apply(ch) }, w.Tx.UpdateLabel)
		return withStats(w.Tx, l, err)
	})
}

// DeleteLabel takes the label off everything that carries it.
func (s *Service) DeleteLabel(ctx context.Context, by tracker.Actor, id int64) error {
	return s.cascade(ctx, by,
		func(w *work, limit int) ([]tracker.Story, error) {
			l, err := w.Label(id)
			if err != nil {
				return nil, err
			}
			w.primary(l)
			return w.SomeStoriesReferring("label", l.EntityID(), limit)
		},
		func(story *tracker.Story) { story.LabelIDs = without(story.LabelIDs, id) },
		func(w *work) error {
			l, err := w.Label(id)
			if err != nil {
				return err
			}
			if err := w.unlabelIterations(l); err != nil {
				return err
			}
			if err := w.unlabelEpics(l); err != nil {
				return err
			}
			return remove(w, l, func() error { return w.Tx.DeleteLabel(id) })
		})
}

// LabelsNamed finds or creates the labels that a request names inline.
func (s *Service) LabelsNamed(ctx context.Context, by tracker.Actor, params []tracker.LabelParams) ([]tracker.Label, error) {
	return write(ctx, s, by, func(w *work) ([]tracker.Label, error) { return w.labelsNamed(params) })
}

// labelsNamed finds the labels that a request names inline and creates those that do not exist yet.
func (w *work) labelsNamed(params []tracker.LabelParams) ([]tracker.Label, error) {
	return inline(params, w.LabelsNamed,
		func(p tracker.LabelParams) string { return p.Name }, func(l tracker.Label) string { return l.Name },
		func(p tracker.LabelParams) (tracker.Label, error) {
			return create(w, tracker.NewLabel(w.NextID(), p, w.now), w.InsertLabel)
		})
}

// labelsKnown finds labels by name without creating any; unknown names are left out.
func (w *work) labelsKnown(params []tracker.LabelParams) ([]int64, error) {
	keys := make([]string, len(params))
	for i, p := range params {
		keys[i] = tracker.Fold(p.Name)
	}
	if len(keys) == 0 {
		return nil, nil
	}
	labels, err := w.LabelsNamed(keys)
	ids := make([]int64, len(labels))
	for i, l := range labels {
		ids[i] = l.ID
	}
	return ids, err
}
