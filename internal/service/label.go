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
			stats, err = tx.LabelStats(0)
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

func (s *Service) DeleteLabel(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		l, err := w.Label(id)
		if err != nil {
			return none{}, err
		}
		return none{}, remove(w, l, func() error { return w.Tx.DeleteLabel(id) })
	})
	return err
}

// LabelsNamed finds or creates the labels that a request names inline.
func (s *Service) LabelsNamed(ctx context.Context, by tracker.Actor, params []tracker.LabelParams) ([]tracker.Label, error) {
	return write(ctx, s, by, func(w *work) ([]tracker.Label, error) { return w.labelsNamed(params) })
}

// labelsNamed finds the labels that a request names inline and creates those that do not exist
// yet. A name given twice is one label, in the place of its first mention.
func (w *work) labelsNamed(params []tracker.LabelParams) ([]tracker.Label, error) {
	keys := make([]string, len(params))
	for i, p := range params {
		keys[i] = tracker.Fold(p.Name)
	}
	existing, err := w.LabelsNamed(keys)
	if err != nil {
		return nil, err
	}
	byKey := map[string]tracker.Label{}
	for _, l := range existing {
		byKey[tracker.Fold(l.Name)] = l
	}
	var out []tracker.Label
	used := map[int64]bool{}
	for i, p := range params {
		l, ok := byKey[keys[i]]
		if !ok {
			if l, err = create(w, tracker.NewLabel(w.NextID(), p, w.now), w.InsertLabel); err != nil {
				return nil, err
			}
			byKey[keys[i]] = l
		}
		if !used[l.ID] {
			used[l.ID] = true
			out = append(out, l)
		}
	}
	return out, nil
}
