package v1

import (
	"slices"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// CreateStoryParams is what a story is created with.
type CreateStoryParams struct {
	Comments        []CreateCommentParams            `json:"comments"`
	CreatedAt       tracker.Opt[tracker.Time]        `json:"created_at"`
	Deadline        tracker.Opt[tracker.Time]        `json:"deadline" is:"null"`
	Description     tracker.Opt[string]              `json:"description" is:"max=100000"`
	EpicID          tracker.Opt[int64]               `json:"epic_id" is:"null"`
	Estimate        tracker.Opt[int64]               `json:"estimate" is:"null,least=0"`
	ExternalID      tracker.Opt[string]              `json:"external_id" is:"max=1024"`
	FileIDs         tracker.Opt[[]int64]             `json:"file_ids"`
	FollowerIDs     tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	Labels          tracker.Opt[[]CreateLabelParams] `json:"labels"`
	LinkedFileIDs   tracker.Opt[[]int64]             `json:"linked_file_ids"`
	Name            string                           `json:"name" is:"required,min=1,max=512"`
	OwnerIDs        tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	ProjectID       tracker.Opt[int64]               `json:"project_id"`
	RequestedByID   tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StoryLinks      []CreateStoryLinkParams          `json:"story_links"`
	StoryType       tracker.Opt[tracker.StoryType]   `json:"story_type" is:"enum=feature|bug|chore"`
	Tasks           []CreateTaskParams               `json:"tasks"`
	UpdatedAt       tracker.Opt[tracker.Time]        `json:"updated_at"`
	WorkflowStateID tracker.Opt[int64]               `json:"workflow_state_id"`
}

// CreateLabelParams is a label inline in another request.
type CreateLabelParams struct {
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
}

// CreateStoryLinkParams links a new story; the side that is left out is the new story.
type CreateStoryLinkParams struct {
	ObjectID  tracker.Opt[int64] `json:"object_id"`
	SubjectID tracker.Opt[int64] `json:"subject_id"`
	Verb      tracker.Verb       `json:"verb" is:"required,enum=blocks|duplicates|relates to"`
}

func (p people) storyParams(in CreateStoryParams) tracker.StoryParams {
	return tracker.StoryParams{
		StoryChange: tracker.StoryChange{
			Name: tracker.Some(in.Name), Description: in.Description, Type: in.StoryType, StateID: in.WorkflowStateID,
			ProjectID: in.ProjectID, EpicID: in.EpicID, RequestedBy: p.memberOpt(in.RequestedByID), Estimate: in.Estimate,
			Deadline: in.Deadline, OwnerIDs: p.membersOpt(in.OwnerIDs), FollowerIDs: p.membersOpt(in.FollowerIDs),
			Labels: labelsOpt(in.Labels), FileIDs: in.FileIDs, LinkedFileIDs: in.LinkedFileIDs,
		},
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt, ExternalID: in.ExternalID,
		Tasks: v3.Each(in.Tasks, p.taskParams), Comments: v3.Each(in.Comments, p.commentParams),
		Links: v3.Each(in.StoryLinks, func(l CreateStoryLinkParams) tracker.StoryLinkParams {
			return tracker.StoryLinkParams{SubjectID: l.SubjectID, Verb: l.Verb, ObjectID: l.ObjectID}
		}),
	}
}

func labelParams(list []CreateLabelParams) []tracker.LabelParams {
	return v3.Each(list, func(l CreateLabelParams) tracker.LabelParams {
		return tracker.LabelParams{Name: l.Name, ExternalID: l.ExternalID}
	})
}

func labelsOpt(o tracker.Opt[[]CreateLabelParams]) tracker.Opt[[]tracker.LabelParams] {
	return tracker.Opt[[]tracker.LabelParams]{Value: labelParams(o.Value), State: o.State}
}

type updateStory struct {
	ID              int64                            `path:"story-public-id" doc:"The id of the story."`
	AfterID         tracker.Opt[int64]               `json:"after_id" doc:"Move the story after this one in its state."`
	Archived        tracker.Opt[bool]                `json:"archived"`
	BeforeID        tracker.Opt[int64]               `json:"before_id" doc:"Move the story before this one in its state."`
	Deadline        tracker.Opt[tracker.Time]        `json:"deadline" is:"null"`
	Description     tracker.Opt[string]              `json:"description" is:"max=100000"`
	EpicID          tracker.Opt[int64]               `json:"epic_id" is:"null"`
	Estimate        tracker.Opt[int64]               `json:"estimate" is:"null,least=0"`
	FileIDs         tracker.Opt[[]int64]             `json:"file_ids"`
	FollowerIDs     tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	Labels          tracker.Opt[[]CreateLabelParams] `json:"labels"`
	LinkedFileIDs   tracker.Opt[[]int64]             `json:"linked_file_ids"`
	Name            tracker.Opt[string]              `json:"name" is:"min=1,max=512"`
	OwnerIDs        tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	ProjectID       tracker.Opt[int64]               `json:"project_id"`
	RequestedByID   tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StoryType       tracker.Opt[tracker.StoryType]   `json:"story_type" is:"enum=feature|bug|chore"`
	WorkflowStateID tracker.Opt[int64]               `json:"workflow_state_id"`
}

func (p people) storyChange(in updateStory) tracker.StoryChange {
	return tracker.StoryChange{
		Name: in.Name, Description: in.Description, Type: in.StoryType, StateID: in.WorkflowStateID, ProjectID: in.ProjectID,
		EpicID: in.EpicID, RequestedBy: p.memberOpt(in.RequestedByID), Estimate: in.Estimate, Deadline: in.Deadline,
		Archived: in.Archived, OwnerIDs: p.membersOpt(in.OwnerIDs), FollowerIDs: p.membersOpt(in.FollowerIDs),
		Labels: labelsOpt(in.Labels), FileIDs: in.FileIDs, LinkedFileIDs: in.LinkedFileIDs,
		Place: tracker.StoryPlace{BeforeID: in.BeforeID, AfterID: in.AfterID},
	}
}

type createStories struct {
	Stories []CreateStoryParams `json:"stories" is:"required,minitems=1,maxitems=1000"`
}

type updateStories struct {
	StoryIDs []int64 `json:"story_ids" is:"required,minitems=1,maxitems=1000"`

	AfterID           tracker.Opt[int64]             `json:"after_id" doc:"Move the stories after this one in its state."`
	Archived          tracker.Opt[bool]              `json:"archived"`
	BeforeID          tracker.Opt[int64]             `json:"before_id" doc:"Move the stories before this one in its state."`
	Deadline          tracker.Opt[tracker.Time]      `json:"deadline" is:"null"`
	EpicID            tracker.Opt[int64]             `json:"epic_id" is:"null"`
	Estimate          tracker.Opt[int64]             `json:"estimate" is:"null,least=0"`
	FollowerIDsAdd    []tracker.UUID                 `json:"follower_ids_add"`
	FollowerIDsRemove []tracker.UUID                 `json:"follower_ids_remove"`
	LabelsAdd         []CreateLabelParams            `json:"labels_add"`
	LabelsRemove      []CreateLabelParams            `json:"labels_remove"`
	OwnerIDsAdd       []tracker.UUID                 `json:"owner_ids_add"`
	OwnerIDsRemove    []tracker.UUID                 `json:"owner_ids_remove"`
	ProjectID         tracker.Opt[int64]             `json:"project_id"`
	RequestedByID     tracker.Opt[tracker.UUID]      `json:"requested_by_id"`
	StoryType         tracker.Opt[tracker.StoryType] `json:"story_type" is:"enum=feature|bug|chore"`
	WorkflowStateID   tracker.Opt[int64]             `json:"workflow_state_id"`
}

func (p people) storiesChange(in updateStories) tracker.StoryChange {
	return tracker.StoryChange{
		Type: in.StoryType, StateID: in.WorkflowStateID, ProjectID: in.ProjectID, EpicID: in.EpicID,
		RequestedBy: p.memberOpt(in.RequestedByID), Estimate: in.Estimate, Deadline: in.Deadline, Archived: in.Archived,
		OwnersAdd: p.members(in.OwnerIDsAdd), OwnersRemove: p.members(in.OwnerIDsRemove),
		FollowersAdd: p.members(in.FollowerIDsAdd), FollowersRemove: p.members(in.FollowerIDsRemove),
		LabelsAdd: labelParams(in.LabelsAdd), LabelsRemove: labelParams(in.LabelsRemove),
		Place: tracker.StoryPlace{BeforeID: in.BeforeID, AfterID: in.AfterID},
	}
}

type searchStories struct {
	Archived           tracker.Opt[bool]                `json:"archived"`
	CreatedAtEnd       tracker.Opt[tracker.Time]        `json:"created_at_end"`
	CreatedAtStart     tracker.Opt[tracker.Time]        `json:"created_at_start"`
	EpicID             tracker.Opt[int64]               `json:"epic_id" is:"null"`
	EpicIDs            tracker.Opt[[]int64]             `json:"epic_ids"`
	Estimate           tracker.Opt[int64]               `json:"estimate"`
	LabelName          tracker.Opt[string]              `json:"label_name" is:"min=1"`
	OwnerID            tracker.Opt[tracker.UUID]        `json:"owner_id" is:"null"`
	OwnerIDs           tracker.Opt[[]tracker.UUID]      `json:"owner_ids"`
	ProjectID          tracker.Opt[int64]               `json:"project_id"`
	ProjectIDs         tracker.Opt[[]int64]             `json:"project_ids"`
	RequestedByID      tracker.Opt[tracker.UUID]        `json:"requested_by_id"`
	StoryType          tracker.Opt[tracker.StoryType]   `json:"story_type" is:"enum=feature|bug|chore"`
	Text               tracker.Opt[string]              `json:"text" is:"min=1,max=4000" doc:"Words of the name, the description or a comment."`
	UpdatedAtEnd       tracker.Opt[tracker.Time]        `json:"updated_at_end"`
	UpdatedAtStart     tracker.Opt[tracker.Time]        `json:"updated_at_start"`
	WorkflowStateID    tracker.Opt[int64]               `json:"workflow_state_id"`
	WorkflowStateTypes tracker.Opt[[]tracker.StateType] `json:"workflow_state_types" is:"enum=unstarted|started|done,anycase"`
}

func (p people) storyFilter(in searchStories) tracker.StoryFilter {
	types := in.WorkflowStateTypes
	if slices.Contains(types.Value, tracker.Unstarted) {
		types.Value = append(types.Value, tracker.Backlog) // which v1 shows as unstarted
	}
	return tracker.StoryFilter{
		Archived: in.Archived, Type: in.StoryType, Estimate: in.Estimate, RequestedBy: p.memberOpt(in.RequestedByID),
		StateID: in.WorkflowStateID, StateTypes: types, OwnerID: p.memberOpt(in.OwnerID), OwnerIDs: p.membersOpt(in.OwnerIDs),
		EpicID: in.EpicID, EpicIDs: in.EpicIDs, ProjectID: in.ProjectID, ProjectIDs: in.ProjectIDs, LabelName: in.LabelName, Text: in.Text,
		Created: tracker.TimeRange{Start: in.CreatedAtStart, End: in.CreatedAtEnd},
		Updated: tracker.TimeRange{Start: in.UpdatedAtStart, End: in.UpdatedAtEnd},
	}
}
