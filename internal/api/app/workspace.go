package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// Workspace is the settings of the workspace.
type Workspace struct {
	CreatedAt         tracker.Time `json:"created_at"`
	DefaultWorkflowID int64        `json:"default_workflow_id"`
	EntityType        string       `json:"entity_type"`
	EstimateScale     []int64      `json:"estimate_scale"`
	Features          Features     `json:"features"`
	GroupAllowance    *int64       `json:"group_allowance" doc:"How many groups there may be; null is no bound."`
	ID                tracker.UUID `json:"id"`
	Name              string       `json:"name"`
	UpdatedAt         tracker.Time `json:"updated_at"`
	URLSlug           string       `json:"url_slug"`
	UTCOffset         string       `json:"utc_offset"`
	WorkingDays       []string     `json:"working_days"`
}

// Features says which parts of the product are on.
type Features struct {
	Groups          bool `json:"groups"`
	Iterations      bool `json:"iterations"`
	EntityTemplates bool `json:"entity-templates"`
	Objectives      bool `json:"objectives"`
	Projects        bool `json:"projects"`
	CustomFields    bool `json:"custom-fields"`
	SubTasks        bool `json:"sub-tasks"`
	Documents       bool `json:"documents"`
}

func renderWorkspace(w tracker.Workspace) Workspace {
	return Workspace{
		CreatedAt: w.CreatedAt, DefaultWorkflowID: w.DefaultWorkflowID, EntityType: w.EntityType(), EstimateScale: w.EstimateScale,
		GroupAllowance: w.GroupAllowance, ID: w.ID, Name: w.Name, UpdatedAt: w.UpdatedAt, URLSlug: w.Slug,
		UTCOffset: w.UTCOffset, WorkingDays: w.WorkingDays,
		Features: Features{
			Groups: w.Has(tracker.Groups), Iterations: w.Has(tracker.Iterations), EntityTemplates: w.Has(tracker.EntityTemplates),
			Objectives: w.Has(tracker.Objectives), Projects: w.Has(tracker.Projects), CustomFields: w.Has(tracker.CustomFields),
			SubTasks: w.Has(tracker.SubTasks), Documents: w.Has(tracker.Documents),
		},
	}
}

func (a API) getWorkspace(ctx context.Context, by tracker.Actor, _ rest.None) (Workspace, error) {
	w, err := a.Service.Workspace(ctx, by)
	if err != nil {
		return Workspace{}, err
	}
	return renderWorkspace(*w), nil
}

type updateWorkspace struct {
	EstimateScale  tracker.Opt[[]int64]        `json:"estimate_scale" is:"least=0,most=100,minitems=1,maxitems=101" doc:"In ascending order."`
	Features       tracker.Opt[switchFeatures] `json:"features"`
	GroupAllowance tracker.Opt[int64]          `json:"group_allowance" is:"null,least=0,most=1000000" doc:"How many groups there may be; null is no bound. For owners."`
	Name           tracker.Opt[string]         `json:"name" is:"min=1,max=128"`
	UTCOffset      tracker.Opt[string]         `json:"utc_offset" is:"utcoffset"`
	WorkingDays    tracker.Opt[[]string]       `json:"working_days" is:"enum=monday|tuesday|wednesday|thursday|friday|saturday|sunday,minitems=1,maxitems=7"`
}

type switchFeatures struct {
	Groups          tracker.Opt[bool] `json:"groups"`
	Iterations      tracker.Opt[bool] `json:"iterations"`
	EntityTemplates tracker.Opt[bool] `json:"entity-templates"`
	Objectives      tracker.Opt[bool] `json:"objectives"`
	Projects        tracker.Opt[bool] `json:"projects"`
	CustomFields    tracker.Opt[bool] `json:"custom-fields"`
	SubTasks        tracker.Opt[bool] `json:"sub-tasks"`
	Documents       tracker.Opt[bool] `json:"documents"`
}

func (s switchFeatures) given() map[tracker.Feature]bool {
	given := map[tracker.Feature]bool{}
	for f, on := range map[tracker.Feature]tracker.Opt[bool]{
		tracker.Groups: s.Groups, tracker.Iterations: s.Iterations, tracker.EntityTemplates: s.EntityTemplates,
		tracker.Objectives: s.Objectives, tracker.Projects: s.Projects, tracker.CustomFields: s.CustomFields,
		tracker.SubTasks: s.SubTasks, tracker.Documents: s.Documents,
	} {
		if on, ok := on.Get(); ok {
			given[f] = on
		}
	}
	return given
}

func (a API) updateWorkspace(ctx context.Context, by tracker.Actor, in updateWorkspace) (Workspace, error) {
	w, err := a.Service.UpdateWorkspace(ctx, by, tracker.WorkspaceChange{
		Name: in.Name, UTCOffset: in.UTCOffset, EstimateScale: in.EstimateScale, WorkingDays: in.WorkingDays,
		GroupAllowance: in.GroupAllowance, Features: in.Features.Value.given(),
	})
	return renderWorkspace(w), err
}
