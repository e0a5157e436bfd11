package tracker

import (
	"fmt"
	"strconv"
)

// Actor is who is asking: one member of one workspace, through one token, or a version-control
// service through an integration.
type Actor struct {
	Workspace  UUID
	Slug       string
	HasVCS     bool // the workspace has version control
	Member     UUID
	Name       string
	Mention    string // the member's mention name
	Role       Role
	Token      UUID
	ReadOnly   bool   // the token may only read
	Via        string // the API version or tool through which the request came
	RequestID  string
	Address    string // the client's network address, for the audit log
	WebhookID  UUID   // of the integration, if it is one that acts
	DeliveryID string // by which the integration does
}

// Role is what a member may do in a workspace.
type Role string

// The roles, from the most powerful to the least.
const (
	Owner    Role = "owner"
	Admin    Role = "admin"
	Regular  Role = "member"
	Observer Role = "observer"
)

// Administers reports whether the role covers administration.
func (r Role) Administers() bool { return r == Owner || r == Admin }

// Writes reports whether the role may change anything.
func (r Role) Writes() bool { return r != Observer }

// AppURL is the address of a page of the web application that is served under the base.
func (a Actor) AppURL(base, kind string, id any) string {
	return base + "/" + a.Slug + "/" + kind + "/" + IDText(id)
}

// IDText is an id, a number or a UUID, as text.
func IDText(id any) string {
	switch id := id.(type) {
	case int64:
		return strconv.FormatInt(id, 10)
	case UUID:
		return string(id)
	default:
		return fmt.Sprint(id)
	}
}
