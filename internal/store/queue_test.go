package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const now tracker.Time = 1_700_000_000

func openStore(t *testing.T, address string) *store.Store {
	t.Helper()
	st, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return st
}

// newStore opens a store with one workspace.
func newStore(t *testing.T, address string) (*store.Store, tracker.UUID) {
	t.Helper()
	st := openStore(t, address)
	ws := tracker.NewWorkspace("00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002", "one", "One", now)
	if err := st.Create(t.Context(), ws, func(*store.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	return st, ws.ID
}

// create is a use case: a label with a change record.
func create(name string) func(*store.Tx) error {
	return func(tx *store.Tx) error {
		l := tracker.Label{ID: tx.NextID(), Name: name, CreatedAt: now, UpdatedAt: now}
		if err := tx.InsertLabel(&l); err != nil {
			return err
		}
		return tx.AppendChange(&tracker.Change{Actor: name, Items: []tracker.ChangeItem{
			{EntityType: l.EntityType(), EntityID: l.EntityID(), Action: "create", Data: map[string]any{"name": name}},
		}})
	}
}

// A batch is what waits while the job before it runs, so all of it goes into one transaction.
type batch struct {
	t       *testing.T
	st      *store.Store
	ws      tracker.UUID
	release chan struct{}
	first   func() error
	answers []func() error
}

// newBatch occupies the queue until run is called.
func newBatch(t *testing.T, st *store.Store, ws tracker.UUID) *batch {
	t.Helper()
	b := &batch{t: t, st: st, ws: ws, release: make(chan struct{})}
	running := make(chan struct{})
	b.first = b.enqueue(t.Context(), func(*store.Tx) error {
		close(running)
		<-b.release
		return nil
	})
	<-running
	return b
}

func (b *batch) enqueue(ctx context.Context, fn func(*store.Tx) error) func() error {
	b.t.Helper()
	answer, err := b.st.Enqueue(ctx, b.ws, fn)
	if err != nil {
		b.t.Fatal(err)
	}
	return answer
}

func (b *batch) add(fn func(*store.Tx) error) {
	b.t.Helper()
	b.answers = append(b.answers, b.enqueue(b.t.Context(), fn))
}

// run lets the batch go and returns the answers in order.
func (b *batch) run() []error {
	b.t.Helper()
	close(b.release)
	if err := b.first(); err != nil {
		b.t.Error(err)
	}
	var errs []error
	for _, answer := range b.answers {
		errs = append(errs, answer())
	}
	return errs
}

// wantLabels checks the labels, and that ids and change numbers have no gap.
func wantLabels(t *testing.T, st *store.Store, ws tracker.UUID, names ...string) {
	t.Helper()
	var got []string
	err := st.Read(t.Context(), ws, func(tx *store.Tx) error {
		labels, err := tx.Labels()
		if err != nil {
			return err
		}
		for i, l := range labels {
			got = append(got, l.Name)
			if l.ID != int64(i+1) {
				t.Errorf("label %d has id %d", i+1, l.ID)
			}
		}
		changes, err := tx.Changes(0, 10_000)
		if err != nil {
			return err
		}
		if len(changes) != len(labels) {
			t.Errorf("%d changes for %d labels", len(changes), len(labels))
		}
		for i, c := range changes {
			if c.Number != int64(i+1) || len(c.Items) != 1 || c.Items[0].Data["name"] != c.Actor {
				t.Errorf("change %d is %+v", i+1, c)
			}
		}
		n, err := tx.ChangeNumber()
		if n != int64(len(changes)) {
			t.Errorf("the change number is %d after %d changes", n, len(changes))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Join(got, " ") != strings.Join(names, " ") {
		t.Errorf("labels %v, want %v", got, names)
	}
}

func busy(err error) bool {
	var e *tracker.Error
	return errors.As(err, &e) && e.Code == tracker.Busy
}

func TestOneFailsItsNeighboursSucceed(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		refused := errors.New("refused")
		fail := func(name string, how func() error) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				if err := create(name)(tx); err != nil {
					return err
				}
				return how()
			}
		}
		b := newBatch(t, st, ws)
		b.add(fail("lost first", func() error { return refused }))
		b.add(create("a"))
		b.add(fail("lost", func() error { return refused }))
		b.add(create("b"))
		b.add(fail("panicking", func() error { panic("oh") }))
		b.add(create("c"))
		b.add(create("A")) // taken by a, folded
		b.add(create("d"))
		b.add(func(tx *store.Tx) error { _, err := tx.Label(99); return err })
		b.add(create("e"))
		errs := b.run()
		for i, err := range errs {
			if i%2 == 1 && err != nil {
				t.Errorf("neighbour %d: %v", i, err)
			}
		}
		if !errors.Is(errs[0], refused) || !errors.Is(errs[2], refused) {
			t.Errorf("refused: %v, %v", errs[0], errs[2])
		}
		if errs[4] == nil || !strings.Contains(errs[4].Error(), "panic: oh") {
			t.Errorf("panicked: %v", errs[4])
		}
		var e *tracker.Error
		if !errors.As(errs[6], &e) || e.Fields["name"] != "already exists" {
			t.Errorf("taken name: %v", errs[6])
		}
		if !errors.Is(errs[8], tracker.ErrNotFound) {
			t.Errorf("absent: %v", errs[8])
		}
		wantLabels(t, st, ws, "a", "b", "c", "d", "e")
	})
}

// The change log is written once for a batch, and before, if one of it reads the log.
func TestLogIsReadInABatch(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		refused := errors.New("refused")
		seen := func(name string, changes int, then error) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				if err := create(name)(tx); err != nil {
					return err
				}
				if log, err := tx.Changes(0, 100); err != nil || len(log) != changes {
					t.Errorf("%s sees %d changes (%v), want %d", name, len(log), err, changes)
				}
				return then
			}
		}
		b := newBatch(t, st, ws)
		b.add(create("a"))
		b.add(seen("lost", 2, refused))
		b.add(seen("b", 2, nil))
		b.add(create("c"))
		if errs := b.run(); errs[0] != nil || !errors.Is(errs[1], refused) || errs[2] != nil || errs[3] != nil {
			t.Errorf("the batch answered %v", errs)
		}
		wantLabels(t, st, ws, "a", "b", "c")
	})
}

