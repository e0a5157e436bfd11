package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Milestone is a goal that epics work towards; under the paths of objectives it has the same form.
type Milestone struct {
	AppURL              string         `json:"app_url"`
	Archived            bool           `json:"archived"`
	Categories          []Category     `json:"categories"`
	Completed           bool           `json:"completed"`
	CompletedAt         *tracker.Time  `json:"completed_at"`
	CompletedAtOverride *tracker.Time  `json:"completed_at_override"`
	CreatedAt           tracker.Time   `json:"created_at"`
	Description         string         `json:"description"`
	EntityType          string         `json:"entity_type"`
	GlobalID            string         `json:"global_id"`
	ID                  int64          `json:"id"`
	KeyResultIDs        []tracker.UUID `json:"key_result_ids"`
	Name                string         `json:"name"`
	Position            int64          `json:"position"`
	Started             bool           `json:"started"`
	StartedAt           *tracker.Time  `json:"started_at"`
	StartedAtOverride   *tracker.Time  `json:"started_at_override"`
	State               string         `json:"state" is:"enum=to do|in progress|done"`
	Stats               MilestoneStats `json:"stats"`
	UpdatedAt           tracker.Time   `json:"updated_at"`
}

// MilestoneStats measures the stories in the epics of a milestone.
type MilestoneStats struct {
	AverageCycleTime    *int64 `json:"average_cycle_time,omitzero"`
	AverageLeadTime     *int64 `json:"average_lead_time,omitzero"`
	NumRelatedDocuments int64  `json:"num_related_documents"`
}

func (a API) renderMilestone(by tracker.Actor, m service.MilestoneView) Milestone {
	return Milestone{
		AppURL: a.AppURL(by, "milestone", m.ID), Archived: m.Archived,
		Categories: Each(m.Categories, func(c tracker.Category) Category { return a.RenderCategory(by, c) }),
		Completed:  m.Completed(), CompletedAt: m.CompletedAt, CompletedAtOverride: m.CompletedAtOverride, CreatedAt: m.CreatedAt,
		Description: m.Description, EntityType: m.EntityType(), GlobalID: globalID(by, "m", m.ID), ID: m.ID,
		KeyResultIDs: m.KeyResultIDs, Name: m.Name, Position: m.Position, Started: m.Started(), StartedAt: m.StartedAt,
		StartedAtOverride: m.StartedAtOverride, State: string(m.State), UpdatedAt: m.UpdatedAt,
		Stats: MilestoneStats{AverageCycleTime: m.Stories.AverageCycleTime(), AverageLeadTime: m.Stories.AverageLeadTime()},
	}
}

func (a API) renderMilestones(by tracker.Actor, list []service.MilestoneView) []Milestone {
	return Each(list, func(m service.MilestoneView) Milestone { return a.renderMilestone(by, m) })
}

func (a API) listMilestones(ctx context.Context, by tracker.Actor, _ rest.None) ([]Milestone, error) {
	list, err := a.Service.Milestones(ctx, by)
	return a.renderMilestones(by, list), err
}

func (a API) listCategoryMilestones(ctx context.Context, by tracker.Actor, in categoryID) ([]Milestone, error) {
	list, err := a.Service.MilestonesOfCategory(ctx, by, in.ID)
	return a.renderMilestones(by, list), err
}

type milestoneID struct {
	ID int64 `path:"milestone-public-id" doc:"The id of the milestone."`
}

type objectiveID struct {
	ID int64 `path:"objective-public-id" doc:"The id of the objective."`
}

func (a API) getMilestone(ctx context.Context, by tracker.Actor, in milestoneID) (Milestone, error) {
	m, err := a.Service.Milestone(ctx, by, in.ID)
	return a.renderMilestone(by, m), err
}

func (a API) getObjective(ctx context.Context, by tracker.Actor, in objectiveID) (Milestone, error) {
	return a.getMilestone(ctx, by, milestoneID(in))
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
	return a.renderMilestone(by, m), err
}

type milestoneChange struct {
	AfterID             tracker.Opt[int64]                  `json:"after_id" doc:"The milestone to stand after."`
	Archived            tracker.Opt[bool]                   `json:"archived"`
	BeforeID            tracker.Opt[int64]                  `json:"before_id" doc:"The milestone to stand before."`
	Categories          tracker.Opt[[]CreateCategoryParams] `json:"categories" doc:"Found by name, or created."`
	CompletedAtOverride tracker.Opt[tracker.Time]           `json:"completed_at_override" is:"null"`
	Description         tracker.Opt[string]                 `json:"description" is:"max=100000"`
	Name                tracker.Opt[string]                 `json:"name" is:"min=1,max=256"`
	StartedAtOverride   tracker.Opt[tracker.Time]           `json:"started_at_override" is:"null"`
	State               tracker.Opt[tracker.MilestoneState] `json:"state" is:"enum=to do|in progress|done"`
}

type updateMilestone struct {
	ID   int64 `path:"milestone-public-id" doc:"The id of the milestone."`
	Body milestoneChange
}

type updateObjective struct {
	ID   int64 `path:"objective-public-id" doc:"The id of the objective."`
	Body milestoneChange
}

func (a API) updateMilestone(ctx context.Context, by tracker.Actor, in updateMilestone) (Milestone, error) {
	b := in.Body
	m, err := a.Service.UpdateMilestone(ctx, by, in.ID, tracker.MilestoneChange{
		Name: b.Name, Description: b.Description, State: b.State, Archived: b.Archived, Categories: categoryParams(b.Categories),
		StartedAtOverride: b.StartedAtOverride, CompletedAtOverride: b.CompletedAtOverride, BeforeID: b.BeforeID, AfterID: b.AfterID,
	})
	return a.renderMilestone(by, m), err
}

func (a API) updateObjective(ctx context.Context, by tracker.Actor, in updateObjective) (Milestone, error) {
	return a.updateMilestone(ctx, by, updateMilestone(in))
}

func (a API) deleteMilestone(ctx context.Context, by tracker.Actor, in milestoneID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteMilestone(ctx, by, in.ID)
}

func (a API) deleteObjective(ctx context.Context, by tracker.Actor, in objectiveID) (rest.None, error) {
	return a.deleteMilestone(ctx, by, milestoneID(in))
}

func (a API) listMilestoneEpics(ctx context.Context, by tracker.Actor, in milestoneID) ([]EpicSlim, error) {
	list, err := a.Service.EpicsOfMilestone(ctx, by, in.ID)
	return a.RenderEpicSlims(by, list, true), err
}

func (a API) listObjectiveEpics(ctx context.Context, by tracker.Actor, in objectiveID) ([]EpicSlim, error) {
	return a.listMilestoneEpics(ctx, by, milestoneID(in))
}
