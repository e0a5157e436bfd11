package v3

import (
	"context"

	"milepost/internal/api/rest"
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

// RenderRepository is the wire form of a repository.
func RenderRepository(r tracker.Repository) Repository {
	return Repository{
		CreatedAt: r.CreatedAt, EntityType: r.EntityType(), ExternalID: r.ExternalID, FullName: r.FullName, ID: r.ID, Name: r.Name,
		Type: string(r.Provider), UpdatedAt: r.UpdatedAt, URL: r.URL,
	}
}

func (a API) listRepositories(ctx context.Context, by tracker.Actor, _ rest.None) ([]Repository, error) {
	list, err := a.Service.Repositories(ctx, by)
	return Each(list, RenderRepository), err
}

type repositoryID struct {
	ID int64 `path:"repo-public-id" doc:"The id of the repository."`
}

func (a API) getRepository(ctx context.Context, by tracker.Actor, in repositoryID) (Repository, error) {
	r, err := a.Service.Repository(ctx, by, in.ID)
	return RenderRepository(r), err
}
