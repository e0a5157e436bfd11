// Package postgres is the engine for a company: several nodes over one PostgreSQL, version 15 or newer.
package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"milepost/internal/store/db"
)

const (
	oldest = 150000 // server_version_num
	// migrationLock is an arbitrary number that names our advisory lock.
	migrationLock = 7_145_236_001
)

// Error codes of PostgreSQL, and the beginnings that classes of them share.
const (
	uniqueness     = "23505"
	diskFull       = "53100"
	lockTimeout    = "55P03"
	tookTooLong    = "57014"
	otherPlan      = "0A000" // a table was changed under a statement that is kept
	rolledBack     = "40"    // deadlocks and the like
	connectionLost = "08"
	outOfResources = "53"
	shuttingDown   = "57P"
)

const (
	maxConnections = 16
	closeTimeout   = 5 * time.Second
)

// settings are those of our sessions, unless the address has others.
var settings = map[string]string{
	"application_name": "milepost", "lock_timeout": "15000", "statement_timeout": "60000",
	"idle_in_transaction_session_timeout": "60000",
	// Statements find their rows by indexes whatever their arguments are; to plan them anew, or to
	// compile them, costs more than to run them. What they find is mostly in memory: with the cost of a
	// disk that turns, a few ids are looked for in a whole table.
	"plan_cache_mode": "force_generic_plan", "jit": "off", "random_page_cost": "1.1",
}

// snapshots are settings that no address may change: what is read without BEGIN is read of one snapshot.
var snapshots = map[string]string{"default_transaction_isolation": "repeatable read", "default_transaction_read_only": "on"}

// Engine is a pool of connections to one database.
type Engine struct {
	pool *pgxpool.Pool
}

// Open connects to the server and refuses one that is too old.
func Open(ctx context.Context, address string) (*Engine, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, errors.New("the address is not a valid postgres:// URL") // the error may hold the password
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	for name, value := range settings {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	maps.Copy(config.ConnConfig.RuntimeParams, snapshots)
	config.MaxConns, config.MaxConnIdleTime = maxConnections, 5*time.Minute
	config.AfterConnect = func(_ context.Context, pc *pgx.Conn) error {
		if pc.PgConn().Frontend().ReadBufferLen() > 0 {
			return errMessage // it would be missing from what we read
		}
		pc.PgConn().CustomData()[ours] = newConn(pc.PgConn())
		return nil
	}
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false } // see transaction.run
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	e := &Engine{pool: pool}
	var version int
	err = e.Each(ctx, func(row db.Row) error { return row.Scan(&version) }, `select current_setting('server_version_num')::int`)
	if err == nil {
		err = refuseOld(version)
	}
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// ours is the name under which pgx keeps the conn of a connection.
const ours = "milepost"

func connOf(pc *pgx.Conn) *conn {
	c, _ := pc.PgConn().CustomData()[ours].(*conn)
	return c
}

func refuseOld(version int) error {
	if version < oldest {
		return fmt.Errorf("PostgreSQL %d is too old: Milepost needs version %d or newer", version/10000, oldest/10000)
	}
	return nil
}

func (e *Engine) Name() string    { return "postgres" }
func (e *Engine) OneWriter() bool { return false }
func (e *Engine) LockRow() string { return " for update" }

func (e *Engine) Pools() map[string]func() sql.DBStats {
	return map[string]func() sql.DBStats{"writer": func() sql.DBStats {
		s := e.pool.Stat()
		return sql.DBStats{
			MaxOpenConnections: int(s.MaxConns()), OpenConnections: int(s.TotalConns()), InUse: int(s.AcquiredConns()), Idle: int(s.IdleConns()),
			WaitCount: s.EmptyAcquireCount(), WaitDuration: s.EmptyAcquireWaitTime(),
			MaxIdleTimeClosed: s.MaxIdleDestroyCount(), MaxLifetimeClosed: s.MaxLifetimeDestroyCount(),
		}
	}}
}

func (e *Engine) BeginRead(ctx context.Context) (db.Tx, error)  { return e.take(ctx) }
func (e *Engine) BeginWrite(ctx context.Context) (db.Tx, error) { return e.takeWrite(ctx) }

func (e *Engine) Each(ctx context.Context, fn func(db.Row) error, statement string, args ...any) error {
	tx, err := e.take(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	return tx.run(true, query{statement, args, fn})
}

func (e *Engine) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	tx, err := e.takeWrite(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	rows, err := tx.Exec(statement, args...)
	if err != nil {
		return 0, err
	}
	return rows, tx.Commit()
}

// LockMigrations also lifts the time-outs: a migration, or the wait for another node's, may take long.
func (e *Engine) LockMigrations(tx db.Tx) error {
	for _, setting := range []string{"lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"} {
		if _, err := tx.Exec("set local " + setting + " = 0"); err != nil {
			return err
		}
	}
	_, err := tx.Exec(`select pg_advisory_xact_lock($1)`, migrationLock)
	return err
}

func (e *Engine) Among(table, column string) string {
	return "from " + table + " where (workspace_id = $1 and " + column + " = any($2))"
}

func (e *Engine) AnyOf(column, parameter string) string { return column + " = any(" + parameter + ")" }
func (e *Engine) List(values any) any                   { return values }

func (e *Engine) Violates(err error) (string, bool) {
	var pe *pgconn.PgError
	if errors.As(err, &pe) && pe.Code == uniqueness {
		return pe.ConstraintName, true // not pe.Detail: it holds values of the client's
	}
	return "", false
}

func (e *Engine) Away(err error) (string, bool) {
	const away = "The database cannot be reached right now; try again."
	var pe *pgconn.PgError
	if errors.As(err, &pe) {
		switch class := pe.Code[:2]; {
		case pe.Code == diskFull:
			return "The disk of the database is full; nothing was saved.", true
		case pe.Code == lockTimeout, pe.Code == tookTooLong, class == rolledBack:
			return "The database is busy; try again.", true
		case class == connectionLost, class == outOfResources, strings.HasPrefix(pe.Code, shuttingDown):
			return away, true
		}
		return "", false
	}
	var connect *pgconn.ConnectError
	var network net.Error // also a deadline that passed
	if errors.As(err, &connect) || errors.As(err, &network) {
		return away, true
	}
	for _, lost := range []error{pgconn.ErrConnClosed, io.ErrUnexpectedEOF, io.EOF} {
		if errors.Is(err, lost) {
			return away, true
		}
	}
	return "", false
}

func (e *Engine) Close() error {
	e.pool.Close()
	return nil
}
