package service

import (
	"context"
	"errors"
	"sync"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// NewToken says what a token is made with.
type NewToken struct {
	Name      string
	ReadOnly  bool
	ExpiresAt *tracker.Time
}

var (
	// ErrNoToken answers a request without a token.
	ErrNoToken = &tracker.Error{Code: tracker.Unauthorized, Tag: "organization2_missing",
		Message: "Sorry, the organization context for this request is missing. Send a token in the header Service-Token."}
	// ErrBadToken answers a request whose token opens nothing.
	ErrBadToken = &tracker.Error{Code: tracker.Unauthorized, Tag: "unauthorized", Message: "Unauthorized"}
)

// Authenticate tells who holds the token.
func (s *Service) Authenticate(ctx context.Context, token string) (tracker.Actor, error) {
	if token == "" {
		return tracker.Actor{}, ErrNoToken
	}
	if !tracker.WellFormed(token) {
		return tracker.Actor{}, ErrBadToken
	}
	session, err := s.session(ctx, tracker.HashToken(token))
	if errors.Is(err, tracker.ErrNotFound) {
		return tracker.Actor{}, ErrBadToken
	}
	if err != nil {
		return tracker.Actor{}, err
	}
	now := tracker.TimeOf(s.now())
	if !session.Token.Live(now) || session.Member.Disabled {
		return tracker.Actor{}, ErrBadToken
	}
	s.usage.note(session, now)
	return tracker.Actor{
		Workspace: session.Workspace, Slug: session.Slug, HasVCS: session.HasVCS, Member: session.Member.ID,
		Name: session.Member.Name, Mention: session.Member.MentionName, Role: session.Member.Role, Token: session.Token.ID, ReadOnly: session.Token.ReadOnly,
	}, nil
}

// CreateToken makes a token for the member. Its text is returned once and kept nowhere.
func (s *Service) CreateToken(ctx context.Context, by tracker.Actor, member tracker.UUID, p NewToken) (tracker.Token, string, error) {
	text, err := tracker.NewToken(s.random)
	if err != nil {
		return tracker.Token{}, "", err
	}
	t, err := write(ctx, s, by, func(w *work) (tracker.Token, error) {
		if _, err := w.Member(member); err != nil {
			return tracker.Token{}, err
		}
		if p.ExpiresAt != nil && *p.ExpiresAt <= w.now {
			return tracker.Token{}, tracker.Impossible("expires_at", "must be in the future")
		}
		t := tracker.Token{
			ID: s.newID(), Member: member, Name: p.Name, Hash: tracker.HashToken(text), ReadOnly: p.ReadOnly,
			CreatedAt: w.now, ExpiresAt: p.ExpiresAt,
		}
		if err := w.InsertToken(&t); err != nil {
			return t, err
		}
		detail := map[string]any{"member_id": member, "name": t.Name, "read_only": t.ReadOnly}
		if t.ExpiresAt != nil {
			detail["expires_at"] = *t.ExpiresAt
		}
		return t, w.audit("token.create", string(t.ID), detail)
	})
	if err != nil {
		return t, "", err
	}
	return t, text, nil
}

// TokensOf lists the tokens of a member that are not revoked.
func (s *Service) TokensOf(ctx context.Context, by tracker.Actor, member tracker.UUID) ([]tracker.Token, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.Token, error) {
		if _, err := tx.Member(member); err != nil {
			return nil, err
		}
		return tx.TokensOf(member)
	})
}

// AllTokens lists the tokens of the whole workspace, for the operator.
func (s *Service) AllTokens(ctx context.Context, by tracker.Actor) ([]tracker.Token, error) {
	return read(ctx, s, by, (*store.Tx).Tokens)
}

// FindToken finds a token, in any workspace, by its id or by its text.
func (s *Service) FindToken(ctx context.Context, idOrText string) (workspace, id tracker.UUID, err error) {
	if tracker.WellFormed(idOrText) {
		session, err := s.store.Session(ctx, tracker.HashToken(idOrText))
		return session.Workspace, session.Token.ID, err
	}
	id, ok := tracker.ParseUUID(idOrText)
	if !ok {
		return "", "", tracker.ErrNotFound
	}
	workspace, err = s.store.WorkspaceOfToken(ctx, id)
	return workspace, id, err
}

// RevokeToken ends a token. An actor who is a member may end only their own, unless they administer.
func (s *Service) RevokeToken(ctx context.Context, by tracker.Actor, id tracker.UUID) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		t, err := w.Token(id)
		if err != nil {
			return none{}, err
		}
		if by.Member != "" && t.Member != by.Member && !by.Role.Administers() {
			return none{}, tracker.ErrNotFound
		}
		if t.RevokedAt != nil {
			return none{}, nil
		}
		t.RevokedAt = &w.now
		if err := w.UpdateToken(&t); err != nil {
			return none{}, err
		}
		return none{}, w.audit("token.revoke", string(id), map[string]any{"member_id": t.Member, "name": t.Name})
	})
	return err
}

// usage gathers when tokens were last used, so that reading costs no write.
type usage struct {
	mu      sync.Mutex
	pending map[tracker.UUID]map[tracker.UUID]tracker.Time // by workspace and token
}

func (u *usage) note(s store.Session, now tracker.Time) {
	if last := s.Token.LastUsedAt; last != nil && now < *last+tracker.UsageInterval {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.pending == nil {
		u.pending = map[tracker.UUID]map[tracker.UUID]tracker.Time{}
	}
	if u.pending[s.Workspace] == nil {
		u.pending[s.Workspace] = map[tracker.UUID]tracker.Time{}
	}
	u.pending[s.Workspace][s.Token.ID] = now
}

// SaveUsage writes the gathered last-used times down, each workspace's in one write; the server
// calls it every few seconds.
func (s *Service) SaveUsage(ctx context.Context) error {
	s.usage.mu.Lock()
	pending := s.usage.pending
	s.usage.pending = nil
	s.usage.mu.Unlock()
	var errs []error
	for workspace, tokens := range pending {
		errs = append(errs, s.store.Write(ctx, workspace, func(tx *store.Tx) error {
			for id, at := range tokens {
				if err := tx.TokenUsed(id, at); err != nil {
					return err
				}
			}
			return nil
		}))
	}
	return errors.Join(errs...)
}
