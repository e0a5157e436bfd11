package store_test

import (
	"slices"
	"strconv"
	"sync"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestListsOfAllLengths reads lists of various lengths side by side, more than once, and looks at them when all are
// read: memory that is used again must not be that of rows which somebody has.
func TestListsOfAllLengths(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		const all = 1200
		st, ws := newStore(t, address)
		err := st.Write(t.Context(), ws, func(tx *store.Tx) error {
			for id := range int64(all) {
				if err := tx.InsertLabel(&tracker.Label{ID: id + 1, Name: "label " + strconv.FormatInt(id+1, 10)}); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		lengths := slices.Repeat([]int{0, 1, 63, 64, 65, 66, 255, 256, 257, 1023, 1024, 1025, all}, 3)
		first := func(i, n int) int64 { return 1 + int64(i*37%(all-n+1)) } // each list has other rows
		lists := make([][]tracker.Label, len(lengths))
		var readers sync.WaitGroup
		for i, n := range lengths {
			readers.Go(func() {
				ids := make([]int64, n)
				for j := range ids {
					ids[j] = first(i, n) + int64(j)
				}
				err := st.Read(t.Context(), ws, func(tx *store.Tx) (err error) {
					lists[i], err = tx.LabelsByID(ids)
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		readers.Wait()
		for i, n := range lengths {
			if len(lists[i]) != n {
				t.Errorf("%d rows, want %d", len(lists[i]), n)
			}
			slices.SortFunc(lists[i], func(a, b tracker.Label) int { return int(a.ID - b.ID) })
			for j, l := range lists[i] {
				if want := first(i, n) + int64(j); l.ID != want || l.Name != "label "+strconv.FormatInt(want, 10) {
					t.Fatalf("row %d of %d is %d, %q", j, n, l.ID, l.Name)
				}
			}
		}
	})
}
