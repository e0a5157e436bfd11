package service

import (
	"context"
	"errors"
	"log/slog"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// revokePublished revokes every live token that stands in what was just written, in the same
// transaction: a token that others can read is no secret any more. The write itself succeeds, and
// the audit log of the token's own workspace tells of it.
func (w *work) revokePublished(items []tracker.ChangeItem) error {
	for _, item := range items {
		for _, value := range item.Data {
			if err := w.revokeIn(value); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *work) revokeIn(value any) error {
	switch v := value.(type) {
	case tracker.Delta:
		if err := w.revokeIn(v.New); err != nil {
			return err
		}
		return w.revokeIn(v.Adds)
	case []any:
		for _, element := range v {
			if err := w.revokeIn(element); err != nil {
				return err
			}
		}
	case []string:
		for _, element := range v {
			if err := w.revokeIn(element); err != nil {
				return err
			}
		}
	case string:
		for _, text := range tracker.FindTokens(v) {
			if err := w.revokeText(text); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReportLeaked revokes a token that somebody has found published elsewhere. It tells whether the text
// is a token of ours at all, be it live or not.
func (s *Service) ReportLeaked(ctx context.Context, by tracker.Actor, text string) (ours bool, err error) {
	if !tracker.WellFormed(text) {
		return false, nil
	}
	session, err := s.store.Session(ctx, tracker.HashToken(text))
	if errors.Is(err, tracker.ErrNotFound) {
		return false, nil
	}
	if err != nil || session.Token.RevokedAt != nil {
		return err == nil, err
	}
	by.Workspace = session.Workspace
	_, err = write(ctx, s, by, func(w *work) (none, error) { return none{}, w.revokeText(text) })
	return true, err
}

func (w *work) revokeText(text string) error {
	found, err := w.RevokePublished(tracker.HashToken(text), w.now, store.Audit{
		ID: w.s.newID(), Via: w.by.Via, Address: w.by.Address,
	})
	if err == nil && found != "" {
		slog.Warn("a published token was revoked", "token_id", found, "request_id", w.by.RequestID)
	}
	return err
}
