package store

import (
	"context"
	"database/sql"

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

// StoryPlan is how SQLite finds the stories of a query.
func StoryPlan(tx *Tx, q StoryQuery) (plan string, err error) {
	err = tx.each(func(rows *sql.Rows) error {
		var id, parent, unused int64
		var step string
		err := rows.Scan(&id, &parent, &unused, &step)
		plan += step + "\n"
		return err
	}, "explain query plan "+q.statement(), append(q.args, 0, StoryPageSize)...)
	return plan, err
}

// Writer is the pool that writes.
func (s *Store) Writer() *sql.DB { return s.engine.Writer() }

const (
	BatchSize  = batchSize
	MaxWaiting = maxWaiting
)
