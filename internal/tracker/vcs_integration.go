package tracker

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// VCSIntegration lets a version-control service tell a workspace of what happens in repositories: it
// calls an address of its own, signing with the secret. Its rules move stories.
type VCSIntegration struct {
	ID        int64
	HookID    UUID // in the address
	Provider  Provider
	Name      string
	Secret    string
	Disabled  bool
	Rules     []VCSRule
	CreatorID UUID
	CreatedAt Time
	UpdatedAt Time
}

// VCSIntegrationParams is what an integration is created with.
type VCSIntegrationParams struct {
	Provider Provider
	Name     string
	Rules    []VCSRule
}

// VCSIntegrationChange is what can be changed of an integration.
type VCSIntegrationChange struct {
	Name     Opt[string]
	Disabled Opt[bool]
	Rules    Opt[[]VCSRule]
}

// VCSRule moves a story to a state when the event happens to what is linked to it; never backwards.
type VCSRule struct {
	Event   VCSEvent `json:"event"`
	Branch  string   `json:"branch,omitempty"` // only this branch; * stands for any characters
	Label   string   `json:"label,omitempty"`  // only with this label
	StateID int64    `json:"workflow_state_id"`
}

// VCSEvent is something that rules can wait for.
type VCSEvent string

// The events. The branch of a rule is the branch itself where one is made or pushed to, else the
// target branch.
const (
	BranchCreated   VCSEvent = "branch-created"
	BranchMerged    VCSEvent = "branch-merged"
	CommitPushed    VCSEvent = "commit-pushed"
	PRApproved      VCSEvent = "pull-request-approved"
	PRLabeled       VCSEvent = "pull-request-labeled"
	PROpened        VCSEvent = "pull-request-opened"
	ReviewRequested VCSEvent = "review-requested"
)

// WaitsForOthers reports whether the event counts only when no other work on the story is open.
func (e VCSEvent) WaitsForOthers() bool { return e == PROpened || e == BranchMerged }

// MaxVCSIntegrations is how many integrations one workspace can have.
const MaxVCSIntegrations = 100

// Fits reports whether the rule waits for the event on the branch with the labels.
func (r VCSRule) Fits(event VCSEvent, branch string, labels []string) bool {
	if r.Event != event || r.Branch != "" && !likeBranch(r.Branch, branch) {
		return false
	}
	return r.Label == "" || slices.ContainsFunc(labels, func(l string) bool { return Fold(l) == Fold(r.Label) })
}

func likeBranch(pattern, branch string) bool {
	form := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*") + "$"
	return regexp.MustCompile(form).MatchString(branch)
}

// Apply makes the changes that ch asks for.
func (i *VCSIntegration) Apply(ch VCSIntegrationChange) {
	ch.Name.Apply(&i.Name)
	ch.Disabled.Apply(&i.Disabled)
	ch.Rules.Apply(&i.Rules)
}

// Touch moves the time of the last update.
func (i *VCSIntegration) Touch(now Time) { i.UpdatedAt = now }

func (i VCSIntegration) EntityType() string { return "integration" }
func (i VCSIntegration) EntityID() string   { return strconv.FormatInt(i.ID, 10) }

func (i VCSIntegration) Fields() []Field {
	return []Field{
		{"type", i.Provider}, {"name", i.Name}, {"disabled", i.Disabled}, {"rules", i.Rules}, {"creator_id", i.CreatorID},
	}
}
