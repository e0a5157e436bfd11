package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// EpicsOfDocument lists the epics that are linked to the document.
func (s *Service) EpicsOfDocument(ctx context.Context, by tracker.Actor, id tracker.UUID) (EpicList, error) {
	return s.epicList(ctx, by, func(tx *store.Tx) ([]tracker.Epic, error) {
		d, err := tx.Document(id)
		if err != nil {
			return nil, err
		}
		return tx.EpicsReferring("document", d.EntityID())
	})
}

// DocumentsOfEpic lists the documents that the epic is linked to, oldest first.
func (s *Service) DocumentsOfEpic(ctx context.Context, by tracker.Actor, id int64) ([]tracker.DocumentTitle, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.DocumentTitle, error) {
		e, err := tx.Epic(id)
		if err != nil {
			return nil, err
		}
		return tx.DocumentsByID(e.DocumentIDs)
	})
}

// LinkDocument links a document and an epic; once is enough.
func (s *Service) LinkDocument(ctx context.Context, by tracker.Actor, id tracker.UUID, epic int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		if err := w.require(tracker.Documents); err != nil {
			return none{}, err
		}
		before, err := w.documentAndEpic(id, epic)
		if err != nil {
			return none{}, err
		}
		after := before
		if err := after.LinkDocument(id); err != nil {
			return none{}, err
		}
		_, err = w.updateEpic(before, func(e *tracker.Epic) { *e = after })
		return none{}, err
	})
	return err
}

// UnlinkDocument takes the link between a document and an epic away; there must be one.
func (s *Service) UnlinkDocument(ctx context.Context, by tracker.Actor, id tracker.UUID, epic int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		e, err := w.documentAndEpic(id, epic)
		if err != nil {
			return none{}, err
		}
		if len(without(e.DocumentIDs, id)) == len(e.DocumentIDs) {
			return none{}, tracker.ErrNotFound
		}
		return none{}, w.unlinkDocument(e, id)
	})
	return err
}

// documentAndEpic makes sure that there is such a document, which a change of its links is about, and
// loads the epic.
func (w *work) documentAndEpic(id tracker.UUID, epic int64) (tracker.Epic, error) {
	d, err := w.Document(id)
	if err != nil {
		return tracker.Epic{}, err
	}
	w.primary(d)
	return w.Epic(epic)
}

func (w *work) unlinkDocument(e tracker.Epic, id tracker.UUID) error {
	_, err := w.updateEpic(e, func(e *tracker.Epic) { e.DocumentIDs = without(e.DocumentIDs, id) })
	return err
}
