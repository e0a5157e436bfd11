package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// Integration is a webhook, which v3 knows by this name. The secret is never shown.
type Integration struct {
	CreatedAt  tracker.Time `json:"created_at"`
	CreatorID  tracker.UUID `json:"creator_id"`
	Disabled   bool         `json:"disabled"`
	EntityType string       `json:"entity_type"`
	HasSecret  bool         `json:"has_secret"`
	ID         int64        `json:"id"`
	Type       string       `json:"type" is:"enum=generic"`
	UpdatedAt  tracker.Time `json:"updated_at"`
	WebhookURL string       `json:"webhook_url"`
}

// RenderIntegration is the wire form of a webhook.
func RenderIntegration(w tracker.Webhook) Integration {
	return Integration{
		CreatedAt: w.CreatedAt, CreatorID: w.CreatorID, Disabled: w.Disabled, EntityType: "integration", HasSecret: w.Secret != nil,
		ID: w.ID, Type: "generic", UpdatedAt: w.UpdatedAt, WebhookURL: w.URL,
	}
}

type createGenericIntegration struct {
	Secret     tracker.Opt[string] `json:"secret" is:"min=1,max=128" doc:"Signs what is sent: the header Payload-Signature holds the HMAC-SHA256 of the body."`
	WebhookURL string              `json:"webhook_url" is:"required,max=2048,weburl" doc:"The address that is told of every change from now on."`
}

func (a API) createWebhook(ctx context.Context, by tracker.Actor, in createGenericIntegration) (Integration, error) {
	w, err := a.Service.CreateWebhook(ctx, by, in.WebhookURL, in.Secret)
	return RenderIntegration(w), err
}

type integrationID struct {
	ID int64 `path:"integration-public-id" doc:"The id of the webhook."`
}

func (a API) getWebhook(ctx context.Context, by tracker.Actor, in integrationID) (Integration, error) {
	w, err := a.Service.Webhook(ctx, by, in.ID)
	return RenderIntegration(w), err
}

func (a API) deleteWebhook(ctx context.Context, by tracker.Actor, in integrationID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteWebhook(ctx, by, in.ID)
}
