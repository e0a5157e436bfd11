package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Project is a set of stories that run through one workflow.
type Project struct {
	Abbreviation      *string        `json:"abbreviation"`
	Archived          bool           `json:"archived"`
	Color             *string        `json:"color" is:"color"`
	CreatedAt         tracker.Time   `json:"created_at"`
	DaysToThermometer int64          `json:"days_to_thermometer"`
	Description       *string        `json:"description"`
	EntityType        string         `json:"entity_type"`
	ExternalID        *string        `json:"external_id"`
	FollowerIDs       []tracker.UUID `json:"follower_ids"`
	ID                int64          `json:"id"`
	IterationLength   int64          `json:"iteration_length"`
	Name              string         `json:"name"`
	ShowThermometer   bool           `json:"show_thermometer"`
	StartTime         tracker.Time   `json:"start_time"`
	Stats             ProjectStats   `json:"stats"`
	TeamID            int64          `json:"team_id"`
	UpdatedAt         tracker.Time   `json:"updated_at"`
}

// ProjectStats counts the unarchived stories of a project.
type ProjectStats struct {
	NumPoints  int64 `json:"num_points"`
	NumStories int64 `json:"num_stories"`
}

// renderProject cuts the texts that beta stored beyond the limits, as v3 does.
func (a API) renderProject(by tracker.Actor, view service.ProjectView) Project {
	p := a.RenderProject(by, view)
	return Project{
		Abbreviation: p.Abbreviation, Archived: p.Archived, Color: p.Color, CreatedAt: p.CreatedAt, DaysToThermometer: p.DaysToThermometer,
		Description: p.Description, EntityType: p.EntityType, ExternalID: p.ExternalID, FollowerIDs: p.FollowerIDs, ID: p.ID,
		IterationLength: p.IterationLength, Name: p.Name, ShowThermometer: p.ShowThermometer, StartTime: p.StartTime, TeamID: p.TeamID,
		UpdatedAt: p.UpdatedAt, Stats: ProjectStats{NumPoints: p.Stats.NumPoints, NumStories: p.Stats.NumStories},
	}
}

type projectID struct {
	ID int64 `path:"project-public-id" doc:"The id of the project."`
}

func (a API) listProjects(ctx context.Context, by tracker.Actor, _ rest.None) ([]Project, error) {
	list, err := a.Service.Projects(ctx, by)
	return v3.Each(list, func(p service.ProjectView) Project { return a.renderProject(by, p) }), err
}

func (a API) getProject(ctx context.Context, by tracker.Actor, in projectID) (Project, error) {
	p, err := a.Service.Project(ctx, by, in.ID)
	return a.renderProject(by, p), err
}

type createProject struct {
	Abbreviation    tracker.Opt[string]       `json:"abbreviation" is:"max=63"`
	Color           tracker.Opt[string]       `json:"color" is:"color"`
	CreatedAt       tracker.Opt[tracker.Time] `json:"created_at"`
	Description     tracker.Opt[string]       `json:"description" is:"max=100000"`
	ExternalID      tracker.Opt[string]       `json:"external_id" is:"max=128"`
	FollowerIDs     []tracker.UUID            `json:"follower_ids"`
	IterationLength tracker.Opt[int64]        `json:"iteration_length" is:"least=0" doc:"The weeks of an iteration; 2 by default."`
	Name            string                    `json:"name" is:"required,min=1,max=128"`
	StartTime       tracker.Opt[tracker.Time] `json:"start_time"`
	TeamID          tracker.Opt[int64]        `json:"team_id" doc:"The team, which decides the workflow; the default one's unless given."`
	UpdatedAt       tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (a API) createProject(ctx context.Context, by tracker.Actor, in createProject) (Project, error) {
	p, err := a.Service.CreateProject(ctx, by, tracker.ProjectParams{
		Name: in.Name, Abbreviation: in.Abbreviation, Description: in.Description, Color: in.Color, ExternalID: in.ExternalID,
		FollowerIDs: in.FollowerIDs, IterationLength: in.IterationLength, StartTime: in.StartTime, TeamID: in.TeamID,
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.renderProject(by, p), err
}

type updateProject struct {
	ID                int64                       `path:"project-public-id" doc:"The id of the project."`
	Abbreviation      tracker.Opt[string]         `json:"abbreviation" is:"max=63"`
	Archived          tracker.Opt[bool]           `json:"archived"`
	Color             tracker.Opt[string]         `json:"color" is:"color"`
	DaysToThermometer tracker.Opt[int64]          `json:"days_to_thermometer" is:"least=0" doc:"After how many days without a change a started story is stale."`
	Description       tracker.Opt[string]         `json:"description" is:"max=100000"`
	FollowerIDs       tracker.Opt[[]tracker.UUID] `json:"follower_ids"`
	Name              tracker.Opt[string]         `json:"name" is:"min=1,max=128"`
	ShowThermometer   tracker.Opt[bool]           `json:"show_thermometer"`
	TeamID            tracker.Opt[int64]          `json:"team_id" doc:"The team of the workflow that the project's stories are in."`
}

func (a API) updateProject(ctx context.Context, by tracker.Actor, in updateProject) (Project, error) {
	p, err := a.Service.UpdateProject(ctx, by, in.ID, tracker.ProjectChange{
		Name: in.Name, Abbreviation: in.Abbreviation, Description: in.Description, Color: in.Color, FollowerIDs: in.FollowerIDs,
		TeamID: in.TeamID, ShowThermometer: in.ShowThermometer, DaysToThermometer: in.DaysToThermometer, Archived: in.Archived,
	})
	return a.renderProject(by, p), err
}

func (a API) deleteProject(ctx context.Context, by tracker.Actor, in projectID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteProject(ctx, by, in.ID)
}

func (a API) listProjectStories(ctx context.Context, by tracker.Actor, in projectID) (rest.Stream[StorySlim], error) {
	return a.streamStories(by, a.Service.StoriesOfProject(ctx, by, in.ID)), nil
}
