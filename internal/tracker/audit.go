package tracker

// AuditEntry is one row of the security audit log: who did what to whose access. It is kept
// apart from the change log, which tells of the work itself.
type AuditEntry struct {
	ID      UUID
	At      Time
	Member  UUID   // who acted; empty for the operator's command line
	Action  string // such as token.create, token.revoke, member.role, feature.disable
	Subject string // the id or name of what it was done to
	Detail  map[string]any
	Via     string
	Address string
}
