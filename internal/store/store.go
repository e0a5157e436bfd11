// Package store keeps everything in SQL, with one text for both engines. A Tx is bound to one
// workspace: the first parameter of every statement is that workspace's id.
package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// Store is an open, migrated database.
type Store struct {
	engine  Engine
	queries atomic.Int64
	access  atomic.Int64
	changed func(workspace tracker.UUID, number int64)

	catalogs catalogs

	mu     sync.Mutex
	queues map[tracker.UUID]*queue
}

// Open connects to the database at the address and brings its schema up to date.
func Open(ctx context.Context, address string) (*Store, error) {
	engine, err := openEngine(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("the database cannot be opened: %w", err)
	}
	s := &Store{engine: engine, queues: map[tracker.UUID]*queue{}, changed: func(tracker.UUID, int64) {}}
	for _, step := range []func(context.Context) error{s.selfTest, s.migrate, s.completeSearch} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, engine.Close())
		}
	}
	return s, nil
}

// OnChange has fn called when a workspace has got changes, after their commit and before they are
// answered. fn must not wait for anything; it is set before the store is used.
func (s *Store) OnChange(fn func(workspace tracker.UUID, number int64)) { s.changed = fn }

// Close waits for nobody: the caller has stopped using the store.
func (s *Store) Close() error { return s.engine.Close() }

// Ready reports whether the database answers.
func (s *Store) Ready(ctx context.Context) error {
	var one int
	return s.one(ctx, []any{&one}, `select 1`)
}

// Settle brings the indexes in order after very much was written at once; writers wait meanwhile.
func (s *Store) Settle(ctx context.Context) error {
	_, err := s.engine.Exec(ctx, s.engine.Settle())
	return s.explain(err)
}

// Pools gives the statistics of the connection pools, by name.
func (s *Store) Pools() map[string]func() sql.DBStats { return s.engine.Pools() }

// Queries counts the statements run so far, so that tests can hold a list to its number of queries.
func (s *Store) Queries() int64 { return s.queries.Load() }

// AccessVersion changes with every write of this node that may change what a token opens. What
// Session said before is to be forgotten then.
func (s *Store) AccessVersion() int64 { return s.access.Load() }

// Read runs fn on one consistent snapshot of the workspace.
func (s *Store) Read(ctx context.Context, workspace tracker.UUID, fn func(*Tx) error) error {
	tx, err := s.engine.BeginRead(ctx)
	if err != nil {
		return s.explain(err)
	}
	defer tx.Rollback()
	return s.explain(fn(&Tx{ctx: ctx, store: s, db: tx, id: workspace}))
}

// each runs a statement on all workspaces, outside of any transaction.
func (s *Store) each(ctx context.Context, scan func(db.Row) error, statement string, args ...any) error {
	s.queries.Add(1)
	return s.explain(s.engine.Each(ctx, scan, statement, args...))
}

// one is each for a single row; no row is ErrNotFound.
func (s *Store) one(ctx context.Context, dest []any, statement string, args ...any) error {
	found := false
	err := s.each(ctx, func(row db.Row) error {
		found = true
		return row.Scan(dest...)
	}, statement, args...)
	if err == nil && !found {
		return tracker.ErrNotFound
	}
	return err
}

// explain turns an error that says "the database is away" into one fit for the client.
func (s *Store) explain(err error) error {
	if err == nil {
		return nil
	}
	var known *tracker.Error
	if errors.As(err, &known) {
		return err
	}
	if message, ok := s.engine.Away(err); ok {
		return fmt.Errorf("%w: %w", &tracker.Error{Code: tracker.Busy, Message: message}, err)
	}
	return err
}

// selfTest makes sure that the driver binds parameters by number: one that binds them by
// appearance would mix up values silently.
func (s *Store) selfTest(ctx context.Context) error {
	var b, a string
	err := s.one(ctx, []any{&b, &a}, `select cast($2 as text), cast($1 as text)`, "a", "b")
	if err != nil {
		return fmt.Errorf("the database cannot be used: %w", err)
	}
	if a != "a" || b != "b" {
		return errors.New("the database driver does not bind parameters by number")
	}
	return nil
}
