// Package vcs turns what version-control services send into use cases: it checks who sends, reads
// the payload of each service into the one form that the service layer knows, and finds the stories
// that names and texts speak of.
package vcs

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// MaxBody is the largest payload that is read: GitHub sends none above it.
const MaxBody = 25 << 20

// Bounds of what is kept of texts, in characters, and of lists.
const (
	maxName    = 512
	maxTitle   = 1024
	maxURL     = 2048
	maxMessage = 65536
	maxCommits = 2048
	maxTokens  = 1000
)

// Receiver receives deliveries.
type Receiver struct {
	Service   *service.Service
	PublicURL string // under which links to stories lie
}

// Hook is one address, found by the ids that stand in it.
type Hook struct {
	receiver    Receiver
	integration tracker.VCSIntegration
	by          tracker.Actor
}

// Find finds the hook at an address. The actor says where the call comes from.
func (r Receiver) Find(ctx context.Context, workspace, id tracker.UUID, by tracker.Actor) (Hook, error) {
	integration, slug, err := r.Service.VCSHook(ctx, workspace, id)
	by.Workspace, by.Slug, by.Name = workspace, slug, integration.Provider.Title()
	by.Via, by.WebhookID = string(integration.Provider), integration.HookID
	return Hook{r, integration, by}, err
}

// errDisabled answers a signed delivery to an integration that is switched off.
var errDisabled = &tracker.Error{Code: tracker.Forbidden, Tag: "disabled", Message: "This integration is disabled."}

// Receive works through a delivery whose signature has been checked. It reports whether the event is
// one that means anything here.
func (h Hook) Receive(ctx context.Context, header http.Header, body []byte) (known bool, err error) {
	if h.integration.Disabled {
		return false, errDisabled
	}
	read := readers[h.integration.Provider]
	event := header.Get(read.eventHeader)
	payload, err := payloadOf(header, body)
	if err != nil {
		return false, err
	}
	d := delivery{links: tracker.NewStoryLinks(h.receiver.PublicURL, h.by.Slug)}
	d.news.DeliveryID = clean(header.Get(read.deliveryHeader), maxName)
	d.news.Tokens = tokensIn(body)
	fn := read.events[event]
	if fn == nil {
		fn = read.other
	}
	if err := fn(&d, payload); err != nil {
		return false, errPayload
	}
	if d.news.Repository == nil && len(d.news.Tokens) == 0 {
		return false, nil
	}
	h.by.DeliveryID = d.news.DeliveryID
	return d.news.Repository != nil, h.receiver.Service.HearVCS(ctx, h.by, h.integration.ID, d.news)
}

var errPayload = tracker.InvalidFields(map[string]any{"body": "is not a payload of this event"})

// A reader is what is to know of one service.
type reader struct {
	eventHeader    string
	deliveryHeader string
	events         map[string]func(*delivery, []byte) error
	other          func(*delivery, []byte) error // of any other event
}

var readers = map[tracker.Provider]reader{tracker.GitHub: github, tracker.GitLab: gitlab, tracker.Bitbucket: bitbucket}

// delivery is a payload being read.
type delivery struct {
	links tracker.StoryLinks
	news  tracker.VCSNews
}

// read decodes a payload. Only the fields that are needed have a place in v, so that a service may
// change all others.
func read(payload []byte, v any) error { return json.Unmarshal(payload, v) }

// ignored is an event that means nothing here; its payload must be JSON all the same.
func ignored(_ *delivery, payload []byte) error {
	var anything json.RawMessage
	return read(payload, &anything)
}

// payloadOf is the JSON of a delivery, which GitHub can also send as a field of a form.
func payloadOf(header http.Header, body []byte) ([]byte, error) {
	if !strings.HasPrefix(header.Get("Content-Type"), "application/x-www-form-urlencoded") {
		return body, nil
	}
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, errPayload
	}
	return []byte(form.Get("payload")), nil
}

// tokensIn lists the tokens of ours that somebody has published in what a payload tells.
func tokensIn(body []byte) []string {
	var out []string
	seen := map[string]bool{}
	for _, t := range tracker.FindTokens(string(body)) {
		if !seen[t] && len(out) < maxTokens {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

// clean makes a text fit to be kept: without NUL, which PostgreSQL does not take, and not too long.
func clean(text string, most int) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "\uFFFD")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most])
}

// commit fills in what follows from the texts of a commit.
func (d *delivery) commit(c tracker.CommitNews) tracker.CommitNews {
	c.Mentions, c.Moves = d.links.In(c.Message), d.links.Moves(c.Message)
	c.Hash, c.Message, c.URL = clean(c.Hash, maxName), clean(c.Message, maxMessage), clean(c.URL, maxURL)
	c.Author = person(c.Author)
	return c
}

func person(p tracker.VCSPerson) tracker.VCSPerson {
	return tracker.VCSPerson{Login: clean(p.Login, maxName), Email: clean(p.Email, maxName)}
}

// branch fills in what follows from the name of a branch.
func (d *delivery) branch(b tracker.BranchNews) tracker.BranchNews {
	b.Mentions = d.links.In(b.Name)
	b.Name, b.URL = clean(b.Name, maxName), clean(b.URL, maxURL)
	b.Before, b.After = hash(b.Before), hash(b.After)
	return b
}

// hash is a hash, but for the one of zeros that means none.
func hash(h string) string {
	if strings.Trim(h, "0") == "" {
		return ""
	}
	return clean(h, maxName)
}

// pullRequest fills in what follows from the texts of a pull request.
func (d *delivery) pullRequest(p tracker.PullRequestNews, description string) {
	p.Mentions = d.links.In(p.Branch.Name, p.Title, description)
	p.Title, p.URL, p.Head = clean(p.Title, maxTitle), clean(p.URL, maxURL), hash(p.Head)
	p.Branch.Aside, p.Target.Aside = true, true
	p.Branch, p.Target = d.branch(p.Branch), d.branch(p.Target)
	p.Target.Mentions = nil
	p.Branch.After = p.Head
	d.news.PullRequest = &p
}

func (d *delivery) repository(r tracker.RepositoryNews) {
	if r.ExternalID == "" {
		return
	}
	r.ExternalID, r.Name = clean(r.ExternalID, maxName), clean(r.Name, maxName)
	r.FullName, r.URL = clean(r.FullName, maxName), clean(r.URL, maxURL)
	d.news.Repository = &r
}

// under is the address of something that is named by the path.
func under(base, segment, path string) string {
	return base + segment + strings.ReplaceAll(url.PathEscape(path), "%2F", "/")
}
