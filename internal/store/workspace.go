package store

import (
	"context"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

const (
	firstID     = 1
	firstHighID = 500_000_000
)

// workspaceRow is the locked row of a workspace in a write: its settings and counters, and what is
// to be written with them at the end.
type workspaceRow struct {
	settings        tracker.Workspace
	counters, saved counters
	log             changeLog
	texts           textLog
	memo            memo
}

type counters struct {
	change, nextID, nextHighID int64
	catalog                    int64 // of changes to labels and custom fields
}

func workspaceDest(w *tracker.Workspace) []any {
	return []any{
		&w.ID, &w.Organization, &w.Slug, &w.Name, &w.UTCOffset, jsonText{&w.EstimateScale}, jsonText{&w.WorkingDays},
		jsonText{&w.Disabled}, &w.GroupAllowance, &w.DefaultWorkflowID, &w.CreatedAt, &w.UpdatedAt,
	}
}

const workspaceColumns = `workspace_id, organization_id, slug, name, utc_offset, estimate_scale, working_days,
	disabled_features, group_allowance, default_workflow_id, created_at, updated_at`

func (tx *Tx) insertWorkspace(w *tracker.Workspace) error {
	args := append(workspaceDest(w)[1:], int64(0), firstID, firstHighID)
	_, err := tx.exec(`insert into workspace (`+workspaceColumns+`, change_number, next_id, next_high_id)
		values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`, args...)
	return tx.duplicate(err, map[string]string{"slug": "slug"})
}

func (tx *Tx) lockWorkspace() (*workspaceRow, error) {
	var row workspaceRow
	dest := append(workspaceDest(&row.settings), &row.saved.change, &row.saved.nextID, &row.saved.nextHighID, &row.saved.catalog)
	err := tx.one(dest, `select `+workspaceColumns+`, change_number, next_id, next_high_id, catalog_number
		from workspace where workspace_id = $1`+tx.store.engine.LockRow())
	row.counters = row.saved
	return &row, err
}

// save writes the texts, the change log and the counters, once for all the use cases of a transaction.
func (row *workspaceRow) save(tx *Tx) error {
	if err := tx.writeTexts(); err != nil {
		return err
	}
	if err := tx.writeLog(); err != nil {
		return err
	}
	if row.counters == row.saved {
		return nil
	}
	c := row.counters
	_, err := tx.exec(`update workspace set change_number = $2, next_id = $3, next_high_id = $4, catalog_number = $5 where workspace_id = $1`,
		c.change, c.nextID, c.nextHighID, c.catalog)
	return err
}

// Workspace returns the workspace of the transaction.
func (tx *Tx) Workspace() (*tracker.Workspace, error) {
	if tx.row != nil {
		settings := tx.row.settings // a copy, or the next use case of the batch would see what is not saved
		return &settings, nil
	}
	var w tracker.Workspace
	err := tx.one(workspaceDest(&w), `select `+workspaceColumns+` from workspace where workspace_id = $1`)
	return &w, err
}

// UpdateWorkspace saves the settings.
func (tx *Tx) UpdateWorkspace(w *tracker.Workspace) error {
	_, err := tx.exec(`update workspace set organization_id = $2, slug = $3, name = $4, utc_offset = $5, estimate_scale = $6,
		working_days = $7, disabled_features = $8, group_allowance = $9, default_workflow_id = $10, created_at = $11,
		updated_at = $12 where workspace_id = $1`, workspaceDest(w)[1:]...)
	tx.row.settings = *w
	tx.access = true
	return err
}

// NextID draws from the counter of stories, epics, labels and the like.
func (tx *Tx) NextID() int64 {
	tx.row.counters.nextID++
	return tx.row.counters.nextID - 1
}

// NextHighID draws from the counter of workflows, states, story links and version control.
func (tx *Tx) NextHighID() int64 {
	tx.row.counters.nextHighID++
	return tx.row.counters.nextHighID - 1
}

// SkipIDs moves both counters on, so that an import can keep the ids it brings.
func (tx *Tx) SkipIDs(nextID, nextHighID int64) {
	c := &tx.row.counters
	c.nextID, c.nextHighID = max(c.nextID, nextID), max(c.nextHighID, nextHighID)
}

// Workspaces lists all workspaces, oldest first.
func (s *Store) Workspaces(ctx context.Context) ([]tracker.Workspace, error) {
	var out []tracker.Workspace
	err := s.each(ctx, func(row db.Row) error {
		var w tracker.Workspace
		err := row.Scan(workspaceDest(&w)...)
		out = append(out, w)
		return err
	}, `select `+workspaceColumns+` from workspace order by created_at, workspace_id`)
	return out, err
}

// WorkspaceBySlug finds one workspace; the empty slug means the oldest.
func (s *Store) WorkspaceBySlug(ctx context.Context, slug string) (tracker.Workspace, error) {
	var w tracker.Workspace
	err := s.one(ctx, workspaceDest(&w), `select `+workspaceColumns+` from workspace
		where (slug = $1 or cast($1 as text) = '') order by created_at, workspace_id limit 1`, slug)
	return w, err
}
