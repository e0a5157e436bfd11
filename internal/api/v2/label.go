package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Label is a free tag on stories and epics.
type Label struct {
	AppURL      string       `json:"app_url"`
	Archived    bool         `json:"archived"`
	Color       *string      `json:"color" is:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description *string      `json:"description"`
	EntityType  string       `json:"entity_type"`
	ExternalID  *string      `json:"external_id"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Stats       LabelStats   `json:"stats"`
	UpdatedAt   tracker.Time `json:"updated_at"`
}

// LabelSlim is a label as stories show it.
type LabelSlim struct {
	AppURL      string       `json:"app_url"`
	Archived    bool         `json:"archived"`
	Color       *string      `json:"color" is:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description *string      `json:"description"`
	EntityType  string       `json:"entity_type"`
	ExternalID  *string      `json:"external_id"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	UpdatedAt   tracker.Time `json:"updated_at"`
}

func showLabelSlim(l v3.Label) LabelSlim {
	return LabelSlim{
		AppURL: l.AppURL, Archived: l.Archived, Color: l.Color, CreatedAt: l.CreatedAt, Description: l.Description, EntityType: l.EntityType,
		ExternalID: l.ExternalID, ID: l.ID, Name: l.Name, UpdatedAt: l.UpdatedAt,
	}
}

// LabelStats counts what carries a label; what is in a backlog counts as unstarted.
type LabelStats struct {
	NumEpics              int64 `json:"num_epics"`
	NumEpicsCompleted     int64 `json:"num_epics_completed"`
	NumEpicsInProgress    int64 `json:"num_epics_in_progress"`
	NumEpicsTotal         int64 `json:"num_epics_total"`
	NumEpicsUnstarted     int64 `json:"num_epics_unstarted"`
	NumPointsCompleted    int64 `json:"num_points_completed"`
	NumPointsInProgress   int64 `json:"num_points_in_progress"`
	NumPointsTotal        int64 `json:"num_points_total"`
	NumPointsUnstarted    int64 `json:"num_points_unstarted"`
	NumRelatedDocuments   int64 `json:"num_related_documents"`
	NumStoriesCompleted   int64 `json:"num_stories_completed"`
	NumStoriesInProgress  int64 `json:"num_stories_in_progress"`
	NumStoriesTotal       int64 `json:"num_stories_total"`
	NumStoriesUnestimated int64 `json:"num_stories_unestimated"`
	NumStoriesUnstarted   int64 `json:"num_stories_unstarted"`
}

func (a API) renderLabel(by tracker.Actor, l service.LabelWithStats) Label {
	s := l.Stats
	return Label{
		AppURL: a.AppURL(by, "label", l.ID), Archived: l.Archived, Color: tracker.HexColor(l.Color), CreatedAt: l.CreatedAt,
		Description: l.Description, EntityType: l.EntityType(), ExternalID: l.ExternalID, ID: l.ID, Name: l.Name, UpdatedAt: l.UpdatedAt,
		Stats: LabelStats{
			NumEpics: s.Epics, NumEpicsCompleted: s.EpicsDone, NumEpicsInProgress: s.EpicsStarted, NumEpicsTotal: s.Epics,
			NumEpicsUnstarted: s.EpicsUnstarted, NumPointsCompleted: s.Stories.PointsDone, NumPointsInProgress: s.Stories.PointsStarted,
			NumPointsTotal: s.Stories.Points, NumPointsUnstarted: s.Stories.PointsBacklog + s.Stories.PointsUnstarted,
			NumRelatedDocuments: s.RelatedDocuments, NumStoriesCompleted: s.Stories.Done, NumStoriesInProgress: s.Stories.Started,
			NumStoriesTotal: s.Stories.Total, NumStoriesUnestimated: s.Stories.Unestimated,
			NumStoriesUnstarted: s.Stories.Backlog + s.Stories.Unstarted,
		},
	}
}

type labelID struct {
	ID int64 `path:"label-public-id" doc:"The id of the label."`
}

func (a API) listLabels(ctx context.Context, by tracker.Actor, _ rest.None) ([]Label, error) {
	list, err := a.Service.Labels(ctx, by, false)
	return v3.Each(list, func(l service.LabelWithStats) Label { return a.renderLabel(by, l) }), err
}

func (a API) getLabel(ctx context.Context, by tracker.Actor, in labelID) (Label, error) {
	l, err := a.Service.Label(ctx, by, in.ID)
	return a.renderLabel(by, l), err
}

// CreateLabelParams is a label to create, alone or inline in another request.
type CreateLabelParams struct {
	Color      tracker.Opt[string] `json:"color" is:"color"`
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
}

func (p CreateLabelParams) params() tracker.LabelParams {
	return tracker.LabelParams{Name: p.Name, Color: p.Color, ExternalID: p.ExternalID}
}

func labelParams(o tracker.Opt[[]CreateLabelParams]) tracker.Opt[[]tracker.LabelParams] {
	return v3.EachOpt(o, CreateLabelParams.params)
}

func (a API) createLabel(ctx context.Context, by tracker.Actor, in CreateLabelParams) (Label, error) {
	l, err := a.Service.CreateLabel(ctx, by, in.params())
	return a.renderLabel(by, l), err
}

type updateLabel struct {
	ID       int64               `path:"label-public-id" doc:"The id of the label."`
	Archived tracker.Opt[bool]   `json:"archived"`
	Color    tracker.Opt[string] `json:"color" is:"null,color"`
	Name     tracker.Opt[string] `json:"name" is:"min=1,max=128"`
}

func (a API) updateLabel(ctx context.Context, by tracker.Actor, in updateLabel) (Label, error) {
	l, err := a.Service.UpdateLabel(ctx, by, in.ID, tracker.LabelChange{Name: in.Name, Color: in.Color, Archived: in.Archived})
	return a.renderLabel(by, l), err
}

func (a API) deleteLabel(ctx context.Context, by tracker.Actor, in labelID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteLabel(ctx, by, in.ID)
}
