package v3

import (
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Branch is a version-control branch linked to stories.
type Branch struct {
	CreatedAt       *tracker.Time `json:"created_at"`
	Deleted         bool          `json:"deleted"`
	EntityType      string        `json:"entity_type"`
	ID              *int64        `json:"id"`
	MergedBranchIDs []int64       `json:"merged_branch_ids"`
	Name            string        `json:"name"`
	Persistent      bool          `json:"persistent"`
	PullRequests    []PullRequest `json:"pull_requests"`
	RepositoryID    int64         `json:"repository_id"`
	UpdatedAt       *tracker.Time `json:"updated_at"`
	URL             string        `json:"url"`
}

// PullRequest is a request to merge a branch that is linked to stories.
type PullRequest struct {
	BranchID              int64              `json:"branch_id"`
	BranchName            string             `json:"branch_name"`
	BuildStatus           string             `json:"build_status" is:"enum=none|pending|success|failure"`
	Closed                bool               `json:"closed"`
	CreatedAt             tracker.Time       `json:"created_at"`
	Draft                 bool               `json:"draft"`
	EntityType            string             `json:"entity_type"`
	HasOverlappingStories bool               `json:"has_overlapping_stories"`
	ID                    int64              `json:"id"`
	Merged                bool               `json:"merged"`
	NumAdded              int64              `json:"num_added"`
	NumCommits            *int64             `json:"num_commits"`
	NumModified           *int64             `json:"num_modified"`
	NumRemoved            int64              `json:"num_removed"`
	Number                int64              `json:"number"`
	OverlappingStories    []int64            `json:"overlapping_stories"`
	RepositoryID          int64              `json:"repository_id"`
	ReviewStatus          string             `json:"review_status" is:"enum=none|pending|approved|changes_requested"`
	TargetBranchID        int64              `json:"target_branch_id"`
	TargetBranchName      string             `json:"target_branch_name"`
	Title                 string             `json:"title"`
	UpdatedAt             tracker.Time       `json:"updated_at"`
	URL                   string             `json:"url"`
	VCSLabels             []PullRequestLabel `json:"vcs_labels"`
}

// PullRequestLabel is a label of the version-control service.
type PullRequestLabel struct {
	Color       string  `json:"color" is:"color"`
	Description *string `json:"description"`
	EntityType  string  `json:"entity_type"`
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
}

// Commit is a version-control commit linked to stories.
type Commit struct {
	AuthorEmail     string        `json:"author_email"`
	AuthorID        *tracker.UUID `json:"author_id"`
	AuthorIdentity  Identity      `json:"author_identity"`
	CreatedAt       tracker.Time  `json:"created_at"`
	EntityType      string        `json:"entity_type"`
	Hash            string        `json:"hash"`
	ID              *int64        `json:"id"`
	MergedBranchIDs []int64       `json:"merged_branch_ids"`
	Message         string        `json:"message"`
	RepositoryID    *int64        `json:"repository_id"`
	Timestamp       tracker.Time  `json:"timestamp"`
	UpdatedAt       *tracker.Time `json:"updated_at"`
	URL             string        `json:"url"`
}

// Identity is a person as a version-control service knows them.
type Identity struct {
	EntityType string  `json:"entity_type"`
	Name       *string `json:"name"`
	Type       *string `json:"type" is:"enum=slack|github|gitlab|bitbucket"`
}

// branches renders the branches with the ids.
func branches(v *service.VCSView, ids []int64) []Branch {
	return Each(ids, func(id int64) Branch {
		b := v.Branches[id]
		return Branch{
			CreatedAt: &b.CreatedAt, Deleted: b.Deleted, EntityType: b.EntityType(), ID: &b.ID, MergedBranchIDs: b.MergedInto, Name: b.Name,
			PullRequests: pullRequests(v, v.OfBranch[id]), RepositoryID: b.RepositoryID, UpdatedAt: &b.UpdatedAt, URL: b.URL,
		}
	})
}

// pullRequests renders the pull requests with the ids. The services do not tell which lines a pull
// request changes, so that none is known to overlap with another.
func pullRequests(v *service.VCSView, ids []int64) []PullRequest {
	return Each(ids, func(id int64) PullRequest {
		p := v.PullRequests[id]
		return PullRequest{
			BranchID: p.BranchID, BranchName: p.BranchName, BuildStatus: p.BuildStatus(), Closed: p.Closed, CreatedAt: p.CreatedAt,
			Draft: p.Draft, EntityType: p.EntityType(), ID: p.ID, Merged: p.Merged, NumAdded: p.NumAdded, NumCommits: p.NumCommits,
			NumModified: p.NumModified, NumRemoved: p.NumRemoved, Number: p.Number, RepositoryID: p.RepositoryID,
			ReviewStatus: p.ReviewStatus(), TargetBranchID: p.TargetBranchID, TargetBranchName: p.TargetBranchName, Title: p.Title,
			UpdatedAt: p.UpdatedAt, URL: p.URL,
			VCSLabels: Each(p.Labels, func(l tracker.VCSLabel) PullRequestLabel {
				return PullRequestLabel{Color: l.Color, Description: l.Description, EntityType: "pull-request-label", ID: l.ID, Name: l.Name}
			}),
		}
	})
}

// commits renders the commits with the ids.
func commits(v *service.VCSView, ids []int64) []Commit {
	return Each(ids, func(id int64) Commit {
		c := v.Commits[id]
		provider := string(c.Provider)
		return Commit{
			AuthorEmail: c.AuthorEmail, AuthorID: c.AuthorID, CreatedAt: c.CreatedAt, EntityType: c.EntityType(), Hash: c.Hash, ID: &c.ID,
			AuthorIdentity:  Identity{EntityType: "identity", Name: &c.AuthorIdentity, Type: &provider},
			MergedBranchIDs: c.MergedInto, Message: c.Message, RepositoryID: &c.RepositoryID, Timestamp: c.At, UpdatedAt: &c.UpdatedAt, URL: c.URL,
		}
	})
}
