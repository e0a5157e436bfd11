package sqlite

import (
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"
)

// A pageCache keeps the pages of one connection's file. SQLite's own cache is, as the driver builds it, one for
// all connections, which wait for each other at every page that they touch, and takes 8 kB for a page of 4.
//
// SQLite knows a cache and its pages by their addresses. Pages lie outside of Go's memory, and are kept by their
// addresses here, too: Go's collector must not take what it finds there for its own.
type pageCache struct {
	size, about uintptr // of what a page holds, and of SQLite's notes about it
	purgeable   bool    // whether pages that are not in use may be forgotten
	limit       int
	pages       []uintptr // all that have memory
	free        []uintptr // those of them that hold nothing
	pinned      int
	hand        int       // goes round the pages in search of one to forget
	buckets     []uintptr // the pages that hold something, by the last bits of their number
	slabs       []uintptr // their memory
}

type page struct {
	seen    sqlite3.Tsqlite3_pcache_page // by SQLite, which takes its address for that of the page
	next    uintptr                      // page of the bucket
	number  uint32
	pinned  bool // in use
	touched bool // since the hand passed
}

const (
	pageSize               = unsafe.Sizeof(page{})
	firstSlab, largestSlab = 4, 64 // pages; a sorted list that fits into memory needs few
	firstBuckets           = 16
)

func pageCacheAt(address uintptr) *pageCache { return (*pageCache)(at(address)) }
func pageAt(address uintptr) *page           { return (*page)(at(address)) }

// The addresses that SQLite holds do not keep anything from Go's collector; this does.
var pageCaches sync.Map // *pageCache → nothing

func newPageCache(_ *libc.TLS, size, about, purgeable int32) uintptr {
	c := &pageCache{size: uintptr(size), about: uintptr(about), purgeable: purgeable != 0, buckets: make([]uintptr, firstBuckets)}
	pageCaches.Store(c, nil)
	return uintptr(unsafe.Pointer(c))
}

func (c *pageCache) destroy(tls *libc.TLS) {
	for _, slab := range c.slabs {
		libc.Xfree(tls, slab)
	}
	pageCaches.Delete(c)
}

func (c *pageCache) count() int { return len(c.pages) - len(c.free) }

func (c *pageCache) bucket(number uint32) *uintptr { return &c.buckets[int(number)&(len(c.buckets)-1)] }

// find gives the address of the page of that number, or 0.
func (c *pageCache) find(number uint32) uintptr {
	a := *c.bucket(number)
	for a != 0 && pageAt(a).number != number {
		a = pageAt(a).next
	}
	return a
}

// fetch gives the page of that number for use. One that is not there is made if mode is 2, or if it is 1 and
// enough pages are not in use; SQLite writes some to the file then, and asks again.
func (c *pageCache) fetch(tls *libc.TLS, number uint32, mode int32) uintptr {
	a := c.find(number)
	if a == 0 {
		if mode == 0 || mode == 1 && c.purgeable && c.pinned >= c.limit*9/10 {
			return 0
		}
		if a = c.room(tls); a == 0 {
			return 0
		}
		*(*uintptr)(at(pageAt(a).seen.FpExtra)) = 0 // so SQLite knows that it is new
		c.hold(a, number)
	}
	p := pageAt(a)
	if !p.pinned {
		p.pinned = true
		c.pinned++
	}
	p.touched = true
	return a
}

func (c *pageCache) unpin(a uintptr) {
	if p := pageAt(a); p.pinned {
		p.pinned = false
		c.pinned--
	}
}

// room finds a page that holds nothing: a free one, an idle one that is forgotten, or a new one.
func (c *pageCache) room(tls *libc.TLS) uintptr {
	if len(c.free) == 0 && c.purgeable && len(c.pages) >= c.limit && c.pinned < len(c.pages) {
		c.drop(c.idle())
	}
	if len(c.free) == 0 && !c.grow(tls) {
		return 0
	}
	last := len(c.free) - 1
	a := c.free[last]
	c.free = c.free[:last]
	return a
}

// idle finds a page to forget; at least one is not in use.
func (c *pageCache) idle() uintptr {
	for {
		c.hand = (c.hand + 1) % len(c.pages)
		p := pageAt(c.pages[c.hand])
		if !p.pinned && !p.touched {
			return c.pages[c.hand]
		}
		p.touched = false
	}
}

