// Package sqlite is the embedded engine: one file, one writer, many readers.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"runtime"
	"strconv"
	"time"

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
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
	reader, writer *sql.DB
}

// Open opens or creates the file. Commits are synced before they are answered
// (synchronous=FULL), so that an acknowledged write survives a power loss.
func Open(ctx context.Context, path string) (*Engine, error) {
	writer, err := openPool(path, 1, url.Values{"_txlock": {"immediate"}, "_pragma": {
		busyTimeout(writeWait), "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "temp_store(MEMORY)",
	}})
	if err != nil {
		return nil, err
	}
	// The first connection makes the file a WAL database before readers look at it.
	if err := untilFree(ctx, func() error { return writer.PingContext(ctx) }); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), writer.Close())
	}
	reader, err := openPool(path, max(4, 2*runtime.NumCPU()), url.Values{"_txlock": {"deferred"}, "_pragma": {
		busyTimeout(readWait), "query_only(1)", "temp_store(MEMORY)",
	}})
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	return &Engine{reader: reader, writer: writer}, nil
}

func openPool(path string, conns int, options url.Values) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+options.Encode())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func busyTimeout(d time.Duration) string {
	return "busy_timeout(" + strconv.FormatInt(d.Milliseconds(), 10) + ")"
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
func (e *Engine) Reader() *sql.DB { return e.reader }
func (e *Engine) Writer() *sql.DB { return e.writer }
func (e *Engine) OneWriter() bool { return true }

// BeginRead needs no isolation level: every read transaction is a snapshot.
func (e *Engine) BeginRead(ctx context.Context) (*sql.Tx, error) {
	return e.reader.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
}

func (e *Engine) BeginWrite(ctx context.Context) (tx *sql.Tx, err error) {
	err = untilFree(ctx, func() error {
		tx, err = e.writer.BeginTx(ctx, nil)
		return err
	})
	return tx, err
}

// LockRow is empty: BEGIN IMMEDIATE has locked the whole database.
func (e *Engine) LockRow() string { return "" }

// LockMigrations does nothing: BEGIN IMMEDIATE has locked the whole database.
func (e *Engine) LockMigrations(context.Context, *sql.Tx) error { return nil }

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
	var se *driver.Error
	if errors.As(err, &se) && (se.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || se.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY) {
		return se.Error(), true
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
	var se *driver.Error
	if !errors.As(err, &se) {
		return -1
	}
	return se.Code() & 0xff
}

func (e *Engine) Close() error {
	return errors.Join(e.reader.Close(), e.writer.Close())
}
