package v2

import (
	"context"
	"slices"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

type searchStories struct {
	Archived          tracker.Opt[bool]                `json:"archived"`
	CompletedAtEnd    tracker.Opt[tracker.Time]        `json:"completed_at_end"`
	CompletedAtStart  tracker.Opt[tracker.Time]        `json:"completed_at_start"`
	CreatedAtEnd      tracker.Opt[tracker.Time]        `json:"created_at_end"`
	CreatedAtStart    tracker.Opt[tracker.Time]        `json:"created_at_start"`
	DeadlineEnd       tracker.Opt[tracker.Time]        `json:"deadline_end"`
	DeadlineStart     tracker.Opt[tracker.Time]        `json:"deadline_start"`
	EpicID            tracker.Opt[int64]               `json:"epic_id" is:"null"`
	EpicIDs           tracker.Opt[[]int64]             `json:"epic_ids"`
	Estimate          tracker.Opt[int64]               `json:"estimate"`
	ExternalID        tracker.Opt[string]              `json:"external_id" is:"max=1024"`
	IterationID       tracker.Opt[int64]               `json:"iteration_id" is:"null"`
	IterationIDs      tracker.Opt[[]int64]             `json:"iteration_ids"`
	LabelName         tracker.Opt[string]              `json:"label_name" is:"min=1"`
	OwnerID           tracker.Opt[tracker.UUID]        `json:"owner_id" is:"null"`
	OwnerIDs          tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	ProjectID         tracker.Opt[int64]               `json:"project_id" is:"null"`
	ProjectIDs        tracker.Opt[[]int64]             `json:"project_ids"`
	RequestedByID     tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StoryType         tracker.Opt[tracker.StoryType]   `json:"story_type" is:"enum=feature|chore|bug"`
	UpdatedAtEnd      tracker.Opt[tracker.Time]        `json:"updated_at_end"`
	UpdatedAtStart    tracker.Opt[tracker.Time]        `json:"updated_at_start"`
	WorkflowStateID   tracker.Opt[int64]               `json:"workflow_state_id"`
	WorkflowStateType tracker.Opt[[]tracker.StateType] `json:"workflow_state_types" is:"enum=unstarted|started|done"`
}

func (a API) searchStories(ctx context.Context, by tracker.Actor, in searchStories) (rest.Stream[StorySlim], error) {
	types := in.WorkflowStateType
	if slices.Contains(types.Value, tracker.Unstarted) {
		types.Value = append(types.Value, tracker.Backlog) // which is shown as unstarted
	}
	return a.streamStories(by, a.Service.FindStories(ctx, by, tracker.StoryFilter{
		Archived: in.Archived, Type: in.StoryType, Estimate: in.Estimate, ExternalID: in.ExternalID, RequestedBy: in.RequestedByID,
		StateID: in.WorkflowStateID, StateTypes: types, OwnerID: in.OwnerID, OwnerIDs: in.OwnerIDs, EpicID: in.EpicID, EpicIDs: in.EpicIDs,
		ProjectID: in.ProjectID, ProjectIDs: in.ProjectIDs, IterationID: in.IterationID, Iterations: in.IterationIDs, LabelName: in.LabelName,
		Created: tracker.TimeRange{Start: in.CreatedAtStart, End: in.CreatedAtEnd}, Updated: tracker.TimeRange{Start: in.UpdatedAtStart, End: in.UpdatedAtEnd},
		Completed: tracker.TimeRange{Start: in.CompletedAtStart, End: in.CompletedAtEnd}, Deadline: tracker.TimeRange{Start: in.DeadlineStart, End: in.DeadlineEnd},
	})), nil
}
