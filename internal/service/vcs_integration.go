package service

import (
	"context"
	"fmt"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) VCSIntegrations(ctx context.Context, by tracker.Actor) ([]tracker.VCSIntegration, error) {
	return read(ctx, s, by, (*store.Tx).VCSIntegrations)
}

func (s *Service) VCSIntegration(ctx context.Context, by tracker.Actor, id int64) (tracker.VCSIntegration, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.VCSIntegration, error) { return tx.VCSIntegration(id) })
}

// VCSHook finds the integration that an address belongs to, and the slug of its workspace.
func (s *Service) VCSHook(ctx context.Context, workspace, hook tracker.UUID) (i tracker.VCSIntegration, slug string, err error) {
	i, err = read(ctx, s, tracker.Actor{Workspace: workspace}, func(tx *store.Tx) (tracker.VCSIntegration, error) {
		i, err := tx.VCSIntegrationOfHook(hook)
		if err != nil {
			return i, err
		}
		ws, err := tx.Workspace()
		slug = ws.Slug
		return i, err
	})
	return i, slug, err
}

// CreateVCSIntegration makes an integration with an address and a secret of its own.
func (s *Service) CreateVCSIntegration(ctx context.Context, by tracker.Actor, p tracker.VCSIntegrationParams) (tracker.VCSIntegration, error) {
	secret, err := s.newSecret()
	if err != nil {
		return tracker.VCSIntegration{}, err
	}
	return write(ctx, s, by, func(w *work) (tracker.VCSIntegration, error) {
		all, err := w.VCSIntegrations()
		if err == nil && len(all) >= tracker.MaxVCSIntegrations {
			err = tracker.Impossible("provider", "is one too many: a workspace can have %d integrations", tracker.MaxVCSIntegrations)
		}
		if err == nil {
			err = w.checkRules(p.Rules)
		}
		if err != nil {
			return tracker.VCSIntegration{}, err
		}
		i, err := create(w, tracker.VCSIntegration{
			ID: w.NextHighID(), HookID: s.newID(), Provider: p.Provider, Name: p.Name, Secret: secret, Rules: p.Rules,
			CreatorID: by.Member, CreatedAt: w.now, UpdatedAt: w.now,
		}, w.InsertVCSIntegration)
		if err != nil {
			return i, err
		}
		return i, w.audit("vcs-integration.create", i.EntityID(), map[string]any{"name": i.Name})
	})
}

// newSecret is 256 bits in hexadecimal.
func (s *Service) newSecret() (string, error) {
	var b [32]byte
	_, err := s.random.Read(b[:])
	return fmt.Sprintf("%x", b), err
}

func (w *work) checkRules(rules []tracker.VCSRule) error {
	ids := make([]int64, len(rules))
	for i, r := range rules {
		ids[i] = r.StateID
	}
	return mustExistEach(w, "workflow-state", "rules", ids, func(reason string) any { return map[string]any{"workflow_state_id": reason} })
}

// UpdateVCSIntegration changes the name and the rules of an integration, and whether it listens.
func (s *Service) UpdateVCSIntegration(ctx context.Context, by tracker.Actor, id int64, ch tracker.VCSIntegrationChange) (tracker.VCSIntegration, error) {
	return write(ctx, s, by, func(w *work) (tracker.VCSIntegration, error) {
		i, err := w.VCSIntegration(id)
		if err != nil {
			return i, err
		}
		if err := w.checkRules(ch.Rules.Value); err != nil {
			return i, err
		}
		return update(w, i, func(i *tracker.VCSIntegration) { i.Apply(ch) }, w.Tx.UpdateVCSIntegration)
	})
}

// ReplaceVCSSecret gives the integration another secret; the old one no longer counts.
func (s *Service) ReplaceVCSSecret(ctx context.Context, by tracker.Actor, id int64) (tracker.VCSIntegration, error) {
	secret, err := s.newSecret()
	if err != nil {
		return tracker.VCSIntegration{}, err
	}
	return write(ctx, s, by, func(w *work) (tracker.VCSIntegration, error) {
		i, err := w.VCSIntegration(id)
		if err != nil {
			return i, err
		}
		i.Secret = secret
		i.Touch(w.now)
		if err := w.Tx.UpdateVCSIntegration(&i); err != nil {
			return i, err
		}
		return i, w.audit("vcs-integration.secret", i.EntityID(), map[string]any{"name": i.Name})
	})
}

// DeleteVCSIntegration ends an integration; what it told of repositories and stories stays.
func (s *Service) DeleteVCSIntegration(ctx context.Context, by tracker.Actor, id int64) error {
	_, err := write(ctx, s, by, func(w *work) (none, error) {
		i, err := w.VCSIntegration(id)
		if err != nil {
			return none{}, err
		}
		if err := remove(w, i, func() error { return w.Tx.DeleteVCSIntegration(id) }); err != nil {
			return none{}, err
		}
		return none{}, w.audit("vcs-integration.delete", i.EntityID(), map[string]any{"name": i.Name})
	})
	return err
}
