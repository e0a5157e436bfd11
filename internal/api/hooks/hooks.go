// Package hooks is what outside services call. They hold no token: what they send is signed.
package hooks

import (
	"net/http"

	"milepost/internal/api/rest"
	"milepost/internal/httpd"
	"milepost/internal/service"
	"milepost/internal/tracker"
	"milepost/internal/vcs"
)

// bodiesAtOnce is how many payloads are held in memory at the same time.
const bodiesAtOnce = 16

// Config is what the hooks need.
type Config struct {
	Service    *service.Service
	PublicURL  string
	LeakSecret string // signs reports of published tokens; without it they are not taken
	ClientAddr func(*http.Request) string
	// Refuse answers what could not be let in.
	Refuse func(http.ResponseWriter, *http.Request, error)
}

// API serves the hooks.
type API struct {
	Config
	receiver vcs.Receiver
	bodies   chan struct{}
}

// New makes the hooks.
func New(c Config) API {
	return API{c, vcs.Receiver{Service: c.Service, PublicURL: c.PublicURL}, make(chan struct{}, bodiesAtOnce)}
}

// Routes is every hook.
func (a API) Routes() []rest.Route {
	var leaks []rest.Route
	if a.LeakSecret != "" {
		leaks = append(leaks, rest.Hook("/leaked-tokens", "Report Published Tokens", a.reportLeaks))
	}
	return append(leaks,
		rest.Hook("/vcs/{workspace-public-id}/{hook-public-id}", "Receive a Delivery of a Version-Control Service", a.receiveVCS),
	)
}

// receiveVCS answers 200 to what was worked through and 202 to events that mean nothing here.
func (a API) receiveVCS(w http.ResponseWriter, r *http.Request) {
	known, err := a.vcs(w, r)
	switch {
	case err != nil:
		a.Refuse(w, r, err)
	case known:
		rest.WriteMessage(w, http.StatusOK, "Received.")
	default:
		rest.WriteMessage(w, http.StatusAccepted, "Nothing follows from this event.")
	}
}

func (a API) vcs(w http.ResponseWriter, r *http.Request) (known bool, err error) {
	ctx := r.Context()
	workspace, isWorkspace := tracker.ParseUUID(r.PathValue("workspace_public_id"))
	id, isHook := tracker.ParseUUID(r.PathValue("hook_public_id"))
	if !isWorkspace || !isHook {
		return false, tracker.ErrNotFound
	}
	hook, err := a.receiver.Find(ctx, workspace, id, tracker.Actor{RequestID: httpd.RequestID(ctx), Address: a.ClientAddr(r)})
	if err != nil {
		return false, err
	}
	if err := hook.Signed(r.Header); err != nil {
		return false, err
	}
	select {
	case a.bodies <- struct{}{}:
		defer func() { <-a.bodies }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	body, err := rest.ReadBody(w, r, vcs.MaxBody)
	if err != nil {
		return false, err
	}
	if err := hook.Verify(r.Header, body); err != nil {
		return false, err
	}
	return hook.Receive(ctx, r.Header, body)
}
