package store

import (
	"context"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var tokens = newTable("token", "created_at, token_id", nil, func(t *tracker.Token) []column {
	return []column{
		{"token_id", &t.ID}, {"member_id", &t.Member}, {"name", &t.Name}, {"hash", &t.Hash}, {"read_only", &t.ReadOnly},
		{"created_at", &t.CreatedAt}, {"expires_at", &t.ExpiresAt}, {"last_used_at", &t.LastUsedAt}, {"revoked_at", &t.RevokedAt},
	}
})

func (tx *Tx) Tokens() ([]tracker.Token, error)             { return tokens.find(tx, "") }
func (tx *Tx) Token(id tracker.UUID) (tracker.Token, error) { return tokens.get(tx, id) }
func (tx *Tx) InsertToken(t *tracker.Token) error           { return tokens.insert(tx, t) }

func (tx *Tx) UpdateToken(t *tracker.Token) error {
	tx.access = true
	return tokens.update(tx, t)
}

// TokensOf lists the tokens of one member that are not revoked.
func (tx *Tx) TokensOf(member tracker.UUID) ([]tracker.Token, error) {
	return tokens.find(tx, "member_id = $2 and revoked_at is null", member)
}

// TokenUsed notes when a token was last used, unless what is noted is young enough: several nodes
// that see the token write once.
func (tx *Tx) TokenUsed(id tracker.UUID, at tracker.Time) error {
	_, err := tx.exec(`update token set last_used_at = $3
		where workspace_id = $1 and token_id = $2 and (last_used_at is null or last_used_at + $4 <= $3)`, id, at, tracker.UsageInterval)
	return err
}

// Session is what a token opens: the token, its member and the workspace.
type Session struct {
	Token     tracker.Token
	Member    tracker.Member
	Workspace tracker.UUID
	Slug      string
	HasVCS    bool
}

var sessionSQL = `select ` + tokens.readable("token.") + `, ` + members.readable("member.") + `, workspace.workspace_id, workspace.slug, workspace.has_vcs
	from token
	join member on (member.workspace_id = token.workspace_id and member.member_id = token.member_id)
	join workspace on (workspace.workspace_id = token.workspace_id)
	where token.hash = $1`

// Session looks a token up by its hash, in all workspaces: before it, no workspace is known. It is not
// counted as a query of a request, since what it says is remembered for a moment.
func (s *Store) Session(ctx context.Context, hash string) (v Session, err error) {
	dest := append(append(tokens.dest(&v.Token), members.dest(&v.Member)...), &v.Workspace, &v.Slug, &v.HasVCS)
	err = s.explain(s.engine.Each(ctx, func(row db.Row) error { return row.Scan(dest...) }, sessionSQL, hash))
	if err == nil && v.Token.ID == "" {
		err = tracker.ErrNotFound
	}
	return v, err
}

// LiveTokens tells which of the tokens, of whichever workspaces, still open something.
func (s *Store) LiveTokens(ctx context.Context, workspaces, ids []tracker.UUID, now tracker.Time) (map[tracker.UUID]bool, error) {
	live := make(map[tracker.UUID]bool, len(ids))
	err := s.each(ctx, func(row db.Row) error {
		var id tracker.UUID
		err := row.Scan(&id)
		live[id] = true
		return err
	}, `select token.token_id from token
		join member on (member.workspace_id = token.workspace_id and member.member_id = token.member_id)
		where `+s.engine.AnyOf("token.workspace_id", "$1")+` and `+s.engine.AnyOf("token.token_id", "$2")+`
			and revoked_at is null and (expires_at is null or expires_at > $3) and not disabled`,
		s.engine.List(workspaces), s.engine.List(ids), now)
	return live, err
}

// WorkspaceOfToken finds the workspace that a token's id belongs to, for the command line.
func (s *Store) WorkspaceOfToken(ctx context.Context, id tracker.UUID) (workspace tracker.UUID, err error) {
	err = s.one(ctx, []any{&workspace}, `select workspace_id from token where token_id = $1`, id)
	return workspace, err
}

// Audit is what an audit row of another workspace than the transaction's says beside its facts.
type Audit struct {
	ID           tracker.UUID
	Via, Address string
}

// RevokePublished revokes a token of whichever workspace, by its hash, and tells that workspace's
// audit log. It returns the token's id; the empty one when there is no such live token.
func (tx *Tx) RevokePublished(hash string, now tracker.Time, a Audit) (id tracker.UUID, err error) {
	if tx.failed != nil {
		return "", tx.failed
	}
	tx.store.queries.Add(1)
	var workspace, member tracker.UUID
	err = tx.fail(tx.db.Each(func(row db.Row) error { return row.Scan(&workspace, &id, &member) },
		`update token set revoked_at = $2 where hash = $1 and revoked_at is null returning workspace_id, token_id, member_id`, hash, now))
	if err != nil || id == "" {
		return "", err
	}
	tx.access = true
	theirs := &Tx{ctx: tx.ctx, store: tx.store, db: tx.db, id: workspace}
	return id, tx.fail(theirs.InsertAudit(&tracker.AuditEntry{
		ID: a.ID, At: now, Action: "token.published", Subject: string(id), Detail: map[string]any{"member_id": member}, Via: a.Via, Address: a.Address,
	}))
}
