package store

import "milepost/internal/tracker"

var branches = newTable("branch", "id", nil, func(b *tracker.Branch) []column {
	return []column{
		{"id", &b.ID}, {"repository_id", &b.RepositoryID}, {"name", &b.Name}, {"url", &b.URL}, {"head", &b.Head},
		{"previous_head", &b.PreviousHead}, {"deleted", &b.Deleted}, {"merged_branch_ids", ints{&b.MergedInto}},
		{"mentioned_ids", ints{&b.Mentions}}, {"told_at", &b.ToldAt}, {"created_at", &b.CreatedAt}, {"updated_at", &b.UpdatedAt},
	}
})

var commits = newTable("vcs_commit", "id", nil, func(c *tracker.Commit) []column {
	return []column{
		{"id", &c.ID}, {"repository_id", &c.RepositoryID}, {"branch_id", &c.BranchID}, {"hash", &c.Hash}, {"message", &c.Message},
		{"url", &c.URL}, {"author_email", &c.AuthorEmail}, {"author_id", &c.AuthorID}, {"author_identity", &c.AuthorIdentity},
		{"provider", &c.Provider}, {"merged_branch_ids", ints{&c.MergedInto}}, {"mentioned_ids", ints{&c.Mentions}}, {"committed_at", &c.At},
		{"created_at", &c.CreatedAt}, {"updated_at", &c.UpdatedAt},
	}
})

func (tx *Tx) InsertBranch(b *tracker.Branch) error { return branches.insert(tx, b) }
func (tx *Tx) UpdateBranch(b *tracker.Branch) error { return branches.update(tx, b) }
func (tx *Tx) InsertCommit(c *tracker.Commit) error { return commits.insert(tx, c) }
func (tx *Tx) UpdateCommit(c *tracker.Commit) error { return commits.update(tx, c) }

// BranchNamed finds a branch of a repository.
func (tx *Tx) BranchNamed(repository int64, name string) (tracker.Branch, error) {
	return first(branches.find(tx, "repository_id = $2 and name = $3", repository, name))
}

// BranchesAt lists the branches of a repository whose newest commit is one of the hashes.
func (tx *Tx) BranchesAt(repository int64, hashes []string) ([]tracker.Branch, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	return branches.find(tx, "repository_id = $2 and "+tx.anyOf("head", "$3"), repository, tx.list(hashes))
}

// BranchesByID lists the branches with the ids.
func (tx *Tx) BranchesByID(ids []int64) ([]tracker.Branch, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return branches.find(tx, tx.anyOf("id", "$2"), tx.list(ids))
}

// CommitsHashed lists those commits of a repository that have one of the hashes.
func (tx *Tx) CommitsHashed(repository int64, hashes []string) ([]tracker.Commit, error) {
	if len(hashes) == 0 {
		return nil, nil
	}
	return commits.find(tx, "repository_id = $2 and "+tx.anyOf("hash", "$3"), repository, tx.list(hashes))
}

// CommitsOfBranch lists up to limit commits that were first pushed to the branch.
func (tx *Tx) CommitsOfBranch(branch int64, limit int) ([]tracker.Commit, error) {
	return commits.scan(tx, commits.selectSQL+` and (branch_id = $2) order by id limit $3`, branch, limit)
}

// CommitsByID lists the commits with the ids.
func (tx *Tx) CommitsByID(ids []int64) ([]tracker.Commit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return commits.find(tx, tx.anyOf("id", "$2"), tx.list(ids))
}

// MemberOfIdentity finds the member who made the newest commit under the name at the provider.
func (tx *Tx) MemberOfIdentity(p tracker.Provider, name string) (id tracker.UUID, err error) {
	err = tx.one([]any{&id}, `select author_id from vcs_commit where workspace_id = $1
		and (provider = $2 and author_identity = $3 and author_id is not null) order by id desc limit 1`, p, name)
	return id, err
}
