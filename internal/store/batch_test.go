package store_test

import (
	"errors"
	"slices"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

var errRefused = errors.New("refused")

// wantErrors runs a batch, of which the jobs at the indexes are to be refused and the others to succeed.
func (b *batch) wantErrors(refused ...int) {
	b.t.Helper()
	for i, err := range b.run() {
		if want := slices.Contains(refused, i); want != errors.Is(err, errRefused) || !want && err != nil {
			b.t.Errorf("job %d answers %v", i, err)
		}
	}
}

// The index is written once for a batch; in the end it has the texts that the tables have, whatever
// became of them in between.
func TestTextsOfABatch(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		named := func(id int64, name string) *tracker.Milestone {
			return &tracker.Milestone{ID: id, Name: name, State: tracker.MilestoneToDo}
		}
		insert := func(id int64) func(*store.Tx) error {
			return func(tx *store.Tx) error { return tx.InsertMilestone(named(id, "first")) }
		}
		rename := func(id int64, from, to string) func(*store.Tx) error {
			return func(tx *store.Tx) error { return tx.UpdateMilestone(named(id, from), named(id, to)) }
		}
		remove := func(id int64) func(*store.Tx) error {
			return func(tx *store.Tx) error { return tx.DeleteMilestone(named(id, "first")) }
		}
		refuse := func(fns ...func(*store.Tx) error) func(*store.Tx) error {
			return func(tx *store.Tx) error {
				for _, fn := range fns {
					if err := fn(tx); err != nil {
						return err
					}
				}
				return errRefused
			}
		}
		if err := st.Write(t.Context(), ws, insert(1)); err != nil {
			t.Fatal(err)
		}
		b := newBatch(t, st, ws)
		for _, job := range []func(*store.Tx) error{
			insert(2), rename(1, "first", "second third"), refuse(rename(1, "second third", "lost")), rename(2, "first", "second"),
			rename(2, "second", "third"), insert(3), refuse(insert(4), remove(3)), remove(3), insert(5), rename(1, "second third", "!"),
			rename(5, "first", "fourth"), refuse(rename(5, "fourth", "lost")),
		} {
			b.add(job)
		}
		b.wantErrors(2, 6, 11)
		check, err := st.CheckSearch(t.Context(), ws)
		if err != nil || check.Texts != 2 || len(check.Wrong) > 0 {
			t.Errorf("%d texts, want 2; %v, %v", check.Texts, check.Wrong, err)
		}
	})
}

// What one use case of a batch has read is not read again by the next, unless something has changed it.
func TestMemoOfABatch(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		st, ws := newStore(t, address)
		flow := tracker.Workflow{ID: 1, Name: "flow", CreatedAt: now, UpdatedAt: now}
		project := func(id int64, name string) *tracker.Project {
			return &tracker.Project{ID: id, Name: name, WorkflowID: 1, FollowerIDs: []tracker.UUID{}, CreatedAt: now, UpdatedAt: now}
		}
		err := st.Write(t.Context(), ws, func(tx *store.Tx) error {
			return errors.Join(tx.InsertWorkflow(&flow), tx.InsertProject(project(1, "first")))
		})
		if err != nil {
			t.Fatal(err)
		}
		b := newBatch(t, st, ws)
		wants := func(queries int64, name string, known ...int64) {
			b.add(func(tx *store.Tx) error {
				before := st.Queries()
				p, err := tx.Project(1)
				if err != nil || p.Name != name {
					t.Errorf("the project is %q (%v), want %q", p.Name, err, name)
				}
				missing, err := store.Missing(tx, "project", []int64{1, 2})
				if err != nil || len(missing)+len(known) != 2 || slices.Contains(missing, known[0]) {
					t.Errorf("missing are %v (%v), want all but %v", missing, err, known)
				}
				if n := st.Queries() - before; n != queries {
					t.Errorf("%d queries, want %d", n, queries)
				}
				return nil
			})
		}
		wants(2, "first", 1)
		wants(1, "first", 1) // what is missing is asked for again
		b.add(func(tx *store.Tx) error {
			if err := errors.Join(tx.UpdateProject(project(1, "lost")), tx.InsertProject(project(2, "lost"))); err != nil {
				return err
			}
			if p, err := tx.Project(1); err != nil || p.Name != "lost" {
				t.Errorf("a use case sees %q of its own (%v)", p.Name, err)
			}
			if missing, err := store.Missing(tx, "project", []int64{2}); err != nil || len(missing) > 0 {
				t.Errorf("a use case does not see its own %v (%v)", missing, err)
			}
			return errRefused
		})
		wants(2, "first", 1)
		b.add(func(tx *store.Tx) error { return tx.UpdateProject(project(1, "second")) })
		wants(2, "second", 1)
		b.add(func(tx *store.Tx) error { return tx.InsertProject(project(2, "other")) })
		wants(2, "second", 1, 2)
		wants(0, "second", 1, 2)
		b.add(func(tx *store.Tx) error { return tx.DeleteProject(2) })
		wants(2, "second", 1)
		b.wantErrors(2)
	})
}
