package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"milepost/internal/tracker"
)

// Tx is a transaction bound to one workspace. There is no way to run a statement of a
// resource without the workspace's id: it is always parameter $1.
type Tx struct {
	ctx   context.Context
	store *Store
	sql   *sql.Tx
	id    tracker.UUID
	row   *workspaceRow // set in writes, where the row is locked
	// failed is the first error of the database. PostgreSQL refuses every statement after it
	// and SQLite may have ended the transaction, so nothing more is sent, and a use case that
	// overlooks the error fails all the same.
	failed error
}

func (tx *Tx) exec(statement string, args ...any) (rows int64, err error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	tx.store.queries.Add(1)
	result, err := tx.sql.ExecContext(tx.ctx, statement, tx.bind(args)...)
	if err != nil {
		return 0, tx.fail(err)
	}
	rows, err = result.RowsAffected()
	return rows, tx.fail(err)
}

func (tx *Tx) fail(err error) error {
	if err != nil && tx.failed == nil {
		tx.failed = err
	}
	return err
}

func (tx *Tx) bind(args []any) []any {
	return append([]any{string(tx.id)}, args...)
}

// one scans the single row that the statement gives; no row is ErrNotFound.
func (tx *Tx) one(dest []any, statement string, args ...any) error {
	if tx.failed != nil {
		return tx.failed
	}
	tx.store.queries.Add(1)
	err := tx.sql.QueryRowContext(tx.ctx, statement, tx.bind(args)...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return tracker.ErrNotFound
	}
	return tx.fail(err)
}

// each calls scan for every row of the statement.
func (tx *Tx) each(scan func(*sql.Rows) error, statement string, args ...any) error {
	if tx.failed != nil {
		return tx.failed
	}
	tx.store.queries.Add(1)
	rows, err := tx.sql.QueryContext(tx.ctx, statement, tx.bind(args)...)
	if err != nil {
		return tx.fail(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return tx.fail(err)
		}
	}
	return tx.fail(rows.Err())
}

// anyOf is the engine's condition that column is in the list bound as parameter.
func (tx *Tx) anyOf(column, parameter string) string {
	return tx.store.engine.AnyOf(column, parameter)
}

func (tx *Tx) list(values any) any { return tx.store.engine.List(values) }

// jsonText keeps a Go value in a text column.
type jsonText struct{ v any }

func (j jsonText) Scan(src any) error {
	switch text := src.(type) {
	case string:
		return json.Unmarshal([]byte(text), j.v)
	case []byte:
		return json.Unmarshal(text, j.v)
	default:
		return fmt.Errorf("a JSON column holds %T", src)
	}
}

// Value implements driver.Valuer.
func (j jsonText) Value() (driver.Value, error) {
	text, err := json.Marshal(j.v)
	return string(text), err
}

// duplicate turns the violation of a unique index into an error that names the field.
func (tx *Tx) duplicate(err error, fields map[string]string) error {
	index, ok := tx.store.engine.Violates(err)
	if !ok {
		return err
	}
	for column, field := range fields {
		if strings.Contains(index, column) {
			return tracker.Impossible(field, "already exists")
		}
	}
	return err
}
