package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// catalogOf is the names of the labels by their ids, as a read of the node sees them.
func catalogOf(ctx context.Context, st *store.Store, ws tracker.UUID, ids ...int64) (map[int64]string, error) {
	names := map[int64]string{}
	err := st.Read(ctx, ws, func(tx *store.Tx) error {
		number, err := store.CatalogNumber(tx)
		if err != nil {
			return err
		}
		c, err := tx.Catalog(number, func() []int64 { return ids })
		for id, l := range c.Labels {
			names[id] = l.Name
		}
		return err
	})
	return names, err
}

// TestCatalogs has two nodes change labels of two workspaces, whose ids are the same, and both read them
// after each change, as often as it takes until they are remembered.
func TestCatalogs(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		one, first := newStore(t, address)
		two := openStore(t, address)
		other := tracker.NewWorkspace("00000000-0000-7000-8000-000000000003", "00000000-0000-7000-8000-000000000002", "two", "Two", now)
		if err := two.Create(t.Context(), other, func(*store.Tx) error { return nil }); err != nil {
			t.Fatal(err)
		}
		nodes, workspaces := []*store.Store{one, two}, []tracker.UUID{first, other.ID}
		labels := []map[int64]string{{}, {}}
		rename := func(node *store.Store, w int, name string, refuse error) {
			label := tracker.Label{ID: 1, Name: name}
			err := node.Write(t.Context(), workspaces[w], func(tx *store.Tx) error {
				change := tx.UpdateLabel
				if labels[w][1] == "" {
					change = tx.InsertLabel
				}
				if err := change(&label); err != nil {
					return err
				}
				c, err := tx.Catalog(0, func() []int64 { return []int64{1} })
				if c.Labels[1].Name != name {
					t.Errorf("the write itself sees %q, want %q", c.Labels[1].Name, name)
				}
				return errors.Join(err, refuse)
			})
			if !errors.Is(err, refuse) {
				t.Fatal(err)
			}
			if refuse == nil {
				labels[w][1] = name
			}
		}
		refused := errors.New("refused")
		for i := range 12 {
			w := i / 2 % 2
			rename(nodes[i%2], w, fmt.Sprintf("label %d", i), nil)
			rename(nodes[i%2], w, "never committed", refused)
			for n, node := range nodes {
				for w, ws := range workspaces {
					for range 1 + i%4 {
						if got, err := catalogOf(t.Context(), node, ws, 1); err != nil || !maps.Equal(got, labels[w]) {
							t.Fatalf("after change %d node %d sees %v in workspace %d, want %v; %v", i, n, got, w, labels[w], err)
						}
					}
				}
			}
		}
	})
}

// TestCatalogWhileWriting reads on both nodes while both write: what a node was told is done, it sees, and
// nothing goes back.
func TestCatalogWhileWriting(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		one, ws := newStore(t, address)
		nodes := []*store.Store{one, openStore(t, address)}
		var group sync.WaitGroup
		for n, node := range nodes {
			id := int64(n + 1)
			write := func(i int) error {
				return node.Write(t.Context(), ws, func(tx *store.Tx) error {
					label := tracker.Label{ID: id, Name: fmt.Sprintf("%d of %d", i, n)}
					if i == 0 {
						return tx.InsertLabel(&label)
					}
					return tx.UpdateLabel(&label)
				})
			}
			group.Go(func() {
				for i := range 40 {
					if err := write(i); err != nil {
						t.Error(err)
						return
					}
					for range 3 {
						got, err := catalogOf(t.Context(), node, ws, 1, 2)
						if want := fmt.Sprintf("%d of %d", i, n); err != nil || got[id] != want {
							t.Errorf("node %d sees %q, want %q; %v", n, got[id], want, err)
						}
					}
				}
			})
		}
		group.Wait()
		for n, node := range nodes {
			got, err := catalogOf(t.Context(), node, ws, 1, 2)
			if err != nil || got[1] != "39 of 0" || got[2] != "39 of 1" {
				t.Errorf("in the end node %d sees %v; %v", n, got, err)
			}
		}
	})
}
