package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) CreateEpic(ctx context.Context, by tracker.Actor, p tracker.EpicParams) (EpicDetail, error) {
	return write(ctx, s, by, func(w *work) (EpicDetail, error) {
		if id, ok := p.ConvertedFrom.Get(); ok {
			e, err := w.convertStory(id, p)
			w.primary(e)
			return viewEpic(w.Tx, e, err)
		}
		e, err := w.createEpic(tracker.Epic{}, p)
		w.primary(e)
		return viewEpic(w.Tx, e, err)
	})
}

// createEpic makes an epic out of the params and of what it has already.
func (w *work) createEpic(e tracker.Epic, p tracker.EpicParams) (tracker.Epic, error) {
	e.ID, e.RequestedBy, e.CreatedAt, e.UpdatedAt = w.NextID(), w.by.Member, p.CreatedAt.Or(w.now), p.UpdatedAt.Or(w.now)
	var err error
	if e.Position, err = w.EpicLast(); err != nil {
		return e, err
	}
	if e, err = w.changedEpic(e, p.EpicChange); err != nil {
		return e, err
	}
	return create(w, e, w.InsertEpic)
}

func (s *Service) UpdateEpic(ctx context.Context, by tracker.Actor, id int64, ch tracker.EpicChange) (EpicDetail, error) {
	return write(ctx, s, by, func(w *work) (EpicDetail, error) {
		before, err := w.Epic(id)
		if err != nil {
			return EpicDetail{}, err
		}
		w.primary(before)
		after, err := w.changedEpic(before, ch)
		if err != nil {
			return EpicDetail{}, err
		}
		after, err = w.updateEpic(before, func(e *tracker.Epic) { *e = after })
		return viewEpic(w.Tx, after, err)
	})
}

// updateEpic applies a change to a loaded epic, saves and records it.
func (w *work) updateEpic(before tracker.Epic, change func(*tracker.Epic)) (tracker.Epic, error) {
	return update(w, before, change, func(after *tracker.Epic) error { return w.Tx.UpdateEpic(&before, after) })
}

// changedEpic is the epic after the change; what the change refers to must exist.
func (w *work) changedEpic(e tracker.Epic, ch tracker.EpicChange) (tracker.Epic, error) {
	ch.OwnerIDs.Value, ch.FollowerIDs.Value = distinct(ch.OwnerIDs.Value), distinct(ch.FollowerIDs.Value)
	ch.GroupIDs.Value, ch.ObjectiveIDs.Value = distinct(ch.GroupIDs.Value), distinct(ch.ObjectiveIDs.Value)
	if err := w.checkEpicRefs(ch); err != nil {
		return e, err
	}
	e.Apply(ch)
	if err := w.moveEpic(&e, ch); err != nil {
		return e, err
	}
	if err := w.placeEpic(&e, ch); err != nil {
		return e, err
	}
	var err error
	if labels, ok := ch.Labels.Get(); ok {
		if e.LabelIDs, err = w.labelIDs(labels); err != nil {
			return e, err
		}
	}
	if text, ok := ch.Description.Get(); ok {
		e.MemberMentions, e.GroupMentions, err = w.mentions(text)
	}
	return e, err
}

func (w *work) checkEpicRefs(ch tracker.EpicChange) error {
	checks := []error{
		mustExist(w, "member", "owner_ids", ch.OwnerIDs.Value...),
		mustExist(w, "member", "follower_ids", ch.FollowerIDs.Value...),
		mustExistOpt(w, "member", "requested_by_id", ch.RequestedBy),
		mustExist(w, "group", "group_ids", ch.GroupIDs.Value...),
		mustExist(w, "milestone", "objective_ids", ch.ObjectiveIDs.Value...),
	}
	if ch.GroupIDs.State != tracker.Given {
		checks = append(checks, mustExistOpt(w, "group", "group_id", ch.GroupID))
	}
	if ch.ObjectiveIDs.State != tracker.Given {
		checks = append(checks, mustExistOpt(w, "milestone", "milestone_id", ch.MilestoneID))
	}
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// moveEpic puts the epic into the state asked for; a new epic enters the default one. The old field
// state moves nothing while the epic is in a state that it has the same word for.
func (w *work) moveEpic(e *tracker.Epic, ch tracker.EpicChange) error {
	fresh := e.StateID == 0
	if !fresh && ch.StateID.State != tracker.Given && ch.State.State != tracker.Given {
		return nil
	}
	flow, err := w.EpicWorkflow()
	if err != nil {
		return err
	}
	if word, ok := ch.State.Get(); ok && ch.StateID.State != tracker.Given {
		if now, _ := flow.Find(e.StateID); now.Word() == word {
			return nil
		}
		to, ok := flow.FindWord(word)
		if !ok {
			return tracker.Impossible("state", "has no epic state in this workspace: %s", word)
		}
		e.Move(to, w.now)
		return nil
	}
	id := ch.StateID.Or(flow.DefaultStateID)
	to, ok := flow.Find(id)
	if !ok {
		return tracker.Impossible("epic_state_id", "names no existing epic state: %d", id)
	}
	e.Move(to, w.now)
	return nil
}

// placeEpic moves the epic before or after another.
func (w *work) placeEpic(e *tracker.Epic, ch tracker.EpicChange) error {
	field, neighbour := "before_id", ch.BeforeID
	switch {
	case ch.AfterID.State != tracker.Given && ch.BeforeID.State != tracker.Given:
		return nil
	case ch.AfterID.State == tracker.Given && ch.BeforeID.State == tracker.Given:
		return tracker.Impossible("before_id", "cannot be combined with after_id")
	case ch.AfterID.State == tracker.Given:
		field, neighbour = "after_id", ch.AfterID
	}
	if neighbour.Value == e.ID {
		return tracker.Impossible(field, "must name another epic")
	}
	var err error
	e.Position, err = w.EpicBeside(e.ID, neighbour.Value, field == "after_id")
	return absent(err, field, "names no existing epic")
}

// UnlinkEpic takes away an epic's link to a planning tool. No operation makes such links, so there
// is never one to take away.
func (s *Service) UnlinkEpic(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := read(ctx, s, by, func(tx *store.Tx) (tracker.Epic, error) { return tx.Epic(id) })
	return err
}

// DeleteEpic deletes the epic with its comments and its health; its stories stay.
func (s *Service) DeleteEpic(ctx context.Context, by tracker.Actor, id int64) error {
	return s.cascade(ctx, by,
		func(w *work, limit int) ([]tracker.Story, error) {
			e, err := w.Epic(id)
			if err != nil {
				return nil, err
			}
			w.primary(e)
			return w.SomeStoriesOf("epic_id", id, limit)
		},
		func(story *tracker.Story) { story.EpicID = nil },
		func(w *work) error {
			e, err := w.Epic(id)
			if err != nil {
				return err
			}
			if err := w.removeEpicComments(id); err != nil {
				return err
			}
			if err := w.removeHealths(id); err != nil {
				return err
			}
			return remove(w, e, func() error { return w.Tx.DeleteEpic(&e) })
		})
}

// unlabelEpics takes a label off the epics that carry it.
func (w *work) unlabelEpics(l tracker.Label) error {
	epics, err := w.EpicsReferring("label", l.EntityID())
	if err != nil {
		return err
	}
	for _, e := range epics {
		if _, err := w.updateEpic(e, func(e *tracker.Epic) { e.LabelIDs = without(e.LabelIDs, l.ID) }); err != nil {
			return err
		}
	}
	return nil
}
