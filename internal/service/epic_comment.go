package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// EpicComments lists the discussion of an epic.
func (s *Service) EpicComments(ctx context.Context, by tracker.Actor, epic int64) ([]tracker.Thread, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.Thread, error) {
		if _, err := tx.Epic(epic); err != nil {
			return nil, err
		}
		comments, err := tx.EpicComments(epic)
		return tracker.Threads(comments, 0), err
	})
}

func (s *Service) EpicComment(ctx context.Context, by tracker.Actor, epic, id int64) (tracker.Thread, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Thread, error) {
		comments, err := tx.EpicComments(epic)
		if err != nil {
			return tracker.Thread{}, err
		}
		return findThread(comments, id)
	})
}

// findThread picks a comment with the answers to it; a deleted one counts as gone.
func findThread(comments []tracker.EpicComment, id int64) (tracker.Thread, error) {
	i := slices.IndexFunc(comments, func(c tracker.EpicComment) bool { return c.ID == id && !c.Deleted })
	if i < 0 {
		return tracker.Thread{}, tracker.ErrNotFound
	}
	return tracker.Thread{EpicComment: comments[i], Answers: tracker.Threads(comments, id)}, nil
}

// CreateEpicComment comments on an epic.
func (s *Service) CreateEpicComment(ctx context.Context, by tracker.Actor, epic int64, p tracker.EpicCommentParams) (tracker.Thread, error) {
	return write(ctx, s, by, func(w *work) (tracker.Thread, error) {
		if _, err := w.Epic(epic); err != nil {
			return tracker.Thread{}, err
		}
		return w.createEpicComment(epic, nil, p)
	})
}

// AnswerEpicComment answers a comment on an epic.
func (s *Service) AnswerEpicComment(ctx context.Context, by tracker.Actor, epic, parent int64, p tracker.EpicCommentParams) (tracker.Thread, error) {
	return write(ctx, s, by, func(w *work) (tracker.Thread, error) {
		comments, err := w.EpicComments(epic)
		if err != nil {
			return tracker.Thread{}, err
		}
		if _, err := findThread(comments, parent); err != nil {
			return tracker.Thread{}, err
		}
		return w.createEpicComment(epic, &parent, p)
	})
}

func (w *work) createEpicComment(epic int64, parent *int64, p tracker.EpicCommentParams) (tracker.Thread, error) {
	if err := mustExistOpt(w, "member", "author_id", p.AuthorID); err != nil {
		return tracker.Thread{}, err
	}
	members, groups, err := w.mentions(p.Text)
	if err != nil {
		return tracker.Thread{}, err
	}
	c, err := create(w, tracker.EpicComment{
		ID: w.NextID(), EpicID: epic, ParentID: parent, AuthorID: p.AuthorID.Or(w.by.Member), Text: p.Text,
		ExternalID: p.ExternalID.Ptr(), MemberMentions: members, GroupMentions: groups,
		CreatedAt: p.CreatedAt.Or(w.now), UpdatedAt: p.UpdatedAt.Or(w.now),
	}, w.InsertEpicComment)
	return tracker.Thread{EpicComment: c}, err
}

func (s *Service) UpdateEpicComment(ctx context.Context, by tracker.Actor, epic, id int64, text string) (tracker.Thread, error) {
	return write(ctx, s, by, func(w *work) (tracker.Thread, error) {
		comments, err := w.EpicComments(epic)
		if err != nil {
			return tracker.Thread{}, err
		}
		t, err := findThread(comments, id)
		if err != nil {
			return t, err
		}
		members, groups, err := w.mentions(text)
		if err != nil {
			return t, err
		}
		t.EpicComment, err = update(w, t.EpicComment, func(c *tracker.EpicComment) {
			c.Text, c.MemberMentions, c.GroupMentions = text, members, groups
		}, w.Tx.UpdateEpicComment)
		return t, err
	})
}

// DeleteEpicComment deletes a comment. One with answers leaves its place; that goes with the last
// of the answers.
func (s *Service) DeleteEpicComment(ctx context.Context, by tracker.Actor, epic, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		comments, err := w.EpicComments(epic)
		if err != nil {
			return none{}, err
		}
		t, err := findThread(comments, id)
		if err != nil {
			return none{}, err
		}
		return none{}, remove(w, t.EpicComment, func() error {
			if len(t.Answers) > 0 {
				t.Erase()
				t.Touch(w.now)
				return w.Tx.UpdateEpicComment(&t.EpicComment)
			}
			for _, gone := range tracker.GoingWith(comments, t.EpicComment) {
				if err := w.Tx.DeleteEpicComment(gone); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return err
}

// removeEpicComments deletes the discussion of an epic and records what was still readable of it.
func (w *work) removeEpicComments(epic int64) error {
	comments, err := w.EpicComments(epic)
	if err != nil {
		return err
	}
	for _, c := range comments {
		if !c.Deleted {
			w.record("delete", c, tracker.Snapshot(c))
		}
	}
	return w.DeleteEpicComments(epic)
}
