package service

import (
	"context"
	"errors"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) Members(ctx context.Context, by tracker.Actor) ([]tracker.Member, error) {
	return read(ctx, s, by, (*store.Tx).Members)
}

// Member finds a member by its own id or by its user's.
func (s *Service) Member(ctx context.Context, by tracker.Actor, id tracker.UUID) (tracker.Member, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Member, error) { return tx.Person(id) })
}

// MemberNamed finds a member by mention name; the empty name means the oldest owner.
func (s *Service) MemberNamed(ctx context.Context, by tracker.Actor, mention string) (tracker.Member, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Member, error) {
		if mention == "" {
			return tx.Owner()
		}
		return tx.MemberByMention(mention)
	})
}

// Self is the member who asks, with the workspace.
func (s *Service) Self(ctx context.Context, by tracker.Actor) (m tracker.Member, ws *tracker.Workspace, err error) {
	m, err = read(ctx, s, by, func(tx *store.Tx) (tracker.Member, error) {
		var err error
		if ws, err = tx.Workspace(); err != nil {
			return m, err
		}
		return tx.Member(by.Member)
	})
	return m, ws, err
}

// AddMember adds a person to the workspace. Only owners make owners.
func (s *Service) AddMember(ctx context.Context, by tracker.Actor, p tracker.MemberParams) (tracker.Member, error) {
	return write(ctx, s, by, func(w *work) (tracker.Member, error) {
		if p.Role == tracker.Owner && by.Role != tracker.Owner {
			return tracker.Member{}, tracker.Denied("Only owners may make someone an owner.")
		}
		return w.addMember(p)
	})
}

func (w *work) addMember(p tracker.MemberParams) (tracker.Member, error) {
	user, err := w.Account(p.Email, w.s.newID(), w.now)
	if err != nil {
		return tracker.Member{}, err
	}
	m, err := create(w, tracker.Member{
		ID: w.s.newID(), UserID: user, Name: p.Name, Email: p.Email, MentionName: p.MentionName, Role: p.Role,
		CreatedAt: w.now, UpdatedAt: w.now,
	}, w.InsertMember)
	if err != nil {
		return m, err
	}
	return m, w.audit("member.add", string(m.ID), map[string]any{"role": m.Role})
}

// UpdateMember changes a member. Owners are changed by owners only, and one enabled owner stays.
func (s *Service) UpdateMember(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.MemberChange) (tracker.Member, error) {
	return write(ctx, s, by, func(w *work) (tracker.Member, error) {
		before, err := w.Member(id)
		if err != nil {
			return before, err
		}
		if by.Role != tracker.Owner && (before.Role == tracker.Owner || ch.Role.Or("") == tracker.Owner) {
			return before, tracker.Denied("Only owners may change owners or make someone an owner.")
		}
		after, err := update(w, before, func(m *tracker.Member) { m.Apply(ch) }, w.Tx.UpdateMember)
		if err != nil {
			return after, err
		}
		if err := w.keepOwner(before, after); err != nil {
			return before, err
		}
		return after, w.auditMember(before, after)
	})
}

// keepOwner fails when the change, already made, has left the workspace without an enabled owner:
// the failure undoes it.
func (w *work) keepOwner(before, after tracker.Member) error {
	if !before.RunsWorkspace() || after.RunsWorkspace() {
		return nil
	}
	_, err := w.Owner()
	if !errors.Is(err, tracker.ErrNotFound) {
		return err
	}
	field := "role"
	if after.Disabled {
		field = "disabled"
	}
	return tracker.Impossible(field, "cannot change: this is the last owner of the workspace")
}

// UpdateSelf changes the name, the mention name and the icon of the member who asks.
func (s *Service) UpdateSelf(ctx context.Context, by tracker.Actor, name, mention tracker.Opt[string], icon tracker.Opt[tracker.UUID]) (tracker.Member, error) {
	return write(ctx, s, by, func(w *work) (tracker.Member, error) {
		m, err := w.Member(by.Member)
		if err != nil {
			return m, err
		}
		if err := mustExistOpt(w, "icon", "display_icon_id", icon); err != nil {
			return m, err
		}
		return update(w, m, func(m *tracker.Member) {
			m.Apply(tracker.MemberChange{Name: name, MentionName: mention, IconID: icon})
		}, w.Tx.UpdateMember)
	})
}

func (w *work) auditMember(before, after tracker.Member) error {
	if before.Role != after.Role {
		if err := w.audit("member.role", string(after.ID), map[string]any{"old": before.Role, "new": after.Role}); err != nil {
			return err
		}
	}
	switch {
	case before.Disabled == after.Disabled:
		return nil
	case after.Disabled:
		return w.audit("member.disable", string(after.ID), nil)
	default:
		return w.audit("member.enable", string(after.ID), nil)
	}
}
