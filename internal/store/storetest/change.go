package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// changeLog reads back what was appended: numbers without gaps, items in their order, also when they
// are more than go into one statement.
func changeLog(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	other := newWorkspace(t, st, uuid(2), "two")
	var want []tracker.Change
	for i, items := range []int{1, 0, 250, 2} {
		c := tracker.Change{Member: uuid(7), Actor: "Ann", Via: "v3", RequestID: fmt.Sprint("r", i), At: int64(i)}
		for j := range items {
			c.Items = append(c.Items, tracker.ChangeItem{
				EntityType: "label", EntityID: fmt.Sprint(j), Action: "create", Data: map[string]any{"name": fmt.Sprint("label ", j)},
			})
		}
		mustWrite(t, st, ws, func(tx *store.Tx) error { return tx.AppendChange(&c) })
		if c.Number != int64(i+1) {
			t.Errorf("change %d got number %d", i+1, c.Number)
		}
		want = append(want, c)
		refused := errors.New("refused")
		err := st.Write(t.Context(), ws, func(tx *store.Tx) error {
			return errors.Join(tx.AppendChange(&tracker.Change{Actor: "lost"}), refused)
		})
		if !errors.Is(err, refused) {
			t.Fatal(err)
		}
	}
	mustWrite(t, st, other, func(tx *store.Tx) error { return tx.AppendChange(&tracker.Change{Actor: "other"}) })

	read := func(after int64, limit int) []tracker.Change {
		return mustRead(t, st, ws, func(tx *store.Tx) ([]tracker.Change, error) { return tx.Changes(after, limit) })
	}
	for _, c := range []struct {
		after       int64
		limit       int
		first, last int // of want
	}{
		{0, 100, 0, 4}, {0, 2, 0, 2}, {2, 1, 2, 3}, {3, 100, 3, 4}, {4, 100, 4, 4}, {99, 100, 4, 4},
	} {
		got := read(c.after, c.limit)
		if len(got) != c.last-c.first {
			t.Errorf("%d changes after %d, want %d", len(got), c.after, c.last-c.first)
			continue
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[c.first+i]) {
				t.Errorf("after %d: change %d is %+v, want %+v", c.after, i, got[i], want[c.first+i])
			}
		}
	}
	if n := mustRead(t, st, ws, (*store.Tx).ChangeNumber); n != 4 {
		t.Errorf("the change number is %d, want 4", n)
	}
	if n, err := st.ChangeTotal(t.Context()); err != nil || n != 5 {
		t.Errorf("the sum of the change numbers is %d (%v), want 5", n, err)
	}
}
