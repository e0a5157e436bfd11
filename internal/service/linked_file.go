package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// LinkedFile is a linked file with the stories that it is attached to.
type LinkedFile struct {
	tracker.LinkedFile
	StoryIDs []int64
}

func (s *Service) LinkedFiles(ctx context.Context, by tracker.Actor) ([]LinkedFile, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]LinkedFile, error) {
		files, err := tx.LinkedFiles()
		if err != nil {
			return nil, err
		}
		stories, err := tx.StoriesByTarget("linked-file")
		out := make([]LinkedFile, len(files))
		for i, f := range files {
			out[i] = LinkedFile{f, stories[f.ID]}
		}
		return out, err
	})
}

// linkedFilesByID loads the linked files with the ids, in two queries or, without ids, none.
func linkedFilesByID(tx *store.Tx, ids []int64) (map[int64]LinkedFile, error) {
	out := map[int64]LinkedFile{}
	files, err := tx.LinkedFilesByID(ids)
	if err != nil || len(files) == 0 {
		return out, err
	}
	stories, err := tx.StoriesByTarget("linked-file", ids...)
	for _, f := range files {
		out[f.ID] = LinkedFile{f, stories[f.ID]}
	}
	return out, err
}

func (s *Service) LinkedFile(ctx context.Context, by tracker.Actor, id int64) (LinkedFile, error) {
	return read(ctx, s, by, func(tx *store.Tx) (LinkedFile, error) {
		f, err := tx.LinkedFile(id)
		return withStories(tx, f, err)
	})
}

func withStories(tx *store.Tx, f tracker.LinkedFile, err error) (LinkedFile, error) {
	if err != nil {
		return LinkedFile{}, err
	}
	stories, err := tx.StoriesByTarget("linked-file", f.ID)
	return LinkedFile{f, stories[f.ID]}, err
}

func (s *Service) CreateLinkedFile(ctx context.Context, by tracker.Actor, p tracker.LinkedFileParams) (LinkedFile, error) {
	return write(ctx, s, by, func(w *work) (LinkedFile, error) {
		f, err := w.createLinkedFile(p)
		return withStories(w.Tx, f, err)
	})
}

func (w *work) createLinkedFile(p tracker.LinkedFileParams) (tracker.LinkedFile, error) {
	f := tracker.LinkedFile{
		ID: w.NextID(), Name: p.Name, Description: p.Description.Ptr(), Type: p.Type, URL: p.URL, ThumbnailURL: p.ThumbnailURL.Ptr(),
		ContentType: p.ContentType.Ptr(), Size: p.Size.Ptr(), UploaderID: p.UploaderID.Or(w.by.Member), CreatedAt: w.now, UpdatedAt: w.now,
	}
	err := mustExistOpt(w, "member", "uploader_id", p.UploaderID)
	if err != nil {
		return f, err
	}
	if f.MemberMentions, f.GroupMentions, err = w.mentions(p.Description.Value); err != nil {
		return f, err
	}
	if f, err = create(w, f, w.InsertLinkedFile); err != nil {
		return f, err
	}
	return f, w.attachLinkedFile(f.ID, p.StoryID)
}

func (s *Service) UpdateLinkedFile(ctx context.Context, by tracker.Actor, id int64, ch tracker.LinkedFileChange) (LinkedFile, error) {
	return write(ctx, s, by, func(w *work) (LinkedFile, error) {
		f, err := w.updateLinkedFile(id, ch)
		return withStories(w.Tx, f, err)
	})
}

func (w *work) updateLinkedFile(id int64, ch tracker.LinkedFileChange) (tracker.LinkedFile, error) {
	f, err := w.LinkedFile(id)
	if err != nil {
		return f, err
	}
	w.primary(f)
	if err := mustExistOpt(w, "member", "uploader_id", ch.UploaderID); err != nil {
		return f, err
	}
	members, groups, err := w.mentions(ch.Description.Value)
	if err != nil {
		return f, err
	}
	f, err = update(w, f, func(f *tracker.LinkedFile) {
		f.Apply(ch)
		if ch.Description.State != tracker.Absent {
			f.MemberMentions, f.GroupMentions = members, groups
		}
	}, w.Tx.UpdateLinkedFile)
	if err != nil {
		return f, err
	}
	return f, w.attachLinkedFile(id, ch.StoryID)
}

// attachLinkedFile puts the file on the story that a request names, if it names one.
func (w *work) attachLinkedFile(id int64, story tracker.Opt[int64]) error {
	storyID, ok := story.Get()
	if !ok {
		return nil
	}
	if err := mustExist(w, "story", "story_id", storyID); err != nil {
		return err
	}
	return w.changeStory(storyID, func(s *tracker.Story) {
		s.LinkedFileIDs = distinct(append(slices.Clip(s.LinkedFileIDs), id))
	})
}

// DeleteLinkedFile takes the file off the stories that it is attached to.
func (s *Service) DeleteLinkedFile(ctx context.Context, by tracker.Actor, id int64) error {
	return s.cascade(ctx, by,
		func(w *work, limit int) ([]tracker.Story, error) {
			f, err := w.LinkedFile(id)
			if err != nil {
				return nil, err
			}
			w.primary(f)
			return w.SomeStoriesReferring("linked-file", f.EntityID(), limit)
		},
		func(story *tracker.Story) { story.LinkedFileIDs = without(story.LinkedFileIDs, id) },
		func(w *work) error {
			f, err := w.LinkedFile(id)
			if err != nil {
				return err
			}
			return remove(w, f, func() error { return w.Tx.DeleteLinkedFile(id) })
		})
}
