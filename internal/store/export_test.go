package store

import (
	"context"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// Enqueue is Write in two steps, so that a test can fill a queue in a known order.
func (s *Store) Enqueue(ctx context.Context, workspace tracker.UUID, fn func(*Tx) error) (answer func() error, err error) {
	j := &job{ctx: ctx, workspace: workspace, fn: fn, done: make(chan struct{})}
	if err := s.enqueue(j); err != nil {
		return nil, err
	}
	return func() error {
		<-j.done
		return s.explain(j.err)
	}, nil
}

// Plans tells how SQLite runs the statements that do reads with.
func Plans(tx *Tx, do func(*Tx) error) (plans string, err error) {
	watched := *tx
	watched.db = planner{tx.db, &plans}
	err = do(&watched)
	return plans, err
}

type planner struct {
	db.Tx
	plans *string
}

func (p planner) Each(fn func(db.Row) error, statement string, args ...any) error {
	err := p.Tx.Each(func(row db.Row) error {
		var id, parent, unused int64
		var step string
		err := row.Scan(&id, &parent, &unused, &step)
		*p.plans += step + "\n"
		return err
	}, "explain query plan "+statement, args...)
	if err != nil {
		return err
	}
	return p.Tx.Each(fn, statement, args...)
}

// CatalogNumber is what stories read along.
func CatalogNumber(tx *Tx) (number int64, err error) {
	at, _ := catalogNumber(&number).at.(lookedUp)
	err = tx.one([]any{at.at}, at.subquery)
	return number, err
}

// Exec runs a statement on the connection that writes.
func (s *Store) Exec(ctx context.Context, statement string) error {
	_, err := s.engine.Exec(ctx, statement)
	return err
}

const (
	BatchSize  = batchSize
	MaxWaiting = maxWaiting
)

const ReindexChunk = reindexChunk

// OpenEngine opens the engine alone.
func OpenEngine(ctx context.Context, address string) (Engine, error) { return openEngine(ctx, address) }
