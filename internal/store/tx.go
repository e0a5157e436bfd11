package store

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"reflect"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// Tx is a transaction bound to one workspace. There is no way to run a statement of a
// resource without the workspace's id: it is always parameter $1.
type Tx struct {
	ctx   context.Context
	store *Store
	db    db.Tx
	id    tracker.UUID
	row   *workspaceRow // set in writes, where the row is locked
	// failed is the first error of the database. PostgreSQL refuses every statement after it
	// and SQLite may have ended the transaction, so nothing more is sent, and a use case that
	// overlooks the error fails all the same.
	failed error
	// access is set when the use case may have changed what tokens open.
	access bool
}

func (tx *Tx) exec(statement string, args ...any) (rows int64, err error) {
	if tx.failed != nil {
		return 0, tx.failed
	}
	tx.store.queries.Add(1)
	if tx.row != nil {
		tx.row.memo.forget(statement)
	}
	rows, err = tx.db.Exec(statement, tx.bind(args)...)
	return rows, tx.fail(err)
}

func (tx *Tx) fail(err error) error {
	if err != nil && tx.failed == nil && !errors.Is(err, db.ErrStopped) {
		tx.failed = err
	}
	return err
}

func (tx *Tx) bind(args []any) []any {
	return append([]any{string(tx.id)}, args...)
}

// one scans the single row that the statement gives; no row is ErrNotFound.
func (tx *Tx) one(dest []any, statement string, args ...any) error {
	found := false
	err := tx.each(func(row db.Row) error {
		found = true
		return row.Scan(dest...)
	}, statement, args...)
	if err == nil && !found {
		return tracker.ErrNotFound
	}
	return err
}

// each calls scan for every row of the statement.
func (tx *Tx) each(scan func(db.Row) error, statement string, args ...any) error {
	if tx.failed != nil {
		return tx.failed
	}
	tx.store.queries.Add(1)
	return tx.fail(tx.db.Each(scan, statement, tx.bind(args)...))
}

// Together runs parts that only read and do not depend on each other; on some engines they wait for the
// database together. A part uses the Tx that it is given. The first error ends all.
func (tx *Tx) Together(parts ...func(*Tx) error) error {
	switch {
	case tx.failed != nil:
		return tx.failed
	case len(parts) == 0:
		return nil
	case len(parts) == 1:
		return parts[0](tx)
	}
	bound := make([]func(db.Tx) error, len(parts))
	for i, run := range parts {
		bound[i] = func(on db.Tx) error {
			part := *tx
			part.db = on
			err := run(&part)
			_ = tx.fail(part.failed)
			return err
		}
	}
	return tx.db.Together(bound...)
}

// anyOf is the engine's condition that column is in the list bound as parameter.
func (tx *Tx) anyOf(column, parameter string) string {
	return tx.store.engine.AnyOf(column, parameter)
}

func (tx *Tx) list(values any) any { return tx.store.engine.List(values) }

// jsonText keeps a Go value in a text column.
type jsonText struct{ v any }

// ScanText implements db.TextScanner.
func (j jsonText) ScanText(text string, _ *db.Rows) error {
	if text == "[]" { // most lists are empty
		if list, ok := j.v.(*[]string); ok {
			*list = []string{}
			return nil
		}
		if list := reflect.ValueOf(j.v).Elem(); list.Kind() == reflect.Slice {
			list.Set(reflect.MakeSlice(list.Type(), 0, 0))
			return nil
		}
	}
	return json.Unmarshal([]byte(text), j.v)
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
