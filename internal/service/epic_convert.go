package service

import (
	"fmt"
	"slices"

	"milepost/internal/tracker"
)

// convertStory makes an epic that takes the place of a story: the epic inherits from it, its tasks
// become stories of the epic, and it is archived and named in the epic's first comment.
func (w *work) convertStory(id int64, p tracker.EpicParams) (tracker.Epic, error) {
	story, err := w.Story(id)
	if err != nil {
		return tracker.Epic{}, absent(err, "converted_from_story_id", "names no existing story")
	}
	var e tracker.Epic
	e.Inherit(story)
	if e, err = w.createEpic(e, p); err != nil {
		return e, err
	}
	if err := w.storiesOfTasks(story, e); err != nil {
		return e, err
	}
	archive, err := w.editStories(tracker.StoryChange{Archived: tracker.Some(true)})
	if err != nil {
		return e, err
	}
	if err := archive.save(id); err != nil {
		return e, err
	}
	_, err = w.createEpicComment(e.ID, nil, tracker.EpicCommentParams{Text: fmt.Sprintf("Converted from story sc-%d: %s", id, story.Name)})
	return e, err
}

// maxStoryName is how long the name of a story may be; the description of a task may be longer.
const maxStoryName = 512

// storiesOfTasks makes a story of the epic out of each task: in the default state of the story's
// workflow, or in its first done state if the task is complete.
func (w *work) storiesOfTasks(story tracker.Story, e tracker.Epic) error {
	if len(story.TaskIDs) == 0 {
		return nil
	}
	tasks, err := w.TasksOf([]int64{story.ID})
	if err != nil {
		return err
	}
	flow, err := w.Workflow(story.WorkflowID)
	if err != nil {
		return err
	}
	done := flow.DefaultStateID
	if i := slices.IndexFunc(flow.States, func(s tracker.WorkflowState) bool { return s.Type == tracker.Done }); i >= 0 {
		done = flow.States[i].ID
	}
	slices.SortFunc(tasks, func(a, b tracker.Task) int {
		return slices.Index(story.TaskIDs, a.ID) - slices.Index(story.TaskIDs, b.ID)
	})
	for _, task := range tasks {
		p := tracker.StoryParams{SourceTaskID: tracker.Some(task.ID), StoryChange: tracker.StoryChange{
			Name: tracker.Some(task.Description), OwnerIDs: tracker.Some(task.OwnerIDs), StateID: tracker.Some(flow.DefaultStateID),
			ProjectID: optional(story.ProjectID), EpicID: tracker.Some(e.ID),
		}}
		if name := []rune(task.Description); len(name) > maxStoryName {
			p.Name, p.Description = tracker.Some(string(name[:maxStoryName])), tracker.Some(task.Description)
		}
		if task.Complete {
			p.StateID = tracker.Some(done)
		}
		if _, err := w.createStory(p); err != nil {
			return err
		}
	}
	return nil
}
