package storetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// The foreign world's texts and ids are such that they can be told in any output.
var (
	ours        = world{"ours", 1_000, uuid(10)}
	foreign     = world{"foreign", 7_770_000, "77777777-0000-7000-8000-000000000001"}
	foreignForm = regexp.MustCompile(`foreign|77777777-|\b777\d{4}\b|\b777\d{6}\b`)
)

// global lists the methods that reach beyond their workspace, with the reason.
var global = map[string]string{
	"Account":         "a person is the same in all of them",
	"RevokePublished": "whoever has a token may see it revoked",
}

// isolation calls every method of Tx in one workspace with the ids of another. Methods are found by
// reflection, so a new one is tried without being named here.
func isolation(t *testing.T, address string) {
	st := openStore(t, address)
	home, away := newWorkspace(t, st, uuid(1), ours.text), newWorkspace(t, st, uuid(2), foreign.text)
	twin, empty := newWorkspace(t, st, uuid(3), "twin"), newWorkspace(t, st, uuid(4), "empty")
	ours.fill(t, st, home)
	world{"twin", foreign.id, foreign.uuid}.fill(t, st, twin)
	alone := answers(t, st, twin)

	mustWrite(t, st, away, func(tx *store.Tx) error { tx.SkipIDs(foreign.id+1, 777_000_000); return nil })
	foreign.fill(t, st, away)
	db, tables := openRaw(t, address), catalog(t, address)
	before := dump(t, db, tables, string(away))
	for name, rows := range before {
		if len(rows) == 0 {
			t.Errorf("table %s: no row of it is tried; let fill make one", name)
		}
	}

	blank, own := answers(t, st, empty), answers(t, st, away)
	shown, beside := answers(t, st, home), answers(t, st, twin)
	for m, answer := range own {
		if answer == blank[m] {
			t.Errorf("%s answers %s in a full and in an empty workspace: let given say what to call it with", m, answer)
		}
		if foreignForm.MatchString(shown[m]) {
			t.Errorf("%s shows another workspace: %s", m, shown[m])
		}
		if alone[m] != beside[m] {
			t.Errorf("%s answers %s beside a workspace with the same ids, alone %s", m, beside[m], alone[m])
		}
	}
	if t.Failed() {
		return
	}
	// With the foreign ids now also at home, there is no looking any more.
	for m := range methods() {
		if global[m.Name] != "" {
			continue
		}
		for n := range variants {
			_ = st.Write(t.Context(), home, func(tx *store.Tx) error {
				_, _ = foreign.call(m, tx, n)
				return nil // what it met, such as a taken name, does not matter
			})
		}
		if after := dump(t, db, tables, string(away)); !reflect.DeepEqual(before, after) {
			t.Fatalf("%s changed another workspace:\n%v\n%v", m.Name, before, after)
		}
	}
}

// answers gives what each method that reads returns in the workspace for the foreign world's values,
// as JSON, and whether it succeeds. All the methods do is undone.
func answers(t *testing.T, st *store.Store, workspace tracker.UUID) map[string]string {
	t.Helper()
	out := map[string]string{}
	undone := errors.New("undone")
	for m := range methods() {
		if global[m.Name] != "" || !reads(m) {
			continue
		}
		var all []any
		for n := range variants {
			err := st.Write(t.Context(), workspace, func(tx *store.Tx) error {
				answer, err := foreign.call(m, tx, n)
				all = append(all, answer, err == nil)
				return undone
			})
			if !errors.Is(err, undone) {
				t.Fatal(err)
			}
		}
		text, err := json.Marshal(all)
		if err != nil {
			t.Fatal(fmt.Errorf("%s returns what cannot be shown: %w", m.Name, err))
		}
		out[m.Name] = string(text)
	}
	if len(out) < 30 {
		t.Fatalf("only %d methods of Tx read", len(out))
	}
	return out
}

// reads reports whether the method returns anything but an error.
func reads(m reflect.Method) bool {
	return m.Type.NumOut() > 0 && m.Type.Out(0) != reflect.TypeFor[error]()
}
