package service

import (
	"milepost/internal/store"
	"milepost/internal/tracker"
)

// VCSView is the branches, commits and pull requests of stories, by id.
type VCSView struct {
	Branches     map[int64]tracker.Branch
	Commits      map[int64]tracker.Commit
	PullRequests map[int64]tracker.PullRequest
	// OfBranch lists the pull requests of each branch.
	OfBranch map[int64][]int64
}

// parts load what the stories have of version control, in a fixed number of queries; those that have
// nothing cost none.
func (v *VCSView) parts(stories []tracker.Story) []func(*store.Tx) error {
	var branches, commits, pulls []int64
	for i := range stories {
		branches = append(branches, stories[i].BranchIDs...)
		commits = append(commits, stories[i].CommitIDs...)
		pulls = append(pulls, stories[i].PullRequestIDs...)
	}
	if len(branches)+len(commits)+len(pulls) == 0 {
		return nil
	}
	*v = VCSView{
		Branches: map[int64]tracker.Branch{}, Commits: map[int64]tracker.Commit{}, PullRequests: map[int64]tracker.PullRequest{},
		OfBranch: map[int64][]int64{},
	}
	return []func(*store.Tx) error{func(tx *store.Tx) error {
		found, err := tx.BranchesByID(distinct(branches))
		for _, b := range found {
			v.Branches[b.ID] = b
		}
		return err
	}, func(tx *store.Tx) error {
		found, err := tx.PullRequestsByID(distinct(pulls), distinct(branches))
		for _, p := range found {
			v.PullRequests[p.ID] = p
			v.OfBranch[p.BranchID] = append(v.OfBranch[p.BranchID], p.ID)
		}
		return err
	}, func(tx *store.Tx) error {
		found, err := tx.CommitsByID(distinct(commits))
		for _, c := range found {
			v.Commits[c.ID] = c
		}
		return err
	}}
}
