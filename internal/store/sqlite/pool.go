package sqlite

import (
	"context"
	"database/sql"
	"strings"
	"sync"
	"sync/atomic"

	sqlite3 "modernc.org/sqlite/lib"

	"milepost/internal/store/db"
)

// pool hands out up to a fixed number of connections, each opened when it is first needed. The one that was used last
// goes first: its pages are at hand.
type pool struct {
	open  func() (*conn, error)
	begin string
	turns chan struct{} // as many as connections may be in use

	mu   sync.Mutex
	idle []*conn

	opened, waits atomic.Int64
}

func newPool(size int, begin string, open func() (*conn, error)) *pool {
	return &pool{open: open, begin: begin, turns: make(chan struct{}, size)}
}

func (p *pool) get(ctx context.Context) (*conn, error) {
	select {
	case p.turns <- struct{}{}:
	default:
		if err := p.wait(ctx); err != nil {
			return nil, err
		}
	}
	if c := p.last(); c != nil {
		return c, nil
	}
	c, err := p.open()
	if err != nil {
		<-p.turns
		return nil, err
	}
	p.opened.Add(1)
	return c, nil
}

func (p *pool) wait(ctx context.Context) error {
	p.waits.Add(1)
	select {
	case p.turns <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// last takes the idle connection that was used last; it is nil if there is none.
func (p *pool) last() *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle) - 1
	if n < 0 {
		return nil
	}
	c := p.idle[n]
	p.idle = p.idle[:n]
	return c
}

func (p *pool) put(c *conn) {
	p.mu.Lock()
	p.idle = append(p.idle, c)
	p.mu.Unlock()
	<-p.turns
}

// tx starts a transaction, which the end of ctx interrupts.
func (p *pool) tx(ctx context.Context) (*transaction, error) {
	tx, err := p.take(ctx)
	if err != nil {
		return nil, err
	}
	if _, err := tx.Exec(p.begin); err != nil {
		tx.leave()
		return nil, err
	}
	return tx, nil
}

// once lends a connection for one statement, which is a transaction by itself.
func (p *pool) once(ctx context.Context, fn func(*conn) error) error {
	tx, err := p.take(ctx)
	if err != nil {
		return err
	}
	defer tx.leave()
	return tx.explain(fn(tx.c))
}

func (p *pool) take(ctx context.Context) (*transaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c, err := p.get(ctx)
	if err != nil {
		return nil, err
	}
	use := c.begin()
	return &transaction{ctx: ctx, c: c, pool: p, stop: context.AfterFunc(ctx, func() { c.interrupt(use) })}, nil
}

// close ends all connections, once nobody uses one any more.
func (p *pool) close() {
	for range cap(p.turns) {
		p.turns <- struct{}{}
	}
	for c := p.last(); c != nil; c = p.last() {
		c.close()
	}
}

func (p *pool) stats() sql.DBStats {
	open, inUse := int(p.opened.Load()), len(p.turns)
	return sql.DBStats{
		MaxOpenConnections: cap(p.turns), OpenConnections: open, InUse: inUse, Idle: max(0, open-inUse),
		WaitCount: p.waits.Load(),
	}
}

// transaction implements db.Tx.
type transaction struct {
	ctx  context.Context //nolint:containedctx // a transaction lives no longer than its context
	c    *conn           // nil when the transaction has ended
	pool *pool
	stop func() bool
}

func (tx *transaction) Exec(statement string, args ...any) (rows int64, err error) {
	if err := tx.usable(); err != nil {
		return 0, err
	}
	if strings.Contains(statement, ";") {
		return 0, tx.explain(tx.c.script(statement))
	}
	rows, err = tx.c.exec(statement, args)
	return rows, tx.explain(err)
}

func (tx *transaction) Each(fn func(db.Row) error, statement string, args ...any) error {
	if err := tx.usable(); err != nil {
		return err
	}
	return tx.explain(tx.c.each(fn, statement, args))
}

// Together runs the parts one after another: there is nothing to wait for.
func (tx *transaction) Together(parts ...func(db.Tx) error) error {
	for _, part := range parts {
		if err := part(tx); err != nil {
			return err
		}
	}
	return nil
}

func (tx *transaction) usable() error {
	if tx.c == nil {
		return sql.ErrTxDone
	}
	return tx.ctx.Err()
}

// explain says why a statement was interrupted.
func (tx *transaction) explain(err error) error {
	if code(err) == sqlite3.SQLITE_INTERRUPT && tx.ctx.Err() != nil {
		return tx.ctx.Err()
	}
	return err
}

func (tx *transaction) Commit() error {
	if err := tx.usable(); err != nil {
		return err
	}
	if _, err := tx.c.exec("commit", nil); err != nil {
		return tx.explain(err)
	}
	tx.leave()
	return nil
}

// Rollback is not interrupted: the connection would stay in its transaction, and fail whoever gets it next.
func (tx *transaction) Rollback() {
	if tx.c == nil {
		return
	}
	tx.outlive()
	_, _ = tx.c.exec("rollback", nil) // SQLite has ended the transaction by itself after some errors
	tx.leave()
}

// outlive ends the hold of the context on the connection; an interruption that comes too late hits nobody.
func (tx *transaction) outlive() {
	tx.stop()
	tx.c.begin()
}

func (tx *transaction) leave() {
	tx.outlive()
	tx.pool.put(tx.c)
	tx.c = nil
}
