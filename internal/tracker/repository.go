package tracker

import "strconv"

// Repository is a place for code that a version-control service has told of.
type Repository struct {
	ID         int64
	Provider   Provider
	ExternalID string
	Name       string
	FullName   string
	URL        string
	ToldAt     Time // the provider's time of the newest thing heard
	CreatedAt  Time
	UpdatedAt  Time
}

// Provider is a version-control service.
type Provider string

// The providers.
const (
	GitHub    Provider = "github"
	GitLab    Provider = "gitlab"
	Bitbucket Provider = "bitbucket"
)

// Title is how people write the provider's name.
func (p Provider) Title() string {
	return map[Provider]string{GitHub: "GitHub", GitLab: "GitLab", Bitbucket: "Bitbucket"}[p]
}

// Hear takes over what a delivery tells of the repository, unless something newer is known.
func (r *Repository) Hear(news RepositoryNews) {
	if news.At < r.ToldAt {
		return
	}
	r.Name, r.FullName, r.URL, r.ToldAt = news.Name, news.FullName, news.URL, news.At
}

// Touch moves the time of the last update.
func (r *Repository) Touch(now Time) { r.UpdatedAt = now }

func (r Repository) EntityType() string { return "repository" }
func (r Repository) EntityID() string   { return strconv.FormatInt(r.ID, 10) }

func (r Repository) Fields() []Field {
	return []Field{
		{"type", r.Provider}, {"external_id", r.ExternalID}, {"name", r.Name}, {"full_name", r.FullName}, {"url", r.URL},
	}
}
