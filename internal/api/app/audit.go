package app

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// AuditEntry is one row of the security audit log.
type AuditEntry struct {
	Action     string        `json:"action" doc:"What was done, such as token.create or member.role."`
	Address    string        `json:"address" doc:"The network address it came from; empty for the server's own command line."`
	At         tracker.Time  `json:"at"`
	Detail     AuditDetail   `json:"detail"`
	EntityType string        `json:"entity_type"`
	ID         tracker.UUID  `json:"id"`
	MemberID   *tracker.UUID `json:"member_id" doc:"Who did it; null for the server's own command line."`
	Subject    string        `json:"subject" doc:"What it was done to: the id of a token or member, the name of a feature."`
	Via        string        `json:"via" doc:"The version of the API or the tool."`
}

// AuditDetail is what else there is to know, which differs from action to action. Only what is
// declared here is shown.
type AuditDetail struct {
	ExpiresAt string `json:"expires_at,omitzero"`
	MemberID  string `json:"member_id,omitzero" doc:"Whose token it is."`
	Name      string `json:"name,omitzero"`
	New       string `json:"new,omitzero"`
	Old       string `json:"old,omitzero"`
	ReadOnly  bool   `json:"read_only,omitzero"`
	Role      string `json:"role,omitzero"`
}

func renderAudit(e tracker.AuditEntry) AuditEntry {
	out := AuditEntry{
		Action: e.Action, Address: e.Address, At: e.At, EntityType: "audit-entry", ID: e.ID, Subject: e.Subject, Via: e.Via,
	}
	if e.Member != "" {
		out.MemberID = &e.Member
	}
	for key, at := range map[string]*string{
		"expires_at": &out.Detail.ExpiresAt, "member_id": &out.Detail.MemberID, "name": &out.Detail.Name,
		"new": &out.Detail.New, "old": &out.Detail.Old, "role": &out.Detail.Role,
	} {
		*at, _ = e.Detail[key].(string)
	}
	out.Detail.ReadOnly, _ = e.Detail["read_only"].(bool)
	return out
}

type listAudit struct {
	Before tracker.Opt[tracker.UUID] `query:"before" doc:"Only entries older than the one with this id, to read on."`
	Limit  tracker.Opt[int64]        `query:"limit" is:"least=1,most=1000" doc:"How many entries at most; 100 by default."`
}

// listAudit answers with the newest entry first.
func (a API) listAudit(ctx context.Context, by tracker.Actor, in listAudit) ([]AuditEntry, error) {
	list, err := a.Service.Audit(ctx, by, in.Before.Or(""), in.Limit.Or(100))
	return v3.Each(list, renderAudit), err
}
