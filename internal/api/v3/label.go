package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Label is a free tag on stories, epics and iterations.
type Label struct {
	AppURL      string       `json:"app_url"`
	Archived    bool         `json:"archived"`
	Color       *string      `json:"color" is:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description *string      `json:"description"`
	EntityType  string       `json:"entity_type"`
	ExternalID  *string      `json:"external_id"`
	GlobalID    string       `json:"global_id"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Stats       *LabelStats  `json:"stats,omitzero"`
	UpdatedAt   tracker.Time `json:"updated_at"`
}

// LabelStats counts what carries a label.
type LabelStats struct {
	NumEpics              int64 `json:"num_epics"`
	NumEpicsCompleted     int64 `json:"num_epics_completed"`
	NumEpicsInProgress    int64 `json:"num_epics_in_progress"`
	NumEpicsTotal         int64 `json:"num_epics_total"`
	NumEpicsUnstarted     int64 `json:"num_epics_unstarted"`
	NumPointsBacklog      int64 `json:"num_points_backlog"`
	NumPointsCompleted    int64 `json:"num_points_completed"`
	NumPointsInProgress   int64 `json:"num_points_in_progress"`
	NumPointsTotal        int64 `json:"num_points_total"`
	NumPointsUnstarted    int64 `json:"num_points_unstarted"`
	NumRelatedDocuments   int64 `json:"num_related_documents"`
	NumStoriesBacklog     int64 `json:"num_stories_backlog"`
	NumStoriesCompleted   int64 `json:"num_stories_completed"`
	NumStoriesInProgress  int64 `json:"num_stories_in_progress"`
	NumStoriesTotal       int64 `json:"num_stories_total"`
	NumStoriesUnestimated int64 `json:"num_stories_unestimated"`
	NumStoriesUnstarted   int64 `json:"num_stories_unstarted"`
}

// RenderLabel is the wire form of a label.
func (a API) RenderLabel(by tracker.Actor, l tracker.Label) Label {
	return Label{
		AppURL: a.AppURL(by, "label", l.ID), Archived: l.Archived, Color: a.color(l.Color), CreatedAt: l.CreatedAt,
		Description: l.Description, EntityType: l.EntityType(), ExternalID: l.ExternalID, GlobalID: globalID(by, "l", l.ID),
		ID: l.ID, Name: l.Name, UpdatedAt: l.UpdatedAt,
	}
}

// RenderLabelWithStats is the wire form of a label and what carries it.
func (a API) RenderLabelWithStats(by tracker.Actor, l service.LabelWithStats) Label {
	out, s := a.RenderLabel(by, l.Label), l.Stats
	out.Stats = &LabelStats{
		NumEpics: s.Epics, NumEpicsCompleted: s.EpicsDone, NumEpicsInProgress: s.EpicsStarted, NumEpicsTotal: s.Epics,
		NumEpicsUnstarted: s.EpicsUnstarted, NumPointsBacklog: s.Stories.PointsBacklog, NumPointsCompleted: s.Stories.PointsDone,
		NumPointsInProgress: s.Stories.PointsStarted, NumPointsTotal: s.Stories.Points, NumPointsUnstarted: s.Stories.PointsUnstarted,
		NumRelatedDocuments: s.RelatedDocuments, NumStoriesBacklog: s.Stories.Backlog, NumStoriesCompleted: s.Stories.Done,
		NumStoriesInProgress: s.Stories.Started, NumStoriesTotal: s.Stories.Total, NumStoriesUnestimated: s.Stories.Unestimated,
		NumStoriesUnstarted: s.Stories.Unstarted,
	}
	return out
}

type listLabels struct {
	Slim tracker.Opt[bool] `query:"slim" doc:"Leave the stats out."`
}

func (a API) listLabels(ctx context.Context, by tracker.Actor, in listLabels) ([]Label, error) {
	slim := in.Slim.Or(false)
	list, err := a.Service.Labels(ctx, by, slim)
	return Each(list, func(l service.LabelWithStats) Label {
		if slim {
			return a.RenderLabel(by, l.Label)
		}
		return a.RenderLabelWithStats(by, l)
	}), err
}

type labelID struct {
	ID int64 `path:"label-public-id" doc:"The id of the label."`
}

func (a API) getLabel(ctx context.Context, by tracker.Actor, in labelID) (Label, error) {
	l, err := a.Service.Label(ctx, by, in.ID)
	return a.RenderLabelWithStats(by, l), err
}

// CreateLabelParams is a label to create, alone or inline in another request.
type CreateLabelParams struct {
	Name        string              `json:"name" is:"required,min=1,max=128"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Color       tracker.Opt[string] `json:"color" is:"color"`
	ExternalID  tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
}

func (a API) createLabel(ctx context.Context, by tracker.Actor, in CreateLabelParams) (Label, error) {
	l, err := a.Service.CreateLabel(ctx, by, tracker.LabelParams(in))
	return a.RenderLabelWithStats(by, l), err
}

type updateLabel struct {
	ID          int64               `path:"label-public-id" doc:"The id of the label."`
	Name        tracker.Opt[string] `json:"name" is:"min=1,max=128"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Color       tracker.Opt[string] `json:"color" is:"null,color"`
	Archived    tracker.Opt[bool]   `json:"archived"`
}

func (a API) updateLabel(ctx context.Context, by tracker.Actor, in updateLabel) (Label, error) {
	l, err := a.Service.UpdateLabel(ctx, by, in.ID, tracker.LabelChange{
		Name: in.Name, Description: in.Description, Color: in.Color, Archived: in.Archived,
	})
	return a.RenderLabelWithStats(by, l), err
}

func (a API) deleteLabel(ctx context.Context, by tracker.Actor, in labelID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteLabel(ctx, by, in.ID)
}
