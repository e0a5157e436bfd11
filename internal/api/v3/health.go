package v3

import (
	"context"

	"milepost/internal/tracker"
)

// Health is a judgement of how an epic fares; that of an epic which nobody judged has no id.
type Health struct {
	AuthorID   *tracker.UUID `json:"author_id,omitzero"`
	CreatedAt  *tracker.Time `json:"created_at,omitzero"`
	EntityType string        `json:"entity_type"`
	EpicID     int64         `json:"epic_id"`
	ID         *tracker.UUID `json:"id"`
	Status     string        `json:"status" is:"enum=At Risk|On Track|Off Track|No Health"`
	Text       *string       `json:"text,omitzero"`
	UpdatedAt  *tracker.Time `json:"updated_at,omitzero"`
}

func renderHealth(h tracker.Health) Health {
	out := Health{EntityType: h.EntityType(), EpicID: h.EpicID, Status: string(h.Status)}
	if h.ID != "" {
		out.ID, out.AuthorID, out.Text, out.CreatedAt, out.UpdatedAt = &h.ID, &h.AuthorID, &h.Text, &h.CreatedAt, &h.UpdatedAt
	}
	return out
}

func (a API) getEpicHealth(ctx context.Context, by tracker.Actor, in epicID) (Health, error) {
	h, err := a.Service.Health(ctx, by, in.ID)
	return renderHealth(h), err
}

func (a API) listEpicHealth(ctx context.Context, by tracker.Actor, in epicID) ([]Health, error) {
	list, err := a.Service.HealthHistory(ctx, by, in.ID)
	return Each(list, renderHealth), err
}

type createEpicHealth struct {
	EpicID int64                `path:"epic-public-id" doc:"The id of the epic."`
	Status tracker.HealthStatus `json:"status" is:"required,enum=At Risk|On Track|Off Track|No Health"`
	Text   tracker.Opt[string]  `json:"text"`
}

func (a API) createEpicHealth(ctx context.Context, by tracker.Actor, in createEpicHealth) (Health, error) {
	h, err := a.Service.CreateHealth(ctx, by, in.EpicID, tracker.HealthChange{Status: tracker.Some(in.Status), Text: in.Text})
	return renderHealth(h), err
}

type updateHealth struct {
	ID     tracker.UUID                      `path:"health-public-id" doc:"The id of the health."`
	Status tracker.Opt[tracker.HealthStatus] `json:"status" is:"enum=At Risk|On Track|Off Track|No Health"`
	Text   tracker.Opt[string]               `json:"text"`
}

func (a API) updateHealth(ctx context.Context, by tracker.Actor, in updateHealth) (Health, error) {
	h, err := a.Service.UpdateHealth(ctx, by, in.ID, tracker.HealthChange{Status: in.Status, Text: in.Text})
	return renderHealth(h), err
}
