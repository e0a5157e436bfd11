package storetest

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

// parametersByNumber uses a statement whose parameters do not stand in the order of their numbers:
// TokenUsed names $3 before $2.
func parametersByNumber(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	token := tracker.Token{ID: uuid(3), Member: uuid(2), Name: "t", Hash: "h", CreatedAt: now}
	mustWrite(t, st, ws, func(tx *store.Tx) error {
		if err := insertMember(tx, uuid(2), uuid(20), "ann"); err != nil {
			return err
		}
		if err := tx.InsertToken(&token); err != nil {
			return err
		}
		return tx.TokenUsed(token.ID, now+5)
	})
	got := mustRead(t, st, ws, func(tx *store.Tx) (tracker.Token, error) { return tx.Token(token.ID) })
	if got.LastUsedAt == nil || *got.LastUsedAt != now+5 {
		t.Errorf("last used at %v, want %v", got.LastUsedAt, now+5)
	}
}

func insertMember(tx *store.Tx, id, user tracker.UUID, mention string) error {
	user, err := tx.Account(mention+"@example.org", user, now)
	if err != nil {
		return err
	}
	return tx.InsertMember(&tracker.Member{
		ID: id, UserID: user, Name: mention, Email: mention + "@example.org", MentionName: mention, Role: tracker.Regular,
		CreatedAt: now, UpdatedAt: now,
	})
}

