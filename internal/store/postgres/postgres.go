// Package postgres is the engine for a company: several nodes over one PostgreSQL, version 15 or newer.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	oldest = 150000 // server_version_num
	// migrationLock is an arbitrary number that names our advisory lock.
	migrationLock = 7_145_236_001
	uniqueness    = "23505"
)

// Engine is a pool of connections to one database.
type Engine struct {
	db *sql.DB
}

// Open reads the address; connections are made when they are first needed.
func Open(address string) (*Engine, error) {
	config, err := pgx.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the database address is not a valid postgres:// URL") // the error may hold the password
	}
	if config.ConnectTimeout == 0 {
		config.ConnectTimeout = 5 * time.Second
	}
	for key, value := range map[string]string{
		"application_name": "milepost", "lock_timeout": "15000", "statement_timeout": "60000",
		"idle_in_transaction_session_timeout": "60000",
	} {
		if _, set := config.RuntimeParams[key]; !set {
			config.RuntimeParams[key] = value
		}
	}
	db := stdlib.OpenDB(*config)
	db.SetMaxOpenConns(32)
	db.SetMaxIdleConns(16)
	db.SetConnMaxIdleTime(5 * time.Minute)
	return &Engine{db: db}, nil
}

func (e *Engine) Name() string    { return "postgres" }
func (e *Engine) Reader() *sql.DB { return e.db }
func (e *Engine) Writer() *sql.DB { return e.db }
func (e *Engine) OneWriter() bool { return false }
func (e *Engine) LockRow() string { return " for update" }

// LockMigrations also refuses servers that are too old.
func (e *Engine) LockMigrations(ctx context.Context, tx *sql.Tx) error {
	var version int
	if err := tx.QueryRowContext(ctx, `select current_setting('server_version_num')::int`).Scan(&version); err != nil {
		return err
	}
	if version < oldest {
		return fmt.Errorf("PostgreSQL %d is too old: Milepost needs version %d or newer", version/10000, oldest/10000)
	}
	_, err := tx.ExecContext(ctx, `select pg_advisory_xact_lock($1)`, migrationLock)
	return err
}

func (e *Engine) AnyOf(column, parameter string) string { return column + " = any(" + parameter + ")" }
func (e *Engine) List(values any) any                   { return values }

func (e *Engine) Violates(err error) (string, bool) {
	var pe *pgconn.PgError
	if errors.As(err, &pe) && pe.Code == uniqueness {
		return pe.ConstraintName + " " + pe.Detail, true
	}
	return "", false
}

func (e *Engine) Away(err error) (string, bool) {
	const away = "The database cannot be reached right now; try again."
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		switch {
		case pe.Code == "53100":
			return "The disk of the database is full; nothing was saved.", true
		// Connection exceptions, shutdowns, too many connections, lock time-outs.
		case strings.HasPrefix(pe.Code, "08"), strings.HasPrefix(pe.Code, "57P"), strings.HasPrefix(pe.Code, "53"), pe.Code == "55P03":
			return away, true
		}
		return "", false
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return away, true
	}
	return "", false
}

func (e *Engine) Close() error { return e.db.Close() }
