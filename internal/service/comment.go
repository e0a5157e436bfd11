package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// CommentInStory is a comment with its place in the story's list.
type CommentInStory struct {
	tracker.Comment
	Position int64
}

// Comments lists the comments of a story, oldest first.
func (s *Service) Comments(ctx context.Context, by tracker.Actor, story int64) ([]CommentInStory, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]CommentInStory, error) {
		owner, err := tx.Story(story)
		if err != nil {
			return nil, err
		}
		comments, err := tx.CommentsOf([]int64{story})
		out := make([]CommentInStory, len(comments))
		for i, c := range comments {
			out[i] = CommentInStory{c, placeOf(owner.CommentIDs, c.ID)}
		}
		slices.SortFunc(out, func(a, b CommentInStory) int { return int(a.Position - b.Position) })
		return out, err
	})
}

func (s *Service) Comment(ctx context.Context, by tracker.Actor, story, id int64) (CommentInStory, error) {
	return read(ctx, s, by, func(tx *store.Tx) (CommentInStory, error) { return commentOf(tx, story, id) })
}

// commentOf loads a comment that must belong to the story and not be deleted.
func commentOf(tx *store.Tx, story, id int64) (CommentInStory, error) {
	owner, err := tx.Story(story)
	if err != nil {
		return CommentInStory{}, err
	}
	c, err := tx.Comment(id)
	if err == nil && (c.StoryID != story || c.Deleted) {
		err = tracker.ErrNotFound
	}
	return CommentInStory{c, placeOf(owner.CommentIDs, id)}, err
}

func (s *Service) CreateComment(ctx context.Context, by tracker.Actor, story int64, p tracker.CommentParams) (CommentInStory, error) {
	return write(ctx, s, by, func(w *work) (CommentInStory, error) {
		owner, err := w.Story(story)
		if err != nil {
			return CommentInStory{}, err
		}
		c, err := w.newComment(story, p)
		if err != nil {
			return CommentInStory{}, err
		}
		if c, err = create(w, c, w.InsertComment); err != nil {
			return CommentInStory{}, err
		}
		owner, err = w.updateStory(owner, func(s *tracker.Story) { s.AddComment(c) })
		return CommentInStory{c, placeOf(owner.CommentIDs, c.ID)}, err
	})
}

// newComment is the comment that the params ask for, not stored yet.
func (w *work) newComment(story int64, p tracker.CommentParams) (tracker.Comment, error) {
	if p.AuthorID.State == tracker.Absent && w.by.Member != "" {
		p.AuthorID = tracker.Some(w.by.Member)
	} else if err := mustExistOpt(w, "member", "author_id", p.AuthorID); err != nil {
		return tracker.Comment{}, err
	}
	if err := w.checkThread(story, p); err != nil {
		return tracker.Comment{}, err
	}
	members, groups, err := w.mentions(p.Text)
	return tracker.Comment{
		ID: w.NextID(), StoryID: story, ParentID: p.ParentID.Ptr(), AuthorID: p.AuthorID.Ptr(), Text: p.Text, ExternalID: p.ExternalID.Ptr(),
		Blocker: p.Blocker.Or(false), UnblocksParent: p.UnblocksParent.Or(false), Reactions: []tracker.Reaction{},
		MemberMentions: members, GroupMentions: groups, CreatedAt: p.CreatedAt.Or(w.now), UpdatedAt: p.UpdatedAt.Or(w.now),
	}, err
}

// checkThread holds the rules of threads: an answer answers a comment of the same story, blockers
// stand at the top, and only an answer to a blocker resolves it.
func (w *work) checkThread(story int64, p tracker.CommentParams) error {
	id, isReply := p.ParentID.Get()
	if !isReply {
		if p.UnblocksParent.Or(false) {
			return tracker.Impossible("unblocks_parent", "needs the parent_id of a blocker")
		}
		return nil
	}
	parent, err := w.Comment(id)
	if err == nil && (parent.StoryID != story || parent.Deleted) {
		err = tracker.ErrNotFound
	}
	switch {
	case err != nil:
		return absent(err, "parent_id", "names a comment that the story does not have")
	case p.Blocker.Or(false):
		return tracker.Impossible("blocker", "is for comments that answer no other")
	case p.UnblocksParent.Or(false) && !parent.Blocker:
		return tracker.Impossible("unblocks_parent", "needs a parent that is a blocker")
	}
	return nil
}

