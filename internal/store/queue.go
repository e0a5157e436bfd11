package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

const (
	batchSize    = 32
	maxWaiting   = 1024
	batchTimeout = 60 * time.Second
)

// A queue lets the writers of one database (SQLite) or one workspace (PostgreSQL) take turns.
// It runs up to 32 waiting use cases in one transaction, each in a savepoint, and answers them
// after the one commit: durability is paid once for many.
type queue struct {
	waiting []*job
}

// ErrUnknownOutcome is part of the error of a write whose commit the database server did not answer:
// it may have been done.
var ErrUnknownOutcome = errors.New("the outcome of the commit is not known")

// A job is one use case that waits to write.
type job struct {
	ctx       context.Context
	workspace tracker.UUID
	create    *tracker.Workspace // the workspace itself, when the job is to make it
	fn        func(*Tx) error
	err       error
	access    bool // whether fn may have changed what tokens open
	done      chan struct{}
}

// Write runs fn alone in the workspace and returns after the commit. When fn fails, nothing it
// did remains; fn must not keep the Tx.
func (s *Store) Write(ctx context.Context, workspace tracker.UUID, fn func(*Tx) error) error {
	return s.submit(&job{ctx: ctx, workspace: workspace, fn: fn, done: make(chan struct{})})
}

// Create makes the workspace and runs fn in it.
func (s *Store) Create(ctx context.Context, w tracker.Workspace, fn func(*Tx) error) error {
	return s.submit(&job{ctx: ctx, workspace: w.ID, create: &w, fn: fn, done: make(chan struct{})})
}

func (s *Store) submit(j *job) error {
	if err := s.enqueue(j); err != nil {
		return err
	}
	// A job that began is waited for even if the client left: it shares fn's variables.
	<-j.done
	return s.explain(j.err)
}

// enqueue lets the job wait for its turn; its done is closed when it has had it.
func (s *Store) enqueue(j *job) error {
	key := j.workspace
	if s.engine.OneWriter() {
		key = ""
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	q, running := s.queues[key]
	if !running {
		q = &queue{}
		s.queues[key] = q
	}
	if len(q.waiting) >= maxWaiting {
		return &tracker.Error{Code: tracker.Busy, Message: "Too many writes are waiting; try again."}
	}
	q.waiting = append(q.waiting, j)
	if !running {
		go s.drain(key, q)
	}
	return nil
}

// drain runs batches until nobody waits; a queue lives only as long as that.
func (s *Store) drain(key tracker.UUID, q *queue) {
	for {
		s.mu.Lock()
		n := min(len(q.waiting), batchSize)
		if n == 0 {
			delete(s.queues, key)
			s.mu.Unlock()
			return
		}
		batch := q.waiting[:n:n]
		q.waiting = q.waiting[n:]
		s.mu.Unlock()
		s.runBatch(batch)
	}
}

// runBatch answers every job. The batch has a context of its own: it must not die with one
// client's request.
func (s *Store) runBatch(jobs []*job) {
	ctx, cancel := context.WithTimeout(context.Background(), batchTimeout)
	defer cancel()
	var live []*job
	for _, j := range jobs {
		if j.err = j.ctx.Err(); j.err == nil {
			live = append(live, j)
		}
	}
	if len(live) > 0 {
		if err := s.commitBatch(ctx, live); err != nil {
			for _, j := range live {
				if j.err == nil {
					j.err = err
				}
			}
		}
	}
	for _, j := range jobs {
		if j.access {
			s.access.Add(1) // also after a failure: nobody may know whether the commit came through
		}
		close(j.done)
	}
}

// commitBatch runs the jobs in one transaction. Its error means that nothing was committed, or
// that nobody can know.
func (s *Store) commitBatch(ctx context.Context, jobs []*job) error {
	tx, err := s.engine.BeginWrite(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	rows := map[tracker.UUID]*workspaceRow{}
	alone := len(jobs) == 1
	for _, j := range jobs {
		if err := s.runJob(ctx, tx, rows, j, alone); err != nil {
			return err
		}
	}
	if alone && jobs[0].err != nil {
		return nil
	}
	for id, row := range rows {
		if err := row.save(&Tx{ctx: ctx, store: s, db: tx, id: id, row: row}); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		if !s.engine.OneWriter() {
			return fmt.Errorf("%w: %w", ErrUnknownOutcome, err)
		}
		return err
	}
	for id, row := range rows {
		if row.counters.change != row.saved.change {
			s.changed(id, row.counters.change)
		}
	}
	return nil
}

// runJob runs one job in a savepoint of its own, which a job that is alone does not need. Its
// own failure goes to j.err; the error returned is one of the whole transaction.
func (s *Store) runJob(ctx context.Context, tx db.Tx, rows map[tracker.UUID]*workspaceRow, j *job, alone bool) error {
	if !alone {
		if _, err := tx.Exec("savepoint job"); err != nil {
			return err
		}
	}
	bound := &Tx{ctx: ctx, store: s, db: tx, id: j.workspace}
	row, known := rows[j.workspace]
	var before workspaceRow
	if known {
		before = *row
	}
	j.err = j.run(bound, row)
	j.access = bound.access
	switch {
	case j.err == nil:
		rows[j.workspace] = bound.row
	case known:
		*row = before
		row.memo = nil // it may know what is undone
	}
	if alone || j.err == nil {
		return nil // the next savepoint covers this one, and the commit releases all
	}
	_, err := tx.Exec("rollback to savepoint job")
	// SQLite ends the transaction, savepoints and all, when the disk is full: then that is what the
	// neighbours should hear.
	if _, away := s.engine.Away(bound.failed); err != nil && away {
		return bound.failed
	}
	return err
}

func (j *job) run(tx *Tx, row *workspaceRow) (err error) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("a use case panicked", "panic", p, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	if j.create != nil {
		if err := tx.insertWorkspace(j.create); err != nil {
			return err
		}
	}
	if tx.row = row; row == nil {
		if tx.row, err = tx.lockWorkspace(); err != nil {
			return err
		}
	}
	if err := j.fn(tx); err != nil {
		return err
	}
	return tx.failed
}
