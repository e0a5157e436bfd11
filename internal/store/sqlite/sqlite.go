// Package sqlite is the embedded engine: one file, one writer, many readers.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"milepost/internal/store/db"
)

const (
	// readWait is how long a reader waits for the rare locks that stop one.
	readWait = 10 * time.Second
	// writeWait is how long SQLite waits for its turn to write before BeginWrite asks anew. It is
	// short, because SQLite asks ever more seldom: against a writer that hardly rests, many short
	// waits find a gap where one long wait may not.
	writeWait = 25 * time.Millisecond
)

// Engine is an open SQLite file.
type Engine struct {
	reader, writer *pool
}

// Open opens or creates the file. Commits are synced before they are answered
// (synchronous=FULL), so that an acknowledged write survives a power loss.
func Open(ctx context.Context, path string) (*Engine, error) {
	connect := func(pragmas ...string) func() (*conn, error) {
		return func() (*conn, error) {
			c, err := openConn(path, pragmas)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return c, nil
		}
	}
	e := &Engine{
		writer: newPool(1, "begin immediate", connect(busyTimeout(writeWait),
			"journal_mode = WAL", "synchronous = FULL", "foreign_keys = on", "temp_store = memory", "cache_size = -8000")),
		reader: newPool(max(4, 2*runtime.NumCPU()), "begin", connect(busyTimeout(readWait),
			"query_only = on", "temp_store = memory", "cache_size = -8000")),
	}
	// The first connection makes the file a WAL database before readers look at it.
	_, err := e.Exec(ctx, "pragma schema_version")
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func busyTimeout(d time.Duration) string {
	return "busy_timeout = " + strconv.FormatInt(d.Milliseconds(), 10)
}

// untilFree repeats what found the database locked by another process.
func untilFree(ctx context.Context, try func() error) error {
	for {
		err := try()
		if code(err) != sqlite3.SQLITE_BUSY || ctx.Err() != nil {
			return err
		}
	}
}

func (e *Engine) Name() string    { return "sqlite" }
func (e *Engine) OneWriter() bool { return true }

func (e *Engine) Pools() map[string]func() sql.DBStats {
	return map[string]func() sql.DBStats{"reader": e.reader.stats, "writer": e.writer.stats}
}

// BeginRead needs no isolation level: every read transaction is a snapshot.
func (e *Engine) BeginRead(ctx context.Context) (db.Tx, error) { return e.reader.tx(ctx) }

func (e *Engine) BeginWrite(ctx context.Context) (tx db.Tx, err error) {
	err = untilFree(ctx, func() error {
		tx, err = e.writer.tx(ctx)
		return err
	})
	return tx, err
}

func (e *Engine) Each(ctx context.Context, fn func(db.Row) error, statement string, args ...any) error {
	return e.reader.once(ctx, func(c *conn) error { return c.each(fn, statement, args) })
}

func (e *Engine) Exec(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	err = untilFree(ctx, func() error {
		return e.writer.once(ctx, func(c *conn) error {
			rows, err = c.exec(statement, args)
			return err
		})
	})
	return rows, err
}

// LockRow is empty: BEGIN IMMEDIATE has locked the whole database.
func (e *Engine) LockRow() string { return "" }

// LockMigrations does nothing: BEGIN IMMEDIATE has locked the whole database.
func (e *Engine) LockMigrations(db.Tx) error { return nil }

// Among makes the list the outer loop of a join: "in (select …)" would copy it to a table first.
func (e *Engine) Among(table, column string) string {
	return "from json_each($2) as wanted cross join " + table + " on (" + table + ".workspace_id = $1 and " + table + "." + column + " = wanted.value)"
}

func (e *Engine) AnyOf(column, parameter string) string {
	return column + " in (select value from json_each(" + parameter + "))"
}

func (e *Engine) List(values any) any {
	text, err := json.Marshal(values)
	if err != nil {
		panic(err) // lists hold integers and strings only
	}
	return string(text)
}

func (e *Engine) Violates(err error) (string, bool) {
	var se *Error
	if errors.As(err, &se) && (se.Code == sqlite3.SQLITE_CONSTRAINT_UNIQUE || se.Code == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
		return se.Message, true
	}
	return "", false
}

func (e *Engine) Away(err error) (string, bool) {
	switch code(err) {
	case sqlite3.SQLITE_FULL:
		return "The disk of the server is full; nothing was saved.", true
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "The database is busy; try again.", true
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return "The database file cannot be used right now.", true
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return "The database took too long; try again.", true
	}
	return "", false
}

// code is SQLite's primary result code, or -1 when the error is none of SQLite's.
func code(err error) int {
	if err == nil {
		return -1
	}
	var se *Error
	if !errors.As(err, &se) {
		return -1
	}
	return se.Code & 0xff
}

func (e *Engine) Close() error {
	e.reader.close()
	e.writer.close()
	return nil
}
