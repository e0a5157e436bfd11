package store

import "milepost/internal/tracker"

var repositories = newTable("repository", "id", nil, func(r *tracker.Repository) []column {
	return []column{
		{"id", &r.ID}, {"provider", &r.Provider}, {"external_id", &r.ExternalID}, {"name", &r.Name}, {"full_name", &r.FullName},
		{"url", &r.URL}, {"told_at", &r.ToldAt}, {"created_at", &r.CreatedAt}, {"updated_at", &r.UpdatedAt},
	}
})

func (tx *Tx) Repositories() ([]tracker.Repository, error)     { return repositories.find(tx, "") }
func (tx *Tx) Repository(id int64) (tracker.Repository, error) { return repositories.get(tx, id) }
func (tx *Tx) InsertRepository(r *tracker.Repository) error    { return repositories.insert(tx, r) }
func (tx *Tx) UpdateRepository(r *tracker.Repository) error    { return repositories.update(tx, r) }

// RepositoryOf finds a repository by what its provider knows it by.
func (tx *Tx) RepositoryOf(p tracker.Provider, externalID string) (tracker.Repository, error) {
	return first(repositories.find(tx, "provider = $2 and external_id = $3", p, externalID))
}
