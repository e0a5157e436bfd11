package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// StoryDetail is one story with everything its full form shows.
type StoryDetail struct {
	StoryList
	Tasks       map[int64]tracker.Task
	Comments    map[int64]tracker.Comment
	Files       map[int64]File
	LinkedFiles map[int64]LinkedFile
	VCS         VCSView
}

// detailStories loads what the full forms of stories show, in a fixed number of queries.
func detailStories(tx *store.Tx, stories []tracker.Story) (StoryDetail, error) {
	detail := StoryDetail{StoryList: StoryList{Stories: stories}}
	var withTasks, withComments, files, linked []int64
	for i := range stories {
		files = append(files, stories[i].FileIDs...)
		linked = append(linked, stories[i].LinkedFileIDs...)
		if len(stories[i].TaskIDs) > 0 {
			withTasks = append(withTasks, stories[i].ID)
		}
		if len(stories[i].CommentIDs) > 0 {
			withComments = append(withComments, stories[i].ID)
		}
	}
	parts := append(detail.StoryList.parts(tx), detail.VCS.parts(stories)...)
	if len(withTasks) > 0 {
		parts = append(parts, func(tx *store.Tx) error {
			tasks, err := tx.TasksOf(withTasks)
			detail.Tasks = make(map[int64]tracker.Task, len(tasks))
			for _, t := range tasks {
				detail.Tasks[t.ID] = t
			}
			return err
		})
	}
	if len(withComments) > 0 {
		parts = append(parts, func(tx *store.Tx) error {
			comments, err := tx.CommentsOf(withComments)
			detail.Comments = make(map[int64]tracker.Comment, len(comments))
			for _, c := range comments {
				detail.Comments[c.ID] = c
			}
			return err
		})
	}
	if len(files) > 0 {
		parts = append(parts, func(tx *store.Tx) (err error) {
			detail.Files, err = filesByID(tx, distinct(files))
			return err
		})
	}
	if len(linked) > 0 {
		parts = append(parts, func(tx *store.Tx) (err error) {
			detail.LinkedFiles, err = linkedFilesByID(tx, distinct(linked))
			return err
		})
	}
	err := tx.Together(parts...)
	return detail, err
}

func (s *Service) Story(ctx context.Context, by tracker.Actor, id int64) (StoryDetail, error) {
	return read(ctx, s, by, func(tx *store.Tx) (StoryDetail, error) {
		story, err := tx.Story(id)
		if err != nil {
			return StoryDetail{}, err
		}
		return detailStories(tx, []tracker.Story{story})
	})
}

func (s *Service) CreateStory(ctx context.Context, by tracker.Actor, p tracker.StoryParams) (StoryDetail, error) {
	return write(ctx, s, by, func(w *work) (StoryDetail, error) {
		story, err := w.createStory(p)
		if err != nil {
			return StoryDetail{}, err
		}
		w.primary(story)
		return detailStories(w.Tx, []tracker.Story{story})
	})
}

// CreateStories makes all of the stories or none; an error says which items it is about.
func (s *Service) CreateStories(ctx context.Context, by tracker.Actor, params []tracker.StoryParams) (StoryList, error) {
	return write(ctx, s, by, func(w *work) (StoryList, error) { return viewed(w, viewStories)(w.createStories(params)) })
}

// CreateFullStories is CreateStories with the full forms for an answer.
func (s *Service) CreateFullStories(ctx context.Context, by tracker.Actor, params []tracker.StoryParams) (StoryDetail, error) {
	return write(ctx, s, by, func(w *work) (StoryDetail, error) { return viewed(w, detailStories)(w.createStories(params)) })
}

// viewed loads what is shown of the stories that a bulk operation returns.
func viewed[T any](w *work, view func(*store.Tx, []tracker.Story) (T, error)) func([]tracker.Story, error) (T, error) {
	return func(stories []tracker.Story, err error) (out T, _ error) {
		if err != nil {
			return out, err
		}
		return view(w.Tx, stories)
	}
}

// createStories reads the stories once more: a later one may have changed an earlier one by a link.
func (w *work) createStories(params []tracker.StoryParams) ([]tracker.Story, error) {
	w.bulk()
	ids := make([]int64, len(params))
	var failed bulkError
	for i, p := range params {
		story, err := w.createStory(p)
		if !failed.add(i, err) && err != nil {
			return nil, err
		}
		ids[i] = story.ID
	}
	if err := failed.items("stories"); err != nil {
		return nil, err
	}
	return w.StoriesByID(ids)
}

