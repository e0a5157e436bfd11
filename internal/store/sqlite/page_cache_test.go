package sqlite

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"modernc.org/libc"

	"milepost/internal/store/db"
)

// testCache is a cache of pages of 512 bytes, as SQLite makes one.
func testCache(t *testing.T, purgeable int32, limit int) (*pageCache, func(number uint32, mode int32) uintptr) {
	t.Helper()
	tls := libc.NewTLS()
	c := pageCacheAt(newPageCache(tls, 512, 64, purgeable))
	c.limit = limit
	t.Cleanup(func() {
		c.destroy(tls)
		if _, open := pageCaches.Load(c); open {
			t.Error("a destroyed cache is kept")
		}
		tls.Close()
	})
	return c, func(number uint32, mode int32) uintptr { return c.fetch(tls, number, mode) }
}

func TestPageCacheForgetsWhatIsIdle(t *testing.T) {
	t.Parallel()
	c, fetch := testCache(t, 1, 100)
	favourite := fetch(7, 2)
	*(*byte)(at(pageAt(favourite).seen.FpBuf)) = 42
	c.unpin(favourite)
	held := fetch(5000, 2)
	for number := uint32(10); number < 4000; number++ {
		p := fetch(number, 2)
		if *(*uintptr)(at(pageAt(p).seen.FpExtra)) != 0 {
			t.Fatal("a new page has notes of the last one")
		}
		*(*uintptr)(at(pageAt(p).seen.FpExtra)) = 1
		c.unpin(p)
		if found := fetch(7, 0); found != favourite {
			t.Fatalf("the page that is used all the time was forgotten at %d", number)
		}
		c.unpin(favourite)
	}
	if len(c.pages) != 100 || c.count() != 100 || c.pinned != 1 {
		t.Errorf("%d pages, %d full, %d in use; want 100, 100, 1", len(c.pages), c.count(), c.pinned)
	}
	if fetch(5000, 0) != held || fetch(10, 0) != 0 || *(*byte)(at(pageAt(favourite).seen.FpBuf)) != 42 {
		t.Error("a page in use was forgotten, one not in use for long was not, or contents were lost")
	}
}

func TestPageCacheWhenAllPagesAreInUse(t *testing.T) {
	t.Parallel()
	c, fetch := testCache(t, 1, 10)
	for number := uint32(1); number <= 9; number++ {
		fetch(number, 1)
	}
	if fetch(10, 1) != 0 {
		t.Error("the last pages are given away though SQLite could write some first")
	}
	for number := uint32(10); number <= 30; number++ {
		if fetch(number, 2) == 0 {
			t.Fatal("a page that SQLite cannot do without is refused")
		}
	}
	for _, p := range c.pages {
		c.unpin(p)
	}
	if fetch(31, 1) == 0 || len(c.pages) != 30 {
		t.Errorf("%d pages, want the 30 that there were", len(c.pages))
	}
	c.shrink()
	if c.count() != 1 {
		t.Errorf("%d pages after all that are not in use were let go, want 1", c.count())
	}
}

func TestPageCacheWithoutFileKeepsAll(t *testing.T) {
	t.Parallel()
	c, fetch := testCache(t, 0, 10)
	for number := uint32(1); number <= 1000; number++ {
		p := fetch(number, 1)
		*(*uint32)(at(pageAt(p).seen.FpBuf)) = number
	}
	c.shrink()
	c.rename(fetch(1000, 0), 500)
	c.truncate(900)
	for number := uint32(1); number <= 1000; number++ {
		p := fetch(number, 0)
		switch {
		case number >= 900:
			if p != 0 {
				t.Errorf("page %d outlived its file", number)
			}
		case p == 0:
			t.Fatalf("page %d is lost", number)
		case number == 500 && *(*uint32)(at(pageAt(p).seen.FpBuf)) != 1000, number != 500 && *(*uint32)(at(pageAt(p).seen.FpBuf)) != number:
			t.Errorf("page %d holds another's contents", number)
		}
	}
	if c.count() != 899 {
		t.Errorf("%d pages, want 899", c.count())
	}
}

// TestPageCacheUnderSQLite lets SQLite write, roll back, give space back and read with hardly any cache, and
// holds what the file says against a map.
func TestPageCacheUnderSQLite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "small.db")
	writer, reader := smallConn(t, path), smallConn(t, path)
	run := func(statement string, args ...any) {
		t.Helper()
		if _, err := writer.exec(statement, args); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	run(`create table thing (id integer primary key, text text not null, contents blob not null)`)
	run(`create index thing_by_text on thing (text, id)`)
	random := rand.New(rand.NewPCG(1, 2))
	kept := map[int64][]byte{}
	for range 60 {
		now := maps.Clone(kept)
		run("begin immediate")
		for range random.IntN(60) {
			id := random.Int64N(300)
			if random.IntN(3) == 0 {
				run(`delete from thing where id = $1`, id)
				delete(now, id)
				continue
			}
			contents := bytes.Repeat([]byte{byte(random.IntN(256))}, 1+random.IntN(9000))
			run(`insert or replace into thing values ($1, $2, $3)`, id, string(contents[:1]), contents)
			now[id] = contents
		}
		if random.IntN(3) == 0 {
			run("rollback")
		} else {
			run("commit")
			kept = now
		}
		if random.IntN(10) == 0 {
			run("vacuum")
		}
		for _, c := range []*conn{writer, reader} {
			if found := things(t, c); !maps.EqualFunc(found, kept, bytes.Equal) {
				t.Fatalf("the file has %d rows, want %d, or other contents", len(found), len(kept))
			}
		}
	}
	for _, c := range []*conn{writer, reader} {
		if err := c.each(func(row db.Row) error {
			var verdict string
			if err := row.Scan(&verdict); err != nil || verdict != "ok" {
				t.Errorf("%v %s", err, verdict)
			}
			return nil
		}, "pragma integrity_check", nil); err != nil {
			t.Error(err)
		}
	}
}

func smallConn(t *testing.T, path string) *conn {
	t.Helper()
	c, err := openConn(path, []string{"auto_vacuum = full", "journal_mode = WAL", "synchronous = off", "temp_store = memory", "cache_size = 12"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return c
}

// things reads all rows in the order of their texts, for which SQLite sorts and goes by the index.
func things(t *testing.T, c *conn) map[int64][]byte {
	t.Helper()
	found := map[int64][]byte{}
	err := c.each(func(row db.Row) error {
		var id int64
		var contents []byte
		err := row.Scan(&id, &contents)
		found[id] = bytes.Clone(contents)
		return err
	}, `select id, contents from thing order by text, contents`, nil)
	if err != nil {
		t.Fatal(err)
	}
	return found
}
