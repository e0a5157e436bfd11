// Package storetest is the suite that every engine must pass. Only tests import it.
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// Exercise runs the suite. open gives the address of a new database, with or without the schema.
func Exercise(t *testing.T, open func(*testing.T) string) {
	for _, part := range []struct {
		name string
		run  func(*testing.T, string)
	}{
		{"parameters bind by number", parametersByNumber},
		{"ids", ids},
		{"unique names", uniqueNames},
		{"JSON columns", jsonColumns},
		{"lists of ids", lists},
		{"absent rows", absentRows},
		{"snapshot reads", snapshotReads},
		{"change log", changeLog},
		{"foreign keys", foreignKeys},
		{"an error cannot be overlooked", overlookedError},
		{"isolation", isolation},
		{"schema", schema},
		{"nodes that start together", startTogether},
		{"a newer database", newerDatabase},
	} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			part.run(t, open(t))
		})
	}
}

func openStore(t *testing.T, address string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// driverOf is the name by which database/sql knows the engine.
func driverOf(address string) string {
	if strings.HasPrefix(address, "postgres") {
		return "pgx"
	}
	return "sqlite"
}

// openRaw opens the database past the store, for what the store does not show.
func openRaw(t *testing.T, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driverOf(address), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// uuid is the nth of some fixed ids.
func uuid(n int) tracker.UUID {
	return tracker.UUID(fmt.Sprintf("00000000-0000-7000-8000-%012d", n))
}

const now tracker.Time = 1_700_000_000

// newWorkspace makes a workspace with nothing in it.
func newWorkspace(t *testing.T, st *store.Store, id tracker.UUID, slug string) tracker.UUID {
	t.Helper()
	ws := tracker.NewWorkspace(id, id, slug, "Workspace "+slug, now)
	if err := st.Create(t.Context(), ws, func(*store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return id
}

func mustWrite(t *testing.T, st *store.Store, workspace tracker.UUID, fn func(*store.Tx) error) {
	t.Helper()
	if err := st.Write(t.Context(), workspace, fn); err != nil {
		t.Fatal(err)
	}
}

func mustRead[T any](t *testing.T, st *store.Store, workspace tracker.UUID, fn func(*store.Tx) (T, error)) (out T) {
	t.Helper()
	err := st.Read(t.Context(), workspace, func(tx *store.Tx) (err error) {
		out, err = fn(tx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func label(id int64, name string) *tracker.Label {
	return &tracker.Label{ID: id, Name: name, CreatedAt: now, UpdatedAt: now}
}

func codeOf(err error) tracker.Code {
	var e *tracker.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return tracker.Internal
}

func exec(ctx context.Context, t *testing.T, db *sql.DB, statement string, args ...any) {
	t.Helper()
	if _, err := db.ExecContext(ctx, statement, args...); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}
