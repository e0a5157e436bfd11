package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/store/db"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// onSeam runs fn on the engines themselves, below the store.
func onSeam(t *testing.T, fn func(t *testing.T, e store.Engine)) {
	t.Helper()
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		e, err := store.OpenEngine(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		fn(t, e)
	})
}

func reading(t *testing.T, e store.Engine) db.Tx {
	t.Helper()
	tx, err := e.BeginRead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

// upTo counts to its argument.
const upTo = `with recursive n(i) as (select cast(1 as bigint) union all select i + 1 from n where i < $1) select i from n`

// count is a part that counts.
func count(into *[]int64, to int) func(db.Tx) error {
	return func(tx db.Tx) error {
		return tx.Each(func(row db.Row) error {
			var v int64
			err := row.Scan(&v)
			*into = append(*into, v)
			return err
		}, upTo, to)
	}
}

// wantUsable makes sure that the engine has nothing left of what went wrong.
func wantUsable(t *testing.T, e store.Engine) {
	t.Helper()
	for range 3 {
		tx := reading(t, e)
		var a, b []int64
		if err := tx.Together(count(&a, 2), count(&b, 3)); err != nil || len(a) != 2 || len(b) != 3 {
			t.Errorf("afterwards: %v, %v, %v", a, b, err)
		}
		tx.Rollback()
	}
}

type word string

// shout is a value that writes and reads itself.
type shout struct{ text *string }

func (s shout) Value() (driver.Value, error) { return strings.ToUpper(*s.text), nil }
func (s shout) ScanText(text string, _ *db.Rows) error {
	*s.text = text + "!"
	return nil
}

func TestValues(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		word1, id, at, whole, hush := word("w"), tracker.UUID("u"), tracker.Time(-5), int64(7), "hush"
		for name, c := range map[string]struct {
			kind string
			in   any
			want any // what the new place holds
		}{
			"integer":             {"bigint", int64(-1 << 62), int64(-1 << 62)},
			"zero":                {"bigint", 0, 0},
			"pointer to integer":  {"bigint", &whole, &whole},
			"no integer":          {"bigint", (*int64)(nil), (*int64)(nil)},
			"plain integer":       {"bigint", 12, 12},
			"small integer":       {"integer", int64(12), int64(12)},
			"text":                {"text", "ä'\"\\,{}", "ä'\"\\,{}"},
			"empty text":          {"text", "", ""},
			"kind of text":        {"text", word("x"), word("x")},
			"pointer to a kind":   {"text", &word1, &word1},
			"none of a kind":      {"text", (*word)(nil), (*word)(nil)},
			"id":                  {"text", id, id},
			"pointer to id":       {"text", &id, &id},
			"time":                {"bigint", at, at},
			"pointer to time":     {"bigint", &at, &at},
			"yes":                 {"bigint", true, true},
			"no":                  {"bigint", false, false},
			"fraction":            {"double precision", 0.1, 0.1},
			"huge":                {"double precision", 1e300, 1e300},
			"null":                {"text", nil, (*string)(nil)},
			"value that converts": {"text", shout{&hush}, "HUSH"},
		} {
			if is := reflect.ValueOf(c.in); e.Name() == "postgres" && is.Kind() == reflect.Bool {
				c.kind = "boolean"
			}
			place := reflect.New(reflect.TypeOf(c.want))
			err := e.Each(t.Context(), func(row db.Row) error { return row.Scan(place.Interface()) }, "select cast($1 as "+c.kind+")", c.in)
			if got := place.Elem().Interface(); err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %v became %v (%v)", name, c.in, got, err)
			}
		}
		said := ""
		scan := func(dest ...any) func(db.Row) error { return func(row db.Row) error { return row.Scan(dest...) } }
		if err := e.Each(t.Context(), scan(shout{&said}), `select 'oh'`); err != nil || said != "oh!" {
			t.Errorf("a text that reads itself: %q, %v", said, err)
		}
		for name, dest := range map[string][]any{
			"null into an integer": {new(int64)}, "null into a text": {new(string)}, "null into a scanner of text": {shout{&said}},
			"too many places": {new(*int64), new(*int64)}, "no place": {},
		} {
			if err := e.Each(t.Context(), scan(dest...), `select cast(null as bigint)`); err == nil {
				t.Errorf("%s is no error", name)
			}
		}
		if err := e.Each(t.Context(), scan(new(int64)), `select cast($1 as bigint)`, make(chan int)); err == nil {
			t.Error("a channel was bound")
		}
		wantUsable(t, e)
	})
}

