package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// TaskInStory is a task with its place in the story's list.
type TaskInStory struct {
	tracker.Task
	Position int64
}

// TaskChange is what can be changed of a task.
type TaskChange struct {
	Description tracker.Opt[string]
	Complete    tracker.Opt[bool]
	OwnerIDs    tracker.Opt[[]tracker.UUID]
	BeforeID    tracker.Opt[int64]
	AfterID     tracker.Opt[int64]
}

// Tasks lists the tasks of a story in their order.
func (s *Service) Tasks(ctx context.Context, by tracker.Actor, story int64) ([]TaskInStory, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]TaskInStory, error) {
		owner, err := tx.Story(story)
		if err != nil {
			return nil, err
		}
		tasks, err := tx.TasksOf([]int64{story})
		out := make([]TaskInStory, len(tasks))
		for i, t := range tasks {
			out[i] = inStory(owner, t)
		}
		slices.SortFunc(out, func(a, b TaskInStory) int { return int(a.Position - b.Position) })
		return out, err
	})
}

// placeOf is the 1-based place of an id in a list.
func placeOf(ids []int64, id int64) int64 { return int64(slices.Index(ids, id) + 1) }

func (s *Service) Task(ctx context.Context, by tracker.Actor, story, id int64) (TaskInStory, error) {
	return read(ctx, s, by, func(tx *store.Tx) (TaskInStory, error) {
		owner, t, err := taskOf(tx, story, id)
		return inStory(owner, t), err
	})
}

func inStory(owner tracker.Story, t tracker.Task) TaskInStory {
	return TaskInStory{t, placeOf(owner.TaskIDs, t.ID)}
}

// taskOf loads a story and a task that must belong to it.
func taskOf(tx *store.Tx, story, id int64) (owner tracker.Story, t tracker.Task, err error) {
	if owner, err = tx.Story(story); err != nil {
		return owner, t, err
	}
	if t, err = tx.Task(id); err == nil && t.StoryID != story {
		err = tracker.ErrNotFound
	}
	return owner, t, err
}

func (s *Service) CreateTask(ctx context.Context, by tracker.Actor, story int64, p tracker.TaskParams) (TaskInStory, error) {
	return write(ctx, s, by, func(w *work) (TaskInStory, error) {
		owner, err := w.Story(story)
		if err != nil {
			return TaskInStory{}, err
		}
		t, err := w.newTask(story, p)
		if err != nil {
			return TaskInStory{}, err
		}
		if t, err = create(w, t, w.InsertTask); err != nil {
			return TaskInStory{}, err
		}
		owner, err = w.updateStory(owner, func(s *tracker.Story) { s.AddTask(t) })
		return inStory(owner, t), err
	})
}

// newTask is the task that the params ask for, not stored yet.
func (w *work) newTask(story int64, p tracker.TaskParams) (tracker.Task, error) {
	if err := mustExist(w, "member", "owner_ids", p.OwnerIDs.Value...); err != nil {
		return tracker.Task{}, err
	}
	members, groups, err := w.mentions(p.Description)
	t := tracker.Task{
		ID: w.NextID(), StoryID: story, Description: p.Description, ExternalID: p.ExternalID.Ptr(), OwnerIDs: distinct(p.OwnerIDs.Value),
		MemberMentions: members, GroupMentions: groups, CreatedAt: p.CreatedAt.Or(w.now), UpdatedAt: p.UpdatedAt.Or(w.now),
	}
	t.SetComplete(p.Complete.Or(false), w.now)
	return t, err
}

// UpdateTask changes a task and its place in the story's list.
func (s *Service) UpdateTask(ctx context.Context, by tracker.Actor, story, id int64, ch TaskChange) (TaskInStory, error) {
	return write(ctx, s, by, func(w *work) (TaskInStory, error) {
		owner, before, err := taskOf(w.Tx, story, id)
		if err != nil {
			return TaskInStory{}, err
		}
		after, err := w.changeTask(before, ch)
		if err != nil {
			return TaskInStory{}, err
		}
		ids, err := reordered(owner.TaskIDs, id, ch.BeforeID, ch.AfterID)
		if err != nil {
			return TaskInStory{}, err
		}
		owner, err = w.updateStory(owner, func(s *tracker.Story) {
			s.TaskIDs = ids
			s.CountTask(before.Complete, after.Complete)
		})
		return inStory(owner, after), err
	})
}

func (w *work) changeTask(before tracker.Task, ch TaskChange) (tracker.Task, error) {
	if err := mustExist(w, "member", "owner_ids", ch.OwnerIDs.Value...); err != nil {
		return before, err
	}
	members, groups, err := w.mentions(ch.Description.Value)
	if err != nil {
		return before, err
	}
	return update(w, before, func(t *tracker.Task) {
		if text, ok := ch.Description.Get(); ok {
			t.Description, t.MemberMentions, t.GroupMentions = text, members, groups
		}
		if owners, ok := ch.OwnerIDs.Get(); ok {
			t.OwnerIDs = distinct(owners)
		}
		t.SetComplete(ch.Complete.Or(t.Complete), w.now)
	}, w.Tx.UpdateTask)
}

// reordered is the list with the id moved beside another one of the list.
func reordered(ids []int64, id int64, before, after tracker.Opt[int64]) ([]int64, error) {
	field, neighbour, offset := "before_id", before, 0
	if after.State == tracker.Given {
		if before.State == tracker.Given {
			return nil, tracker.Impossible("before_id", "cannot be combined with after_id")
		}
		field, neighbour, offset = "after_id", after, 1
	}
	target, ok := neighbour.Get()
	if !ok {
		return ids, nil
	}
	rest := without(ids, id)
	at := slices.Index(rest, target)
	if at < 0 {
		return nil, tracker.Impossible(field, "names nothing else in the same list")
	}
	return slices.Insert(rest, at+offset, id), nil
}

func (s *Service) DeleteTask(ctx context.Context, by tracker.Actor, story, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		owner, t, err := taskOf(w.Tx, story, id)
		if err != nil {
			return none{}, err
		}
		if err := remove(w, t, func() error { return w.Tx.DeleteTask(id) }); err != nil {
			return none{}, err
		}
		_, err = w.updateStory(owner, func(s *tracker.Story) {
			s.TaskIDs = without(s.TaskIDs, id)
			s.CountTask(t.Complete, false)
		})
		return none{}, err
	})
	return err
}
