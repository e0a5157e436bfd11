package v2

import (
	"context"

	"milepost/internal/tracker"
)

type createEpic struct {
	CompletedAtOverride tracker.Opt[tracker.Time]        `json:"completed_at_override"`
	CreatedAt           tracker.Opt[tracker.Time]        `json:"created_at"`
	Deadline            tracker.Opt[tracker.Time]        `json:"deadline" is:"null"`
	Description         tracker.Opt[string]              `json:"description" is:"max=100000"`
	EpicStateID         tracker.Opt[int64]               `json:"epic_state_id"`
	ExternalID          tracker.Opt[string]              `json:"external_id" is:"max=128"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	Labels              tracker.Opt[[]CreateLabelParams] `json:"labels"`
	MilestoneID         tracker.Opt[int64]               `json:"milestone_id" is:"null"`
	Name                string                           `json:"name" is:"required,min=1,max=256"`
	OwnerIDs            tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	RequestedByID       tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StartedAtOverride   tracker.Opt[tracker.Time]        `json:"started_at_override"`
	State               tracker.Opt[string]              `json:"state" is:"enum=to do|in progress|done" doc:"Deprecated: use epic_state_id, which wins."`
	UpdatedAt           tracker.Opt[tracker.Time]        `json:"updated_at"`
}

func (a API) createEpic(ctx context.Context, by tracker.Actor, in createEpic) (Epic, error) {
	d, err := a.Service.CreateEpic(ctx, by, tracker.EpicParams{
		EpicChange: tracker.EpicChange{
			Name: tracker.Some(in.Name), Description: in.Description, StateID: in.EpicStateID, State: in.State, Deadline: in.Deadline,
			ExternalID: in.ExternalID, RequestedBy: in.RequestedByID, OwnerIDs: in.OwnerIDs, FollowerIDs: in.FollowerIDs,
			Labels: labelParams(in.Labels), MilestoneID: in.MilestoneID, StartedAtOverride: in.StartedAtOverride,
			CompletedAtOverride: in.CompletedAtOverride,
		},
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.renderEpic(ctx, by, d, err)
}

type updateEpic struct {
	ID                  int64                            `path:"epic-public-id" doc:"The id of the epic."`
	AfterID             tracker.Opt[int64]               `json:"after_id" doc:"The epic to stand after."`
	Archived            tracker.Opt[bool]                `json:"archived"`
	BeforeID            tracker.Opt[int64]               `json:"before_id" doc:"The epic to stand before."`
	CompletedAtOverride tracker.Opt[tracker.Time]        `json:"completed_at_override" is:"null"`
	Deadline            tracker.Opt[tracker.Time]        `json:"deadline" is:"null"`
	Description         tracker.Opt[string]              `json:"description" is:"max=100000"`
	EpicStateID         tracker.Opt[int64]               `json:"epic_state_id"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	Labels              tracker.Opt[[]CreateLabelParams] `json:"labels"`
	MilestoneID         tracker.Opt[int64]               `json:"milestone_id" is:"null"`
	Name                tracker.Opt[string]              `json:"name" is:"min=1,max=256"`
	OwnerIDs            tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	RequestedByID       tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StartedAtOverride   tracker.Opt[tracker.Time]        `json:"started_at_override" is:"null"`
	State               tracker.Opt[string]              `json:"state" is:"enum=to do|in progress|done" doc:"Deprecated: use epic_state_id, which wins."`
}

func (a API) updateEpic(ctx context.Context, by tracker.Actor, in updateEpic) (Epic, error) {
	d, err := a.Service.UpdateEpic(ctx, by, in.ID, tracker.EpicChange{
		Name: in.Name, Description: in.Description, StateID: in.EpicStateID, State: in.State, Archived: in.Archived, Deadline: in.Deadline,
		RequestedBy: in.RequestedByID, OwnerIDs: in.OwnerIDs, FollowerIDs: in.FollowerIDs, Labels: labelParams(in.Labels),
		MilestoneID: in.MilestoneID, StartedAtOverride: in.StartedAtOverride, CompletedAtOverride: in.CompletedAtOverride,
		BeforeID: in.BeforeID, AfterID: in.AfterID,
	})
	return a.renderEpic(ctx, by, d, err)
}
