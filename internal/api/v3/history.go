package v3

import (
	"context"

	"milepost/internal/activity"
	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// History is one change that a story went through. What its actions and references hold depends on
// what they are about.
type History struct {
	Actions    []rest.Raw   `json:"actions"`
	ActorName  string       `json:"actor_name,omitzero"`
	ChangedAt  string       `json:"changed_at"`
	ExternalID string       `json:"external_id,omitzero" doc:"The delivery of a version-control service that told of it."`
	ID         tracker.UUID `json:"id"`
	MemberID   tracker.UUID `json:"member_id,omitzero"`
	PrimaryID  rest.Raw     `json:"primary_id,omitzero"`
	References []rest.Raw   `json:"references,omitzero"`
	Version    string       `json:"version" is:"enum=v1"`
	WebhookID  tracker.UUID `json:"webhook_id,omitzero" doc:"The integration through which it came."`
}

func renderHistory(e activity.Event) History {
	out := History{
		Actions: Each(e.Actions, rest.RawOf[activity.Object]), ActorName: e.Actor, ChangedAt: e.ChangedAt(),
		ExternalID: e.ExternalID, ID: e.ID, MemberID: e.Member, Version: "v1", WebhookID: e.WebhookID,
	}
	if e.PrimaryID != "" {
		out.PrimaryID = rest.RawOf(activity.PublicID(e.PrimaryID))
	}
	if len(e.References) > 0 {
		out.References = Each(e.References, rest.RawOf[activity.Object])
	}
	return out
}

func (a API) storyHistory(ctx context.Context, by tracker.Actor, in storyID) ([]History, error) {
	events, err := activity.Reader{Service: a.Service, By: by, PublicURL: a.PublicURL}.StoryHistory(ctx, in.ID)
	return Each(events, renderHistory), err
}
