package service

import (
	"context"
	"slices"

	"milepost/internal/tracker"
)

// DeleteStory deletes a story with its tasks, comments and links; sub-tasks and files stay.
func (s *Service) DeleteStory(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		story, err := w.Story(id)
		if err != nil {
			return none{}, err
		}
		w.primary(story)
		return none{}, w.deleteStory(story)
	})
	return err
}

// DeleteStories deletes archived stories, all of them or none; an error says which items it is about.
func (s *Service) DeleteStories(ctx context.Context, by tracker.Actor, ids []int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		w.bulk()
		if err := mustExistEach(w, "story", "story_ids", ids, func(reason string) any { return reason }); err != nil {
			return none{}, err
		}
		stories, err := w.StoriesByID(ids)
		if err != nil {
			return none{}, err
		}
		reasons := make([]any, len(ids))
		for _, story := range stories {
			if !story.Archived {
				reasons[slices.Index(ids, story.ID)] = "names a story that is not archived"
			}
		}
		if err := tracker.ImpossibleItems("story_ids", reasons); err != nil {
			return none{}, err
		}
		for _, story := range stories {
			if story, err = w.Story(story.ID); err != nil { // the deletion of another may have changed it
				return none{}, err
			}
			if err := w.deleteStory(story); err != nil {
				return none{}, err
			}
		}
		return none{}, nil
	})
	return err
}

// deleteStory deletes the story and lets go of it wherever another story refers to it.
func (w *work) deleteStory(story tracker.Story) error {
	if story.ParentID != nil {
		err := w.changeStory(*story.ParentID, func(p *tracker.Story) { p.SubTaskIDs = without(p.SubTaskIDs, story.ID) })
		if err != nil {
			return err
		}
	}
	for _, id := range story.SubTaskIDs {
		if err := w.changeStory(id, func(c *tracker.Story) { c.ParentID = nil }); err != nil {
			return err
		}
	}
	if err := w.deleteLinks(story); err != nil {
		return err
	}
	if err := w.deleteParts(story); err != nil {
		return err
	}
	return remove(w, story, func() error { return w.Tx.DeleteStory(&story) })
}

func (w *work) deleteLinks(story tracker.Story) error {
	links, err := w.StoryLinksByID(story.LinkIDs())
	if err != nil || len(links) == 0 {
		return err
	}
	var others []int64
	for _, l := range links {
		if err := remove(w, l, func() error { return w.Tx.DeleteStoryLink(l.ID) }); err != nil {
			return err
		}
		others = append(others, l.SubjectID, l.ObjectID)
	}
	return w.settleBlocking(without(distinct(others), story.ID), func(s *tracker.Story) {
		s.SubjectLinkIDs = slices.DeleteFunc(slices.Clone(s.SubjectLinkIDs), func(id int64) bool { return slices.Contains(story.ObjectLinkIDs, id) })
		s.ObjectLinkIDs = slices.DeleteFunc(slices.Clone(s.ObjectLinkIDs), func(id int64) bool { return slices.Contains(story.SubjectLinkIDs, id) })
	})
}

// deleteParts deletes the tasks and comments.
func (w *work) deleteParts(story tracker.Story) error {
	if len(story.TaskIDs)+len(story.CommentIDs) == 0 {
		return nil
	}
	tasks, err := w.TasksOf([]int64{story.ID})
	if err != nil {
		return err
	}
	for _, t := range tasks {
		if err := remove(w, t, func() error { return w.Tx.DeleteTask(t.ID) }); err != nil {
			return err
		}
	}
	comments, err := w.CommentsOf([]int64{story.ID})
	if err != nil {
		return err
	}
	for _, c := range comments {
		if err := remove(w, c, func() error { return w.Tx.DeleteComment(c.ID) }); err != nil {
			return err
		}
	}
	return nil
}
