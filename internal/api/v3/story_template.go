package v3

import (
	"context"

	"milepost/internal/tracker"
)

// CreateStoryFromTemplateParams is what a story is made with out of a template. What is given wins
// over the template's; X_add and X_remove adjust its list X, which then cannot be given.
type CreateStoryFromTemplateParams struct {
	StoryTemplateID tracker.UUID `json:"story_template_id" is:"required"`

	Archived            tracker.Opt[bool]                      `json:"archived"`
	Comments            []CreateStoryCommentParams             `json:"comments"`
	CompletedAtOverride tracker.Opt[tracker.Time]              `json:"completed_at_override"`
	CreatedAt           tracker.Opt[tracker.Time]              `json:"created_at"`
	CustomFields        tracker.Opt[[]CustomFieldValueParams]  `json:"custom_fields"`
	CustomFieldsAdd     tracker.Opt[[]CustomFieldValueParams]  `json:"custom_fields_add"`
	CustomFieldsRemove  tracker.Opt[[]RemoveCustomFieldParams] `json:"custom_fields_remove"`
	Deadline            tracker.Opt[tracker.Time]              `json:"deadline" is:"null"`
	Description         tracker.Opt[string]                    `json:"description" is:"max=100000"`
	EpicID              tracker.Opt[int64]                     `json:"epic_id" is:"null"`
	Estimate            tracker.Opt[int64]                     `json:"estimate" is:"null,least=0"`
	ExternalID          tracker.Opt[string]                    `json:"external_id" is:"max=1024"`
	ExternalLinks       tracker.Opt[[]string]                  `json:"external_links" is:"min=1,max=2048"`
	ExternalLinksAdd    tracker.Opt[[]string]                  `json:"external_links_add" is:"min=1,max=2048"`
	ExternalLinksRemove tracker.Opt[[]string]                  `json:"external_links_remove" is:"min=1,max=2048"`
	FileIDs             tracker.Opt[[]int64]                   `json:"file_ids"`
	FileIDsAdd          tracker.Opt[[]int64]                   `json:"file_ids_add"`
	FileIDsRemove       tracker.Opt[[]int64]                   `json:"file_ids_remove"`
	FollowerIDs         tracker.Opt[[]tracker.UUID]            `json:"follower_ids"`
	FollowerIDsAdd      tracker.Opt[[]tracker.UUID]            `json:"follower_ids_add"`
	FollowerIDsRemove   tracker.Opt[[]tracker.UUID]            `json:"follower_ids_remove"`
	GroupID             tracker.Opt[tracker.UUID]              `json:"group_id" is:"null"`
	IterationID         tracker.Opt[int64]                     `json:"iteration_id" is:"null"`
	Labels              tracker.Opt[[]CreateLabelParams]       `json:"labels"`
	LabelsAdd           tracker.Opt[[]CreateLabelParams]       `json:"labels_add"`
	LabelsRemove        tracker.Opt[[]RemoveLabelParams]       `json:"labels_remove"`
	LinkedFileIDs       tracker.Opt[[]int64]                   `json:"linked_file_ids"`
	LinkedFileIDsAdd    tracker.Opt[[]int64]                   `json:"linked_file_ids_add"`
	LinkedFileIDsRemove tracker.Opt[[]int64]                   `json:"linked_file_ids_remove"`
	MoveTo              tracker.Opt[string]                    `json:"move_to" is:"enum=last|first"`
	Name                tracker.Opt[string]                    `json:"name" is:"min=1,max=512" doc:"Needed only if the template has none."`
	OwnerIDs            tracker.Opt[[]tracker.UUID]            `json:"owner_ids"`
	OwnerIDsAdd         tracker.Opt[[]tracker.UUID]            `json:"owner_ids_add"`
	OwnerIDsRemove      tracker.Opt[[]tracker.UUID]            `json:"owner_ids_remove"`
	ParentStoryID       tracker.Opt[int64]                     `json:"parent_story_id" is:"null"`
	ProjectID           tracker.Opt[int64]                     `json:"project_id" is:"null"`
	RequestedByID       tracker.Opt[tracker.UUID]              `json:"requested_by_id"`
	SourceTaskID        tracker.Opt[int64]                     `json:"source_task_id" is:"null"`
	StartedAtOverride   tracker.Opt[tracker.Time]              `json:"started_at_override"`
	StoryLinks          []CreateStoryLinkParams                `json:"story_links"`
	StoryType           tracker.Opt[tracker.StoryType]         `json:"story_type" is:"enum=feature|chore|bug"`
	SubTasks            tracker.Opt[[]SubTaskParams]           `json:"sub_tasks"`
	Tasks               tracker.Opt[[]CreateTaskParams]        `json:"tasks"`
	UpdatedAt           tracker.Opt[tracker.Time]              `json:"updated_at"`
	WorkflowStateID     tracker.Opt[int64]                     `json:"workflow_state_id"`
}

