package v2

import (
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// CreateStoryLinkParams links a new story; the side that is left out is the new story.
type CreateStoryLinkParams struct {
	ObjectID  tracker.Opt[int64] `json:"object_id"`
	SubjectID tracker.Opt[int64] `json:"subject_id"`
	Verb      tracker.Verb       `json:"verb" is:"required,enum=blocks|duplicates|relates to"`
}

func (p CreateStoryLinkParams) params() tracker.StoryLinkParams {
	return tracker.StoryLinkParams{SubjectID: p.SubjectID, Verb: p.Verb, ObjectID: p.ObjectID}
}

// CreateStoryParams is what a story is created with.
type CreateStoryParams struct {
	Comments            []CreateStoryCommentParams       `json:"comments"`
	CompletedAtOverride tracker.Opt[tracker.Time]        `json:"completed_at_override"`
	CreatedAt           tracker.Opt[tracker.Time]        `json:"created_at"`
	Deadline            tracker.Opt[tracker.Time]        `json:"deadline" is:"null"`
	Description         tracker.Opt[string]              `json:"description" is:"max=100000"`
	EpicID              tracker.Opt[int64]               `json:"epic_id" is:"null"`
	Estimate            tracker.Opt[int64]               `json:"estimate" is:"null,least=0"`
	ExternalID          tracker.Opt[string]              `json:"external_id" is:"max=1024"`
	FileIDs             tracker.Opt[[]int64]             `json:"file_ids"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	IterationID         tracker.Opt[int64]               `json:"iteration_id" is:"null"`
	Labels              tracker.Opt[[]CreateLabelParams] `json:"labels"`
	LinkedFileIDs       tracker.Opt[[]int64]             `json:"linked_file_ids"`
	Name                string                           `json:"name" is:"required,min=1,max=512"`
	OwnerIDs            tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	ProjectID           tracker.Opt[int64]               `json:"project_id" is:"null"`
	RequestedByID       tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StartedAtOverride   tracker.Opt[tracker.Time]        `json:"started_at_override"`
	StoryLinks          []CreateStoryLinkParams          `json:"story_links"`
	StoryType           tracker.Opt[tracker.StoryType]   `json:"story_type" is:"enum=feature|chore|bug"`
	Tasks               []CreateTaskParams               `json:"tasks"`
	UpdatedAt           tracker.Opt[tracker.Time]        `json:"updated_at"`
	WorkflowStateID     tracker.Opt[int64]               `json:"workflow_state_id"`
}

func (p CreateStoryParams) params() tracker.StoryParams {
	return tracker.StoryParams{
		StoryChange: tracker.StoryChange{
			Name: tracker.Some(p.Name), Description: p.Description, Type: p.StoryType, StateID: p.WorkflowStateID, ProjectID: p.ProjectID,
			EpicID: p.EpicID, IterationID: p.IterationID, RequestedBy: p.RequestedByID, Estimate: p.Estimate, Deadline: p.Deadline,
			StartedAtOverride: p.StartedAtOverride, CompletedAtOverride: p.CompletedAtOverride, OwnerIDs: p.OwnerIDs,
			FollowerIDs: p.FollowerIDs, Labels: labelParams(p.Labels), FileIDs: p.FileIDs, LinkedFileIDs: p.LinkedFileIDs,
		},
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, ExternalID: p.ExternalID, Tasks: v3.Each(p.Tasks, CreateTaskParams.params),
		Comments: v3.Each(p.Comments, CreateStoryCommentParams.params), Links: v3.Each(p.StoryLinks, CreateStoryLinkParams.params),
	}
}

// UpdateStoryParams is what can be changed of a story.
type UpdateStoryParams struct {
	AfterID             tracker.Opt[int64]               `json:"after_id" doc:"Move the story after this one in its state."`
	Archived            tracker.Opt[bool]                `json:"archived"`
	BeforeID            tracker.Opt[int64]               `json:"before_id" doc:"Move the story before this one in its state."`
	BranchIDs           tracker.Opt[[]int64]             `json:"branch_ids"`
	CommitIDs           tracker.Opt[[]int64]             `json:"commit_ids"`
	CompletedAtOverride tracker.Opt[tracker.Time]        `json:"completed_at_override" is:"null"`
	Deadline            tracker.Opt[tracker.Time]        `json:"deadline" is:"null"`
	Description         tracker.Opt[string]              `json:"description" is:"max=100000"`
	EpicID              tracker.Opt[int64]               `json:"epic_id" is:"null"`
	Estimate            tracker.Opt[int64]               `json:"estimate" is:"null,least=0"`
	FileIDs             tracker.Opt[[]int64]             `json:"file_ids"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	IterationID         tracker.Opt[int64]               `json:"iteration_id" is:"null"`
	Labels              tracker.Opt[[]CreateLabelParams] `json:"labels"`
	LinkedFileIDs       tracker.Opt[[]int64]             `json:"linked_file_ids"`
	Name                tracker.Opt[string]              `json:"name" is:"min=1,max=512"`
	OwnerIDs            tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	ProjectID           tracker.Opt[int64]               `json:"project_id" is:"null"`
	RequestedByID       tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StartedAtOverride   tracker.Opt[tracker.Time]        `json:"started_at_override" is:"null"`
	StoryType           tracker.Opt[tracker.StoryType]   `json:"story_type" is:"enum=feature|chore|bug"`
	WorkflowStateID     tracker.Opt[int64]               `json:"workflow_state_id"`
}

func (p UpdateStoryParams) change() tracker.StoryChange {
	return tracker.StoryChange{
		Name: p.Name, Description: p.Description, Type: p.StoryType, StateID: p.WorkflowStateID, ProjectID: p.ProjectID, EpicID: p.EpicID,
		IterationID: p.IterationID, RequestedBy: p.RequestedByID, Estimate: p.Estimate, Deadline: p.Deadline, Archived: p.Archived,
		StartedAtOverride: p.StartedAtOverride, CompletedAtOverride: p.CompletedAtOverride, OwnerIDs: p.OwnerIDs,
		FollowerIDs: p.FollowerIDs, Labels: labelParams(p.Labels), FileIDs: p.FileIDs, LinkedFileIDs: p.LinkedFileIDs,
		BranchIDs: p.BranchIDs, CommitIDs: p.CommitIDs, Place: tracker.StoryPlace{BeforeID: p.BeforeID, AfterID: p.AfterID},
	}
}
