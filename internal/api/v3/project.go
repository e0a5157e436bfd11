package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Project is a set of stories that run through one workflow.
type Project struct {
	Abbreviation      *string        `json:"abbreviation"`
	AppURL            string         `json:"app_url"`
	Archived          bool           `json:"archived"`
	Color             *string        `json:"color" is:"color"`
	CreatedAt         tracker.Time   `json:"created_at"`
	DaysToThermometer int64          `json:"days_to_thermometer"`
	Description       *string        `json:"description"`
	EntityType        string         `json:"entity_type"`
	ExternalID        *string        `json:"external_id"`
	FollowerIDs       []tracker.UUID `json:"follower_ids"`
	GlobalID          string         `json:"global_id"`
	ID                int64          `json:"id"`
	IterationLength   int64          `json:"iteration_length"`
	Name              string         `json:"name"`
	ShowThermometer   bool           `json:"show_thermometer"`
	StartTime         tracker.Time   `json:"start_time"`
	Stats             ProjectStats   `json:"stats"`
	TeamID            int64          `json:"team_id"`
	UpdatedAt         tracker.Time   `json:"updated_at"`
	WorkflowID        int64          `json:"workflow_id"`
}

// ProjectStats counts the unarchived stories of a project.
type ProjectStats struct {
	NumPoints           int64 `json:"num_points"`
	NumRelatedDocuments int64 `json:"num_related_documents"`
	NumStories          int64 `json:"num_stories"`
}

// Limits of a project's texts. Older versions store longer ones.
const (
	maxProjectName        = 128
	maxProjectDescription = 100_000
)

// RenderProject is the wire form of a project.
func (a API) RenderProject(by tracker.Actor, p service.ProjectView) Project {
	out := Project{
		Abbreviation: p.Abbreviation, AppURL: a.AppURL(by, "project", p.ID), Archived: p.Archived, Color: a.color(p.Color),
		CreatedAt: p.CreatedAt, DaysToThermometer: p.DaysToThermometer, EntityType: p.EntityType(), ExternalID: p.ExternalID,
		FollowerIDs: p.FollowerIDs, GlobalID: globalID(by, "p", p.ID), ID: p.ID, IterationLength: p.IterationLength,
		Name: a.firstCharacters(p.Name, maxProjectName), ShowThermometer: p.ShowThermometer, StartTime: p.StartTime, TeamID: p.TeamID,
		UpdatedAt: p.UpdatedAt, WorkflowID: p.WorkflowID,
		Stats: ProjectStats{NumPoints: p.Stories.Points, NumStories: p.Stories.Total},
	}
	if p.Description != nil {
		description := a.firstCharacters(*p.Description, maxProjectDescription)
		out.Description = &description
	}
	return out
}

// firstCharacters cuts a text that an older version stored beyond the limit of this one.
func (a API) firstCharacters(text string, limit int) string {
	if a.AsKept || len(text) <= limit {
		return text
	}
	for i := range text {
		if limit == 0 {
			return text[:i]
		}
		limit--
	}
	return text
}

func (a API) listProjects(ctx context.Context, by tracker.Actor, _ rest.None) ([]Project, error) {
	list, err := a.Service.Projects(ctx, by)
	return Each(list, func(p service.ProjectView) Project { return a.RenderProject(by, p) }), err
}

type projectID struct {
	ID int64 `path:"project-public-id" doc:"The id of the project."`
}

func (a API) getProject(ctx context.Context, by tracker.Actor, in projectID) (Project, error) {
	p, err := a.Service.Project(ctx, by, in.ID)
	return a.RenderProject(by, p), err
}

// CreateProjectParams is what a project is created with.
type CreateProjectParams struct {
	Abbreviation    tracker.Opt[string]       `json:"abbreviation" is:"max=63"`
	Color           tracker.Opt[string]       `json:"color" is:"color"`
	CreatedAt       tracker.Opt[tracker.Time] `json:"created_at"`
	Description     tracker.Opt[string]       `json:"description" is:"max=100000"`
	ExternalID      tracker.Opt[string]       `json:"external_id" is:"max=128"`
	FollowerIDs     []tracker.UUID            `json:"follower_ids"`
	IterationLength tracker.Opt[int64]        `json:"iteration_length" is:"least=0" doc:"The weeks of an iteration; 2 by default."`
	Name            string                    `json:"name" is:"required,min=1,max=128"`
	StartTime       tracker.Opt[tracker.Time] `json:"start_time"`
	TeamID          int64                     `json:"team_id" is:"required" doc:"The legacy team, which decides the workflow."`
	UpdatedAt       tracker.Opt[tracker.Time] `json:"updated_at"`
}

// CreateProject creates a project.
func (a API) CreateProject(ctx context.Context, by tracker.Actor, in CreateProjectParams) (Project, error) {
	p, err := a.Service.CreateProject(ctx, by, tracker.ProjectParams{
		Name: in.Name, Abbreviation: in.Abbreviation, Description: in.Description, Color: in.Color, ExternalID: in.ExternalID,
		FollowerIDs: in.FollowerIDs, IterationLength: in.IterationLength, StartTime: in.StartTime, TeamID: tracker.Some(in.TeamID),
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.RenderProject(by, p), err
}

// UpdateProjectParams is what can be changed of a project.
type UpdateProjectParams struct {
	ID                int64                       `path:"project-public-id" doc:"The id of the project."`
	Abbreviation      tracker.Opt[string]         `json:"abbreviation" is:"max=63"`
	Archived          tracker.Opt[bool]           `json:"archived"`
	Color             tracker.Opt[string]         `json:"color" is:"color"`
	DaysToThermometer tracker.Opt[int64]          `json:"days_to_thermometer" is:"least=0" doc:"After how many days without a change a started story is stale."`
	Description       tracker.Opt[string]         `json:"description" is:"max=100000"`
	FollowerIDs       tracker.Opt[[]tracker.UUID] `json:"follower_ids"`
	Name              tracker.Opt[string]         `json:"name" is:"min=1,max=128"`
	ShowThermometer   tracker.Opt[bool]           `json:"show_thermometer"`
	TeamID            tracker.Opt[int64]          `json:"team_id" doc:"The legacy team of the workflow that the project's stories are in."`
}

// UpdateProject changes a project.
func (a API) UpdateProject(ctx context.Context, by tracker.Actor, in UpdateProjectParams) (Project, error) {
	p, err := a.Service.UpdateProject(ctx, by, in.ID, tracker.ProjectChange{
		Name: in.Name, Abbreviation: in.Abbreviation, Description: in.Description, Color: in.Color, FollowerIDs: in.FollowerIDs,
		TeamID: in.TeamID, ShowThermometer: in.ShowThermometer, DaysToThermometer: in.DaysToThermometer, Archived: in.Archived,
	})
	return a.RenderProject(by, p), err
}

func (a API) deleteProject(ctx context.Context, by tracker.Actor, in projectID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteProject(ctx, by, in.ID)
}

type projectStories struct {
	ID                  int64             `path:"project-public-id" doc:"The id of the project."`
	IncludesDescription tracker.Opt[bool] `query:"includes_description" json:"includes_description" doc:"Whether the stories carry their descriptions."`
}

func (a API) listProjectStories(ctx context.Context, by tracker.Actor, in projectStories) (rest.Stream[StorySlim], error) {
	return a.StreamStorySlims(by, a.Service.StoriesOfProject(ctx, by, in.ID), in.IncludesDescription.Or(false)), nil
}
