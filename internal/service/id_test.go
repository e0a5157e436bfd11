package service_test

import (
	"path/filepath"
	"testing"
	"time"

	"milepost/internal/service"
	"milepost/internal/store"
)

// Lists are in the order of their ids, so ids ascend: also more of them than a millisecond has room
// for, when the clock is set back, and beside a server with another clock.
func TestIDsAscend(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 5, 10, 0, 0, 0, time.UTC)
	st, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "milepost.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	one := service.New(st, func() time.Time { return now }, service.Files{})
	other := service.New(st, func() time.Time { return now.Add(time.Hour) }, service.Files{})
	last := one.NewID()
	for i := range 10_000 {
		if i == 5_000 {
			now = now.Add(-time.Second)
		}
		other.NewID()
		id := one.NewID()
		if id <= last {
			t.Fatalf("id %d is %s, after %s", i, id, last)
		}
		last = id
	}
}
