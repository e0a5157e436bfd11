package service

import (
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

func (w *work) revokeText(text string) error {
	found, err := w.RevokePublished(tracker.HashToken(text), w.now, store.Audit{
		ID: w.s.newID(), Via: w.by.Via, Address: w.by.Address,
	})
	if err == nil && found != "" {
		slog.Warn("a published token was revoked", "token_id", found, "request_id", w.by.RequestID)
	}
	return err
}
