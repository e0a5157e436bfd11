package storetest

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"milepost/internal/store"
)

// startTogether opens an empty database from many nodes at once: each finds the whole schema.
func startTogether(t *testing.T, address string) {
	empty(t, address)
	const nodes = 8
	var ready, done sync.WaitGroup
	ready.Add(nodes)
	errs := make([]error, nodes)
	for i := range nodes {
		done.Go(func() {
			ready.Done()
			ready.Wait()
			st, err := store.Open(t.Context(), address)
			if err == nil {
				_, err = st.Workspaces(t.Context())
				err = errors.Join(err, st.Close())
			}
			errs[i] = err
		})
	}
	done.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("node %d: %v", i, err)
		}
	}
	db := openRaw(t, address)
	seen := map[string]bool{}
	for i, r := range rowsOf(t.Context(), t, db, `select version, name from schema_version order by version`) {
		if r[0] != fmt.Sprint(i+1) || seen[r[1]] {
			t.Errorf("step %d of the schema is recorded as %v", i+1, r)
		}
		seen[r[1]] = true
	}
	if len(seen) == 0 {
		t.Error("no step of the schema is recorded")
	}
}

// empty makes the database one that no node has seen yet.
func empty(t *testing.T, address string) {
	t.Helper()
	if driverOf(address) == "sqlite" {
		return // the file does not exist
	}
	db := openRaw(t, address)
	exec(t.Context(), t, db, `drop schema public cascade`)
	exec(t.Context(), t, db, `create schema public`)
}

// newerDatabase is refused, and left as it is.
func newerDatabase(t *testing.T, address string) {
	openStore(t, address)
	db := openRaw(t, address)
	exec(t.Context(), t, db, `insert into schema_version (version, name) values (9999, 'future')`)
	st, err := store.Open(t.Context(), address)
	if err == nil {
		t.Fatalf("the database was opened and closed: %v", st.Close())
	}
	for _, part := range []string{"schema version 9999", "run a newer milepost"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message %q does not say %q", err, part)
		}
	}
}
