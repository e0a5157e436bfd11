package service

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// Webhooks lists the webhooks of the workspace.
func (s *Service) Webhooks(ctx context.Context, by tracker.Actor) ([]tracker.Webhook, error) {
	return read(ctx, s, by, (*store.Tx).Webhooks)
}

func (s *Service) Webhook(ctx context.Context, by tracker.Actor, id int64) (tracker.Webhook, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Webhook, error) { return tx.Webhook(id) })
}

// CreateWebhook makes a webhook that tells of every change from now on. Webhooks are administration:
// the audit log tells of them, not the change log, which they would send out.
func (s *Service) CreateWebhook(ctx context.Context, by tracker.Actor, url string, secret tracker.Opt[string]) (tracker.Webhook, error) {
	return write(ctx, s, by, func(w *work) (hook tracker.Webhook, err error) {
		if err := tracker.CheckWebhookURL(url); err != nil {
			return hook, err
		}
		existing, err := w.Webhooks()
		if err != nil {
			return hook, err
		}
		if len(existing) >= tracker.MaxWebhooks {
			return hook, tracker.Impossible("webhook_url", "is one too many: a workspace has at most %d webhooks", tracker.MaxWebhooks)
		}
		hook = tracker.Webhook{
			ID: w.NextHighID(), CreatorID: by.Member, URL: url, Secret: secret.Ptr(), CreatedAt: w.now, UpdatedAt: w.now,
		}
		if hook.Position, err = w.ChangeNumber(); err != nil {
			return hook, err
		}
		if err := w.InsertWebhook(&hook); err != nil {
			return hook, err
		}
		return hook, w.auditWebhook("webhook.create", hook)
	})
}

// SwitchWebhook disables or enables a webhook. An enabled one goes on where it stopped.
func (s *Service) SwitchWebhook(ctx context.Context, by tracker.Actor, id int64, disabled bool) (tracker.Webhook, error) {
	return write(ctx, s, by, func(w *work) (tracker.Webhook, error) {
		hook, err := w.Webhook(id)
		if err != nil || hook.Disabled == disabled {
			return hook, err
		}
		hook.Switch(disabled, w.now)
		if err := w.UpdateWebhook(&hook); err != nil {
			return hook, err
		}
		action := "webhook.enable"
		if disabled {
			action = "webhook.disable"
		}
		return hook, w.auditWebhook(action, hook)
	})
}

func (s *Service) DeleteWebhook(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		hook, err := w.Webhook(id)
		if err != nil {
			return none{}, err
		}
		if err := w.Tx.DeleteWebhook(id); err != nil {
			return none{}, err
		}
		return none{}, w.auditWebhook("webhook.delete", hook)
	})
	return err
}

func (w *work) auditWebhook(action string, hook tracker.Webhook) error {
	return w.audit(action, hook.EntityID(), map[string]any{"name": hook.Host()})
}

// Deliveries lists the deliveries of a webhook that are kept, newest first.
func (s *Service) Deliveries(ctx context.Context, by tracker.Actor, id int64, before tracker.UUID, limit int64) ([]tracker.Delivery, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.Delivery, error) {
		if _, err := tx.Webhook(id); err != nil {
			return nil, err
		}
		return tx.Deliveries(id, before, limit)
	})
}

// KeepDelivery keeps a delivery that was asked for by hand.
func (s *Service) KeepDelivery(ctx context.Context, by tracker.Actor, d tracker.Delivery) (tracker.Delivery, error) {
	return write(ctx, s, by, func(w *work) (tracker.Delivery, error) {
		if _, err := w.Webhook(d.WebhookID); err != nil {
			return d, err // it was deleted in the meantime
		}
		d.ID = s.newID()
		return d, w.InsertDelivery(&d)
	})
}

// A Node delivers webhooks: Name tells it from other nodes, Lease is how long they leave a webhook
// to it without hearing of it.
type Node struct {
	Name  string
	Lease time.Duration
}

