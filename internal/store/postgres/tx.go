package postgres

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"strings"

	"github.com/jackc/pgx/v5/pgxpool"

	"milepost/internal/store/db"
)

const (
	// beginWrite is needed because sessions are set to read one snapshot.
	beginWrite = "begin isolation level read committed read write"
	commit     = "commit"
	rollback   = "rollback"
)

var errRolledBack = errors.New("the transaction had failed and was rolled back")

// transaction implements db.Tx.
type transaction struct {
	ctx   context.Context //nolint:containedctx // a transaction lives no longer than its context
	e     *Engine
	c     *conn // nil when the transaction has ended
	lease *pgxpool.Conn
	stop  func() bool
}

// take lends a connection for a transaction that reads, which the end of ctx interrupts.
func (e *Engine) take(ctx context.Context) (*transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	lease, err := e.pool.Acquire(ctx)
	if err != nil {
		return nil, err
	}
	c := connOf(lease.Conn())
	use := c.begin()
	return &transaction{ctx: ctx, e: e, c: c, lease: lease, stop: context.AfterFunc(ctx, func() { c.interrupt(use) })}, nil
}

// takeWrite lends a connection for a transaction that writes. BEGIN goes out with its first statement.
func (e *Engine) takeWrite(ctx context.Context) (*transaction, error) {
	tx, err := e.take(ctx)
	if err != nil {
		return nil, err
	}
	tx.c.beginBlock()
	return tx, nil
}

func (tx *transaction) Exec(statement string, args ...any) (rows int64, err error) {
	if err := tx.usable(); err != nil {
		return 0, err
	}
	if strings.Contains(statement, ";") {
		return 0, tx.explain(tx.c.script(statement))
	}
	if err := tx.run(false, query{statement, args, nil}); err != nil {
		return 0, err
	}
	return tx.c.tag.RowsAffected(), nil
}

func (tx *transaction) Each(fn func(db.Row) error, statement string, args ...any) error {
	return tx.run(false, query{statement, args, fn})
}

// run runs queries. A connection may be lost while nobody uses it; the queries that find that out
// are run again on a new one, since the server keeps nothing of them.
func (tx *transaction) run(last bool, queries ...query) error {
	if err := tx.usable(); err != nil {
		return err
	}
	err := tx.c.run(queries, last)
	if tx.c.lost && !tx.c.late && !tx.c.heard {
		if err := tx.renew(); err != nil {
			return err
		}
		err = tx.c.run(queries, last)
	}
	return tx.explain(err)
}

// renew begins the transaction anew. When one connection was lost, all idle ones are suspects.
func (tx *transaction) renew() error {
	begin := tx.e.take
	if tx.c.block {
		begin = tx.e.takeWrite
	}
	tx.leave()
	tx.e.pool.Reset()
	fresh, err := begin(tx.ctx)
	if err == nil {
		*tx = *fresh
	}
	return err
}

func (tx *transaction) usable() error {
	if tx.c == nil {
		return sql.ErrTxDone
	}
	return tx.ctx.Err()
}

// explain says why the connection was interrupted.
func (tx *transaction) explain(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) && tx.ctx.Err() != nil {
		return tx.ctx.Err()
	}
	return err
}

func (tx *transaction) Commit() error {
	if err := tx.usable(); err != nil {
		return err
	}
	if err := tx.c.script(commit); err != nil {
		return tx.explain(err)
	}
	tx.c.block = false
	done := tx.c.tag
	if tx.leave(); done.String() != "COMMIT" {
		return errRolledBack
	}
	return nil
}

func (tx *transaction) Rollback() {
	if tx.c != nil {
		tx.leave()
	}
}

// leave ends what is still open and gives the connection back, unless it is of no use any more.
func (tx *transaction) leave() {
	c := tx.c
	tx.c = nil
	tx.stop()
	c.begin() // an interruption that comes too late hits nobody
	if c.end(); c.lost || c.reading {
		tx.lease.Hijack()
		go c.close()
		return
	}
	c.rest()
	tx.lease.Release()
}
