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
}

func (tx *Tx) exec(statement string, args ...any) (rows int64, err error) {
	tx.store.queries.Add(1)
	result, err := tx.sql.ExecContext(tx.ctx, statement, tx.bind(args)...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

func (tx *Tx) query(statement string, args ...any) (*sql.Rows, error) {
	tx.store.queries.Add(1)
	return tx.sql.QueryContext(tx.ctx, statement, tx.bind(args)...)
}

func (tx *Tx) bind(args []any) []any {
	return append([]any{string(tx.id)}, args...)
}

// one scans the single row that the statement gives; no row is ErrNotFound.
func (tx *Tx) one(dest []any, statement string, args ...any) error {
	tx.store.queries.Add(1)
	err := tx.sql.QueryRowContext(tx.ctx, statement, tx.bind(args)...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return tracker.ErrNotFound
	}
	return err
}

// each calls scan for every row of the statement.
func (tx *Tx) each(scan func(*sql.Rows) error, statement string, args ...any) error {
	rows, err := tx.query(statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
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
