package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// LabelWithCounts is a label with the number of stories that carry it.
type LabelWithCounts struct {
	CreatedAt            tracker.Time `json:"created_at"`
	ID                   int64        `json:"id"`
	Name                 string       `json:"name"`
	NumStoriesCompleted  int64        `json:"num_stories_completed"`
	NumStoriesInProgress int64        `json:"num_stories_in_progress"`
	NumStoriesTotal      int64        `json:"num_stories_total"`
	UpdatedAt            tracker.Time `json:"updated_at"`
}

func renderLabel(l service.LabelWithStats) LabelWithCounts {
	return LabelWithCounts{
		CreatedAt: l.CreatedAt, ID: l.ID, Name: l.Name, NumStoriesCompleted: l.Stats.Stories.Done,
		NumStoriesInProgress: l.Stats.Stories.Started, NumStoriesTotal: l.Stats.Stories.Total, UpdatedAt: l.UpdatedAt,
	}
}

func (a API) listLabels(ctx context.Context, by tracker.Actor, _ rest.None) ([]LabelWithCounts, error) {
	list, err := a.Service.Labels(ctx, by, false)
	return v3.Each(list, renderLabel), err
}

type createLabel struct {
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
}

func (a API) createLabel(ctx context.Context, by tracker.Actor, in createLabel) (LabelWithCounts, error) {
	l, err := a.Service.CreateLabel(ctx, by, tracker.LabelParams{Name: in.Name, ExternalID: in.ExternalID})
	return renderLabel(l), err
}

type updateLabel struct {
	ID   int64  `path:"label-public-id" doc:"The id of the label."`
	Name string `json:"name" is:"required,min=1,max=128"`
}

func (a API) updateLabel(ctx context.Context, by tracker.Actor, in updateLabel) (LabelWithCounts, error) {
	l, err := a.Service.UpdateLabel(ctx, by, in.ID, tracker.LabelChange{Name: tracker.Some(in.Name)})
	return renderLabel(l), err
}

type labelID struct {
	ID int64 `path:"label-public-id" doc:"The id of the label."`
}

func (a API) deleteLabel(ctx context.Context, by tracker.Actor, in labelID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteLabel(ctx, by, in.ID)
}