// ids draws from both counters: gapless while nothing fails, never twice the same, and never below
// what was skipped.
func ids(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	draw := func() (low, high int64) {
		mustWrite(t, st, ws, func(tx *store.Tx) error {
			low, high = tx.NextID(), tx.NextHighID()
			return nil
		})
		return low, high
	}
	for i := range int64(3) {
		if low, high := draw(); low != 1+i || high != 500_000_000+i {
			t.Errorf("draw %d gave %d and %d", i, low, high)
		}
	}
	refused := errors.New("refused")
	err := st.Write(t.Context(), ws, func(tx *store.Tx) error {
		tx.NextID()
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	if low, high := draw(); low != 4 || high != 500_000_003 {
		t.Errorf("after a failed write the counters gave %d and %d", low, high)
	}
	mustWrite(t, st, ws, func(tx *store.Tx) error { tx.SkipIDs(100, 3); return nil })
	if low, high := draw(); low != 100 || high != 500_000_004 {
		t.Errorf("after SkipIDs(100, 3) the counters gave %d and %d", low, high)
	}
	mustWrite(t, st, ws, func(tx *store.Tx) error { tx.SkipIDs(50, 600_000_000); return nil })
	if low, high := draw(); low != 101 || high != 600_000_000 {
		t.Errorf("after SkipIDs(50, 600000000) the counters gave %d and %d", low, high)
	}
}

// uniqueNames names the field that is taken, also when the value looks like another column.
func uniqueNames(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	write := func(fn func(*store.Tx) error) error { return st.Write(t.Context(), ws, fn) }
	mustWrite(t, st, ws, func(tx *store.Tx) error {
		return errors.Join(tx.InsertLabel(label(1, "Straße")), tx.InsertLabel(label(2, "other")),
			insertMember(tx, uuid(2), uuid(20), "user_id"))
	})
	for name, c := range map[string]struct {
		field string
		fn    func(*store.Tx) error
	}{
		"insert, folded": {"name", func(tx *store.Tx) error { return tx.InsertLabel(label(3, "STRASSE")) }},
		"update":         {"name", func(tx *store.Tx) error { return tx.UpdateLabel(label(2, "strasse")) }},
		"mention name": {"mention_name", func(tx *store.Tx) error {
			return tx.InsertMember(&tracker.Member{ID: uuid(3), UserID: mustAccount(tx, "b@example.org"), Name: "b", Email: "b@example.org",
				MentionName: "user_id", Role: tracker.Regular})
		}},
		"e-mail": {"email", func(tx *store.Tx) error {
			return tx.InsertMember(&tracker.Member{ID: uuid(3), UserID: mustAccount(tx, "user_id@example.org"), Name: "c",
				Email: "user_id@example.org", MentionName: "mention_key", Role: tracker.Regular})
		}},
	} {
		var e *tracker.Error
		if err := write(c.fn); !errors.As(err, &e) || e.Code != tracker.Unprocessable || e.Fields[c.field] != "already exists" {
			t.Errorf("%s: %v, want %s already exists", name, err, c.field)
		}
	}
	if err := write(func(tx *store.Tx) error { return tx.InsertLabel(label(1, "new")) }); err == nil || codeOf(err) != tracker.Internal {
		t.Errorf("an id used twice is our fault, not the client's: %v", err)
	}
	err := st.Create(t.Context(), tracker.NewWorkspace(uuid(9), uuid(9), "one", "Other", now), func(*store.Tx) error { return nil })
	var e *tracker.Error
	if !errors.As(err, &e) || e.Fields["slug"] != "already exists" {
		t.Errorf("a slug used twice: %v", err)
	}
	newWorkspace(t, st, uuid(9), "two")
	mustWrite(t, st, uuid(9), func(tx *store.Tx) error { return tx.InsertLabel(label(1, "Straße")) })
}

func mustAccount(tx *store.Tx, email string) tracker.UUID {
	id, err := tx.Account(email, uuid(len(email)*1000), now)
	if err != nil {
		panic(err)
	}
	return id
}

func jsonColumns(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	want := tracker.AuditEntry{
		ID: uuid(2), At: now, Action: "a", Subject: "s", Via: "v", Address: "127.0.0.1",
		Detail: map[string]any{"text": `"ä\' $1 \u0041`, "list": []any{"x", true, nil}, "number": 1.5},
	}
	var settings tracker.Workspace
	mustWrite(t, st, ws, func(tx *store.Tx) error {
		if err := tx.InsertAudit(&want); err != nil {
			return err
		}
		w, err := tx.Workspace()
		if err != nil {
			return err
		}
		settings = *w
		settings.EstimateScale, settings.WorkingDays, settings.Disabled = []int64{1, 2, 3}, []string{}, []tracker.Feature{tracker.Groups}
		return tx.UpdateWorkspace(&settings)
	})
	got := mustRead(t, st, ws, func(tx *store.Tx) ([]tracker.AuditEntry, error) { return tx.Audit("", 10) })
	if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("audit entry %+v, want %+v", got, want)
	}
	if w := mustRead(t, st, ws, (*store.Tx).Workspace); !reflect.DeepEqual(*w, settings) {
		t.Errorf("workspace %+v, want %+v", *w, settings)
	}
}

func lists(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	const many = 2000
	mustWrite(t, st, ws, func(tx *store.Tx) error {
		for i := range int64(many) {
			if err := tx.InsertLabel(label(i+1, fmt.Sprintf("label %d", i+1))); err != nil {
				return err
			}
		}
		return nil
	})
	for _, keys := range [][]string{{}, {"label 7"}, {"label 2000", "label 1", "none", "label 1"}} {
		got := mustRead(t, st, ws, func(tx *store.Tx) ([]tracker.Label, error) { return tx.LabelsNamed(keys) })
		var names []string
		for _, l := range got {
			names = append(names, l.Name)
			if !slices.Contains(keys, l.Name) {
				t.Errorf("%v found %q", keys, l.Name)
			}
		}
		want := slices.Clone(keys)
		slices.Sort(want)
		want = slices.DeleteFunc(slices.Compact(want), func(k string) bool { return k == "none" })
		if len(names) != len(want) {
			t.Errorf("%v found %v", keys, names)
		}
	}
	var all []string
	for i := range many {
		all = append(all, fmt.Sprintf("label %d", i+1))
	}
	if got := mustRead(t, st, ws, func(tx *store.Tx) ([]tracker.Label, error) { return tx.LabelsNamed(all) }); len(got) != many {
		t.Errorf("a list of %d found %d", many, len(got))
	}
}

func absentRows(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	for name, fn := range map[string]func(*store.Tx) error{
		"get":    func(tx *store.Tx) error { _, err := tx.Label(1); return err },
		"update": func(tx *store.Tx) error { return tx.UpdateLabel(label(1, "x")) },
		"delete": func(tx *store.Tx) error { return tx.DeleteLabel(1) },
		"member": func(tx *store.Tx) error { _, err := tx.Member(uuid(5)); return err },
	} {
		if err := st.Write(t.Context(), ws, fn); !errors.Is(err, tracker.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	nowhere := func(*store.Tx) error { return nil }
	if err := st.Write(t.Context(), uuid(8), nowhere); !errors.Is(err, tracker.ErrNotFound) {
		t.Errorf("a write to an unknown workspace: %v, want ErrNotFound", err)
	}
}

// snapshotReads holds a reader to what it saw first while others commit.
func snapshotReads(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	mustWrite(t, st, ws, func(tx *store.Tx) error { return tx.InsertLabel(label(1, "one")) })
	mustRead(t, st, ws, func(tx *store.Tx) (any, error) {
		for _, step := range []string{"before", "after"} {
			list, err := tx.Labels()
			if err != nil {
				return nil, err
			}
			if len(list) != 1 || list[0].Name != "one" {
				t.Errorf("%s the commit the reader saw %v", step, list)
			}
			if step == "before" {
				mustWrite(t, st, ws, func(tx *store.Tx) error {
					return errors.Join(tx.InsertLabel(label(2, "two")), tx.UpdateLabel(label(1, "changed")))
				})
			}
		}
		return nil, nil
	})
	if list := mustRead(t, st, ws, (*store.Tx).Labels); len(list) != 2 {
		t.Errorf("a later reader saw %v", list)
	}
	err := st.Read(t.Context(), ws, func(tx *store.Tx) error { return tx.InsertLabel(label(3, "three")) })
	if err == nil {
		t.Error("a reader could write")
	}
}

// foreignKeys hold, and no reference can lead into another workspace.
func foreignKeys(t *testing.T, address string) {
	st := openStore(t, address)
	a, b := newWorkspace(t, st, uuid(1), "one"), newWorkspace(t, st, uuid(2), "two")
	mustWrite(t, st, b, func(tx *store.Tx) error { return insertMember(tx, uuid(3), uuid(30), "ann") })
	token := func(tx *store.Tx) error {
		return tx.InsertToken(&tracker.Token{ID: uuid(4), Member: uuid(3), Name: "t", Hash: "h", CreatedAt: now})
	}
	if err := st.Write(t.Context(), a, token); err == nil {
		t.Error("a token could be made for a member of another workspace")
	}
	mustWrite(t, st, b, token)
}

// overlookedError makes sure that a use case which drops an error of the database fails all the
// same: PostgreSQL would refuse what follows, SQLite would go on with half of the work.
func overlookedError(t *testing.T, address string) {
	st := openStore(t, address)
	ws := newWorkspace(t, st, uuid(1), "one")
	mustWrite(t, st, ws, func(tx *store.Tx) error { return tx.InsertLabel(label(1, "one")) })
	err := st.Write(t.Context(), ws, func(tx *store.Tx) error {
		_ = tx.InsertLabel(label(2, "one"))
		_ = tx.InsertLabel(label(3, "three"))
		return nil
	})
	if err == nil {
		t.Error("the write succeeded")
	}
	if list := mustRead(t, st, ws, (*store.Tx).Labels); len(list) != 1 {
		t.Errorf("%d labels remain, want 1", len(list))
	}
}