// DueWebhook is a webhook that has something to deliver, with the workspace that it belongs to.
type DueWebhook = store.DueWebhook

// DueWebhooks lists the webhooks of all workspaces that the node may deliver to now.
func (s *Service) DueWebhooks(ctx context.Context, n Node, limit int) ([]DueWebhook, error) {
	return s.store.DueWebhooks(ctx, n.Name, tracker.MillisOf(s.now()), limit)
}

// ErrLeased says that another node delivers to the webhook, or nobody any more.
var ErrLeased = errors.New("the webhook belongs to another node, is disabled or was deleted")

// LeaseWebhook makes the node the one that delivers to a webhook.
func (s *Service) LeaseWebhook(ctx context.Context, by tracker.Actor, n Node, id int64) (tracker.Webhook, error) {
	return write(ctx, s, by, func(w *work) (tracker.Webhook, error) { return w.lease(n, id) })
}

func (w *work) lease(n Node, id int64) (tracker.Webhook, error) {
	now := tracker.MillisOf(w.s.now())
	hook, err := w.LeaseWebhook(id, n.Name, now, now.After(n.Lease))
	if errors.Is(err, tracker.ErrNotFound) || err == nil && hook.Disabled {
		return hook, ErrLeased
	}
	return hook, err
}

// resume is lease for what went on with the webhook as it was then.
func (w *work) resume(n Node, then tracker.Webhook) (tracker.Webhook, error) {
	hook, err := w.lease(n, then.ID)
	if err == nil && hook.Position != then.Position {
		return hook, ErrLeased // it was another's for a while
	}
	return hook, err
}

// RecordDelivery notes what came of an attempt to deliver the change after those that the webhook
// had been told of then, and keeps the lease. The webhook is returned as it is now.
func (s *Service) RecordDelivery(ctx context.Context, by tracker.Actor, n Node, then tracker.Webhook, d tracker.Delivery) (tracker.Webhook, error) {
	return write(ctx, s, by, func(w *work) (tracker.Webhook, error) {
		hook, err := w.resume(n, then)
		if err != nil {
			return hook, err
		}
		d.ID, d.WebhookID, d.Attempt = s.newID(), hook.ID, hook.Attempts+1
		if d.Problem == "" {
			hook.Delivered(d.Number)
		} else {
			hook.Failed(tracker.MillisOf(s.now()))
		}
		if err := w.InsertDelivery(&d); err != nil {
			return hook, err
		}
		if err := w.UpdateWebhook(&hook); err != nil || !hook.Disabled {
			return hook, err
		}
		slog.Warn("a webhook failed for a day and was disabled", "workspace", by.Slug, "webhook", hook.ID, "host", hook.Host())
		return hook, w.auditWebhook("webhook.give-up", hook)
	})
}

// SkipChanges moves a webhook on past changes of which it has nothing to tell.
func (s *Service) SkipChanges(ctx context.Context, by tracker.Actor, n Node, then tracker.Webhook, to int64) (tracker.Webhook, error) {
	return write(ctx, s, by, func(w *work) (tracker.Webhook, error) {
		hook, err := w.resume(n, then)
		if err != nil {
			return hook, err
		}
		hook.Position = to
		return hook, w.UpdateWebhook(&hook)
	})
}

// ReleaseWebhooks lets other nodes deliver at once what this one has left.
func (s *Service) ReleaseWebhooks(ctx context.Context, n Node) error {
	return s.store.ReleaseWebhooks(ctx, n.Name)
}

// ForgetDeliveries deletes the deliveries that are too old to be kept.
func (s *Service) ForgetDeliveries(ctx context.Context) error {
	return s.store.ForgetDeliveries(ctx, tracker.MillisOf(s.now()).After(-tracker.DeliveriesKept))
}

// WebhookLag is how many changes the working webhook that is furthest behind has yet to deliver.
func (s *Service) WebhookLag(ctx context.Context) (int64, error) { return s.store.WebhookLag(ctx) }
