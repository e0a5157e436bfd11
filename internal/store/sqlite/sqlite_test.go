package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	sqlite3 "modernc.org/sqlite/lib"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

func open(t *testing.T) *Engine {
	t.Helper()
	e, err := Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func begin(t *testing.T, e *Engine) db.Tx {
	t.Helper()
	tx, err := e.BeginWrite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tx.Rollback)
	return tx
}

type word string

// TestValues sends values through a statement and back, in every form in which the store has them.
func TestValues(t *testing.T) {
	t.Parallel()
	tx := begin(t, open(t))
	number, text, id, moment := int64(-7), "ä\x00b", tracker.UUID("u"), tracker.Time(5)
	flag, kind, small, real, empty, bytes := true, word("w"), 3, 2.5, "", []byte{0, 255}
	var noNumber *int64
	var noText *string
	if _, err := tx.Exec(`create table everything (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o)`); err != nil {
		t.Fatal(err)
	}
	optional, optionalID, optionalTime, optionalWord := &number, &id, &moment, &kind
	_, err := tx.Exec(`insert into everything values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
		&number, text, &id, &moment, flag, &kind, small, real, empty, bytes, noNumber, &noText, &optional, &optionalID, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		number   int64
		text     string
		id       tracker.UUID
		moment   tracker.Time
		flag     bool
		kind     word
		small    int
		real     float64
		empty    string
		bytes    []byte
		noNumber *int64
		noText   *string
		optional *int64
		theID    *tracker.UUID
		anything any
	}
	err = tx.Each(func(row db.Row) error {
		return row.Scan(&got.number, &got.text, &got.id, &got.moment, &got.flag, &got.kind, &got.small, &got.real, &got.empty, &got.bytes,
			&got.noNumber, &got.noText, &got.optional, &got.theID, &got.anything)
	}, `select * from everything`)
	if err != nil {
		t.Fatal(err)
	}
	if got.number != number || got.text != text || got.id != id || got.moment != moment || got.flag != flag || got.kind != kind ||
		got.small != small || got.real != real || got.empty != empty || string(got.bytes) != string(bytes) ||
		got.noNumber != nil || got.noText != nil || *got.optional != number || *got.theID != id || got.anything != nil {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		name  string
		value any
		dest  any
		fails string
	}{
		{"null into a number", nil, new(int64), db.ErrNull.Error()},
		{"null into an optional word", nil, &optionalWord, ""},
		{"null into an optional time", nil, &optionalTime, ""},
		{"a number into a channel", 1, new(chan int), "is read into a chan int"},
		{"a channel", make(chan int), new(int64), "cannot be bound"},
		{"a number into anything", 9, new(any), ""},
		{"a text into an optional word", "x", &optionalWord, ""},
	} {
		err := tx.Each(func(row db.Row) error { return row.Scan(c.dest) }, `select $1`, c.value)
		if (err == nil) != (c.fails == "") || err != nil && !strings.Contains(err.Error(), c.fails) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if optionalTime != nil || optionalWord == nil || *optionalWord != "x" {
		t.Errorf("%v, %v", optionalTime, optionalWord)
	}
}

// TestStatements runs texts that are wrong, that are in use already, and more texts than are kept.
func TestStatements(t *testing.T) {
	t.Parallel()
	tx := begin(t, open(t))
	for text, fails := range map[string]string{
		`select ?`:         "only $1",
		`select $1`:        "0 arguments",
		`select 1, 2`:      "2 columns is read into 1",
		`selec 1`:          "syntax error",
		`select $1, $name`: "only $1",
	} {
		var n int64
		err := tx.Each(func(row db.Row) error { return row.Scan(&n) }, text)
		if err == nil || !strings.Contains(err.Error(), fails) {
			t.Errorf("%s: %v", text, err)
		}
	}
	numbers := `with recursive n(i) as (select 1 union all select i + 1 from n where i < $1) select i from n`
	var pairs []string
	err := tx.Each(func(outer db.Row) error {
		var a int64
		if err := outer.Scan(&a); err != nil {
			return err
		}
		return tx.Each(func(inner db.Row) error {
			var b int64
			err := inner.Scan(&b)
			pairs = append(pairs, fmt.Sprint(a, b))
			return err
		}, numbers, 2)
	}, numbers, 3)
	if got := strings.Join(pairs, ","); err != nil || got != "1 1,1 2,2 1,2 2,3 1,3 2" {
		t.Errorf("%s, %v", got, err)
	}
	for i := range 2*maxStatements + 1 {
		var n int64
		err := tx.Each(func(row db.Row) error { return row.Scan(&n) }, fmt.Sprintf("select %d", i))
		if err != nil || n != int64(i) {
			t.Fatalf("%d: %d, %v", i, n, err)
		}
	}
	if n := len(tx.(*transaction).c.statements); n > maxStatements {
		t.Errorf("%d statements are kept", n)
	}
}

// TestInterrupt ends the context of a statement that would never end, and then uses the same
// connection again.
func TestInterrupt(t *testing.T) {
	t.Parallel()
	e := open(t)
	forever := `with recursive n(i) as (select 1 union all select i + 1 from n) select i from n where i < $1`
	for range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		tx, err := e.BeginWrite(ctx)
		if err != nil {
			t.Fatal(err)
		}
		err = tx.Each(func(db.Row) error {
			cancel()
			return nil
		}, forever, 2)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		if _, err := tx.Exec(`select 1`); !errors.Is(err, context.Canceled) {
			t.Errorf("after the end: %v", err)
		}
		tx.Rollback()
		tx.Rollback()
		if _, err := tx.Exec(`select 1`); !errors.Is(err, sql.ErrTxDone) {
			t.Errorf("after the rollback: %v", err)
		}
		if _, err := e.Exec(t.Context(), `create table if not exists x (y)`); err != nil {
			t.Errorf("the next use: %v", err)
		}
	}
}

// TestLateInterrupt holds the interruption of a transaction that is over away from the next one.
func TestLateInterrupt(t *testing.T) {
	t.Parallel()
	e := open(t)
	c, err := e.writer.get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { e.writer.put(c) }()
	over, now := c.begin(), c.begin()
	err = c.each(func(db.Row) error {
		c.interrupt(over)
		return nil
	}, `values (1), (2)`, nil)
	if err != nil {
		t.Errorf("interrupted by the use before: %v", err)
	}
	err = c.each(func(db.Row) error {
		c.interrupt(now)
		return nil
	}, `values (1), (2)`, nil)
	if code(err) != sqlite3.SQLITE_INTERRUPT {
		t.Errorf("not interrupted: %v", err)
	}
}

// TestInterruptedRollback interrupts a transaction without pause while it is rolled back, and begins another.
func TestInterruptedRollback(t *testing.T) {
	t.Parallel()
	e := open(t)
	for range 200 {
		tx, err := e.reader.tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c, use, ended := tx.c, tx.c.use, atomic.Bool{}
		var hammer sync.WaitGroup
		started := make(chan struct{})
		hammer.Go(func() {
			close(started)
			for !ended.Load() {
				c.interrupt(use)
			}
		})
		<-started
		tx.Rollback()
		ended.Store(true)
		hammer.Wait()
	}
}
