package service

import (
	"slices"

	"milepost/internal/tracker"
)

// parts are the tasks and comments that a new story comes with.
type parts struct {
	tasks    []tracker.Task
	comments []tracker.Comment
}

// newParts puts the tasks and comments that the params ask for into the story's lists.
func (w *work) newParts(story *tracker.Story, p tracker.StoryParams) (out parts, err error) {
	for i, params := range p.Tasks {
		task, err := w.newTask(story.ID, params)
		if err != nil {
			return out, tracker.Within(err, "tasks", i)
		}
		story.AddTask(task)
		out.tasks = append(out.tasks, task)
	}
	for i, params := range p.Comments {
		comment, err := w.newComment(story.ID, params)
		if err != nil {
			return out, tracker.Within(err, "comments", i)
		}
		story.AddComment(comment)
		out.comments = append(out.comments, comment)
	}
	return out, nil
}

func (w *work) insertParts(p parts) error {
	for _, task := range p.tasks {
		if _, err := create(w, task, w.InsertTask); err != nil {
			return err
		}
	}
	for _, comment := range p.comments {
		if _, err := create(w, comment, w.InsertComment); err != nil {
			return err
		}
	}
	return nil
}

// attach makes the links, the parent and the sub-tasks of a new story.
func (w *work) attach(story *tracker.Story, p tracker.StoryParams) error {
	for i, link := range p.Links {
		if link.SubjectID.State == tracker.Absent {
			link.SubjectID = tracker.Some(story.ID)
		}
		if link.ObjectID.State == tracker.Absent {
			link.ObjectID = tracker.Some(story.ID)
		}
		if _, err := w.addLink(link); err != nil {
			return tracker.Within(err, "story_links", i)
		}
	}
	if parent, ok := p.ParentID.Get(); ok {
		if err := w.setParent(story.ID, &parent); err != nil {
			return err
		}
	}
	for i, sub := range p.SubTasks {
		if err := w.addSubTask(*story, sub); err != nil {
			return tracker.Within(err, "sub_tasks", i)
		}
	}
	return nil
}

// addSubTask puts an existing story under the parent, or a new one that takes over the parent's
// epic, group, iteration and project.
func (w *work) addSubTask(parent tracker.Story, p tracker.SubTaskParams) error {
	if id, ok := p.StoryID.Get(); ok {
		if err := mustExist(w, "story", "story_id", id); err != nil {
			return err
		}
		return tracker.About(w.setParent(id, &parent.ID), "story_id")
	}
	name, ok := p.Name.Get()
	if !ok {
		return tracker.InvalidFields(map[string]any{"name": "missing-required-key"})
	}
	child := tracker.StoryParams{StoryChange: tracker.StoryChange{
		Name: tracker.Some(name), OwnerIDs: p.OwnerIDs, StateID: p.StateID, EpicID: optional(parent.EpicID),
		GroupID: optional(parent.GroupID), IterationID: optional(parent.IterationID), ProjectID: optional(parent.ProjectID),
		ParentID: tracker.Some(parent.ID),
	}}
	if p.StateID.State == tracker.Absent && parent.ProjectID == nil {
		state, err := w.DefaultState(parent.WorkflowID)
		if err != nil {
			return err
		}
		child.StateID = tracker.Some(state.ID)
	}
	_, err := w.createStory(child)
	return err
}

func optional[T any](v *T) tracker.Opt[T] {
	if v == nil {
		return tracker.Opt[T]{}
	}
	return tracker.Some(*v)
}

// relate makes the change's parent and sub-tasks hold for a saved story.
func (e *storyEdit) relate(s tracker.Story) error {
	if e.ParentID.State != tracker.Absent {
		if err := e.w.setParent(s.ID, e.ParentID.Ptr()); err != nil {
			return err
		}
	}
	wanted, ok := e.SubTaskIDs.Get()
	if !ok {
		return nil
	}
	for _, id := range s.SubTaskIDs {
		if !slices.Contains(wanted, id) {
			if err := e.w.setParent(id, nil); err != nil {
				return err
			}
		}
	}
	for i, id := range wanted {
		if err := e.w.setParent(id, &s.ID); err != nil {
			return tracker.Within(tracker.About(err, "story_id"), "sub_tasks", i)
		}
	}
	parent, err := e.w.Story(s.ID)
	if err != nil {
		return err
	}
	_, err = e.w.updateStory(parent, func(p *tracker.Story) { p.SubTaskIDs = distinct(wanted) })
	return err
}

// setParent makes a story the sub-task of another, or of none. Sub-tasks have one level: a
// sub-task has none of its own.
func (w *work) setParent(id int64, parent *int64) error {
	child, err := w.Story(id)
	if err != nil {
		return err
	}
	if equal(child.ParentID, parent) {
		return nil
	}
	if child.ParentID != nil {
		if err := w.changeStory(*child.ParentID, func(p *tracker.Story) { p.SubTaskIDs = without(p.SubTaskIDs, id) }); err != nil {
			return err
		}
	}
	if parent != nil {
		if err := w.adopt(child, *parent); err != nil {
			return err
		}
	}
	return w.changeStory(id, func(c *tracker.Story) { c.ParentID = parent })
}

func (w *work) adopt(child tracker.Story, parent int64) error {
	p, err := w.Story(parent)
	switch {
	case err != nil:
		return err
	case parent == child.ID:
		return tracker.Impossible("parent_story_id", "names the story itself")
	case p.ParentID != nil:
		return tracker.Impossible("parent_story_id", "names a story that is a sub-task itself")
	case len(child.SubTaskIDs) > 0:
		return tracker.Impossible("parent_story_id", "is not possible for a story that has sub-tasks")
	}
	return w.changeStory(parent, func(p *tracker.Story) { p.SubTaskIDs = append(slices.Clip(p.SubTaskIDs), child.ID) })
}

// changeStory loads a story, changes it and saves it.
func (w *work) changeStory(id int64, change func(*tracker.Story)) error {
	story, err := w.Story(id)
	if err != nil {
		return err
	}
	_, err = w.updateStory(story, change)
	return err
}
