package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Milestone is a goal that epics work towards.
type Milestone struct {
	Categories          []Category    `json:"categories"`
	Completed           bool          `json:"completed"`
	CompletedAt         *tracker.Time `json:"completed_at"`
	CompletedAtOverride *tracker.Time `json:"completed_at_override"`
	CreatedAt           tracker.Time  `json:"created_at"`
	Description         string        `json:"description"`
	EntityType          string        `json:"entity_type"`
	ID                  int64         `json:"id"`
	Name                string        `json:"name"`
	Position            int64         `json:"position"`
	Started             bool          `json:"started"`
	StartedAt           *tracker.Time `json:"started_at"`
	StartedAtOverride   *tracker.Time `json:"started_at_override"`
	State               string        `json:"state" is:"enum=to do|in progress|done"`
	UpdatedAt           tracker.Time  `json:"updated_at"`
}

func renderMilestone(m service.MilestoneView) Milestone {
	return Milestone{
		Categories: v3.Each(m.Categories, renderCategory), Completed: m.Completed(), CompletedAt: m.CompletedAt,
		CompletedAtOverride: m.CompletedAtOverride, CreatedAt: m.CreatedAt, Description: m.Description, EntityType: m.EntityType(), ID: m.ID,
		Name: m.Name, Position: m.Position, Started: m.Started(), StartedAt: m.StartedAt, StartedAtOverride: m.StartedAtOverride,
		State: string(m.State), UpdatedAt: m.UpdatedAt,
	}
}

type milestoneID struct {
	ID int64 `path:"milestone-public-id" doc:"The id of the milestone."`
}

func (a API) listMilestones(ctx context.Context, by tracker.Actor, _ rest.None) ([]Milestone, error) {
	list, err := a.Service.Milestones(ctx, by)
	return v3.Each(list, renderMilestone), err
}

func (a API) getMilestone(ctx context.Context, by tracker.Actor, in milestoneID) (Milestone, error) {
	m, err := a.Service.Milestone(ctx, by, in.ID)
	return renderMilestone(m), err
}

// CreateCategoryParams is a category named inline in another request.
type CreateCategoryParams struct {
	Color      tracker.Opt[string] `json:"color" is:"color"`
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
}

func categoryParams(o tracker.Opt[[]CreateCategoryParams]) tracker.Opt[[]tracker.CategoryParams] {
	return v3.EachOpt(o, func(c CreateCategoryParams) tracker.CategoryParams {
		return tracker.CategoryParams{Name: c.Name, Color: c.Color, ExternalID: c.ExternalID}
	})
}

type createMilestone struct {
	Categories          tracker.Opt[[]CreateCategoryParams] `json:"categories" doc:"Found by name, or created."`
	CompletedAtOverride tracker.Opt[tracker.Time]           `json:"completed_at_override" doc:"Counts as the time of completion where times are measured."`
	Description         tracker.Opt[string]                 `json:"description" is:"max=100000"`
	Name                string                              `json:"name" is:"required,min=1,max=256"`
	StartedAtOverride   tracker.Opt[tracker.Time]           `json:"started_at_override" doc:"Counts as the time of the start where times are measured."`
	State               tracker.Opt[tracker.MilestoneState] `json:"state" is:"enum=to do|in progress|done"`
}

func (a API) createMilestone(ctx context.Context, by tracker.Actor, in createMilestone) (Milestone, error) {
	m, err := a.Service.CreateMilestone(ctx, by, tracker.MilestoneChange{
		Name: tracker.Some(in.Name), Description: in.Description, State: in.State, Categories: categoryParams(in.Categories),
		StartedAtOverride: in.StartedAtOverride, CompletedAtOverride: in.CompletedAtOverride,
	})
	return renderMilestone(m), err
}

type updateMilestone struct {
	ID                  int64                               `path:"milestone-public-id" doc:"The id of the milestone."`
	AfterID             tracker.Opt[int64]                  `json:"after_id" doc:"The milestone to stand after."`
	BeforeID            tracker.Opt[int64]                  `json:"before_id" doc:"The milestone to stand before."`
	Categories          tracker.Opt[[]CreateCategoryParams] `json:"categories" doc:"Found by name, or created."`
	CompletedAtOverride tracker.Opt[tracker.Time]           `json:"completed_at_override" is:"null"`
	Description         tracker.Opt[string]                 `json:"description" is:"max=100000"`
	Name                tracker.Opt[string]                 `json:"name" is:"min=1,max=256"`
	StartedAtOverride   tracker.Opt[tracker.Time]           `json:"started_at_override" is:"null"`
	State               tracker.Opt[tracker.MilestoneState] `json:"state" is:"enum=to do|in progress|done"`
}

func (a API) updateMilestone(ctx context.Context, by tracker.Actor, in updateMilestone) (Milestone, error) {
	m, err := a.Service.UpdateMilestone(ctx, by, in.ID, tracker.MilestoneChange{
		Name: in.Name, Description: in.Description, State: in.State, Categories: categoryParams(in.Categories),
		StartedAtOverride: in.StartedAtOverride, CompletedAtOverride: in.CompletedAtOverride, BeforeID: in.BeforeID, AfterID: in.AfterID,
	})
	return renderMilestone(m), err
}

func (a API) deleteMilestone(ctx context.Context, by tracker.Actor, in milestoneID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteMilestone(ctx, by, in.ID)
}

func (a API) listMilestoneEpics(ctx context.Context, by tracker.Actor, in milestoneID) ([]EpicSlim, error) {
	list, err := a.Service.EpicsOfMilestone(ctx, by, in.ID)
	epics, err := a.renderEpics(ctx, by, list, err)
	return v3.Each(epics, func(e Epic) EpicSlim { return e.EpicSlim }), err
}