// createStory makes a story with the tasks, comments, links and sub-tasks that the params name.
func (w *work) createStory(p tracker.StoryParams) (tracker.Story, error) {
	if p.RequestedBy.State == tracker.Absent && w.by.Member != "" {
		p.RequestedBy = tracker.Some(w.by.Member)
	}
	if len(p.SubTasks) > 0 {
		if err := w.require(tracker.SubTasks); err != nil {
			return tracker.Story{}, err
		}
	}
	id := w.NextID()
	edit, err := w.editStories(p.StoryChange)
	if err != nil {
		return tracker.Story{}, err
	}
	for _, err := range []error{
		mustExistOpt(w, "entity-template", "story_template_id", p.TemplateID), mustExistOpt(w, "task", "source_task_id", p.SourceTaskID),
	} {
		if err != nil {
			return tracker.Story{}, err
		}
	}
	at := p.CreatedAt.Or(w.now)
	story := tracker.Story{
		ID: id, Type: tracker.Feat, ExternalID: p.ExternalID.Ptr(), TemplateID: p.TemplateID.Ptr(), SourceTaskID: p.SourceTaskID.Ptr(),
		ExternalLinks: []string{}, CustomFields: []tracker.StoryField{}, CreatedAt: at, UpdatedAt: p.UpdatedAt.Or(w.now),
	}
	edit.at = at
	if err := edit.apply(&story); err != nil {
		return story, err
	}
	story.Follow(story.RequestedBy)
	parts, err := w.newParts(&story, p)
	if err != nil {
		return story, err
	}
	if story, err = create(w, story, w.InsertStory); err != nil {
		return story, err
	}
	if err := w.insertParts(parts); err != nil {
		return story, err
	}
	if len(p.Links)+len(p.SubTasks) == 0 && p.ParentID.State != tracker.Given {
		return story, nil
	}
	if err := w.attach(&story, p); err != nil {
		return story, err
	}
	return w.Story(id)
}

// UpdateStory changes one story.
func (s *Service) UpdateStory(ctx context.Context, by tracker.Actor, id int64, ch tracker.StoryChange) (StoryDetail, error) {
	return write(ctx, s, by, func(w *work) (StoryDetail, error) {
		story, err := w.Story(id)
		if err != nil {
			return StoryDetail{}, err
		}
		w.primary(story)
		edit, err := w.editStories(ch)
		if err != nil {
			return StoryDetail{}, err
		}
		if story, err = edit.change(story); err != nil {
			return StoryDetail{}, err
		}
		return detailStories(w.Tx, []tracker.Story{story})
	})
}

// UpdateStories makes the same change on all of the stories or on none; an error says which items
// it is about.
func (s *Service) UpdateStories(ctx context.Context, by tracker.Actor, ids []int64, ch tracker.StoryChange) (StoryList, error) {
	return write(ctx, s, by, func(w *work) (StoryList, error) { return viewed(w, viewStories)(w.updateStories(ids, ch)) })
}

// UpdateFullStories is UpdateStories with the full forms for an answer.
func (s *Service) UpdateFullStories(ctx context.Context, by tracker.Actor, ids []int64, ch tracker.StoryChange) (StoryDetail, error) {
	return write(ctx, s, by, func(w *work) (StoryDetail, error) { return viewed(w, detailStories)(w.updateStories(ids, ch)) })
}

func (w *work) updateStories(ids []int64, ch tracker.StoryChange) ([]tracker.Story, error) {
	w.bulk()
	if err := mustExistEach(w, "story", "story_ids", ids, func(reason string) any { return reason }); err != nil {
		return nil, err
	}
	if err := ch.Place.Outside(ids); err != nil {
		return nil, err
	}
	edit, err := w.editStories(ch)
	if err != nil {
		return nil, err
	}
	var failed bulkError
	for i, id := range ids {
		if slices.Index(ids, id) < i {
			continue
		}
		if err := edit.save(id); !failed.add(i, err) && err != nil {
			return nil, err
		}
	}
	if err := failed.targets("story_ids"); err != nil {
		return nil, err
	}
	return w.StoriesByID(ids)
}

// save makes the change on the story as it stands now: an earlier story of the same change may
// have had to do with it.
func (e *storyEdit) save(id int64) error {
	story, err := e.w.Story(id)
	if err != nil {
		return err
	}
	_, err = e.change(story)
	return err
}

// change makes the change on a loaded story and on those it has to do with.
func (e *storyEdit) change(before tracker.Story) (tracker.Story, error) {
	after := before
	if err := e.apply(&after); err != nil {
		return before, err
	}
	after, err := e.w.updateStory(before, func(s *tracker.Story) { *s = after })
	if err != nil {
		return before, err
	}
	touched := before.Active() != after.Active() && len(after.SubjectLinkIDs) > 0
	if touched {
		if err := e.w.refreshBlocking(after); err != nil {
			return after, err
		}
	}
	if err := e.relate(after); err != nil {
		return after, err
	}
	if !touched && e.ParentID.State == tracker.Absent && e.SubTaskIDs.State == tracker.Absent {
		return after, nil
	}
	return e.w.Story(after.ID)
}
