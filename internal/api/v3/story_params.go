package v3

import (
	"milepost/internal/tracker"
)

// CustomFieldValueParams chooses a value for a custom field.
type CustomFieldValueParams struct {
	FieldID tracker.UUID        `json:"field_id" is:"required"`
	ValueID tracker.UUID        `json:"value_id" is:"required"`
	Value   tracker.Opt[string] `json:"value" doc:"Ignored; value_id decides."`
}

// CreateStoryLinkParams links a new story; the side that is left out is the new story.
type CreateStoryLinkParams struct {
	SubjectID tracker.Opt[int64] `json:"subject_id"`
	Verb      tracker.Verb       `json:"verb" is:"required,enum=blocks|duplicates|relates to"`
	ObjectID  tracker.Opt[int64] `json:"object_id"`
}

// SubTaskParams is an existing story (story_id) or a new one (name) to become a sub-task.
type SubTaskParams struct {
	StoryID  tracker.Opt[int64]          `json:"story_id"`
	Name     tracker.Opt[string]         `json:"name" is:"min=1,max=512"`
	OwnerIDs tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
	StateID  tracker.Opt[int64]          `json:"workflow_state_id"`
}

// LinkSubTaskParams is an existing story to become a sub-task.
type LinkSubTaskParams struct {
	StoryID int64 `json:"story_id" is:"required"`
}

// CreateStoryParams is what a story is created with.
type CreateStoryParams struct {
	Archived            tracker.Opt[bool]                     `json:"archived"`
	Comments            []CreateStoryCommentParams            `json:"comments"`
	CompletedAtOverride tracker.Opt[tracker.Time]             `json:"completed_at_override"`
	CreatedAt           tracker.Opt[tracker.Time]             `json:"created_at"`
	CustomFields        tracker.Opt[[]CustomFieldValueParams] `json:"custom_fields"`
	Deadline            tracker.Opt[tracker.Time]             `json:"deadline" is:"null"`
	Description         tracker.Opt[string]                   `json:"description" is:"max=100000"`
	EpicID              tracker.Opt[int64]                    `json:"epic_id" is:"null"`
	Estimate            tracker.Opt[int64]                    `json:"estimate" is:"null,least=0"`
	ExternalID          tracker.Opt[string]                   `json:"external_id" is:"max=1024"`
	ExternalLinks       tracker.Opt[[]string]                 `json:"external_links" is:"min=1,max=2048"`
	FileIDs             tracker.Opt[[]int64]                  `json:"file_ids"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]           `json:"follower_ids"`
	GroupID             tracker.Opt[tracker.UUID]             `json:"group_id" is:"null"`
	IterationID         tracker.Opt[int64]                    `json:"iteration_id" is:"null"`
	Labels              tracker.Opt[[]CreateLabelParams]      `json:"labels"`
	LinkedFileIDs       tracker.Opt[[]int64]                  `json:"linked_file_ids"`
	MoveTo              tracker.Opt[string]                   `json:"move_to" is:"enum=last|first"`
	Name                string                                `json:"name" is:"required,min=1,max=512"`
	OwnerIDs            tracker.Opt[[]tracker.UUID]           `json:"owner_ids"`
	ParentStoryID       tracker.Opt[int64]                    `json:"parent_story_id" is:"null"`
	ProjectID           tracker.Opt[int64]                    `json:"project_id" is:"null"`
	RequestedByID       tracker.Opt[tracker.UUID]             `json:"requested_by_id"`
	SourceTaskID        tracker.Opt[int64]                    `json:"source_task_id" is:"null"`
	StartedAtOverride   tracker.Opt[tracker.Time]             `json:"started_at_override"`
	StoryLinks          []CreateStoryLinkParams               `json:"story_links"`
	StoryTemplateID     tracker.Opt[tracker.UUID]             `json:"story_template_id" is:"null"`
	StoryType           tracker.Opt[tracker.StoryType]        `json:"story_type" is:"enum=feature|chore|bug"`
	SubTasks            []SubTaskParams                       `json:"sub_tasks"`
	Tasks               []CreateTaskParams                    `json:"tasks"`
	UpdatedAt           tracker.Opt[tracker.Time]             `json:"updated_at"`
	WorkflowStateID     tracker.Opt[int64]                    `json:"workflow_state_id"`
}

func (p CreateStoryParams) params() tracker.StoryParams {
	return tracker.StoryParams{
		StoryChange: tracker.StoryChange{
			Name: tracker.Some(p.Name), Description: p.Description, Type: p.StoryType, StateID: p.WorkflowStateID, ProjectID: p.ProjectID,
			EpicID: p.EpicID, IterationID: p.IterationID, GroupID: p.GroupID, ParentID: p.ParentStoryID, RequestedBy: p.RequestedByID,
			Estimate: p.Estimate, Deadline: p.Deadline, Archived: p.Archived, StartedAtOverride: p.StartedAtOverride,
			CompletedAtOverride: p.CompletedAtOverride, OwnerIDs: p.OwnerIDs, FollowerIDs: p.FollowerIDs, Labels: labelParams(p.Labels),
			FileIDs: p.FileIDs, LinkedFileIDs: p.LinkedFileIDs, ExternalLinks: p.ExternalLinks, CustomFields: fieldParams(p.CustomFields),
			Place: tracker.StoryPlace{MoveTo: p.MoveTo},
		},
		CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt, ExternalID: p.ExternalID, TemplateID: p.StoryTemplateID, SourceTaskID: p.SourceTaskID,
		Tasks:    Each(p.Tasks, func(t CreateTaskParams) tracker.TaskParams { return tracker.TaskParams(t) }),
		Comments: Each(p.Comments, func(c CreateStoryCommentParams) tracker.CommentParams { return tracker.CommentParams(c) }),
		Links:    Each(p.StoryLinks, func(l CreateStoryLinkParams) tracker.StoryLinkParams { return tracker.StoryLinkParams(l) }),
		SubTasks: Each(p.SubTasks, func(s SubTaskParams) tracker.SubTaskParams { return tracker.SubTaskParams(s) }),
	}
}

func labelParams(o tracker.Opt[[]CreateLabelParams]) tracker.Opt[[]tracker.LabelParams] {
	return EachOpt(o, func(l CreateLabelParams) tracker.LabelParams { return tracker.LabelParams(l) })
}

func fieldParams(o tracker.Opt[[]CustomFieldValueParams]) tracker.Opt[[]tracker.StoryField] {
	return EachOpt(o, storyField)
}

func storyField(p CustomFieldValueParams) tracker.StoryField {
	return tracker.StoryField{FieldID: p.FieldID, ValueID: p.ValueID}
}

// EachOpt is Each for a list that may be absent.
func EachOpt[In, Out any](o tracker.Opt[[]In], f func(In) Out) tracker.Opt[[]Out] {
	return tracker.Opt[[]Out]{Value: Each(o.Value, f), State: o.State}
}

// UpdateStoryParams is what can be changed of a story.
type UpdateStoryParams struct {
	AfterID             tracker.Opt[int64]                    `json:"after_id" doc:"Move the story after this one in its state."`
	Archived            tracker.Opt[bool]                     `json:"archived"`
	BeforeID            tracker.Opt[int64]                    `json:"before_id" doc:"Move the story before this one in its state."`
	BranchIDs           tracker.Opt[[]int64]                  `json:"branch_ids"`
	CommitIDs           tracker.Opt[[]int64]                  `json:"commit_ids"`
	CompletedAtOverride tracker.Opt[tracker.Time]             `json:"completed_at_override" is:"null"`
	CustomFields        tracker.Opt[[]CustomFieldValueParams] `json:"custom_fields"`
	Deadline            tracker.Opt[tracker.Time]             `json:"deadline" is:"null"`
	Description         tracker.Opt[string]                   `json:"description" is:"max=100000"`
	EpicID              tracker.Opt[int64]                    `json:"epic_id" is:"null"`
	Estimate            tracker.Opt[int64]                    `json:"estimate" is:"null,least=0"`
	ExternalLinks       tracker.Opt[[]string]                 `json:"external_links" is:"min=1,max=2048"`
	FileIDs             tracker.Opt[[]int64]                  `json:"file_ids"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]           `json:"follower_ids"`
	GroupID             tracker.Opt[tracker.UUID]             `json:"group_id" is:"null"`
	IterationID         tracker.Opt[int64]                    `json:"iteration_id" is:"null"`
	Labels              tracker.Opt[[]CreateLabelParams]      `json:"labels"`
	LinkedFileIDs       tracker.Opt[[]int64]                  `json:"linked_file_ids"`
	MoveTo              tracker.Opt[string]                   `json:"move_to" is:"enum=last|first"`
	Name                tracker.Opt[string]                   `json:"name" is:"min=1,max=512"`
	OwnerIDs            tracker.Opt[[]tracker.UUID]           `json:"owner_ids"`
	ParentStoryID       tracker.Opt[int64]                    `json:"parent_story_id" is:"null"`
	ProjectID           tracker.Opt[int64]                    `json:"project_id" is:"null"`
	PullRequestIDs      tracker.Opt[[]int64]                  `json:"pull_request_ids"`
	RequestedByID       tracker.Opt[tracker.UUID]             `json:"requested_by_id"`
	StartedAtOverride   tracker.Opt[tracker.Time]             `json:"started_at_override" is:"null"`
	StoryType           tracker.Opt[tracker.StoryType]        `json:"story_type" is:"enum=feature|chore|bug"`
	SubTasks            tracker.Opt[[]LinkSubTaskParams]      `json:"sub_tasks"`
	WorkflowStateID     tracker.Opt[int64]                    `json:"workflow_state_id"`
}