// TestLists binds lists of all lengths.
func TestLists(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		for name, c := range map[string]struct {
			list  any
			found int
		}{
			"ids": {[]int64{1, 2, 99}, 2}, "none": {[]int64{}, 0}, "nil": {[]int64(nil), 0}, "words": {[]word{"1", "x,\"y"}, 1},
			"texts": {[]string{"3"}, 1}, "no texts": {[]string{}, 0},
		} {
			column := "i"
			if reflect.TypeOf(c.list).Elem().Kind() == reflect.String {
				column = "cast(i as text)"
			}
			found := 0
			err := e.Each(t.Context(), func(db.Row) error { found++; return nil }, upTo+" where "+e.AnyOf(column, "$2"), 3, e.List(c.list))
			if err != nil || found != c.found {
				t.Errorf("%s: %v (%v)", name, found, err)
			}
		}
	})
}

// TestTogether runs parts with different numbers of statements, of which far more is sent and answered
// than buffers hold.
func TestTogether(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		tx := reading(t, e)
		defer tx.Rollback()
		if err := tx.Together(); err != nil {
			t.Errorf("nothing at all: %v", err)
		}
		long := strings.Repeat("x", 20_000)
		var parts []func(db.Tx) error
		got := make([][]int64, 60)
		for i := range got {
			parts = append(parts, func(tx db.Tx) error {
				for step := range i % 4 {
					err := tx.Each(func(row db.Row) error {
						var v int64
						err := row.Scan(&v)
						got[i] = append(got[i], int64(step*100)+v)
						return err
					}, upTo+` where cast($2 as text) <> ''`, 2, long)
					if err != nil {
						return err
					}
				}
				return tx.Together(count(&got[i], 1), count(&got[i], 1))
			})
		}
		if err := tx.Together(parts...); err != nil {
			t.Fatal(err)
		}
		for i, numbers := range got {
			want := append([]int64{1, 2, 101, 102, 201, 202}[:2*(i%4)], 1, 1)
			if !slices.Equal(numbers, want) {
				t.Errorf("part %d read %v, want %v", i, numbers, want)
			}
		}
	})
}

// TestFailureInTheMiddle has the second of three parts fail in each way that there is.
func TestFailureInTheMiddle(t *testing.T) {
	refused := errors.New("refused")
	ask := func(statement string, args ...any) func(db.Tx) error {
		return func(tx db.Tx) error {
			return tx.Each(func(row db.Row) error { return row.Scan(new(int64)) }, statement, args...)
		}
	}
	for name, c := range map[string]struct {
		middle func(db.Tx) error
		want   error // nil for one of the server
	}{
		"when it is compiled": {ask(`select nothing from nowhere`), nil},
		"when it is bound":    {ask(`select cast($1 as bigint)`, struct{}{}), nil},
		"when it is run":      {ask(`select abs(cast($1 as bigint))`, int64(math.MinInt64)), nil},
		"when it is read": {func(tx db.Tx) error {
			return tx.Each(func(db.Row) error { return refused }, upTo, 10_000)
		}, refused},
		"by itself": {func(db.Tx) error { return refused }, refused},
		"later": {func(tx db.Tx) error {
			if err := tx.Each(func(db.Row) error { return nil }, upTo, 3); err != nil {
				return err
			}
			return refused
		}, refused},
	} {
		t.Run(name, func(t *testing.T) {
			onSeam(t, func(t *testing.T, e store.Engine) {
				tx := reading(t, e)
				var before, after []int64
				var never error
				third := func(tx db.Tx) error {
					if err := count(&after, 3)(tx); err != nil {
						return err
					}
					never = count(&after, 3)(tx)
					return never
				}
				err := tx.Together(count(&before, 3), c.middle, third)
				if err == nil || (c.want != nil && !errors.Is(err, c.want)) || len(after) > 3 {
					t.Errorf("after %v, error %v", after, err)
				}
				if never != nil && !errors.Is(never, db.ErrStopped) {
					t.Errorf("the third part met %v", never)
				}
				if c.want != nil { // the snapshot is still there
					if err := count(&before, 3)(tx); err != nil {
						t.Errorf("then %v", err)
					}
				}
				tx.Rollback()
				wantUsable(t, e)
			})
		})
	}
}

