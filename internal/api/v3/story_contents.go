package v3

import "milepost/internal/tracker"

// CreateStoryContents is what a new template is to fill into stories.
type CreateStoryContents struct {
	CustomFields    tracker.Opt[[]CustomFieldValueParams] `json:"custom_fields"`
	Deadline        tracker.Opt[tracker.Time]             `json:"deadline" is:"null"`
	Description     tracker.Opt[string]                   `json:"description" is:"max=100000"`
	EpicID          tracker.Opt[int64]                    `json:"epic_id" is:"null"`
	Estimate        tracker.Opt[int64]                    `json:"estimate" is:"null,least=0"`
	ExternalLinks   tracker.Opt[[]string]                 `json:"external_links" is:"min=1,max=2048"`
	FileIDs         tracker.Opt[[]int64]                  `json:"file_ids"`
	FollowerIDs     tracker.Opt[[]tracker.UUID]           `json:"follower_ids"`
	GroupID         tracker.Opt[tracker.UUID]             `json:"group_id" is:"null"`
	IterationID     tracker.Opt[int64]                    `json:"iteration_id" is:"null"`
	Labels          tracker.Opt[[]CreateLabelParams]      `json:"labels"`
	LinkedFileIDs   tracker.Opt[[]int64]                  `json:"linked_file_ids"`
	Name            tracker.Opt[string]                   `json:"name" is:"max=512"`
	OwnerIDs        tracker.Opt[[]tracker.UUID]           `json:"owner_ids"`
	ProjectID       tracker.Opt[int64]                    `json:"project_id"`
	StoryType       tracker.Opt[tracker.StoryType]        `json:"story_type" is:"enum=feature|chore|bug"`
	SubTasks        tracker.Opt[[]CreateSubTaskParams]    `json:"sub_tasks"`
	Tasks           tracker.Opt[[]BaseTaskParams]         `json:"tasks"`
	WorkflowStateID tracker.Opt[int64]                    `json:"workflow_state_id" is:"null"`
}

// UpdateStoryContents is CreateStoryContents where the project can be unset, too.
type UpdateStoryContents struct {
	CustomFields    tracker.Opt[[]CustomFieldValueParams] `json:"custom_fields"`
	Deadline        tracker.Opt[tracker.Time]             `json:"deadline" is:"null"`
	Description     tracker.Opt[string]                   `json:"description" is:"max=100000"`
	EpicID          tracker.Opt[int64]                    `json:"epic_id" is:"null"`
	Estimate        tracker.Opt[int64]                    `json:"estimate" is:"null,least=0"`
	ExternalLinks   tracker.Opt[[]string]                 `json:"external_links" is:"min=1,max=2048"`
	FileIDs         tracker.Opt[[]int64]                  `json:"file_ids"`
	FollowerIDs     tracker.Opt[[]tracker.UUID]           `json:"follower_ids"`
	GroupID         tracker.Opt[tracker.UUID]             `json:"group_id" is:"null"`
	IterationID     tracker.Opt[int64]                    `json:"iteration_id" is:"null"`
	Labels          tracker.Opt[[]CreateLabelParams]      `json:"labels"`
	LinkedFileIDs   tracker.Opt[[]int64]                  `json:"linked_file_ids"`
	Name            tracker.Opt[string]                   `json:"name" is:"max=512"`
	OwnerIDs        tracker.Opt[[]tracker.UUID]           `json:"owner_ids"`
	ProjectID       tracker.Opt[int64]                    `json:"project_id" is:"null"`
	StoryType       tracker.Opt[tracker.StoryType]        `json:"story_type" is:"enum=feature|chore|bug"`
	SubTasks        tracker.Opt[[]CreateSubTaskParams]    `json:"sub_tasks"`
	Tasks           tracker.Opt[[]BaseTaskParams]         `json:"tasks"`
	WorkflowStateID tracker.Opt[int64]                    `json:"workflow_state_id" is:"null"`
}

// BaseTaskParams is a task that stories are to have.
type BaseTaskParams struct {
	Complete    tracker.Opt[bool]           `json:"complete"`
	Description string                      `json:"description" is:"required,min=1,max=2048"`
	ExternalID  tracker.Opt[string]         `json:"external_id" is:"max=128"`
	OwnerIDs    tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
}

// CreateSubTaskParams is a sub-task that stories are to have.
type CreateSubTaskParams struct {
	Name            string                      `json:"name" is:"required,min=1,max=512"`
	OwnerIDs        tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
	WorkflowStateID tracker.Opt[int64]          `json:"workflow_state_id"`
}

func (c CreateStoryContents) change() tracker.StoryContentsChange {
	return tracker.StoryContentsChange{
		Name: c.Name, Description: c.Description, Type: c.StoryType, StateID: c.WorkflowStateID, ProjectID: c.ProjectID, EpicID: c.EpicID,
		IterationID: c.IterationID, GroupID: c.GroupID, Estimate: c.Estimate, Deadline: c.Deadline, OwnerIDs: c.OwnerIDs,
		FollowerIDs: c.FollowerIDs, FileIDs: c.FileIDs, LinkedFileIDs: c.LinkedFileIDs, ExternalLinks: c.ExternalLinks,
		Labels: labelParams(c.Labels), CustomFields: fieldParams(c.CustomFields),
		Tasks: EachOpt(c.Tasks, func(t BaseTaskParams) tracker.ContentsTask {
			return tracker.ContentsTask{
				Description: t.Description, Complete: t.Complete.Or(false), ExternalID: t.ExternalID.Ptr(), OwnerIDs: t.OwnerIDs.Or(nil),
			}
		}),
		SubTasks: EachOpt(c.SubTasks, func(s CreateSubTaskParams) tracker.ContentsSubTask {
			return tracker.ContentsSubTask{Name: s.Name, OwnerIDs: s.OwnerIDs.Or(nil), StateID: s.WorkflowStateID.Ptr()}
		}),
	}
}
