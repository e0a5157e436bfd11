package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Repository is a place for code at a version-control service.
type Repository struct {
	CreatedAt  tracker.Time `json:"created_at"`
	EntityType string       `json:"entity_type"`
	ExternalID string       `json:"external_id"`
	FullName   string       `json:"full_name"`
	ID         int64        `json:"id"`
	Name       string       `json:"name"`
	Type       string       `json:"type" is:"enum=github|gitlab|bitbucket"`
	UpdatedAt  tracker.Time `json:"updated_at"`
	URL        string       `json:"url"`
}

func renderRepository(r tracker.Repository) Repository { return Repository(v3.RenderRepository(r)) }

func (a API) listRepositories(ctx context.Context, by tracker.Actor, _ rest.None) ([]Repository, error) {
	list, err := a.Service.Repositories(ctx, by)
	return v3.Each(list, renderRepository), err
}

type repositoryID struct {
	ID int64 `path:"repo-public-id" doc:"The id of the repository."`
}

func (a API) getRepository(ctx context.Context, by tracker.Actor, in repositoryID) (Repository, error) {
	r, err := a.Service.Repository(ctx, by, in.ID)
	return renderRepository(r), err
}
