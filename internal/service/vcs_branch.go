package service

import (
	"errors"

	"milepost/internal/tracker"
)

func branchesOf(s *tracker.Story) *[]int64 { return &s.BranchIDs }
func commitsOf(s *tracker.Story) *[]int64  { return &s.CommitIDs }

// hearBranch takes over a push, or that a branch was made or deleted.
func (h *hearing) hearBranch(news tracker.BranchNews) error {
	branch, err := h.findBranch(news, false)
	if err != nil {
		return err
	}
	if branch != nil {
		h.primary(*branch)
	}
	if err := h.hearCommits(news, branch); err != nil {
		return err
	}
	if news.Default {
		return h.findMerges(news)
	}
	return nil
}

// findBranch brings a branch up to date and links it to the stories that its name names. One that is
// not known yet is kept if it names any or must be; otherwise it is nil.
func (h *hearing) findBranch(news tracker.BranchNews, must bool) (*tracker.Branch, error) {
	named, err := existing(h.work, "story", news.Mentions)
	if err != nil {
		return nil, err
	}
	known, err := h.BranchNamed(h.repository.ID, news.Name)
	isNew := errors.Is(err, tracker.ErrNotFound)
	switch {
	case isNew && !must && len(named) == 0:
		return nil, nil
	case isNew:
		known = tracker.Branch{ID: h.NextHighID(), RepositoryID: h.repository.ID, Name: news.Name, CreatedAt: h.now, UpdatedAt: h.now}
	case err != nil:
		return nil, err
	default:
		if known.Stories, err = h.storiesOf("branch", known.ID); err != nil {
			return nil, err
		}
	}
	fresh := minus(named, known.Mentions)
	after := known
	after.Hear(news)
	after.Mentions, after.Stories = distinct(append(known.Mentions, named...)), distinct(append(known.Stories, fresh...))
	switch {
	case isNew && len(after.Stories) == 0: // only named by another: nothing shows it
		err = h.InsertBranch(&after)
	case isNew:
		after, err = create(h.work, after, h.InsertBranch)
	default:
		after, err = amend(h.work, branchAction(known, after), known, after, h.UpdateBranch)
	}
	if err != nil {
		return nil, err
	}
	if err := h.link(fresh, after.ID, branchesOf); err != nil {
		return nil, err
	}
	if after.Deleted {
		return &after, nil
	}
	return &after, h.trigger(occasion{event: tracker.BranchCreated, branch: after.Name, stories: fresh})
}

func branchAction(before, after tracker.Branch) string {
	if before.Head != after.Head && !after.Deleted {
		return "push"
	}
	return "update"
}

// hearCommits keeps the commits of a push that name stories, and moves those whose verb they give.
func (h *hearing) hearCommits(news tracker.BranchNews, branch *tracker.Branch) error {
	var named []int64
	var authors []tracker.VCSPerson
	var hashes []string
	for _, c := range news.Commits {
		if len(c.Mentions) > 0 {
			named, authors, hashes = append(named, c.Mentions...), append(authors, c.Author), append(hashes, c.Hash)
		}
	}
	if len(hashes) == 0 {
		return nil
	}
	stories, err := existing(h.work, "story", distinct(named))
	if err != nil || len(stories) == 0 {
		return err
	}
	members, err := h.membersOf(authors)
	if err != nil {
		return err
	}
	found, err := h.CommitsHashed(h.repository.ID, distinct(hashes))
	if err != nil {
		return err
	}
	known := map[string]tracker.Commit{}
	for _, c := range found {
		known[c.Hash] = c
	}
	for _, c := range news.Commits {
		c.Mentions = minus(c.Mentions, minus(c.Mentions, stories))
		if len(c.Mentions) == 0 {
			continue
		}
		if known[c.Hash], err = h.hearCommit(c, known[c.Hash], branch, members); err != nil {
			return err
		}
		if err := h.announce(c, known[c.Hash], news.Name); err != nil {
			return err
		}
	}
	return nil
}

