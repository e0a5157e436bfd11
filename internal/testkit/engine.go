// Package testkit starts the real server on a fresh database of each engine and talks to it over
// HTTP. Only tests import it.
package testkit

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib" // the drivers with which tests look past the store
	_ "modernc.org/sqlite"

	"milepost/internal/store"
)

// PostgresVariable names the environment variable with the address of a PostgreSQL server on
// which tests may make databases. Without it, tests run on SQLite alone.
const PostgresVariable = "MILEPOST_TEST_POSTGRES"

// OnEngines runs fn once for each engine, in parallel, with the address of an empty database.
func OnEngines(t *testing.T, fn func(t *testing.T, address string)) {
	t.Helper()
	Engines(t, func(t *testing.T, newDatabase func(*testing.T) string) { fn(t, newDatabase(t)) })
}

// Engines runs fn once for each engine, in parallel, with a function that makes empty databases.
func Engines(t *testing.T, fn func(t *testing.T, newDatabase func(*testing.T) string)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		fn(t, func(t *testing.T) string { return filepath.Join(t.TempDir(), "milepost.db") })
	})
	if server := os.Getenv(PostgresVariable); server != "" {
		t.Run("postgres", func(t *testing.T) {
			t.Parallel()
			fn(t, func(t *testing.T) string { return newPostgres(t, server) })
		})
	}
}

// Addresses gives an empty database of each engine, to tests that compare them.
func Addresses(t *testing.T) []string {
	t.Helper()
	out := []string{filepath.Join(t.TempDir(), "milepost.db")}
	if server := os.Getenv(PostgresVariable); server != "" {
		out = append(out, newPostgres(t, server))
	}
	return out
}

var (
	databases    atomic.Int64
	templateOnce sync.Once
	templateName = fmt.Sprintf("milepost_template_%d", os.Getpid())
)

// newPostgres makes a database as a copy of one that is migrated already.
func newPostgres(t *testing.T, server string) string {
	t.Helper()
	admin, err := sql.Open("pgx", server)
	if err != nil {
		t.Fatal(err)
	}
	run := func(statement string) {
		t.Helper()
		if _, err := admin.ExecContext(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	templateOnce.Do(func() {
		run("create database " + templateName)
		st, err := store.Open(context.Background(), onDatabase(server, templateName))
		if err != nil {
			t.Fatal(err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	})
	name := fmt.Sprintf("milepost_test_%d_%d", os.Getpid(), databases.Add(1))
	run("create database " + name + " template " + templateName)
	t.Cleanup(func() {
		run("drop database " + name + " with (force)")
		if err := admin.Close(); err != nil {
			t.Error(err)
		}
	})
	return onDatabase(server, name)
}

// onDatabase is the address of another database on the same server.
func onDatabase(server, name string) string {
	address, query, _ := strings.Cut(server, "?")
	return address[:strings.LastIndex(address, "/")+1] + name + "?" + query
}
