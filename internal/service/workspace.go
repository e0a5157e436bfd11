package service

import (
	"context"
	"errors"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// NewWorkspace says what a workspace and its first owner are made of.
type NewWorkspace struct {
	Name, Slug, OwnerName, OwnerEmail, OwnerMention string
}

// CreateWorkspace makes a workspace with its default workflow, epic states, custom fields and owner.
func (s *Service) CreateWorkspace(ctx context.Context, by tracker.Actor, p NewWorkspace) (tracker.Workspace, tracker.Member, error) {
	now := tracker.TimeOf(s.now())
	ws := tracker.NewWorkspace(s.newID(), s.newID(), p.Slug, p.Name, now)
	var owner tracker.Member
	by.Workspace = ws.ID
	err := s.store.Create(ctx, ws, func(tx *store.Tx) error {
		_, err := run(s, tx, by, func(w *work) (none, error) {
			var err error
			owner, err = w.addMember(tracker.MemberParams{Name: p.OwnerName, Email: p.OwnerEmail, MentionName: p.OwnerMention, Role: tracker.Owner})
			if err != nil {
				return none{}, err
			}
			if err := w.createEpicWorkflow(); err != nil {
				return none{}, err
			}
			if err := w.createBuiltInFields(); err != nil {
				return none{}, err
			}
			flow, err := w.createWorkflow(tracker.Workflow{Name: "Standard", AutoAssignOwner: true})
			if err != nil {
				return none{}, err
			}
			ws.DefaultWorkflowID = flow.ID
			return none{}, w.UpdateWorkspace(&ws)
		})
		return err
	})
	return ws, owner, err
}

// Bootstrap makes the first workspace, its owner and a token for them on an empty store, and
// returns the token; it is empty when there is a workspace already.
func (s *Service) Bootstrap(ctx context.Context, by tracker.Actor) (token string, err error) {
	existing, err := s.store.Workspaces(ctx)
	if err != nil || len(existing) > 0 {
		return "", err
	}
	ws, owner, err := s.CreateWorkspace(ctx, by, NewWorkspace{
		Name: "Milepost", Slug: "milepost", OwnerName: "Owner", OwnerEmail: "owner@localhost", OwnerMention: "owner",
	})
	var e *tracker.Error
	if errors.As(err, &e) && e.Code == tracker.Unprocessable {
		return "", nil // another node was faster
	}
	if err != nil {
		return "", err
	}
	by.Workspace = ws.ID
	_, token, err = s.CreateToken(ctx, by, owner.ID, NewToken{Name: "First token"})
	return token, err
}

func (s *Service) Workspace(ctx context.Context, by tracker.Actor) (*tracker.Workspace, error) {
	return read(ctx, s, by, (*store.Tx).Workspace)
}

// UpdateWorkspace changes settings and features; switches of features also go to the audit log.
// How many groups there may be is for owners to say.
func (s *Service) UpdateWorkspace(ctx context.Context, by tracker.Actor, ch tracker.WorkspaceChange) (tracker.Workspace, error) {
	return write(ctx, s, by, func(w *work) (tracker.Workspace, error) {
		if ch.GroupAllowance.State != tracker.Absent && by.Role != tracker.Owner {
			return tracker.Workspace{}, tracker.Denied("Only owners may change the group allowance.")
		}
		if err := ch.Check(); err != nil {
			return tracker.Workspace{}, err
		}
		before, err := w.Workspace()
		if err != nil {
			return tracker.Workspace{}, err
		}
		was := *before
		after, err := update(w, was, func(ws *tracker.Workspace) { ws.Apply(ch) }, w.Tx.UpdateWorkspace)
		if err != nil {
			return after, err
		}
		for _, f := range tracker.Features {
			if was.Has(f) == after.Has(f) {
				continue
			}
			action := "feature.disable"
			if after.Has(f) {
				action = "feature.enable"
			}
			if err := w.audit(action, string(f), nil); err != nil {
				return after, err
			}
		}
		return after, nil
	})
}

// SwitchFeature turns one feature on or off.
func (s *Service) SwitchFeature(ctx context.Context, by tracker.Actor, f tracker.Feature, on bool) error {
	_, err := s.UpdateWorkspace(ctx, by, tracker.WorkspaceChange{Features: map[tracker.Feature]bool{f: on}})
	return err
}

// require fails when the feature is off.
func (w *work) require(f tracker.Feature) error {
	ws, err := w.Workspace()
	if err != nil {
		return err
	}
	return ws.Require(f)
}

// Audit reads the security audit log, newest first.
func (s *Service) Audit(ctx context.Context, by tracker.Actor, before tracker.UUID, limit int64) ([]tracker.AuditEntry, error) {
	return read(ctx, s, by, func(tx *store.Tx) ([]tracker.AuditEntry, error) { return tx.Audit(before, limit) })
}
