package service

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/gofrs/uuid/v5"

	"milepost/internal/blob"
	"milepost/internal/store"
	"milepost/internal/tracker"
)

// orphanAge is how old a content without a file must be to be deleted: longer than an upload may
// take, so that what arrives at another node is left alone.
const orphanAge = time.Hour

// sweepBatch is how many contents are looked up at once.
const sweepBatch = 500

// SweepFiles deletes the contents that belong to no file: what a crash has left of uploads and
// deletions. It looks into the folders of the workspaces that there are and tells how many it deleted.
func (s *Service) SweepFiles(ctx context.Context) (deleted int, err error) {
	workspaces, err := s.store.Workspaces(ctx)
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, ws := range workspaces {
		n, err := s.sweepWorkspace(ctx, ws.ID)
		deleted, failed = deleted+n, append(failed, err)
	}
	return deleted, errors.Join(failed...)
}

func (s *Service) sweepWorkspace(ctx context.Context, workspace tracker.UUID) (deleted int, err error) {
	var old []blob.Object
	var failed []error
	flush := func() {
		n, err := s.deleteOrphans(ctx, workspace, old)
		deleted, failed, old = deleted+n, append(failed, err), nil
	}
	for o, err := range s.files.Contents.List(ctx, string(workspace)) {
		if err != nil {
			failed = append(failed, err)
			break
		}
		if id, ok := contentID(o); ok && s.isOld(id) && !s.uploads.has(id) {
			old = append(old, o)
		}
		if len(old) == sweepBatch {
			flush()
		}
	}
	flush()
	return deleted, errors.Join(failed...)
}

// contentID reads the key of an object; what somebody else has put there has another form.
func contentID(o blob.Object) (tracker.UUID, bool) {
	_, name, _ := strings.Cut(o.Key, "/")
	return tracker.ParseUUID(strings.TrimSuffix(name, thumbnailSuffix))
}

// isOld judges a content by its id, which was made by our own clock.
func (s *Service) isOld(id tracker.UUID) bool {
	at, err := uuid.TimestampFromV7(uuid.FromStringOrNil(string(id)))
	if err != nil {
		return false
	}
	made, err := at.Time()
	return err == nil && s.now().Sub(made) >= orphanAge
}

// deleteOrphans deletes those of the objects that no file has.
func (s *Service) deleteOrphans(ctx context.Context, workspace tracker.UUID, objects []blob.Object) (deleted int, err error) {
	if len(objects) == 0 {
		return 0, nil
	}
	var ids []tracker.UUID
	for _, o := range objects {
		id, _ := contentID(o)
		ids = append(ids, id)
	}
	wanted := map[string]bool{}
	err = s.store.Read(ctx, workspace, func(tx *store.Tx) error {
		files, err := tx.FilesByContent(distinct(ids))
		for _, f := range files {
			wanted[contentKey(workspace, f.ContentID)] = true
			wanted[thumbnailKey(workspace, f.ContentID)] = f.ThumbnailType != ""
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	var failed []error
	for _, o := range objects {
		if wanted[o.Key] && !o.Partial {
			continue
		}
		if err := s.files.Contents.Remove(ctx, o); err != nil {
			failed = append(failed, err)
			continue
		}
		deleted++
	}
	return deleted, errors.Join(failed...)
}
