package service

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// linkLife is for how many seconds a signed link opens its file.
const linkLife = 15 * 60

// A Link opens one path, without a token, until it expires.
type Link struct {
	Workspace tracker.UUID
	Expires   tracker.Time
	Signature string
}

// FileLinks signs paths that lead to a file.
func (s *Service) FileLinks(ctx context.Context, by tracker.Actor, id int64, paths func(tracker.File) []string) (File, []Link, error) {
	f, err := s.File(ctx, by, id)
	if err != nil {
		return f, nil, err
	}
	secret, err := s.linkSecret(ctx, by)
	if err != nil {
		return f, nil, err
	}
	var links []Link
	for _, path := range paths(f.File) {
		l := Link{Workspace: by.Workspace, Expires: tracker.TimeOf(s.now()) + linkLife}
		l.Signature = l.sign(secret, path)
		links = append(links, l)
	}
	return f, links, nil
}

// linkSecret reads what the workspace's links are signed with; the first link makes it.
func (s *Service) linkSecret(ctx context.Context, by tracker.Actor) (string, error) {
	secret, err := read(ctx, s, by, (*store.Tx).LinkSecret)
	if !errors.Is(err, tracker.ErrNotFound) {
		return secret, err
	}
	var key [32]byte
	if _, err := io.ReadFull(s.random, key[:]); err != nil {
		return "", err
	}
	return write(ctx, s, by, func(w *work) (string, error) {
		secret, err := w.LinkSecret()
		if errors.Is(err, tracker.ErrNotFound) { // nobody else was faster
			secret = hex.EncodeToString(key[:])
			err = w.InsertLinkSecret(secret)
		}
		return secret, err
	})
}

// OpenLink tells what a request may do that carries a link instead of a token: read what its path
// leads to.
func (s *Service) OpenLink(ctx context.Context, path string, l Link) (tracker.Actor, error) {
	if l.Expires <= tracker.TimeOf(s.now()) {
		return tracker.Actor{}, ErrBadToken
	}
	by := tracker.Actor{Workspace: l.Workspace, Name: "link", Role: tracker.Observer, ReadOnly: true}
	secret, err := read(ctx, s, by, func(tx *store.Tx) (string, error) {
		secret, err := tx.LinkSecret()
		if err != nil {
			return "", err
		}
		ws, err := tx.Workspace()
		by.Slug = ws.Slug
		return secret, err
	})
	switch {
	case errors.Is(err, tracker.ErrNotFound):
		return tracker.Actor{}, ErrBadToken
	case err != nil:
		return tracker.Actor{}, err
	case !hmac.Equal([]byte(l.sign(secret, path)), []byte(l.Signature)):
		return tracker.Actor{}, ErrBadToken
	}
	return by, nil
}

func (l Link) sign(secret, path string) string {
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(mac, "%s\n%d\n%s", l.Workspace, l.Expires, path)
	return hex.EncodeToString(mac.Sum(nil))
}
