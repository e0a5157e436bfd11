package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"milepost/internal/store/db"
)

// runner is what a pool and a transaction of pgx have in common.
type runner interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

func exec(ctx context.Context, on runner, statement string, args []any) (int64, error) {
	tag, err := on.Exec(ctx, statement, args...)
	return tag.RowsAffected(), err
}

func each(ctx context.Context, on runner, fn func(db.Row) error, statement string, args []any) error {
	rows, err := on.Query(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// transaction implements db.Tx.
type transaction struct {
	ctx context.Context //nolint:containedctx // a transaction lives no longer than its context
	tx  pgx.Tx
}

func (t *transaction) Exec(statement string, args ...any) (int64, error) {
	return exec(t.ctx, t.tx, statement, args)
}

func (t *transaction) Each(fn func(db.Row) error, statement string, args ...any) error {
	return each(t.ctx, t.tx, fn, statement, args)
}

func (t *transaction) Commit() error { return t.tx.Commit(t.ctx) }

// Rollback has a context of its own: the connection must be clean before it goes back to the pool.
func (t *transaction) Rollback() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(t.ctx), rollbackTimeout)
	defer cancel()
	_ = t.tx.Rollback(ctx) // a connection that fails here is closed by the pool
}
