package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Webhook is an integration of v3 with how it fares.
type Webhook struct {
	v3.Integration
	DeliveredUpTo  int64         `json:"delivered_up_to" doc:"The number of the last change that needs no delivery any more."`
	FailedAttempts int64         `json:"failed_attempts" doc:"Since the last success."`
	FailingSince   *tracker.Time `json:"failing_since" doc:"After a day of failure the webhook is disabled."`
	NextAttemptAt  *tracker.Time `json:"next_attempt_at" doc:"When a webhook that fails is tried again."`
}

func renderWebhook(w tracker.Webhook) Webhook {
	out := Webhook{Integration: v3.RenderIntegration(w), DeliveredUpTo: w.Position, FailedAttempts: w.Attempts}
	if w.FailingSince != nil {
		since, next := w.FailingSince.Time(), w.NextAt.Time()
		out.FailingSince, out.NextAttemptAt = &since, &next
	}
	return out
}

func (a API) listWebhooks(ctx context.Context, by tracker.Actor, _ rest.None) ([]Webhook, error) {
	list, err := a.Service.Webhooks(ctx, by)
	return v3.Each(list, renderWebhook), err
}

type webhookID struct {
	ID int64 `path:"webhook-public-id" doc:"The id of the webhook."`
}

func (a API) getWebhook(ctx context.Context, by tracker.Actor, in webhookID) (Webhook, error) {
	w, err := a.Service.Webhook(ctx, by, in.ID)
	return renderWebhook(w), err
}

type updateWebhook struct {
	ID       int64 `path:"webhook-public-id" doc:"The id of the webhook."`
	Disabled bool  `json:"disabled" is:"required" doc:"A webhook that is enabled again goes on where it stopped."`
}

func (a API) updateWebhook(ctx context.Context, by tracker.Actor, in updateWebhook) (Webhook, error) {
	w, err := a.Service.SwitchWebhook(ctx, by, in.ID, in.Disabled)
	return renderWebhook(w), err
}

// Delivery is one attempt to deliver a change.
type Delivery struct {
	Answer     string       `json:"answer" doc:"The beginning of what the receiver answered."`
	At         tracker.Time `json:"at"`
	Attempt    int64        `json:"attempt" doc:"At this change; 0 when it was asked for by hand."`
	DurationMS int64        `json:"duration_ms"`
	EntityType string       `json:"entity_type"`
	ID         tracker.UUID `json:"id"`
	Number     int64        `json:"number" doc:"Of the change."`
	Problem    *string      `json:"problem" doc:"Why the change was not delivered; null when it was."`
	Status     *int64       `json:"status" doc:"That the receiver answered with; null when it did not answer."`
	WebhookID  int64        `json:"webhook_id"`
}

func renderDelivery(d tracker.Delivery) Delivery {
	out := Delivery{
		Answer: d.Answer, At: d.At.Time(), Attempt: d.Attempt, DurationMS: d.Duration, EntityType: "webhook-delivery", ID: d.ID,
		Number: d.Number, Status: d.Status, WebhookID: d.WebhookID,
	}
	if d.Problem != "" {
		out.Problem = &d.Problem
	}
	return out
}

type listDeliveries struct {
	ID     int64                     `path:"webhook-public-id" doc:"The id of the webhook."`
	Before tracker.Opt[tracker.UUID] `query:"before" doc:"Only deliveries older than the one with this id, to read on."`
	Limit  tracker.Opt[int64]        `query:"limit" is:"least=1,most=1000" doc:"How many deliveries at most; 100 by default."`
}

// listDeliveries answers with the newest delivery first.
func (a API) listDeliveries(ctx context.Context, by tracker.Actor, in listDeliveries) ([]Delivery, error) {
	list, err := a.Service.Deliveries(ctx, by, in.ID, in.Before.Or(""), in.Limit.Or(100))
	return v3.Each(list, renderDelivery), err
}

type redeliver struct {
	ID     int64 `path:"webhook-public-id" doc:"The id of the webhook."`
	Number int64 `json:"number" is:"required,least=1" doc:"Of the change that is to be delivered again, now and out of its order."`
}

// redeliver answers with what came of it: a receiver that refuses is no failure of the request.
func (a API) redeliver(ctx context.Context, by tracker.Actor, in redeliver) (Delivery, error) {
	d, err := a.Webhooks.Redeliver(ctx, by, in.ID, in.Number)
	return renderDelivery(d), err
}
