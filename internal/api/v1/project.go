package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Project is a set of stories with the count of those that are not archived.
type Project struct {
	Abbreviation *string        `json:"abbreviation"`
	Archived     bool           `json:"archived"`
	Color        *string        `json:"color" is:"anycolor"`
	CreatedAt    tracker.Time   `json:"created_at"`
	Description  *string        `json:"description"`
	FollowerIDs  []tracker.UUID `json:"follower_ids"`
	ID           int64          `json:"id"`
	Name         string         `json:"name"`
	NumPoints    int64          `json:"num_points"`
	NumStories   int64          `json:"num_stories"`
	UpdatedAt    tracker.Time   `json:"updated_at"`
}

func (p people) renderProject(v service.ProjectView) Project {
	return Project{
		Abbreviation: v.Abbreviation, Archived: v.Archived, Color: v.Color, CreatedAt: v.CreatedAt, Description: v.Description,
		FollowerIDs: p.users(v.FollowerIDs), ID: v.ID, Name: v.Name, NumPoints: v.Stories.Points, NumStories: v.Stories.Total,
		UpdatedAt: v.UpdatedAt,
	}
}

func (a API) listProjects(ctx context.Context, by tracker.Actor, p people, _ rest.None) ([]Project, error) {
	list, err := a.Service.Projects(ctx, by)
	return v3.Each(list, p.renderProject), err
}

type projectID struct {
	ID int64 `path:"project-public-id" doc:"The id of the project."`
}

func (a API) getProject(ctx context.Context, by tracker.Actor, p people, in projectID) (Project, error) {
	v, err := a.Service.Project(ctx, by, in.ID)
	return p.renderProject(v), err
}

type createProject struct {
	Abbreviation tracker.Opt[string]       `json:"abbreviation" is:"max=63"`
	Color        tracker.Opt[string]       `json:"color" is:"anycolor"`
	CreatedAt    tracker.Opt[tracker.Time] `json:"created_at"`
	Description  tracker.Opt[string]       `json:"description" is:"max=100000"`
	ExternalID   tracker.Opt[string]       `json:"external_id" is:"max=128"`
	FollowerIDs  []tracker.UUID            `json:"follower_ids"`
	Name         string                    `json:"name" is:"required,min=1,max=128"`
	UpdatedAt    tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (a API) createProject(ctx context.Context, by tracker.Actor, p people, in createProject) (Project, error) {
	v, err := a.Service.CreateProject(ctx, by, tracker.ProjectParams{
		Name: in.Name, Abbreviation: in.Abbreviation, Description: in.Description, Color: in.Color, ExternalID: in.ExternalID,
		FollowerIDs: p.members(in.FollowerIDs), CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return p.renderProject(v), err
}

type updateProject struct {
	ID           int64                       `path:"project-public-id" doc:"The id of the project."`
	Abbreviation tracker.Opt[string]         `json:"abbreviation" is:"null,max=63"`
	Archived     tracker.Opt[bool]           `json:"archived"`
	Color        tracker.Opt[string]         `json:"color" is:"null,anycolor"`
	Description  tracker.Opt[string]         `json:"description" is:"null,max=100000"`
	FollowerIDs  tracker.Opt[[]tracker.UUID] `json:"follower_ids"`
	Name         tracker.Opt[string]         `json:"name" is:"min=1,max=128"`
}

func (a API) updateProject(ctx context.Context, by tracker.Actor, p people, in updateProject) (Project, error) {
	v, err := a.Service.UpdateProject(ctx, by, in.ID, tracker.ProjectChange{
		Name: in.Name, Abbreviation: in.Abbreviation, Description: in.Description, Color: in.Color, Archived: in.Archived,
		FollowerIDs: p.membersOpt(in.FollowerIDs),
	})
	return p.renderProject(v), err
}

func (a API) deleteProject(ctx context.Context, by tracker.Actor, in projectID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteProject(ctx, by, in.ID)
}

func (a API) listProjectStories(ctx context.Context, by tracker.Actor, p people, in projectID) (rest.Stream[Story], error) {
	return p.streamStories(a.Service.FullStoriesOfProject(ctx, by, in.ID)), nil
}
