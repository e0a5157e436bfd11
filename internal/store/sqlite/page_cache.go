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
// SQLite knows a cache and its pages by their addresses; pages lie outside of Go's memory.
type pageCache struct {
	size, about uintptr // of what a page holds, and of SQLite's notes about it
	purgeable   bool    // whether pages that are not in use may be forgotten
	limit       int
	pages       []*page // all that have memory
	free        []*page // those of them that hold nothing
	pinned      int
	hand        int       // goes round the pages in search of one to forget
	buckets     []*page   // the pages that hold something, by the last bits of their number
	slabs       []uintptr // their memory
}

type page struct {
	seen    sqlite3.Tsqlite3_pcache_page // by SQLite, which takes its address for that of the page
	number  uint32
	pinned  bool  // in use
	touched bool  // since the hand passed
	next    *page // in the bucket
}

const (
	pageSize               = unsafe.Sizeof(page{})
	firstSlab, largestSlab = 4, 64 // pages; a sorted list that fits into memory needs few
	firstBuckets           = 16
)

// The addresses that SQLite holds do not keep anything from Go's collector; this does.
var pageCaches sync.Map // *pageCache → nothing

func newPageCache(_ *libc.TLS, size, about, purgeable int32) uintptr {
	c := &pageCache{size: uintptr(size), about: uintptr(about), purgeable: purgeable != 0, buckets: make([]*page, firstBuckets)}
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

func (c *pageCache) bucket(number uint32) **page { return &c.buckets[int(number)&(len(c.buckets)-1)] }

// fetch gives the page of that number for use. One that is not there is made if mode is 2, or if it is 1 and
// enough pages are not in use; SQLite writes some to the file then, and asks again.
func (c *pageCache) fetch(tls *libc.TLS, number uint32, mode int32) *page {
	for p := *c.bucket(number); p != nil; p = p.next {
		if p.number == number {
			c.pin(p)
			return p
		}
	}
	if mode == 0 || mode == 1 && c.purgeable && c.pinned >= c.limit*9/10 {
		return nil
	}
	p := c.room(tls)
	if p == nil {
		return nil
	}
	*(*uintptr)(at(p.seen.FpExtra)) = 0 // so SQLite knows that it is new
	c.hold(p, number)
	c.pin(p)
	return p
}

func (c *pageCache) pin(p *page) {
	if !p.pinned {
		p.pinned = true
		c.pinned++
	}
	p.touched = true
}

func (c *pageCache) unpin(p *page) {
	if p.pinned {
		p.pinned = false
		c.pinned--
	}
}

// room finds a page that holds nothing: a free one, an idle one that is forgotten, or a new one.
func (c *pageCache) room(tls *libc.TLS) *page {
	if len(c.free) == 0 && c.purgeable && len(c.pages) >= c.limit && c.pinned < len(c.pages) {
		c.drop(c.idle())
	}
	if len(c.free) == 0 && !c.grow(tls) {
		return nil
	}
	last := len(c.free) - 1
	p := c.free[last]
	c.free = c.free[:last]
	return p
}

// idle finds a page to forget; at least one is not in use.
func (c *pageCache) idle() *page {
	for {
		c.hand = (c.hand + 1) % len(c.pages)
		p := c.pages[c.hand]
		if !p.pinned && !p.touched {
			return p
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
		p := pageAt(slab + i*pageSize)
		*p = page{seen: sqlite3.Tsqlite3_pcache_page{FpBuf: contents + i*c.size, FpExtra: notes + i*c.about}}
		c.pages, c.free = append(c.pages, p), append(c.free, p)
	}
	if len(c.pages) > len(c.buckets) {
		c.spread()
	}
	return true
}

// spread makes buckets for all pages.
func (c *pageCache) spread() {
	old := c.buckets
	c.buckets = make([]*page, 4*len(old))
	for _, p := range old {
		for p != nil {
			next := p.next
			c.hold(p, p.number)
			p = next
		}
	}
}

func (c *pageCache) hold(p *page, number uint32) {
	b := c.bucket(number)
	p.number, p.next = number, *b
	*b = p
}

func (c *pageCache) release(p *page) {
	at := c.bucket(p.number)
	for *at != p {
		at = &(*at).next
	}
	*at = p.next
}

// drop forgets what the page holds.
func (c *pageCache) drop(p *page) {
	c.unpin(p)
	c.release(p)
	p.number, p.touched = 0, false // pages of a file count from 1
	c.free = append(c.free, p)
}

// rename gives a page another number, whose page is forgotten.
func (c *pageCache) rename(p *page, number uint32) {
	for other := *c.bucket(number); other != nil; other = other.next {
		if other.number == number && other != p {
			c.drop(other)
			break
		}
	}
	c.release(p)
	c.hold(p, number)
}

// truncate forgets the pages from that number on.
func (c *pageCache) truncate(first uint32) {
	for _, p := range c.pages {
		if p.number != 0 && p.number >= first {
			c.drop(p)
		}
	}
}

// shrink forgets what is not in use.
func (c *pageCache) shrink() {
	for _, p := range c.pages {
		if c.purgeable && p.number != 0 && !p.pinned {
			c.drop(p)
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
		return uintptr(unsafe.Pointer(pageCacheAt(cache).fetch(tls, number, mode)))
	})
	m.FxUnpin = function(func(_ *libc.TLS, cache, p uintptr, discard int32) {
		if discard != 0 {
			pageCacheAt(cache).drop(pageAt(p))
		} else {
			pageCacheAt(cache).unpin(pageAt(p))
		}
	})
	m.FxRekey = function(func(_ *libc.TLS, cache, p uintptr, _, number uint32) { pageCacheAt(cache).rename(pageAt(p), number) })
	m.FxTruncate = function(func(_ *libc.TLS, cache uintptr, first uint32) { pageCacheAt(cache).truncate(first) })
	m.FxShrink = function(func(_ *libc.TLS, cache uintptr) { pageCacheAt(cache).shrink() })
}

func pageCacheAt(address uintptr) *pageCache { return (*pageCache)(at(address)) }
func pageAt(address uintptr) *page           { return (*page)(at(address)) }

// function is a Go function as the translated SQLite calls it. Functions of packages and closures without
// variables stay where they are.
func function(f any) uintptr { return (*[2]uintptr)(unsafe.Pointer(&f))[1] }
