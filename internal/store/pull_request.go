package store

import "milepost/internal/tracker"

var pullRequests = newTable("pull_request", "id", nil, func(p *tracker.PullRequest) []column {
	return []column{
		{"id", &p.ID}, {"repository_id", &p.RepositoryID}, {"number", &p.Number}, {"title", &p.Title}, {"url", &p.URL},
		{"branch_id", &p.BranchID}, {"branch_name", &p.BranchName}, {"target_branch_id", &p.TargetBranchID},
		{"target_branch_name", &p.TargetBranchName}, {"head", &p.Head}, {"closed", &p.Closed}, {"merged", &p.Merged}, {"draft", &p.Draft},
		{"num_added", &p.NumAdded}, {"num_removed", &p.NumRemoved}, {"num_modified", &p.NumModified}, {"num_commits", &p.NumCommits},
		{"labels", jsonText{&p.Labels}}, {"requested", jsonText{&p.Requested}}, {"reviews", jsonText{&p.Reviews}},
		{"builds", jsonText{&p.Builds}}, {"mentioned_ids", ints{&p.Mentions}}, {"told_at", &p.ToldAt},
		{"created_at", &p.CreatedAt}, {"updated_at", &p.UpdatedAt},
	}
})

func (tx *Tx) InsertPullRequest(p *tracker.PullRequest) error { return pullRequests.insert(tx, p) }
func (tx *Tx) UpdatePullRequest(p *tracker.PullRequest) error { return pullRequests.update(tx, p) }

// PullRequestNumbered finds a pull request of a repository.
func (tx *Tx) PullRequestNumbered(repository, number int64) (tracker.PullRequest, error) {
	return first(pullRequests.find(tx, "repository_id = $2 and number = $3", repository, number))
}

// PullRequestsByID lists the pull requests with the ids and those of the branches.
func (tx *Tx) PullRequestsByID(ids, branches []int64) ([]tracker.PullRequest, error) {
	if len(ids)+len(branches) == 0 {
		return nil, nil
	}
	return pullRequests.find(tx, tx.anyOf("id", "$2")+" or "+tx.anyOf("branch_id", "$3"), tx.list(ids), tx.list(branches))
}

// shortHash is how long the hashes are that Bitbucket tells of pull requests.
const shortHash = 12

// PullRequestsChecked lists up to limit pull requests of a repository that a check of the commit is
// about: those with the numbers, of the branches, or with that newest commit.
func (tx *Tx) PullRequestsChecked(repository int64, b tracker.BuildNews, limit int) ([]tracker.PullRequest, error) {
	return pullRequests.scan(tx, pullRequests.selectSQL+` and (repository_id = $2 and (`+tx.anyOf("head", "$3")+` or `+tx.anyOf("number", "$4")+` or (closed = false and `+
		tx.anyOf("branch_name", "$5")+`))) order by id desc limit $6`, repository,
		tx.list([]string{b.Commit, b.Commit[:min(len(b.Commit), shortHash)]}), tx.list(b.Numbers), tx.list(b.Branches), limit)
}