func (p UpdateStoryParams) change() tracker.StoryChange {
	return tracker.StoryChange{
		Name: p.Name, Description: p.Description, Type: p.StoryType, StateID: p.WorkflowStateID, ProjectID: p.ProjectID, EpicID: p.EpicID,
		IterationID: p.IterationID, GroupID: p.GroupID, ParentID: p.ParentStoryID, RequestedBy: p.RequestedByID, Estimate: p.Estimate,
		Deadline: p.Deadline, Archived: p.Archived, StartedAtOverride: p.StartedAtOverride, CompletedAtOverride: p.CompletedAtOverride,
		OwnerIDs: p.OwnerIDs, FollowerIDs: p.FollowerIDs, Labels: labelParams(p.Labels), FileIDs: p.FileIDs,
		LinkedFileIDs: p.LinkedFileIDs, ExternalLinks: p.ExternalLinks, CustomFields: fieldParams(p.CustomFields),
		BranchIDs: p.BranchIDs, CommitIDs: p.CommitIDs, PullRequestIDs: p.PullRequestIDs,
		SubTaskIDs: EachOpt(p.SubTasks, func(s LinkSubTaskParams) int64 { return s.StoryID }),
		Place:      tracker.StoryPlace{BeforeID: p.BeforeID, AfterID: p.AfterID, MoveTo: p.MoveTo},
	}
}
