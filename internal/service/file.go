package service

import (
	"context"
	"errors"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// File is a file with the stories that it is attached to.
type File struct {
	tracker.File
	StoryIDs []int64
}

func (s *Service) Files(ctx context.Context, by tracker.Actor) ([]File, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]File, error) {
		files, err := tx.Files()
		if err != nil {
			return nil, err
		}
		stories, err := tx.StoriesByTarget("file")
		out := make([]File, len(files))
		for i, f := range files {
			out[i] = File{f, stories[f.ID]}
		}
		return out, err
	})
}

// filesByID loads the files with the ids, in two queries or, without ids, none.
func filesByID(tx *store.Tx, ids []int64) (map[int64]File, error) {
	out := map[int64]File{}
	files, err := tx.FilesByID(ids)
	if err != nil || len(files) == 0 {
		return out, err
	}
	stories, err := tx.StoriesByTarget("file", ids...)
	for _, f := range files {
		out[f.ID] = File{f, stories[f.ID]}
	}
	return out, err
}

func (s *Service) File(ctx context.Context, by tracker.Actor, id int64) (File, error) {
	return read(ctx, s, by, func(tx *store.Tx) (File, error) {
		f, err := tx.File(id)
		return fileWithStories(tx, f, err)
	})
}

func fileWithStories(tx *store.Tx, f tracker.File, err error) (File, error) {
	if err != nil {
		return File{}, err
	}
	stories, err := tx.StoriesByTarget("file", f.ID)
	return File{f, stories[f.ID]}, err
}

// CreateFiles makes files of contents that have been kept, and attaches them to the story, if one
// is named. Tokens that stand in the contents are revoked.
func (s *Service) CreateFiles(ctx context.Context, by tracker.Actor, contents []*Content, story tracker.Opt[int64]) ([]File, error) {
	files, err := write(ctx, s, by, func(w *work) ([]File, error) {
		ids := make([]int64, len(contents))
		for i, c := range contents {
			f, err := create(w, w.newFile(c), w.InsertFile)
			if err != nil {
				return nil, err
			}
			ids[i] = f.ID
			for _, token := range c.tokens {
				if err := w.revokeText(token); err != nil {
					return nil, err
				}
			}
		}
		if err := w.attachFiles(ids, story); err != nil {
			return nil, err
		}
		files, err := filesByID(w.Tx, ids)
		out := make([]File, len(ids))
		for i, id := range ids {
			out[i] = files[id]
		}
		return out, err
	})
	if err == nil || errors.Is(err, store.ErrUnknownOutcome) {
		s.uploads.end(contents...) // of what may have files now, only the sweep can tell
	}
	return files, err
}

func (w *work) newFile(c *Content) tracker.File {
	return tracker.File{
		ID: w.NextID(), ContentID: c.id, Name: c.name, Filename: c.name, ContentType: c.contentType, Size: c.size, SHA256: c.sha256,
		ThumbnailType: c.thumbnailType, UploaderID: w.by.Member, CreatedAt: w.now, UpdatedAt: w.now,
	}
}

// attachFiles puts the files on the story that a request names, if it names one.
func (w *work) attachFiles(ids []int64, story tracker.Opt[int64]) error {
	storyID, ok := story.Get()
	if !ok {
		return nil
	}
	if err := mustExist(w, "story", "story_id", storyID); err != nil {
		return err
	}
	return w.changeStory(storyID, func(s *tracker.Story) { s.FileIDs = append(slices.Clip(s.FileIDs), ids...) })
}

func (s *Service) UpdateFile(ctx context.Context, by tracker.Actor, id int64, ch tracker.FileChange) (File, error) {
	return write(ctx, s, by, func(w *work) (File, error) {
		f, err := w.updateFile(id, ch)
		return fileWithStories(w.Tx, f, err)
	})
}

func (w *work) updateFile(id int64, ch tracker.FileChange) (tracker.File, error) {
	f, err := w.File(id)
	if err != nil {
		return f, err
	}
	if err := mustExistOpt(w, "member", "uploader_id", ch.UploaderID); err != nil {
		return f, err
	}
	members, groups, err := w.mentions(ch.Description.Value)
	if err != nil {
		return f, err
	}
	return update(w, f, func(f *tracker.File) {
		f.Apply(ch)
		if ch.Description.State != tracker.Absent {
			f.MemberMentions, f.GroupMentions = members, groups
		}
	}, func(f *tracker.File) error {
		ch.UpdatedAt.Apply(&f.UpdatedAt) // what is asked for beats the present
		return w.Tx.UpdateFile(f)
	})
}

// DeleteFile takes the file off the stories that it is attached to. Its content goes when that is
// committed.
func (s *Service) DeleteFile(ctx context.Context, by tracker.Actor, id int64) error {
	var gone tracker.File
	err := s.cascade(ctx, by,
		func(w *work, limit int) ([]tracker.Story, error) {
			f, err := w.File(id)
			if err != nil {
				return nil, err
			}
			w.primary(f)
			return w.SomeStoriesReferring("file", f.EntityID(), limit)
		},
		func(story *tracker.Story) { story.FileIDs = without(story.FileIDs, id) },
		func(w *work) (err error) {
			if gone, err = w.File(id); err != nil {
				return err
			}
			return remove(w, gone, func() error { return w.Tx.DeleteFile(id) })
		})
	if err == nil {
		afterCommit(ctx, func() { s.discard(ctx, by.Workspace, gone.ContentID) })
	}
	return err
}
