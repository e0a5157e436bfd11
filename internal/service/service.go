// Package service holds the use cases. Each is one transaction: load, rule, store, change
// record, commit. All versions of the API, the web application and the command line go through it.
package service

import (
	"context"
	"crypto/rand"
	"io"
	"time"

	"github.com/gofrs/uuid/v5"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// Service runs use cases on a store. Time, ids and randomness are injected.
type Service struct {
	store   *store.Store
	now     func() time.Time
	newID   func() tracker.UUID
	random  io.Reader
	usage   usage
	files   Files
	uploads *uploads
	// sessions remembers what tokens open.
	sessions sessions

	watches watches
}

// New makes a Service on an open store. One that is asked for no content of a file needs no place for
// them.
func New(st *store.Store, now func() time.Time, files Files) *Service {
	s := newService(st, now, rand.Reader, files)
	st.OnChange(s.watches.changed)
	return s
}

// Replayed is the service with another clock and with ids that depend on the reader alone, for data
// that must come out the same every time. Secrets are as random as ever.
func (s *Service) Replayed(now func() time.Time, ids io.Reader) *Service {
	return newService(s.store, now, ids, s.files)
}

func newService(st *store.Store, now func() time.Time, random io.Reader, files Files) *Service {
	s := &Service{store: st, now: now, random: rand.Reader, files: files, uploads: newUploads()}
	// A generator of its own: its ids ascend even when the clock stands still or is set back.
	ids := uuid.NewGenWithOptions(uuid.WithEpochFunc(now), uuid.WithRandomReader(random))
	s.newID = func() tracker.UUID {
		id, err := ids.NewV7()
		if err != nil {
			panic(err) // the system's source of randomness failed
		}
		return tracker.UUID(id.String())
	}
	return s
}

// Store gives the readiness checks and metrics access to the database.
func (s *Service) Store() *store.Store { return s.store }

// work is one writing use case under way.
type work struct {
	*store.Tx
	recorder
	s   *Service
	by  tracker.Actor
	now tracker.Time
}

func read[T any](ctx context.Context, s *Service, by tracker.Actor, fn func(*store.Tx) (T, error)) (out T, err error) {
	if tx := within(ctx); tx != nil {
		return fn(tx)
	}
	err = s.store.Read(ctx, by.Workspace, func(tx *store.Tx) error {
		out, err = fn(tx)
		return err
	})
	return out, err
}

func write[T any](ctx context.Context, s *Service, by tracker.Actor, fn func(*work) (T, error)) (out T, err error) {
	if tx := within(ctx); tx != nil {
		return run(s, tx, by, fn)
	}
	err = s.store.Write(ctx, by.Workspace, func(tx *store.Tx) error {
		out, err = run(s, tx, by, fn)
		return err
	})
	return out, err
}

// run runs a use case and closes it with its change record.
func run[T any](s *Service, tx *store.Tx, by tracker.Actor, fn func(*work) (T, error)) (T, error) {
	w := &work{Tx: tx, s: s, by: by, now: tracker.TimeOf(s.now())}
	out, err := fn(w)
	if change := w.change(); err == nil && change != nil {
		change.ID, change.At = s.newID(), s.now().UnixMilli()
		change.Member, change.Actor, change.Via, change.RequestID = w.by.Member, w.by.Name, w.by.Via, w.by.RequestID
		change.WebhookID, change.ExternalID = w.by.WebhookID, w.by.DeliveryID
		if err = tx.AppendChange(change); err == nil {
			err = w.revokePublished(change.Items)
		}
	}
	return out, err
}

// create saves a new entity and records it.
func create[T tracker.Entity](w *work, e T, insert func(*T) error) (T, error) {
	if err := insert(&e); err != nil {
		return e, err
	}
	w.record("create", e, tracker.Snapshot(e))
	return e, nil
}

// update applies a change to a loaded entity, saves and records it. Where nothing changes,
// nothing is written and the time of the last update stays.
func update[T tracker.Entity, P interface {
	*T
	Touch(tracker.Time)
}](w *work, before T, apply func(P), save func(*T) error) (T, error) {
	after := before
	apply(&after)
	delta := tracker.Diff(before, after)
	if len(delta) == 0 {
		return before, nil
	}
	P(&after).Touch(w.now)
	if err := save(&after); err != nil {
		return before, err
	}
	w.recordUpdate(before, after, delta)
	return after, nil
}

// remove deletes a loaded entity; the change log keeps the whole of it.
func remove[T tracker.Entity](w *work, e T, del func() error) error {
	if err := del(); err != nil {
		return err
	}
	w.record("delete", e, tracker.Snapshot(e))
	return nil
}

// none is the answer of use cases that have none.
type none struct{}

// audit adds a row to the security audit log, in the same transaction.
func (w *work) audit(action, subject string, detail map[string]any) error {
	if detail == nil {
		detail = map[string]any{}
	}
	return w.InsertAudit(&tracker.AuditEntry{
		ID: w.s.newID(), At: w.now, Member: w.by.Member, Action: action, Subject: subject, Detail: detail,
		Via: w.by.Via, Address: w.by.Address,
	})
}