// TestPanicInTheMiddle leaves rows unread.
func TestPanicInTheMiddle(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		func() {
			defer func() { _ = recover() }()
			tx := reading(t, e)
			defer tx.Rollback()
			_ = tx.Each(func(db.Row) error { panic("oh") }, upTo, 100_000)
			t.Error("no panic")
		}()
		wantUsable(t, e)
	})
}

// TestCancelInTheMiddle ends the context between two statements and between rows.
func TestCancelInTheMiddle(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		for name, run := range map[string]func(tx db.Tx, cancel func()) error{
			"between statements": func(tx db.Tx, cancel func()) error {
				err := tx.Each(func(db.Row) error { return nil }, upTo, 3)
				cancel()
				if err != nil {
					return err
				}
				return tx.Each(func(db.Row) error { return nil }, upTo, 3)
			},
			"between rows": func(tx db.Tx, cancel func()) error {
				return tx.Each(func(db.Row) error { cancel(); return nil }, upTo, 3_000_000)
			},
		} {
			ctx, cancel := context.WithCancel(t.Context())
			tx, err := e.BeginRead(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := run(tx, cancel); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			tx.Rollback()
			cancel()
			wantUsable(t, e)
		}
	})
}

// TestCancelAtTheEnd ends the context while the transaction is rolled back.
func TestCancelAtTheEnd(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		for range 200 {
			ctx, cancel := context.WithCancel(t.Context())
			tx, err := e.BeginRead(ctx)
			if err != nil {
				t.Fatal(err)
			}
			_ = tx.Each(func(db.Row) error { cancel(); return nil }, upTo, 1)
			tx.Rollback()
		}
		wantUsable(t, e)
	})
}

// TestDeadline ends the context during an endless statement, which the server must not go on with.
func TestDeadline(t *testing.T) {
	const endless = `with recursive n(i) as (select 1 union all select 1 from n) select sum(i) from n`
	onSeam(t, func(t *testing.T, e store.Engine) {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		tx, err := e.BeginRead(ctx)
		if err != nil {
			t.Fatal(err)
		}
		var before []int64
		err = tx.Together(count(&before, 2), func(tx db.Tx) error {
			return tx.Each(func(db.Row) error { return nil }, endless)
		})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
		if _, away := e.Away(err); !away {
			t.Errorf("%v does not say that the database is away", err)
		}
		tx.Rollback()
		wantUsable(t, e)
		patience, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for running := 1; e.Name() == "postgres" && running > 0; {
			err := e.Each(patience, func(row db.Row) error { return row.Scan(&running) }, `select count(*) from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query = $1`, endless)
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestManyStatements uses more of them than a connection keeps.
func TestManyStatements(t *testing.T) {
	onSeam(t, func(t *testing.T, e store.Engine) {
		tx := reading(t, e)
		defer tx.Rollback()
		var sum int64
		for i := range 1200 {
			var v int64
			err := tx.Each(func(row db.Row) error { return row.Scan(&v) }, fmt.Sprintf(`select cast(%d as bigint)`, i%700))
			if sum += v; err != nil || v != int64(i%700) {
				t.Fatalf("statement %d gave %d, %v", i, v, err)
			}
		}
	})
}

// TestEndOfRead: a read ends although nothing is asked after it, and a write that asks nothing does not
// keep it open.
func TestEndOfRead(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		var nodes [2]store.Engine
		for i := range nodes {
			e, err := store.OpenEngine(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			nodes[i] = e
		}
		e, other := nodes[0], nodes[1]
		patience, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		if _, err := other.Exec(t.Context(), `create table seen (i bigint)`); err != nil {
			t.Fatal(err)
		}
		for want := range 3 {
			tx, err := e.BeginRead(patience)
			if err != nil {
				t.Fatal(err)
			}
			var seen int
			if err := tx.Each(func(row db.Row) error { return row.Scan(&seen) }, `select count(*) from seen`); err != nil || seen != want {
				t.Errorf("%d rows are seen, want %d; %v", seen, want, err)
			}
			tx.Rollback()
			idle, err := e.BeginWrite(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			idle.Rollback()
			if _, err := other.Exec(t.Context(), `insert into seen values (1)`); err != nil {
				t.Fatal(err)
			}
		}
		for open := 1; e.Name() == "postgres" && open > 0; {
			err := other.Each(patience, func(row db.Row) error { return row.Scan(&open) }, `select count(*) from pg_stat_activity
				where datname = current_database() and pid <> pg_backend_pid() and backend_xmin is not null`)
			if err != nil {
				t.Fatal(err)
			}
		}
	})
}