// grow gets memory for more pages: side by side the pages themselves, what they hold, and the notes about them.
func (c *pageCache) grow(tls *libc.TLS) bool {
	n := uintptr(min(max(firstSlab, len(c.pages)), largestSlab))
	if c.purgeable {
		n = min(n, uintptr(max(1, c.limit-len(c.pages))))
	}
	slab := libc.Xmalloc(tls, libc.Tsize_t(n*(pageSize+c.size+c.about)))
	if slab == 0 {
		return false
	}
	c.slabs = append(c.slabs, slab)
	contents := slab + n*pageSize
	notes := contents + n*c.size
	for i := range n {
		a := slab + i*pageSize
		*pageAt(a) = page{seen: sqlite3.Tsqlite3_pcache_page{FpBuf: contents + i*c.size, FpExtra: notes + i*c.about}}
		c.pages, c.free = append(c.pages, a), append(c.free, a)
	}
	if len(c.pages) > len(c.buckets) {
		c.spread()
	}
	return true
}

// spread makes buckets for all pages.
func (c *pageCache) spread() {
	c.buckets = make([]uintptr, 4*len(c.buckets))
	for _, a := range c.pages {
		if number := pageAt(a).number; number != 0 {
			c.hold(a, number)
		}
	}
}

func (c *pageCache) hold(a uintptr, number uint32) {
	b, p := c.bucket(number), pageAt(a)
	p.number, p.next = number, *b
	*b = a
}

func (c *pageCache) release(a uintptr) {
	link := c.bucket(pageAt(a).number)
	for *link != a {
		link = &pageAt(*link).next
	}
	*link = pageAt(a).next
}

// drop forgets what the page holds.
func (c *pageCache) drop(a uintptr) {
	c.unpin(a)
	c.release(a)
	p := pageAt(a)
	p.number, p.touched = 0, false // pages of a file count from 1
	c.free = append(c.free, a)
}

// rename gives a page another number, whose page is forgotten.
func (c *pageCache) rename(a uintptr, number uint32) {
	if other := c.find(number); other != 0 && other != a {
		c.drop(other)
	}
	c.release(a)
	c.hold(a, number)
}

// truncate forgets the pages from that number on.
func (c *pageCache) truncate(first uint32) {
	for _, a := range c.pages {
		if number := pageAt(a).number; number != 0 && number >= first {
			c.drop(a)
		}
	}
}

// shrink forgets what is not in use.
func (c *pageCache) shrink() {
	for _, a := range c.pages {
		if p := pageAt(a); c.purgeable && p.number != 0 && !p.pinned {
			c.drop(a)
		}
	}
}

// pageCacheMethods is what SQLite calls.
var pageCacheMethods sqlite3.Tsqlite3_pcache_methods2

// usePageCache replaces the methods of SQLite's own cache. Its start and end stay: SQLite gets other memory from it.
func usePageCache(m *sqlite3.Tsqlite3_pcache_methods2) {
	m.FxCreate = function(newPageCache)
	m.FxDestroy = function(func(tls *libc.TLS, cache uintptr) { pageCacheAt(cache).destroy(tls) })
	m.FxCachesize = function(func(_ *libc.TLS, cache uintptr, pages int32) { pageCacheAt(cache).limit = int(pages) })
	m.FxPagecount = function(func(_ *libc.TLS, cache uintptr) int32 { return int32(pageCacheAt(cache).count()) })
	m.FxFetch = function(func(tls *libc.TLS, cache uintptr, number uint32, mode int32) uintptr {
		return pageCacheAt(cache).fetch(tls, number, mode)
	})
	m.FxUnpin = function(func(_ *libc.TLS, cache, p uintptr, discard int32) {
		if discard != 0 {
			pageCacheAt(cache).drop(p)
		} else {
			pageCacheAt(cache).unpin(p)
		}
	})
	m.FxRekey = function(func(_ *libc.TLS, cache, p uintptr, _, number uint32) { pageCacheAt(cache).rename(p, number) })
	m.FxTruncate = function(func(_ *libc.TLS, cache uintptr, first uint32) { pageCacheAt(cache).truncate(first) })
	m.FxShrink = function(func(_ *libc.TLS, cache uintptr) { pageCacheAt(cache).shrink() })
}

// function is a Go function as the translated SQLite calls it. Functions of packages and closures without
// variables stay where they are.
func function(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }
