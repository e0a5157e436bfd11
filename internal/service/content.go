package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"log/slog"
	"sync"
	"time"

	"milepost/internal/blob"
	"milepost/internal/tracker"
)

// Files says where the contents of files are kept and how many bytes one may have.
type Files struct {
	Contents blob.Store
	MaxSize  int64
}

// Content is what was uploaded and is not a file yet.
type Content struct {
	id            tracker.UUID
	name          string
	contentType   string
	size          int64
	sha256        string
	thumbnailType string
	tokens        []string // that stand in it
}

const (
	// maxScanned is up to which size a content is searched for tokens.
	maxScanned = 1 << 20
	// maxUploads bounds how many contents arrive at the same time; each may have some megabytes in memory.
	maxUploads = 16
	// uploadWait is how long one waits for its turn.
	uploadWait = 10 * time.Second
	// discardTimeout bounds the deletion of a content that nobody waits for.
	discardTimeout = time.Minute
)

// contentKey is where a content is kept. The folder is the workspace's, so that it can move.
func contentKey(workspace, id tracker.UUID) string { return string(workspace) + "/" + string(id) }

// thumbnailKey is where the thumbnail of a content is kept.
func thumbnailKey(workspace, id tracker.UUID) string {
	return contentKey(workspace, id) + thumbnailSuffix
}

const thumbnailSuffix = ".thumbnail"

// MaxFileSize is how many bytes a file may have.
func (s *Service) MaxFileSize() int64 { return s.files.MaxSize }

// KeepContent stores what r gives until it becomes a file or is released. The declared type is
// what the client says that it is.
func (s *Service) KeepContent(ctx context.Context, by tracker.Actor, name, declared string, r io.Reader) (*Content, error) {
	leave, err := s.uploads.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	c := &Content{id: s.newID(), name: name}
	s.uploads.begin(c)
	in := &intake{from: r, limit: s.files.MaxSize, hash: sha256.New()}
	err = s.files.Contents.Write(ctx, contentKey(by.Workspace, c.id), in)
	if in.tooLarge {
		err = &tracker.Error{Code: tracker.TooLarge, Message: fmt.Sprintf("The file is larger than %d bytes.", in.limit)}
	}
	if err == nil {
		c.size, c.sha256, c.contentType = in.size, hex.EncodeToString(in.hash.Sum(nil)), contentType(declared, in.start)
		if in.size <= maxScanned {
			c.tokens = tracker.FindTokens(string(in.start))
		}
		err = s.addThumbnail(ctx, by.Workspace, c, in.start)
	}
	if err != nil {
		s.ReleaseContent(context.WithoutCancel(ctx), by, c)
		return nil, err
	}
	return c, nil
}

// ReleaseContent forgets a content that will be no file.
func (s *Service) ReleaseContent(ctx context.Context, by tracker.Actor, c *Content) {
	if s.uploads.end(c) {
		s.discard(ctx, by.Workspace, c.id)
	}
}

// addThumbnail gives a picture its thumbnail. A picture that cannot be read, or is too large to be
// unpacked, is a file like any other.
func (s *Service) addThumbnail(ctx context.Context, workspace tracker.UUID, c *Content, start []byte) error {
	if !canShrink(start) {
		return nil
	}
	picture, err := s.files.Contents.Open(ctx, contentKey(workspace, c.id), c.size)
	if err != nil {
		return err
	}
	defer picture.Close()
	done, err := s.uploads.draw(ctx)
	if err != nil {
		return err
	}
	defer done()
	thumbnail, contentType, err := shrink(picture)
	if err != nil {
		slog.InfoContext(ctx, "a picture has no thumbnail", "content_id", c.id, "error", err)
		return nil
	}
	c.thumbnailType = contentType
	return s.files.Contents.Write(ctx, thumbnailKey(workspace, c.id), bytes.NewReader(thumbnail))
}

// discard deletes a content and its thumbnail. What it fails to delete, the sweep will find.
func (s *Service) discard(ctx context.Context, workspace, id tracker.UUID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), discardTimeout)
	defer cancel()
	for _, key := range []string{thumbnailKey(workspace, id), contentKey(workspace, id)} {
		if err := s.files.Contents.Remove(ctx, blob.Object{Key: key}); err != nil {
			slog.WarnContext(ctx, "a content could not be deleted", "key", key, "error", err)
		}
	}
}

// OpenContent opens the content of a file.
func (s *Service) OpenContent(ctx context.Context, by tracker.Actor, f tracker.File) (io.ReadSeekCloser, error) {
	return s.files.Contents.Open(ctx, contentKey(by.Workspace, f.ContentID), f.Size)
}

// maxThumbnail is more than a thumbnail of the largest size can have.
const maxThumbnail = 4 << 20

// Thumbnail reads the thumbnail of a file.
func (s *Service) Thumbnail(ctx context.Context, by tracker.Actor, f tracker.File) ([]byte, error) {
	if f.ThumbnailType == "" {
		return nil, tracker.ErrNotFound
	}
	r, err := s.files.Contents.Open(ctx, thumbnailKey(by.Workspace, f.ContentID), maxThumbnail)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, maxThumbnail))
}

// intake is a content on its way in.
type intake struct {
	from     io.Reader
	limit    int64
	size     int64
	hash     hash.Hash
	start    []byte // as much of it as is searched for tokens
	tooLarge bool
}

var errTooLarge = errors.New("the content is too large")

func (in *intake) Read(p []byte) (int, error) {
	n, err := in.from.Read(p)
	in.size += int64(n)
	if in.size > in.limit {
		in.tooLarge = true
		return 0, errTooLarge
	}
	in.hash.Write(p[:n])
	in.start = append(in.start, p[:min(n, maxScanned-len(in.start))]...)
	return n, err
}

// uploads knows the contents that are on their way in.
type uploads struct {
	slots   chan struct{} // full when as many arrive as may
	drawing chan struct{} // full when a picture is unpacked in memory
	mu      sync.Mutex
	known   map[tracker.UUID]bool
}

func newUploads() *uploads {
	return &uploads{slots: make(chan struct{}, maxUploads), drawing: make(chan struct{}, 1), known: map[tracker.UUID]bool{}}
}

// enter waits for its turn, but not for long.
func (u *uploads) enter(ctx context.Context) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, uploadWait)
	defer cancel()
	return take(ctx, u.slots, "Too many uploads are under way; try again.")
}

func (u *uploads) draw(ctx context.Context) (done func(), err error) {
	return take(ctx, u.drawing, "Too many pictures are under way; try again.")
}

func take(ctx context.Context, places chan struct{}, busy string) (giveBack func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, &tracker.Error{Code: tracker.Busy, Message: busy}
	}
}

func (u *uploads) begin(c *Content) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.known[c.id] = true
}

// end forgets contents; it reports whether any of them was known.
func (u *uploads) end(contents ...*Content) (known bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, c := range contents {
		known = known || u.known[c.id]
		delete(u.known, c.id)
	}
	return known
}

func (u *uploads) has(id tracker.UUID) bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.known[id]
}
