package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestTwoNodes lets two stores, as two nodes or the command line beside a server, write to one
// workspace at the same time.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		const writers, each = 8, 25
		var group sync.WaitGroup
		for node, st := range []*store.Store{st, openStore(t, address)} {
			for w := range writers {
				group.Go(func() {
					for i := range each {
						if err := st.Write(t.Context(), ws, create(fmt.Sprintf("%d-%d-%d", node, w, i))); err != nil {
							t.Errorf("node %d: %v", node, err)
						}
					}
				})
			}
		}
		group.Wait()
		var names []string
		err := st.Read(t.Context(), ws, func(tx *store.Tx) error {
			labels, err := tx.Labels()
			for _, l := range labels {
				names = append(names, l.Name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(names) != 2*writers*each {
			t.Errorf("%d labels, want %d", len(names), 2*writers*each)
		}
		wantLabels(t, st, ws, names...)
	})
}

// TestPatientWriter writes beside a store that never rests: it gets its turn.
func TestPatientWriter(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		other := openStore(t, address)
		ctx, stop := context.WithCancel(t.Context())
		var group sync.WaitGroup
		defer group.Wait()
		defer stop()
		for range 16 {
			group.Go(func() {
				for ctx.Err() == nil {
					if err := st.Write(t.Context(), ws, func(tx *store.Tx) error { tx.NextID(); return nil }); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		for i := range 10 {
			if err := other.Write(t.Context(), ws, func(tx *store.Tx) error { tx.NextID(); return nil }); err != nil {
				t.Errorf("write %d: %v", i, err)
			}
		}
	})
}

// TestSharedAccounts adds the same new people to two workspaces at the same time, in opposite orders.
// Accounts are the one thing that workspaces share, so one of the writers has to give way.
func TestSharedAccounts(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if !strings.HasPrefix(address, "postgres") {
			return // workspaces take turns there
		}
		st, one := newStore(t, address)
		two := tracker.NewWorkspace("00000000-0000-7000-8000-000000000003", "00000000-0000-7000-8000-000000000004", "two", "Two", now)
		if err := st.Create(t.Context(), two, func(*store.Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
		var both, done sync.WaitGroup
		both.Add(2)
		add := func(emails ...string) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				for i, email := range emails {
					if i == 1 {
						both.Done()
						both.Wait()
					}
					if _, err := tx.Account(email, tracker.UUID(email), now); err != nil {
						return err
					}
				}
				return nil
			}
		}
		errs := make([]error, 2)
		done.Go(func() { errs[0] = st.Write(t.Context(), one, add("x", "y")) })
		done.Go(func() { errs[1] = st.Write(t.Context(), two.ID, add("y", "x")) })
		done.Wait()
		if failed := slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(failed) != 1 || !busy(failed[0]) {
			t.Errorf("%v, want one that is Busy", failed)
		}
	})
}

// TestLostConnection ends the connection in the middle of a batch.
func TestLostConnection(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if !strings.HasPrefix(address, "postgres") {
			return // an embedded database has no connection to lose
		}
		st, ws := newStore(t, address)
		b := newBatch(t, st, ws)
		b.add(create("before"))
		b.add(func(tx *store.Tx) error {
			terminate(t, address, "state = 'idle in transaction'", 1)
			return create("during")(tx)
		})
		b.add(create("after"))
		for i, err := range b.run() {
			if !busy(err) {
				t.Errorf("job %d: %v, want Busy", i, err)
			}
		}
		wantLabels(t, st, ws)
		if err := st.Write(t.Context(), ws, create("next")); err != nil {
			t.Errorf("the next write: %v", err)
		}
		wantLabels(t, st, ws, "next")
	})
}

// TestLostReader ends the connections between two statements of a read, and while nobody uses them.
func TestLostReader(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if !strings.HasPrefix(address, "postgres") {
			return // an embedded database has no connection to lose
		}
		st, ws := newStore(t, address)
		if err := st.Write(t.Context(), ws, create("one")); err != nil {
			t.Fatal(err)
		}
		err := st.Read(t.Context(), ws, func(tx *store.Tx) error {
			if list, err := tx.Labels(); err != nil || len(list) != 1 {
				t.Errorf("before: %v, %v", list, err)
			}
			terminate(t, address, "true", 1)
			_, err := tx.Labels()
			return err
		})
		if !busy(err) {
			t.Errorf("during: %v, want Busy", err)
		}
		wantLabels(t, st, ws, "one")
		terminate(t, address, "true", 1)
		wantLabels(t, st, ws, "one")
		terminate(t, address, "true", 1)
		if err := st.Write(t.Context(), ws, create("two")); err != nil {
			t.Errorf("a write on a connection that was lost before: %v", err)
		}
		wantLabels(t, st, ws, "one", "two")
	})
}

// terminate ends as many connections as are wanted: those for which the condition holds.
func terminate(t *testing.T, address, condition string, want int) {
	t.Helper()
	db, err := sql.Open("pgx", address)
	if err != nil {
		t.Error(err)
		return
	}
	defer db.Close()
	ended := 0
	err = db.QueryRowContext(t.Context(), `select count(*) filter (where pg_terminate_backend(pid, 10000)) from pg_stat_activity
		where datname = current_database() and application_name = 'milepost' and `+condition).Scan(&ended)
	if err != nil || ended != want {
		t.Errorf("ended %d (%v), want %d", ended, err, want)
	}
}
