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

	driver "modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Engine is an open SQLite file.
type Engine struct {
	reader, writer *sql.DB
}

// Open opens or creates the file. Commits are synced before they are answered
// (synchronous=FULL), so that an acknowledged write survives a power loss.
func Open(path string) (*Engine, error) {
	pragmas := url.Values{"_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "temp_store(MEMORY)",
	}}
	open := func(extra url.Values, conns int) (*sql.DB, error) {
		query := pragmas.Encode() + "&" + extra.Encode()
		db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query)
		if err != nil {
			return nil, fmt.Errorf("open %s: %w", path, err)
		}
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
		return db, nil
	}
	writer, err := open(url.Values{"_txlock": {"immediate"}}, 1)
	if err != nil {
		return nil, err
	}
	// The first connection makes the file a WAL database before readers look at it.
	if err := writer.PingContext(context.Background()); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), writer.Close())
	}
	reader, err := open(url.Values{"_txlock": {"deferred"}, "_pragma": {"query_only(1)"}}, max(4, 2*runtime.NumCPU()))
	if err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	return &Engine{reader: reader, writer: writer}, nil
}

func (e *Engine) Name() string    { return "sqlite" }
func (e *Engine) Reader() *sql.DB { return e.reader }
func (e *Engine) Writer() *sql.DB { return e.writer }
func (e *Engine) OneWriter() bool { return true }

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
	var se *driver.Error
	if !errors.As(err, &se) {
		return "", false
	}
	switch se.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return "The disk of the server is full; nothing was saved.", true
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return "The database is busy; try again.", true
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY:
		return "The database file cannot be used right now.", true
	}
	return "", false
}

func (e *Engine) Close() error {
	return errors.Join(e.reader.Close(), e.writer.Close())
}
