package service

import (
	"errors"

	"milepost/internal/tracker"
)

// occasion is something that rules may wait for, and what it happened to.
type occasion struct {
	event          tracker.VCSEvent
	branch         string
	labels         []string
	stories        []int64
	ownBranch      int64
	ownPullRequest int64
}

func (o occasion) of(event tracker.VCSEvent) occasion {
	o.event = event
	return o
}

// trigger moves the stories of an occasion by the rules that wait for it, one after the other.
func (h *hearing) trigger(o occasion) error {
	if len(o.stories) == 0 {
		return nil
	}
	for _, rule := range h.integration.Rules {
		if !rule.Fits(o.event, o.branch, o.labels) {
			continue
		}
		to, err := h.WorkflowState(rule.StateID)
		if errors.Is(err, tracker.ErrNotFound) {
			continue // the state was deleted after the rule was made
		}
		if err != nil {
			return err
		}
		for _, id := range o.stories {
			story, err := h.Story(id)
			if err != nil {
				return err
			}
			if busy, err := h.othersOpen(story, o); err != nil || busy {
				if err != nil {
					return err
				}
				continue
			}
			if err := h.advance(story, to); err != nil {
				return err
			}
		}
	}
	return nil
}

// othersOpen reports whether the occasion must wait for other work on the story: another open pull
// request or another branch that is neither merged nor deleted.
func (h *hearing) othersOpen(story tracker.Story, o occasion) (bool, error) {
	if !o.event.WaitsForOthers() {
		return false, nil
	}
	pulls, err := h.PullRequestsByID(story.PullRequestIDs, nil)
	if err != nil {
		return false, err
	}
	for _, p := range pulls {
		if p.ID != o.ownPullRequest && p.BranchID != o.ownBranch && !p.Closed {
			return true, nil
		}
	}
	branches, err := h.BranchesByID(story.BranchIDs)
	for _, b := range branches {
		if b.ID != o.ownBranch && b.Open() {
			return true, err
		}
	}
	return false, err
}

// obey moves a story to the state of its workflow that has the verb.
func (h *hearing) obey(move tracker.CommitMove) error {
	story, err := h.Story(move.StoryID)
	if err != nil {
		return err
	}
	flow, err := h.Workflow(story.WorkflowID)
	if err != nil {
		return err
	}
	for _, state := range flow.States {
		if state.Verb != nil && tracker.Fold(*state.Verb) == tracker.Fold(move.Verb) {
			return h.advance(story, state)
		}
	}
	return nil
}

// advance moves a story that is not archived on to a state of its workflow; never back.
func (h *hearing) advance(story tracker.Story, to tracker.WorkflowState) error {
	if story.Archived || to.WorkflowID != story.WorkflowID {
		return nil
	}
	from, err := h.WorkflowState(story.StateID)
	if err != nil || to.Position <= from.Position {
		return err
	}
	edit, err := h.editStories(tracker.StoryChange{StateID: tracker.Some(to.ID)})
	if err != nil {
		return err
	}
	_, err = edit.change(story)
	return err
}
