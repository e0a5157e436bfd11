package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// EntityTemplate is a story template.
type EntityTemplate struct {
	AuthorID      tracker.UUID  `json:"author_id"`
	CreatedAt     tracker.Time  `json:"created_at"`
	EntityType    string        `json:"entity_type"`
	ID            tracker.UUID  `json:"id"`
	LastUsedAt    tracker.Time  `json:"last_used_at" doc:"The creation, until a story is made from it."`
	Name          string        `json:"name"`
	StoryContents StoryContents `json:"story_contents"`
	UpdatedAt     tracker.Time  `json:"updated_at"`
}

// StoryContents is what a template fills into a new story; what it leaves open is absent.
type StoryContents struct {
	CustomFields    []StoryCustomField  `json:"custom_fields"`
	Deadline        *tracker.Time       `json:"deadline,omitzero"`
	Description     string              `json:"description,omitzero"`
	EntityType      string              `json:"entity_type"`
	EpicID          *int64              `json:"epic_id,omitzero"`
	Estimate        *int64              `json:"estimate,omitzero"`
	ExternalLinks   []string            `json:"external_links"`
	Files           []UploadedFile      `json:"files"`
	FollowerIDs     []tracker.UUID      `json:"follower_ids"`
	GroupID         *tracker.UUID       `json:"group_id,omitzero"`
	IterationID     *int64              `json:"iteration_id,omitzero"`
	LabelIDs        []int64             `json:"label_ids"`
	Labels          []Label             `json:"labels"`
	LinkedFiles     []LinkedFile        `json:"linked_files"`
	Name            string              `json:"name,omitzero"`
	OwnerIDs        []tracker.UUID      `json:"owner_ids"`
	ProjectID       *int64              `json:"project_id,omitzero"`
	StoryType       tracker.StoryType   `json:"story_type,omitzero"`
	SubTasks        []ContentsSubTask   `json:"sub_tasks"`
	Tasks           []StoryContentsTask `json:"tasks"`
	WorkflowStateID *int64              `json:"workflow_state_id,omitzero"`
}

// StoryContentsTask is a task of the stories that a template makes.
type StoryContentsTask struct {
	Complete    bool           `json:"complete"`
	Description string         `json:"description"`
	ExternalID  *string        `json:"external_id"`
	OwnerIDs    []tracker.UUID `json:"owner_ids"`
	Position    int64          `json:"position"`
}

// ContentsSubTask is a sub-task of the stories that a template makes.
type ContentsSubTask struct {
	Name            string         `json:"name"`
	OwnerIDs        []tracker.UUID `json:"owner_ids"`
	WorkflowStateID *int64         `json:"workflow_state_id,omitzero"`
}

func (a API) renderEntityTemplate(by tracker.Actor, list *service.EntityTemplateList, t tracker.EntityTemplate) EntityTemplate {
	return EntityTemplate{
		AuthorID: t.AuthorID, CreatedAt: t.CreatedAt, EntityType: t.EntityType(), ID: t.ID, LastUsedAt: t.LastUsedAt, Name: t.Name,
		StoryContents: a.renderStoryContents(by, list, t.Contents), UpdatedAt: t.UpdatedAt,
	}
}

func (a API) renderStoryContents(by tracker.Actor, list *service.EntityTemplateList, c tracker.StoryContents) StoryContents {
	out := StoryContents{
		Deadline: c.Deadline, Description: c.Description, EntityType: "story-contents", EpicID: c.EpicID, Estimate: c.Estimate,
		ExternalLinks: c.ExternalLinks, FollowerIDs: c.FollowerIDs, GroupID: c.GroupID, IterationID: c.IterationID, LabelIDs: c.LabelIDs,
		Files:       a.filesOf(list.Files, c.FileIDs),
		Labels:      Each(c.LabelIDs, func(id int64) Label { return a.RenderLabel(by, list.Labels[id]) }),
		LinkedFiles: linkedFiles(list.LinkedFiles, c.LinkedFileIDs), Name: c.Name, OwnerIDs: c.OwnerIDs, ProjectID: c.ProjectID, StoryType: c.Type, WorkflowStateID: c.StateID,
		CustomFields: Each(c.CustomFields, func(f tracker.StoryField) StoryCustomField {
			return StoryCustomField{FieldID: f.FieldID, Value: list.Fields[f.ValueID], ValueID: f.ValueID}
		}),
		SubTasks: Each(c.SubTasks, func(s tracker.ContentsSubTask) ContentsSubTask {
			return ContentsSubTask{Name: s.Name, OwnerIDs: s.OwnerIDs, WorkflowStateID: s.StateID}
		}),
	}
	for i, t := range c.Tasks {
		out.Tasks = append(out.Tasks, StoryContentsTask{
			Complete: t.Complete, Description: t.Description, ExternalID: t.ExternalID, OwnerIDs: t.OwnerIDs, Position: int64(i + 1),
		})
	}
	return out
}

func (a API) listEntityTemplates(ctx context.Context, by tracker.Actor, _ rest.None) ([]EntityTemplate, error) {
	list, err := a.Service.EntityTemplates(ctx, by)
	return Each(list.Templates, func(t tracker.EntityTemplate) EntityTemplate { return a.renderEntityTemplate(by, &list, t) }), err
}

// oneTemplate answers with the single template of the list.
func (a API) oneTemplate(by tracker.Actor, list service.EntityTemplateList, err error) (EntityTemplate, error) {
	if err != nil {
		return EntityTemplate{}, err
	}
	return a.renderEntityTemplate(by, &list, list.Templates[0]), nil
}

type entityTemplateID struct {
	ID tracker.UUID `path:"entity-template-public-id" doc:"The id of the template."`
}

func (a API) getEntityTemplate(ctx context.Context, by tracker.Actor, in entityTemplateID) (EntityTemplate, error) {
	list, err := a.Service.EntityTemplate(ctx, by, in.ID)
	return a.oneTemplate(by, list, err)
}

type createEntityTemplate struct {
	AuthorID      tracker.Opt[tracker.UUID] `json:"author_id" doc:"Default: who asks."`
	Name          string                    `json:"name" is:"required,min=1,max=128"`
	StoryContents CreateStoryContents       `json:"story_contents" is:"required"`
}

func (a API) createEntityTemplate(ctx context.Context, by tracker.Actor, in createEntityTemplate) (EntityTemplate, error) {
	list, err := a.Service.CreateEntityTemplate(ctx, by, tracker.EntityTemplateParams{
		Name: in.Name, AuthorID: in.AuthorID, Contents: in.StoryContents.change(),
	})
	return a.oneTemplate(by, list, err)
}

type updateEntityTemplate struct {
	ID            tracker.UUID                     `path:"entity-template-public-id" doc:"The id of the template."`
	Name          tracker.Opt[string]              `json:"name" is:"min=1,max=128"`
	StoryContents tracker.Opt[UpdateStoryContents] `json:"story_contents" doc:"What is left out of it stays as it is."`
}

func (a API) updateEntityTemplate(ctx context.Context, by tracker.Actor, in updateEntityTemplate) (EntityTemplate, error) {
	list, err := a.Service.UpdateEntityTemplate(ctx, by, in.ID, tracker.EntityTemplateChange{
		Name: in.Name, Contents: CreateStoryContents(in.StoryContents.Value).change(),
	})
	return a.oneTemplate(by, list, err)
}

func (a API) deleteEntityTemplate(ctx context.Context, by tracker.Actor, in entityTemplateID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEntityTemplate(ctx, by, in.ID)
}