// RemoveCustomFieldParams is a custom field of the template that the story is to do without.
type RemoveCustomFieldParams struct {
	FieldID tracker.UUID `json:"field_id" is:"required"`
}

// RemoveLabelParams is a label of the template that the story is to do without.
type RemoveLabelParams struct {
	Name string `json:"name" is:"required,min=1,max=128"`
}

func (p CreateStoryFromTemplateParams) params() tracker.StoryFromTemplate {
	own := CreateStoryParams{
		Archived: p.Archived, Comments: p.Comments, CompletedAtOverride: p.CompletedAtOverride, CreatedAt: p.CreatedAt,
		CustomFields: p.CustomFields, Deadline: p.Deadline, Description: p.Description, EpicID: p.EpicID, Estimate: p.Estimate,
		ExternalID: p.ExternalID, ExternalLinks: p.ExternalLinks, FileIDs: p.FileIDs, FollowerIDs: p.FollowerIDs, GroupID: p.GroupID,
		IterationID: p.IterationID, Labels: p.Labels, LinkedFileIDs: p.LinkedFileIDs, MoveTo: p.MoveTo, OwnerIDs: p.OwnerIDs,
		ParentStoryID: p.ParentStoryID, ProjectID: p.ProjectID, RequestedByID: p.RequestedByID, SourceTaskID: p.SourceTaskID,
		StartedAtOverride: p.StartedAtOverride, StoryLinks: p.StoryLinks, StoryType: p.StoryType, UpdatedAt: p.UpdatedAt,
		WorkflowStateID: p.WorkflowStateID,
	}.params()
	own.Name = p.Name
	return tracker.StoryFromTemplate{
		TemplateID: p.StoryTemplateID, Own: own,
		Tasks:     EachOpt(p.Tasks, func(t CreateTaskParams) tracker.TaskParams { return tracker.TaskParams(t) }),
		SubTasks:  EachOpt(p.SubTasks, func(s SubTaskParams) tracker.SubTaskParams { return tracker.SubTaskParams(s) }),
		Owners:    tracker.Adjustment[tracker.UUID]{Add: p.OwnerIDsAdd, Remove: p.OwnerIDsRemove},
		Followers: tracker.Adjustment[tracker.UUID]{Add: p.FollowerIDsAdd, Remove: p.FollowerIDsRemove},
		Labels: tracker.Adjustment[tracker.LabelParams]{Add: labelParams(p.LabelsAdd),
			Remove: EachOpt(p.LabelsRemove, func(l RemoveLabelParams) tracker.LabelParams { return tracker.LabelParams{Name: l.Name} })},
		Files:         tracker.Adjustment[int64]{Add: p.FileIDsAdd, Remove: p.FileIDsRemove},
		LinkedFiles:   tracker.Adjustment[int64]{Add: p.LinkedFileIDsAdd, Remove: p.LinkedFileIDsRemove},
		ExternalLinks: tracker.Adjustment[string]{Add: p.ExternalLinksAdd, Remove: p.ExternalLinksRemove},
		FieldsAdd:     fieldParams(p.CustomFieldsAdd),
		FieldsRemove:  EachOpt(p.CustomFieldsRemove, func(f RemoveCustomFieldParams) tracker.UUID { return f.FieldID }),
	}
}

func (a API) createStoryFromTemplate(ctx context.Context, by tracker.Actor, in CreateStoryFromTemplateParams) (Story, error) {
	return a.oneStory(by)(a.Service.CreateStoryFromTemplate(ctx, by, in.params()))
}
