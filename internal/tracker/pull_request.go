package tracker

import (
	"slices"
	"strconv"
	"strings"
)

// PullRequest is a request to merge a branch that has to do with stories, whose lists hold it.
type PullRequest struct {
	ID               int64
	RepositoryID     int64
	Number           int64
	Title            string
	URL              string
	BranchID         int64
	BranchName       string
	TargetBranchID   int64
	TargetBranchName string
	Head             string // hash of the newest commit
	Closed           bool
	Merged           bool
	Draft            bool
	NumAdded         int64
	NumRemoved       int64
	NumModified      *int64
	NumCommits       *int64
	Labels           []VCSLabel
	Requested        []string // whose review is asked for
	Reviews          []Review // the last verdict of each reviewer
	Builds           []Build  // the last result of each check
	Mentions         []int64  // stories that its texts and its branch name
	ToldAt           Time
	CreatedAt        Time
	UpdatedAt        Time
	Stories          []int64 // that hold it; not part of the row
}

// VCSLabel is a label of a version-control service.
type VCSLabel struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Color       string  `json:"color"`
	Description *string `json:"description,omitempty"`
}

// Review is what one reviewer says: approved, changes_requested, or nothing any more.
type Review struct {
	Reviewer string `json:"reviewer"`
	Verdict  string `json:"verdict"`
	At       Time   `json:"at"`
}

// Build is the result of one check of one commit: pending, success or failure.
type Build struct {
	Check  string `json:"check"`
	Commit string `json:"commit"`
	Result string `json:"result"`
	At     Time   `json:"at"`
}

// The words for how reviews and builds stand.
const (
	NoneYet          = "none"
	Pending          = "pending"
	Approved         = "approved"
	ChangesRequested = "changes_requested"
	Success          = "success"
	Failure          = "failure"
)

// keptBuilds is how many results of checks a pull request remembers.
const keptBuilds = 100

// Hear takes over what a delivery tells, unless something newer is known. What was merged stays so.
func (p *PullRequest) Hear(news PullRequestNews) {
	if !news.AllReviews {
		for _, r := range news.Reviews {
			p.review(r)
		}
	}
	if news.At < p.ToldAt {
		return
	}
	if news.AllReviews {
		p.Reviews = news.Reviews
	}
	p.ToldAt, p.Title, p.URL, p.Closed, p.Draft = news.At, news.Title, news.URL, news.Closed, news.Draft
	if news.Merged != nil {
		p.Merged = p.Merged || *news.Merged
	}
	p.Closed = p.Closed || p.Merged
	if news.Head != "" {
		p.Head = news.Head
	}
	if news.NumAdded != nil {
		p.NumAdded = *news.NumAdded
	}
	if news.NumRemoved != nil {
		p.NumRemoved = *news.NumRemoved
	}
	if news.NumModified != nil {
		p.NumModified = news.NumModified
	}
	if news.NumCommits != nil {
		p.NumCommits = news.NumCommits
	}
	if news.Labels != nil {
		p.Labels = news.Labels
	}
	if news.Requested != nil {
		p.Requested = news.Requested
	}
}

// review keeps the newest verdict of each reviewer.
func (p *PullRequest) review(r Review) {
	reviews := slices.Clone(p.Reviews)
	i := slices.IndexFunc(reviews, func(known Review) bool { return known.Reviewer == r.Reviewer })
	switch {
	case i < 0:
		reviews = append(reviews, r)
	case reviews[i].At <= r.At:
		reviews[i] = r
	}
	p.Reviews = reviews
}

// Check notes the result of a check, unless a newer one of the same is known.
func (p *PullRequest) Check(b Build) {
	builds := slices.Clone(p.Builds)
	i := slices.IndexFunc(builds, func(known Build) bool { return known.Check == b.Check && known.Commit == b.Commit })
	switch {
	case i < 0:
		builds = append(builds, b)
	case builds[i].At <= b.At:
		builds[i] = b
	}
	p.Builds = builds[max(len(builds)-keptBuilds, 0):]
}

// ReviewStatus is how the review stands: one who wants changes outweighs those who approve.
func (p *PullRequest) ReviewStatus() string {
	said := func(verdict string) bool {
		return slices.ContainsFunc(p.Reviews, func(r Review) bool { return r.Verdict == verdict })
	}
	switch {
	case said(ChangesRequested):
		return ChangesRequested
	case said(Approved):
		return Approved
	case len(p.Requested) > 0:
		return Pending
	}
	return NoneYet
}

// BuildStatus is how the checks of the newest commit stand: the worst of them. Bitbucket tells only
// the head of a pull request's hash.
func (p *PullRequest) BuildStatus() string {
	for _, result := range []string{Failure, Pending, Success} {
		if slices.ContainsFunc(p.Builds, func(b Build) bool { return b.Result == result && p.Head != "" && strings.HasPrefix(b.Commit, p.Head) }) {
			return result
		}
	}
	return NoneYet
}

// Ready reports whether the pull request is open and no draft.
func (p *PullRequest) Ready() bool { return !p.Closed && !p.Draft }

// LabelNames lists the labels by name.
func (p *PullRequest) LabelNames() []string {
	names := make([]string, len(p.Labels))
	for i, l := range p.Labels {
		names[i] = l.Name
	}
	return names
}

func (p *PullRequest) Touch(now Time) { p.UpdatedAt = now }

func (p PullRequest) StoryIDs() []int64  { return historyOf(p.Stories) }
func (p PullRequest) EntityType() string { return "pull-request" }
func (p PullRequest) EntityID() string   { return strconv.FormatInt(p.ID, 10) }

func (p PullRequest) Fields() []Field {
	return []Field{
		{"number", p.Number}, {"title", p.Title}, {"url", p.URL}, {"repository_id", p.RepositoryID}, {"branch_id", p.BranchID},
		{"branch_name", p.BranchName}, {"target_branch_id", p.TargetBranchID}, {"target_branch_name", p.TargetBranchName},
		{"head", p.Head}, {"closed", p.Closed}, {"merged", p.Merged}, {"draft", p.Draft}, {"num_added", p.NumAdded},
		{"num_removed", p.NumRemoved}, {"num_modified", p.NumModified}, {"num_commits", p.NumCommits}, {"vcs_labels", p.LabelNames()},
		{"requested_reviewers", p.Requested}, {"review_status", p.ReviewStatus()}, {"build_status", p.BuildStatus()},
	}
}
