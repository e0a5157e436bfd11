package store

import "milepost/internal/tracker"

var audits = newTable("audit", "audit_id desc", nil, func(a *tracker.AuditEntry) []column {
	return []column{
		{"audit_id", &a.ID}, {"at", &a.At}, {"member_id", &a.Member}, {"action", &a.Action}, {"subject", &a.Subject},
		{"detail", jsonText{&a.Detail}}, {"via", &a.Via}, {"address", &a.Address},
	}
})

func (tx *Tx) InsertAudit(a *tracker.AuditEntry) error { return audits.insert(tx, a) }

// Audit reads the audit log backwards from before, newest first; the empty id is the newest.
func (tx *Tx) Audit(before tracker.UUID, limit int64) ([]tracker.AuditEntry, error) {
	return audits.scan(tx, audits.selectSQL+` and (audit_id < $2 or cast($2 as text) = '') order by audit_id desc limit $3`, before, limit)
}
