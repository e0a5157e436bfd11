package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Task is one item of a story's checklist.
type Task struct {
	Complete         bool           `json:"complete"`
	CompletedAt      *tracker.Time  `json:"completed_at"`
	CreatedAt        tracker.Time   `json:"created_at"`
	Description      string         `json:"description"`
	EntityType       string         `json:"entity_type"`
	ExternalID       *string        `json:"external_id"`
	GlobalID         string         `json:"global_id"`
	GroupMentionIDs  []tracker.UUID `json:"group_mention_ids"`
	ID               int64          `json:"id"`
	MemberMentionIDs []tracker.UUID `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID `json:"mention_ids"`
	OwnerIDs         []tracker.UUID `json:"owner_ids"`
	Position         int64          `json:"position"`
	StoryID          int64          `json:"story_id"`
	UpdatedAt        tracker.Time   `json:"updated_at"`
}

// RenderTask is the wire form of a task.
func RenderTask(by tracker.Actor, t service.TaskInStory) Task {
	return Task{
		Complete: t.Complete, CompletedAt: t.CompletedAt, CreatedAt: t.CreatedAt, Description: t.Description, EntityType: t.EntityType(),
		ExternalID: t.ExternalID, GlobalID: globalID(by, "t", t.ID), GroupMentionIDs: t.GroupMentions, ID: t.ID,
		MemberMentionIDs: t.MemberMentions, MentionIDs: t.MemberMentions, OwnerIDs: t.OwnerIDs, Position: t.Position,
		StoryID: t.StoryID, UpdatedAt: t.UpdatedAt,
	}
}

// CreateTaskParams is a task to create, alone or with its story.
type CreateTaskParams struct {
	Description string                      `json:"description" is:"required,min=1,max=2048"`
	Complete    tracker.Opt[bool]           `json:"complete"`
	OwnerIDs    tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
	ExternalID  tracker.Opt[string]         `json:"external_id" is:"max=128"`
	CreatedAt   tracker.Opt[tracker.Time]   `json:"created_at"`
	UpdatedAt   tracker.Opt[tracker.Time]   `json:"updated_at"`
}

type taskID struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	ID      int64 `path:"task-public-id" doc:"The id of the task."`
}

func (a API) listTasks(ctx context.Context, by tracker.Actor, in storyID) ([]Task, error) {
	list, err := a.Service.Tasks(ctx, by, in.ID)
	return Each(list, func(t service.TaskInStory) Task { return RenderTask(by, t) }), err
}

func (a API) getTask(ctx context.Context, by tracker.Actor, in taskID) (Task, error) {
	t, err := a.Service.Task(ctx, by, in.StoryID, in.ID)
	return RenderTask(by, t), err
}

type createTask struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	Body    CreateTaskParams
}

func (a API) createTask(ctx context.Context, by tracker.Actor, in createTask) (Task, error) {
	t, err := a.Service.CreateTask(ctx, by, in.StoryID, tracker.TaskParams(in.Body))
	return RenderTask(by, t), err
}

type updateTask struct {
	StoryID     int64                       `path:"story-public-id" doc:"The id of the story."`
	ID          int64                       `path:"task-public-id" doc:"The id of the task."`
	AfterID     tracker.Opt[int64]          `json:"after_id" doc:"Move the task after this one."`
	BeforeID    tracker.Opt[int64]          `json:"before_id" doc:"Move the task before this one."`
	Complete    tracker.Opt[bool]           `json:"complete"`
	Description tracker.Opt[string]         `json:"description" is:"min=1,max=2048"`
	OwnerIDs    tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
}

func (a API) updateTask(ctx context.Context, by tracker.Actor, in updateTask) (Task, error) {
	t, err := a.Service.UpdateTask(ctx, by, in.StoryID, in.ID, service.TaskChange{
		Description: in.Description, Complete: in.Complete, OwnerIDs: in.OwnerIDs, BeforeID: in.BeforeID, AfterID: in.AfterID,
	})
	return RenderTask(by, t), err
}

func (a API) deleteTask(ctx context.Context, by tracker.Actor, in taskID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteTask(ctx, by, in.StoryID, in.ID)
}