// hearCommit keeps a commit, or links a known one to stories that did not exist before. The stories
// that it is new to are in its Stories.
func (h *hearing) hearCommit(news tracker.CommitNews, known tracker.Commit, branch *tracker.Branch, members map[string]tracker.Member) (tracker.Commit, error) {
	fresh := minus(news.Mentions, known.Mentions)
	after := known
	after.Mentions, after.Stories = distinct(append(known.Mentions, fresh...)), fresh
	if known.ID != 0 {
		if len(fresh) == 0 {
			return known, nil
		}
		after, err := amend(h.work, "update", known, after, h.UpdateCommit)
		if err != nil {
			return after, err
		}
		return after, h.link(fresh, after.ID, commitsOf)
	}
	after.ID, after.RepositoryID, after.Provider, after.CreatedAt, after.UpdatedAt = h.NextHighID(), h.repository.ID, h.repository.Provider, h.now, h.now
	after.Hash, after.Message, after.URL, after.At = news.Hash, news.Message, news.URL, orNow(news.At, h.now)
	after.AuthorEmail, after.AuthorIdentity = news.Author.Email, news.Author.Login
	if m, ok := members[tracker.Fold(news.Author.Email)]; ok && news.Author.Email != "" {
		after.AuthorID = &m.ID
	}
	if branch != nil {
		after.BranchID = &branch.ID
	}
	after, err := create(h.work, after, h.InsertCommit)
	if err != nil {
		return after, err
	}
	if branch == nil {
		h.primary(after)
	}
	return after, h.link(fresh, after.ID, commitsOf)
}

// announce lets rules and verbs move the stories that a commit is new to.
func (h *hearing) announce(news tracker.CommitNews, c tracker.Commit, branch string) error {
	if err := h.trigger(occasion{event: tracker.CommitPushed, branch: branch, stories: c.Stories}); err != nil {
		return err
	}
	for _, move := range news.Moves {
		if len(minus([]int64{move.StoryID}, c.Stories)) == 0 {
			if err := h.obey(move); err != nil {
				return err
			}
		}
	}
	return nil
}

// findMerges finds the branches that a push to the main branch merged: those whose newest commit
// came with it.
func (h *hearing) findMerges(news tracker.BranchNews) error {
	hashes := make([]string, len(news.Commits))
	for i, c := range news.Commits {
		hashes[i] = c.Hash
	}
	merged, err := h.BranchesAt(h.repository.ID, hashes)
	if err != nil {
		return err
	}
	for _, b := range merged {
		if b.Name == news.Name || len(b.MergedInto) > 0 {
			continue
		}
		into, err := h.findBranch(news, true)
		if err != nil {
			return err
		}
		if err := h.merge(b, *into, nil); err != nil {
			return err
		}
	}
	return nil
}

// commitsMerged is how many commits of a branch are noted as merged with it.
const commitsMerged = 500

// merge notes that a branch, and with it its commits, came to another.
func (h *hearing) merge(b, into tracker.Branch, labels []string) (err error) {
	if b.Stories, err = h.storiesOf("branch", b.ID); err != nil {
		return err
	}
	after := b
	after.Merge(into.ID)
	if len(after.MergedInto) == len(b.MergedInto) {
		return nil
	}
	if after, err = amend(h.work, "merge", b, after, h.UpdateBranch); err != nil {
		return err
	}
	commits, err := h.CommitsOfBranch(b.ID, commitsMerged)
	if err != nil {
		return err
	}
	for _, c := range commits {
		merged := c
		merged.Merge(into.ID)
		if _, err := amend(h.work, "update", c, merged, h.UpdateCommit); err != nil {
			return err
		}
	}
	return h.trigger(occasion{event: tracker.BranchMerged, branch: into.Name, labels: labels, stories: after.Stories, ownBranch: b.ID})
}