func TestSettingsOfAFailedNeighbour(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		rename := func(name string, err error) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				w, _ := tx.Workspace()
				changed := *w
				changed.Name = name
				if err := tx.UpdateWorkspace(&changed); err != nil {
					return err
				}
				return err
			}
		}
		b := newBatch(t, st, ws)
		b.add(rename("kept", nil))
		b.add(rename("lost", errors.New("refused")))
		b.add(func(tx *store.Tx) error {
			w, err := tx.Workspace()
			w.Name = "not saved"
			return err
		})
		var seen string
		b.add(func(tx *store.Tx) error {
			w, err := tx.Workspace()
			seen = w.Name
			return err
		})
		b.run()
		if seen != "kept" {
			t.Errorf("the next use case sees the name %q", seen)
		}
	})
}

// TestCommitFails breaks a constraint that is checked at the commit only.
func TestCommitFails(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		poison(t, address)
		for _, jobs := range [][]string{{"poison"}, {"a", "poison", "b"}} {
			b := newBatch(t, st, ws)
			for _, name := range jobs {
				b.add(create(name))
			}
			for i, err := range b.run() {
				if err == nil {
					t.Errorf("%s of %v was answered as done", jobs[i], jobs)
				}
			}
			wantLabels(t, st, ws)
		}
		if err := st.Write(t.Context(), ws, create("after")); err != nil {
			t.Fatal(err)
		}
		wantLabels(t, st, ws, "after")
	})
}

// poison lets the label of that name break a deferred foreign key.
func poison(t *testing.T, address string) {
	t.Helper()
	driver, statements := "sqlite", []string{
		`create table parent (id bigint primary key)`,
		`create table child (id bigint references parent (id) deferrable initially deferred)`,
		`create trigger poison after insert on label when new.name = 'poison' begin insert into child values (1); end`,
	}
	if strings.HasPrefix(address, "postgres") {
		driver, statements = "pgx", append(statements[:2],
			`create function poison() returns trigger language plpgsql as $$ begin insert into child values (1); return null; end $$`,
			`create trigger poison after insert on label for each row when (new.name = 'poison') execute function poison()`)
	}
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
}

func TestClientsThatLeave(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		b := newBatch(t, st, ws)
		early, leaveEarly := context.WithCancel(t.Context())
		late, leaveLate := context.WithCancel(t.Context())
		defer leaveLate()
		ran := false
		left := b.enqueue(early, func(*store.Tx) error { ran = true; return nil })
		leaving := b.enqueue(late, func(tx *store.Tx) error {
			leaveLate()
			return create("leaving")(tx)
		})
		b.add(create("stays"))
		leaveEarly()
		errs := b.run()
		if err := left(); !errors.Is(err, context.Canceled) || ran {
			t.Errorf("who left before the turn: %v, ran %v", err, ran)
		}
		if err := leaving(); err != nil {
			t.Errorf("who left in the middle: %v", err)
		}
		if errs[0] != nil {
			t.Errorf("the neighbour: %v", errs[0])
		}
		wantLabels(t, st, ws, "leaving", "stays")
	})
}

func TestFullQueue(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		b := newBatch(t, st, ws)
		var names []string
		for i := range store.MaxWaiting {
			names = append(names, fmt.Sprintf("l%04d", i))
			b.add(create(names[i]))
		}
		if _, err := st.Enqueue(t.Context(), ws, create("too many")); !busy(err) {
			t.Errorf("one more than the bound: %v, want Busy", err)
		}
		for i, err := range b.run() {
			if err != nil {
				t.Errorf("%d: %v", i, err)
			}
		}
		wantLabels(t, st, ws, names...)
	})
}

// TestBatches counts transactions by what one of them can undo: with more than a batch waiting, a
// commit that fails takes only its own batch along.
func TestBatches(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		poison(t, address)
		b := newBatch(t, st, ws)
		var names []string
		for i := range 2 * store.BatchSize {
			name := fmt.Sprintf("l%02d", i)
			if i == store.BatchSize {
				name = "poison"
			}
			names = append(names, name)
			b.add(create(name))
		}
		for i, err := range b.run() {
			if (err == nil) != (i < store.BatchSize) {
				t.Errorf("%d: %v", i, err)
			}
		}
		wantLabels(t, st, ws, names[:store.BatchSize]...)
	})
}
