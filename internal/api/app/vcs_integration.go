package app

import (
	"context"
	"fmt"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// VCSIntegration lets a version-control service tell the workspace of its repositories.
type VCSIntegration struct {
	CreatedAt  tracker.Time `json:"created_at"`
	CreatorID  tracker.UUID `json:"creator_id"`
	Disabled   bool         `json:"disabled" doc:"Deliveries are refused."`
	EntityType string       `json:"entity_type"`
	HookURL    string       `json:"hook_url" doc:"The address to set up at the service."`
	ID         int64        `json:"id"`
	Name       string       `json:"name"`
	Provider   string       `json:"provider" is:"enum=github|gitlab|bitbucket"`
	Rules      []VCSRule    `json:"rules"`
	UpdatedAt  tracker.Time `json:"updated_at"`
}

// VCSRule moves stories forward when something happens to what is linked to them.
type VCSRule struct {
	Branch          string `json:"branch,omitzero" is:"max=256" doc:"Only for this branch: the one made or pushed to, or else the target; * stands for any characters."`
	Event           string `json:"event" is:"required,enum=branch-created|branch-merged|commit-pushed|pull-request-approved|pull-request-labeled|pull-request-opened|review-requested"`
	Label           string `json:"label,omitzero" is:"max=256" doc:"Only for pull requests with this label; of labeling, when this one is set."`
	WorkflowStateID int64  `json:"workflow_state_id" is:"required" doc:"Where the story goes, if it is in the same workflow and not as far yet."`
}

// SecretVCSIntegration is an integration with its secret, which is shown only here.
type SecretVCSIntegration struct {
	VCSIntegration
	Secret string `json:"secret" doc:"What the service signs with. It is shown only now."`
}

func (a API) renderVCSIntegration(by tracker.Actor, i tracker.VCSIntegration) VCSIntegration {
	return VCSIntegration{
		CreatedAt: i.CreatedAt, CreatorID: i.CreatorID, Disabled: i.Disabled, EntityType: i.EntityType(),
		HookURL: fmt.Sprintf("%s/api/hooks/vcs/%s/%s", a.PublicURL, by.Workspace, i.HookID), ID: i.ID, Name: i.Name,
		Provider: string(i.Provider), UpdatedAt: i.UpdatedAt,
		Rules: v3.Each(i.Rules, func(r tracker.VCSRule) VCSRule {
			return VCSRule{Branch: r.Branch, Event: string(r.Event), Label: r.Label, WorkflowStateID: r.StateID}
		}),
	}
}

func vcsRules(rules []VCSRule) []tracker.VCSRule {
	return v3.Each(rules, func(r VCSRule) tracker.VCSRule {
		return tracker.VCSRule{Event: tracker.VCSEvent(r.Event), Branch: r.Branch, Label: r.Label, StateID: r.WorkflowStateID}
	})
}

func (a API) listVCSIntegrations(ctx context.Context, by tracker.Actor, _ rest.None) ([]VCSIntegration, error) {
	list, err := a.Service.VCSIntegrations(ctx, by)
	return v3.Each(list, func(i tracker.VCSIntegration) VCSIntegration { return a.renderVCSIntegration(by, i) }), err
}

type vcsIntegrationID struct {
	ID int64 `path:"vcs-integration-public-id" doc:"The id of the integration."`
}

func (a API) getVCSIntegration(ctx context.Context, by tracker.Actor, in vcsIntegrationID) (VCSIntegration, error) {
	i, err := a.Service.VCSIntegration(ctx, by, in.ID)
	return a.renderVCSIntegration(by, i), err
}

type createVCSIntegration struct {
	Name     string    `json:"name" is:"required,min=1,max=128" doc:"What it is for."`
	Provider string    `json:"provider" is:"required,enum=github|gitlab|bitbucket"`
	Rules    []VCSRule `json:"rules" is:"maxitems=100"`
}

func (a API) createVCSIntegration(ctx context.Context, by tracker.Actor, in createVCSIntegration) (SecretVCSIntegration, error) {
	i, err := a.Service.CreateVCSIntegration(ctx, by, tracker.VCSIntegrationParams{
		Provider: tracker.Provider(in.Provider), Name: in.Name, Rules: vcsRules(in.Rules),
	})
	return SecretVCSIntegration{a.renderVCSIntegration(by, i), i.Secret}, err
}

type updateVCSIntegration struct {
	ID       int64                  `path:"vcs-integration-public-id" doc:"The id of the integration."`
	Disabled tracker.Opt[bool]      `json:"disabled" doc:"True refuses deliveries."`
	Name     tracker.Opt[string]    `json:"name" is:"min=1,max=128"`
	Rules    tracker.Opt[[]VCSRule] `json:"rules" is:"maxitems=100" doc:"All of them; they replace those before."`
}

func (a API) updateVCSIntegration(ctx context.Context, by tracker.Actor, in updateVCSIntegration) (VCSIntegration, error) {
	rules := tracker.Opt[[]tracker.VCSRule]{Value: vcsRules(in.Rules.Value), State: in.Rules.State}
	i, err := a.Service.UpdateVCSIntegration(ctx, by, in.ID, tracker.VCSIntegrationChange{Name: in.Name, Disabled: in.Disabled, Rules: rules})
	return a.renderVCSIntegration(by, i), err
}

func (a API) replaceVCSSecret(ctx context.Context, by tracker.Actor, in vcsIntegrationID) (SecretVCSIntegration, error) {
	i, err := a.Service.ReplaceVCSSecret(ctx, by, in.ID)
	return SecretVCSIntegration{a.renderVCSIntegration(by, i), i.Secret}, err
}

func (a API) deleteVCSIntegration(ctx context.Context, by tracker.Actor, in vcsIntegrationID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteVCSIntegration(ctx, by, in.ID)
}
