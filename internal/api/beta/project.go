package beta

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

type createProject struct {
	v3.CreateProjectParams
	Name        string              `json:"name" is:"required,min=1"`
	Description tracker.Opt[string] `json:"description"`
}

func (a API) createProject(ctx context.Context, by tracker.Actor, in createProject) (v3.Project, error) {
	p := in.CreateProjectParams
	p.Name, p.Description = in.Name, in.Description
	return a.CreateProject(ctx, by, p)
}

type updateProject struct {
	v3.UpdateProjectParams
	Name        tracker.Opt[string] `json:"name" is:"min=1"`
	Description tracker.Opt[string] `json:"description"`
}

func (a API) updateProject(ctx context.Context, by tracker.Actor, in updateProject) (v3.Project, error) {
	p := in.UpdateProjectParams
	p.Name, p.Description = in.Name, in.Description
	return a.UpdateProject(ctx, by, p)
}
