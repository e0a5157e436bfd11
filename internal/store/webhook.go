package store

import (
	"context"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var webhooks = newTable("webhook", "id", nil, func(w *tracker.Webhook) []column {
	return []column{
		{"id", &w.ID}, {"creator_id", &w.CreatorID}, {"url", &w.URL}, {"secret", &w.Secret}, {"disabled", &w.Disabled},
		{"position", &w.Position}, {"attempts", &w.Attempts}, {"failing_since", &w.FailingSince}, {"next_at", &w.NextAt},
		{"lease_holder", &w.LeaseHolder}, {"lease_until", &w.LeaseUntil}, {"created_at", &w.CreatedAt}, {"updated_at", &w.UpdatedAt},
	}
})

func (tx *Tx) Webhooks() ([]tracker.Webhook, error)      { return webhooks.find(tx, "") }
func (tx *Tx) Webhook(id int64) (tracker.Webhook, error) { return webhooks.get(tx, id) }
func (tx *Tx) InsertWebhook(w *tracker.Webhook) error    { return webhooks.insert(tx, w) }
func (tx *Tx) UpdateWebhook(w *tracker.Webhook) error    { return webhooks.update(tx, w) }
func (tx *Tx) DeleteWebhook(id int64) error              { return webhooks.delete(tx, id) }

// LeaseWebhook gives the webhook to the node until the time, unless another one has it. ErrNotFound
// says that it has, or that there is no such webhook any more.
func (tx *Tx) LeaseWebhook(id int64, node string, now, until tracker.Millis) (tracker.Webhook, error) {
	rows, err := tx.exec(`update webhook set lease_holder = $3, lease_until = $5
		where workspace_id = $1 and id = $2 and (lease_holder = $3 or lease_until <= $4)`, id, node, now, until)
	if err := found(rows, err); err != nil {
		return tracker.Webhook{}, err
	}
	return webhooks.get(tx, id)
}

var deliveries = newTable("delivery", "delivery_id desc", nil, func(d *tracker.Delivery) []column {
	return []column{
		{"delivery_id", &d.ID}, {"webhook_id", &d.WebhookID}, {"number", &d.Number}, {"attempt", &d.Attempt}, {"at", &d.At},
		{"duration_ms", &d.Duration}, {"status", &d.Status}, {"answer", &d.Answer}, {"problem", &d.Problem},
	}
})

func (tx *Tx) InsertDelivery(d *tracker.Delivery) error { return deliveries.insert(tx, d) }

// Deliveries reads the deliveries of a webhook backwards from before, newest first; the empty id is
// the newest.
func (tx *Tx) Deliveries(webhook int64, before tracker.UUID, limit int64) ([]tracker.Delivery, error) {
	return deliveries.scan(tx, deliveries.selectSQL+` and webhook_id = $2 and (delivery_id < $3 or cast($3 as text) = '')
		order by delivery_id desc limit $4`, webhook, before, limit)
}

// DueWebhook is a webhook that has something to deliver, with the workspace that it belongs to.
type DueWebhook struct {
	tracker.Webhook
	Workspace tracker.UUID
	Slug      string
}

var dueSQL = `select ` + webhooks.readable("webhook.") + `, workspace.workspace_id, workspace.slug from webhook
	join workspace on (workspace.workspace_id = webhook.workspace_id)
	where not disabled and position < change_number and next_at <= $1 and (lease_holder = $2 or lease_until <= $1)
	order by attempts, next_at, webhook.workspace_id, id limit $3`

// DueWebhooks lists the webhooks of all workspaces that the node may deliver to now, those that work
// before those that fail.
func (s *Store) DueWebhooks(ctx context.Context, node string, now tracker.Millis, limit int) ([]DueWebhook, error) {
	var out []DueWebhook
	err := s.each(ctx, func(row db.Row) error {
		var d DueWebhook
		err := row.Scan(append(webhooks.dest(&d.Webhook), &d.Workspace, &d.Slug)...)
		out = append(out, d)
		return err
	}, dueSQL, now, node, limit)
	return out, err
}

// ReleaseWebhooks gives up all leases of the node.
func (s *Store) ReleaseWebhooks(ctx context.Context, node string) error {
	s.queries.Add(1)
	_, err := s.engine.Exec(ctx, `update webhook set lease_until = 0 where lease_holder = $1`, node)
	return s.explain(err)
}

// ForgetDeliveries deletes the deliveries of all workspaces that are not newer than the time.
func (s *Store) ForgetDeliveries(ctx context.Context, until tracker.Millis) error {
	s.queries.Add(1)
	_, err := s.engine.Exec(ctx, `delete from delivery
		where workspace_id in (select workspace_id from workspace) and at <= $1`, until)
	return s.explain(err)
}

// WebhookLag is how many changes the working webhook that is furthest behind has yet to deliver, in
// any workspace.
func (s *Store) WebhookLag(ctx context.Context) (n int64, err error) {
	err = s.one(ctx, []any{&n}, `select cast(coalesce(max(change_number - position), 0) as bigint) from webhook
		join workspace on (workspace.workspace_id = webhook.workspace_id) where not disabled`)
	return n, err
}
