package service

import (
	"errors"
	"slices"

	"milepost/internal/tracker"
)

func pullRequestsOf(s *tracker.Story) *[]int64 { return &s.PullRequestIDs }

// hearPullRequest brings a pull request up to date. One that is not known yet is kept if its texts
// or its branch have to do with a story.
func (h *hearing) hearPullRequest(news tracker.PullRequestNews) error {
	named, err := existing(h.work, "story", news.Mentions)
	if err != nil {
		return err
	}
	known, err := h.PullRequestNumbered(h.repository.ID, news.Number)
	isNew := errors.Is(err, tracker.ErrNotFound)
	if err != nil && !isNew {
		return err
	}
	head, err := h.findBranch(news.Branch, !isNew || len(named) > 0)
	if err != nil {
		return err
	}
	if head == nil { // neither it nor its branch names a story
		return nil
	}
	if isNew {
		named = distinct(append(named, head.Stories...))
	}
	if isNew && len(named) == 0 {
		return nil
	}
	target, err := h.findBranch(news.Target, true)
	if err != nil {
		return err
	}
	if isNew {
		known = tracker.PullRequest{
			ID: h.NextHighID(), RepositoryID: h.repository.ID, Number: news.Number, Closed: true, CreatedAt: orNow(news.CreatedAt, h.now),
			UpdatedAt: h.now,
		}
	} else if known.Stories, err = h.storiesOf("pull-request", known.ID); err != nil {
		return err
	}
	return h.savePullRequest(news, known, isNew, named, *head, *target)
}

func (h *hearing) savePullRequest(news tracker.PullRequestNews, known tracker.PullRequest, isNew bool, named []int64, head, target tracker.Branch) (err error) {
	fresh := minus(named, known.Mentions)
	after := known
	after.Mentions, after.Stories = distinct(append(known.Mentions, named...)), distinct(append(known.Stories, fresh...))
	if news.At >= known.ToldAt {
		after.BranchID, after.BranchName, after.TargetBranchID, after.TargetBranchName = head.ID, head.Name, target.ID, target.Name
	}
	after.Hear(news)
	h.primary(after)
	if isNew {
		if err := h.InsertPullRequest(&after); err != nil {
			return err
		}
		h.record("open", after, tracker.Snapshot(after))
	} else if after, err = amend(h.work, pullRequestAction(known, after), known, after, h.UpdatePullRequest); err != nil {
		return err
	}
	if err := h.link(fresh, after.ID, pullRequestsOf); err != nil {
		return err
	}
	if after.Merged && !known.Merged {
		if err := h.merge(head, target, after.LabelNames()); err != nil {
			return err
		}
	}
	return h.announcePullRequest(known, after, fresh)
}

// pullRequestAction is the word that histories have for what happened.
func pullRequestAction(before, after tracker.PullRequest) string {
	switch {
	case after.Closed && !before.Closed:
		return "close"
	case before.Closed && !after.Closed:
		return "reopen"
	case before.Head != after.Head:
		return "sync"
	}
	return "update"
}

// announcePullRequest lets rules move stories by what is new of a pull request.
func (h *hearing) announcePullRequest(before, after tracker.PullRequest, fresh []int64) error {
	about := occasion{branch: after.TargetBranchName, labels: after.LabelNames(), stories: after.Stories, ownBranch: after.BranchID, ownPullRequest: after.ID}
	if after.Ready() {
		o := about.of(tracker.PROpened)
		if before.Ready() {
			o.stories = fresh
		}
		if err := h.trigger(o); err != nil {
			return err
		}
	}
	if !after.Closed && slices.ContainsFunc(after.Requested, func(r string) bool { return !slices.Contains(before.Requested, r) }) {
		if err := h.trigger(about.of(tracker.ReviewRequested)); err != nil {
			return err
		}
	}
	if after.ReviewStatus() == tracker.Approved && before.ReviewStatus() != tracker.Approved {
		if err := h.trigger(about.of(tracker.PRApproved)); err != nil {
			return err
		}
	}
	about.labels = slices.DeleteFunc(after.LabelNames(), func(l string) bool { return slices.Contains(before.LabelNames(), l) })
	if len(about.labels) > 0 && !after.Closed {
		if err := h.trigger(about.of(tracker.PRLabeled)); err != nil {
			return err
		}
	}
	if after.Merged && !before.Merged {
		about.labels = after.LabelNames()
		return h.trigger(about.of(tracker.BranchMerged))
	}
	return nil
}

// pullRequestsChecked is how many pull requests one check can be about.
const pullRequestsChecked = 50

// hearBuild notes the result of a check on the pull requests that it is about.
func (h *hearing) hearBuild(news tracker.BuildNews) error {
	found, err := h.PullRequestsChecked(h.repository.ID, news, pullRequestsChecked)
	if err != nil {
		return err
	}
	for _, p := range found {
		if p.Stories, err = h.storiesOf("pull-request", p.ID); err != nil {
			return err
		}
		after := p
		after.Check(news.Build)
		if _, err := amend(h.work, "update", p, after, h.UpdatePullRequest); err != nil {
			return err
		}
	}
	return nil
}
