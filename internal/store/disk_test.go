package store_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
)

// TestFullDisk bounds the size of the file, which SQLite tells like a disk that is full.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if strings.HasPrefix(address, "postgres") {
			return // the server's disk is not ours to fill
		}
		s := testkit.New(t, address)
		bound := func(pages int) {
			t.Helper()
			if err := s.Store.Exec(t.Context(), fmt.Sprintf("pragma max_page_count = %d", pages)); err != nil {
				t.Fatal(err)
			}
		}
		bound(1) // SQLite takes the present size instead
		long := strings.Repeat("x", 1000)
		written := 0
		var answer testkit.Answer
		for answer.Status != 503 {
			answer = s.Owner.Do(t, "POST", "/labels", map[string]any{"name": fmt.Sprint("label ", written), "description": long})
			if answer.Status == 201 {
				written++
			}
			if answer.Status != 201 && answer.Status != 503 || written > 1000 {
				t.Fatalf("after %d labels: %d %s", written, answer.Status, answer.Text)
			}
		}
		if want := "The disk of the server is full; nothing was saved."; answer.Object(t)["message"] != want || answer.Header.Get("Retry-After") == "" {
			t.Errorf("answer %s %v, want %q and Retry-After", answer.Text, answer.Header, want)
		}
		fullBatch(t, s)
		fullUpload(t, s)
		if got := len(s.Owner.Want(t, 200, "GET", "/labels", nil).List(t)); got != written {
			t.Errorf("%d labels, want the %d that were acknowledged", got, written)
		}
		bound(1 << 20)
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"room again"}`)
		changes := s.Changes(t, s.Owner.Workspace, 0)
		for i, c := range changes {
			if c.Number != int64(i+1) {
				t.Errorf("change %d has number %d", i+1, c.Number)
			}
		}
	})
}

// fullUpload stores a content that cannot become a file.
func fullUpload(t *testing.T, s *testkit.Server) {
	t.Helper()
	answer := s.Owner.Upload(t, "/files", "file0", strings.Repeat("x", 1000), "content")
	left, err := filepath.Glob(s.Files + "/*/*")
	if answer.Status != 503 || err != nil || len(left) > 0 {
		t.Errorf("an upload: %d %s, left is %v (%v)", answer.Status, answer.Text, left, err)
	}
}

// fullBatch lets several writes meet the full disk in one transaction.
func fullBatch(t *testing.T, s *testkit.Server) {
	t.Helper()
	b := newBatch(t, s.Store, s.Owner.Workspace)
	for i := range 3 {
		b.add(func(tx *store.Tx) error { return create(fmt.Sprint(i, strings.Repeat("y", 100_000)))(tx) })
	}
	for i, err := range b.run() {
		if !busy(err) {
			t.Errorf("write %d of the batch: %v, want Busy", i, err)
		}
	}
}