func (s *Service) UpdateComment(ctx context.Context, by tracker.Actor, story, id int64, text string) (CommentInStory, error) {
	return write(ctx, s, by, func(w *work) (CommentInStory, error) {
		before, err := commentOf(w.Tx, story, id)
		if err != nil {
			return before, err
		}
		members, groups, err := w.mentions(text)
		if err != nil {
			return before, err
		}
		after, err := update(w, before.Comment, func(c *tracker.Comment) {
			c.Text, c.MemberMentions, c.GroupMentions = text, members, groups
		}, w.Tx.UpdateComment)
		return CommentInStory{after, before.Position}, err
	})
}

// DeleteComment deletes a comment; one that was answered stays, without its text.
func (s *Service) DeleteComment(ctx context.Context, by tracker.Actor, story, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		c, err := commentOf(w.Tx, story, id)
		if err != nil {
			return none{}, err
		}
		thread, err := w.CommentsOf([]int64{story})
		if err != nil {
			return none{}, err
		}
		gone, err := w.deleteInThread(c.Comment, thread)
		if err != nil {
			return none{}, err
		}
		left := slices.DeleteFunc(thread, func(other tracker.Comment) bool { return slices.Contains(gone, other.ID) })
		for i := range left {
			left[i].Deleted = left[i].Deleted || left[i].ID == id
		}
		return none{}, w.changeStory(story, func(s *tracker.Story) {
			s.BlockerComments = tracker.UnresolvedBlockers(left)
			s.CommentIDs = slices.DeleteFunc(slices.Clone(s.CommentIDs), func(id int64) bool { return slices.Contains(gone, id) })
		})
	})
	return err
}

// deleteInThread deletes the comment, and the deleted ones above it that stayed only because of
// it; it lists those that are gone.
func (w *work) deleteInThread(c tracker.Comment, thread []tracker.Comment) ([]int64, error) {
	byID, replies := map[int64]tracker.Comment{}, map[int64]int{}
	for _, other := range thread {
		byID[other.ID] = other
		if other.ParentID != nil {
			replies[*other.ParentID]++
		}
	}
	if replies[c.ID] > 0 {
		err := remove(w, c, func() error {
			c.Deleted, c.Text, c.UpdatedAt = true, "", w.now
			c.MemberMentions, c.GroupMentions, c.Reactions = nil, nil, []tracker.Reaction{}
			return w.Tx.UpdateComment(&c)
		})
		return nil, err
	}
	var gone []int64
	for {
		if !c.Deleted { // a deleted one was recorded when its text went
			w.record("delete", c, tracker.Snapshot(c))
		}
		if err := w.Tx.DeleteComment(c.ID); err != nil {
			return gone, err
		}
		gone = append(gone, c.ID)
		if c.ParentID == nil {
			return gone, nil
		}
		parent := byID[*c.ParentID]
		if replies[parent.ID]--; replies[parent.ID] > 0 || !parent.Deleted {
			return gone, nil
		}
		c = parent
	}
}

// React adds the member's emoji to a comment, or takes it away, and returns all reactions.
func (s *Service) React(ctx context.Context, by tracker.Actor, story, id int64, emoji string, on bool) ([]tracker.Reaction, error) {
	return write(ctx, s, by, func(w *work) ([]tracker.Reaction, error) {
		c, err := commentOf(w.Tx, story, id)
		if err != nil {
			return nil, err
		}
		after := c.Comment
		after.Reactions = after.React(emoji, by.Member, on)
		if slices.EqualFunc(after.Reactions, c.Reactions, tracker.Reaction.Equal) {
			return c.Reactions, nil
		}
		action := "delete"
		if on {
			action = "create"
		}
		w.items = append(w.items, tracker.ChangeItem{EntityType: "reaction", EntityID: c.EntityID(), Action: action,
			Data: map[string]any{"emoji": emoji, "comment_id": id, "story_id": story}})
		return after.Reactions, w.Tx.UpdateComment(&after)
	})
}

// UnlinkFromSlack ends the mirroring of a comment thread.
func (s *Service) UnlinkFromSlack(ctx context.Context, by tracker.Actor, story, id int64) (CommentInStory, error) {
	return write(ctx, s, by, func(w *work) (CommentInStory, error) {
		before, err := commentOf(w.Tx, story, id)
		if err != nil {
			return before, err
		}
		after, err := update(w, before.Comment, func(c *tracker.Comment) { c.LinkedToSlack = false }, w.Tx.UpdateComment)
		return CommentInStory{after, before.Position}, err
	})
}
