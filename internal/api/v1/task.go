package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Task is one item of a story's checklist.
type Task struct {
	Complete    bool           `json:"complete"`
	CompletedAt *tracker.Time  `json:"completed_at"`
	CreatedAt   tracker.Time   `json:"created_at"`
	Description string         `json:"description"`
	ID          int64          `json:"id"`
	MentionIDs  []tracker.UUID `json:"mention_ids"`
	OwnerIDs    []tracker.UUID `json:"owner_ids"`
	Position    int64          `json:"position"`
	StoryID     int64          `json:"story_id"`
	UpdatedAt   tracker.Time   `json:"updated_at"`
}

func (p people) renderTask(t service.TaskInStory) Task {
	return Task{
		Complete: t.Complete, CompletedAt: t.CompletedAt, CreatedAt: t.CreatedAt, Description: t.Description, ID: t.ID,
		MentionIDs: p.users(t.MemberMentions), OwnerIDs: p.users(t.OwnerIDs), Position: t.Position, StoryID: t.StoryID,
		UpdatedAt: t.UpdatedAt,
	}
}

// CreateTaskParams is a task to create, alone or with its story.
type CreateTaskParams struct {
	Complete    tracker.Opt[bool]           `json:"complete"`
	CreatedAt   tracker.Opt[tracker.Time]   `json:"created_at"`
	Description string                      `json:"description" is:"required,min=1,max=2048"`
	ExternalID  tracker.Opt[string]         `json:"external_id" is:"max=128"`
	OwnerIDs    tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
	UpdatedAt   tracker.Opt[tracker.Time]   `json:"updated_at"`
}

func (p people) taskParams(in CreateTaskParams) tracker.TaskParams {
	return tracker.TaskParams{
		Description: in.Description, Complete: in.Complete, OwnerIDs: p.membersOpt(in.OwnerIDs), ExternalID: in.ExternalID,
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	}
}

type taskID struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	ID      int64 `path:"task-public-id" doc:"The id of the task."`
}

func (a API) getTask(ctx context.Context, by tracker.Actor, p people, in taskID) (Task, error) {
	t, err := a.Service.Task(ctx, by, in.StoryID, in.ID)
	return p.renderTask(t), err
}

type createTask struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	Body    CreateTaskParams
}

func (a API) createTask(ctx context.Context, by tracker.Actor, p people, in createTask) (Task, error) {
	t, err := a.Service.CreateTask(ctx, by, in.StoryID, p.taskParams(in.Body))
	return p.renderTask(t), err
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

func (a API) updateTask(ctx context.Context, by tracker.Actor, p people, in updateTask) (Task, error) {
	t, err := a.Service.UpdateTask(ctx, by, in.StoryID, in.ID, service.TaskChange{
		Description: in.Description, Complete: in.Complete, OwnerIDs: p.membersOpt(in.OwnerIDs), BeforeID: in.BeforeID, AfterID: in.AfterID,
	})
	return p.renderTask(t), err
}

func (a API) deleteTask(ctx context.Context, by tracker.Actor, in taskID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteTask(ctx, by, in.StoryID, in.ID)
}
