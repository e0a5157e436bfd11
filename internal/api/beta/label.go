package beta

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Label is v3's with the colour as it was sent; a field that v3 gains must be given a place here
// for the conversion from v3.Label to compile.
type Label struct {
	AppURL      string         `json:"app_url"`
	Archived    bool           `json:"archived"`
	Color       *string        `json:"color"`
	CreatedAt   tracker.Time   `json:"created_at"`
	Description *string        `json:"description"`
	EntityType  string         `json:"entity_type"`
	ExternalID  *string        `json:"external_id"`
	GlobalID    string         `json:"global_id"`
	ID          int64          `json:"id"`
	Name        string         `json:"name"`
	Stats       *v3.LabelStats `json:"stats,omitzero"`
	UpdatedAt   tracker.Time   `json:"updated_at"`
}

func (a API) renderLabel(by tracker.Actor, l service.LabelWithStats) Label {
	out := Label(a.RenderLabelWithStats(by, l))
	out.Color = l.Color
	return out
}

type listLabels struct {
	Slim tracker.Opt[bool] `query:"slim" doc:"Leave the stats out."`
}

func (a API) listLabels(ctx context.Context, by tracker.Actor, in listLabels) ([]Label, error) {
	slim := in.Slim.Or(false)
	list, err := a.Service.Labels(ctx, by, slim)
	return v3.Each(list, func(l service.LabelWithStats) Label {
		out := a.renderLabel(by, l)
		if slim {
			out.Stats = nil
		}
		return out
	}), err
}

type labelID struct {
	ID int64 `path:"label-public-id" doc:"The id of the label."`
}

func (a API) getLabel(ctx context.Context, by tracker.Actor, in labelID) (Label, error) {
	l, err := a.Service.Label(ctx, by, in.ID)
	return a.renderLabel(by, l), err
}

type createLabel struct {
	Name        string              `json:"name" is:"required,min=1,max=128"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Color       tracker.Opt[string] `json:"color" is:"anycolor,max=64"`
	ExternalID  tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
}

func (a API) createLabel(ctx context.Context, by tracker.Actor, in createLabel) (Label, error) {
	l, err := a.Service.CreateLabel(ctx, by, tracker.LabelParams(in))
	return a.renderLabel(by, l), err
}

type updateLabel struct {
	ID          int64               `path:"label-public-id" doc:"The id of the label."`
	Name        tracker.Opt[string] `json:"name" is:"min=1,max=128"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Color       tracker.Opt[string] `json:"color" is:"null,anycolor,max=64"`
	Archived    tracker.Opt[bool]   `json:"archived"`
}

func (a API) updateLabel(ctx context.Context, by tracker.Actor, in updateLabel) (Label, error) {
	l, err := a.Service.UpdateLabel(ctx, by, in.ID, tracker.LabelChange{
		Name: in.Name, Description: in.Description, Color: in.Color, Archived: in.Archived,
	})
	return a.renderLabel(by, l), err
}
