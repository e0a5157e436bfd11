package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) Documents(ctx context.Context, by tracker.Actor) ([]tracker.DocumentTitle, error) {
	return read(ctx, s, by, (*store.Tx).Documents)
}

func (s *Service) Document(ctx context.Context, by tracker.Actor, id tracker.UUID) (tracker.Document, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Document, error) { return tx.Document(id) })
}

// CreateDocument makes a document; who creates it follows it.
func (s *Service) CreateDocument(ctx context.Context, by tracker.Actor, title, content string) (tracker.Document, error) {
	return write(ctx, s, by, func(w *work) (tracker.Document, error) {
		d := tracker.Document{
			ID: s.newID(), Title: title, Content: content, CreatedBy: by.Member, FollowerIDs: []tracker.UUID{by.Member},
			CreatedAt: w.now, UpdatedAt: w.now,
		}
		if err := w.require(tracker.Documents); err != nil {
			return d, err
		}
		var err error
		if d.MemberMentions, d.GroupMentions, err = w.mentions(content); err != nil {
			return d, err
		}
		return create(w, d, w.InsertDocument)
	})
}

func (s *Service) UpdateDocument(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.DocumentChange) (tracker.Document, error) {
	return write(ctx, s, by, func(w *work) (tracker.Document, error) {
		if err := w.require(tracker.Documents); err != nil {
			return tracker.Document{}, err
		}
		d, err := w.Document(id)
		if err != nil {
			return d, err
		}
		ch.FollowerIDs.Value = distinct(ch.FollowerIDs.Value)
		if err := mustExist(w, "member", "follower_ids", ch.FollowerIDs.Value...); err != nil {
			return d, err
		}
		members, groups, err := w.mentions(ch.Content.Value)
		if err != nil {
			return d, err
		}
		return update(w, d, func(d *tracker.Document) {
			d.Apply(ch)
			if ch.Content.State == tracker.Given {
				d.MemberMentions, d.GroupMentions = members, groups
			}
		}, w.Tx.UpdateDocument)
	})
}

// DeleteDocument deletes a document for good, after it was taken off the epics that are linked to it,
// in chunks that are changes of their own.
func (s *Service) DeleteDocument(ctx context.Context, by tracker.Actor, id tracker.UUID) error {
	return s.inChunks(ctx, by, func(w *work) (done bool, err error) {
		d, err := w.Document(id)
		if err != nil {
			return false, err
		}
		if !d.MayDelete(by) {
			return false, tracker.Denied("Only who created a document, admins and owners may delete it.")
		}
		w.primary(d)
		epics, err := w.SomeEpicsReferring("document", d.EntityID(), chunkSize)
		if err != nil {
			return false, err
		}
		for _, e := range epics {
			if err := w.unlinkDocument(e, id); err != nil {
				return false, err
			}
		}
		if len(epics) == chunkSize {
			return false, nil
		}
		return true, remove(w, d, func() error { return w.Tx.DeleteDocument(id) })
	})
}
