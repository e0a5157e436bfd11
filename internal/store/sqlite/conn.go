package sqlite

import (
	"fmt"
	"sync"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"milepost/internal/store/db"
)

// maxStatements is how many prepared statements a connection keeps. The texts in use are fewer;
// lists of varying length (a row for each value) make some more.
const maxStatements = 512

// conn is one connection to the file, used by one goroutine at a time. It speaks SQLite's own
// interface: database/sql and the driver below it would cost more than most of our statements.
type conn struct {
	tls        *libc.TLS
	db         uintptr
	out        uintptr // room for two pointers that SQLite hands out
	statements map[string]*statement

	// use counts the transactions, so that the interruption of one cannot hit the next.
	mu  sync.Mutex
	use int
}

// Error is an error of SQLite with its extended code.
type Error struct {
	Code    int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// configure gives every connection a page cache of its own, and turns off SQLite's count of the memory in use, for
// which every allocation of every connection would wait for one lock. It must come before anything else that
// SQLite is asked for; if it fails, all works, but slower.
var configure = sync.OnceFunc(func() {
	tls := libc.NewTLS()
	defer tls.Close()
	set := func(option int32, value any) {
		list := libc.NewVaList(value)
		defer libc.Xfree(tls, list)
		sqlite3.Xsqlite3_config(tls, option, list)
	}
	set(sqlite3.SQLITE_CONFIG_MEMSTATUS, int32(0))
	set(sqlite3.SQLITE_CONFIG_GETPCACHE2, uintptr(unsafe.Pointer(&pageCacheMethods)))
	usePageCache(&pageCacheMethods)
	set(sqlite3.SQLITE_CONFIG_PCACHE2, uintptr(unsafe.Pointer(&pageCacheMethods)))
})

func openConn(path string, pragmas []string) (*conn, error) {
	configure()
	c := &conn{tls: libc.NewTLS(), statements: map[string]*statement{}}
	c.out = libc.Xmalloc(c.tls, 2*libc.Tsize_t(unsafe.Sizeof(uintptr(0))))
	name, err := libc.CString(path)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, name)
	const flags = sqlite3.SQLITE_OPEN_READWRITE | sqlite3.SQLITE_OPEN_CREATE | sqlite3.SQLITE_OPEN_NOMUTEX | sqlite3.SQLITE_OPEN_EXRESCODE
	rc := sqlite3.Xsqlite3_open_v2(c.tls, name, c.out, flags, 0)
	c.db = *(*uintptr)(at(c.out))
	if rc == sqlite3.SQLITE_OK {
		rc = c.keepPlans()
	}
	if rc == sqlite3.SQLITE_OK {
		rc = c.keepSmallMemory()
	}
	if rc != sqlite3.SQLITE_OK {
		err = c.failure(rc)
	}
	for _, p := range pragmas {
		if err == nil {
			err = c.script("pragma " + p)
		}
	}
	if err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// keepPlans lets a statement keep its plan whatever is bound to it. SQLite would otherwise compile
// some statements anew for every execution.
func (c *conn) keepPlans() int32 {
	on := libc.NewVaList(int32(1), uintptr(0))
	defer libc.Xfree(c.tls, on)
	return sqlite3.Xsqlite3_db_config(c.tls, c.db, sqlite3.SQLITE_DBCONFIG_ENABLE_QPSG, on)
}

// keepSmallMemory gives the connection room of its own for small pieces of memory, beside the allocator
// that all connections share.
func (c *conn) keepSmallMemory() int32 {
	const size, pieces = 512, 400
	room := libc.NewVaList(uintptr(0), int32(size), int32(pieces))
	defer libc.Xfree(c.tls, room)
	return sqlite3.Xsqlite3_db_config(c.tls, c.db, sqlite3.SQLITE_DBCONFIG_LOOKASIDE, room)
}

// at makes a pointer of an address in SQLite's memory, which Go's collector does not know.
func at(address uintptr) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&address)) }

func (c *conn) close() {
	c.forget()
	sqlite3.Xsqlite3_close_v2(c.tls, c.db)
	libc.Xfree(c.tls, c.out)
	c.tls.Close()
}

func (c *conn) failure(rc int32) error {
	message := libc.GoString(sqlite3.Xsqlite3_errstr(c.tls, rc))
	if c.db != 0 {
		message += ": " + libc.GoString(sqlite3.Xsqlite3_errmsg(c.tls, c.db))
	}
	return &Error{Code: int(rc), Message: message}
}

// script runs statements that have no arguments and give no rows.
func (c *conn) script(text string) error {
	p, err := libc.CString(text)
	if err != nil {
		return err
	}
	defer libc.Xfree(c.tls, p)
	if rc := sqlite3.Xsqlite3_exec(c.tls, c.db, p, 0, 0, 0); rc != sqlite3.SQLITE_OK {
		return c.failure(rc)
	}
	return nil
}

func (c *conn) exec(text string, args []any) (int64, error) {
	if err := c.each(func(db.Row) error { return nil }, text, args); err != nil {
		return 0, err
	}
	return sqlite3.Xsqlite3_changes64(c.tls, c.db), nil
}

// each steps through the rows of a statement.
func (c *conn) each(fn func(db.Row) error, text string, args []any) error {
	s, err := c.statement(text)
	if err != nil {
		return err
	}
	defer s.end()
	if err := s.bind(args); err != nil {
		return err
	}
	for {
		switch rc := sqlite3.Xsqlite3_step(c.tls, s.p); rc {
		case sqlite3.SQLITE_ROW:
			if err := fn(s); err != nil {
				return err
			}
		case sqlite3.SQLITE_DONE:
			return nil
		default:
			return c.failure(rc)
		}
	}
}

// statement gives the prepared statement of the text, one of its own while that is in use.
func (c *conn) statement(text string) (*statement, error) {
	s, ok := c.statements[text]
	if ok && !s.inUse {
		s.inUse = true
		return s, nil
	}
	fresh, err := c.prepare(text)
	if err != nil || ok {
		return fresh, err
	}
	if len(c.statements) >= maxStatements {
		c.forget()
	}
	fresh.kept, fresh.room = true, libc.Xmalloc(c.tls, roomForTexts)
	c.statements[text] = fresh
	return fresh, nil
}

// forget drops the kept statements; those in use end by themselves.
func (c *conn) forget() {
	for text, s := range c.statements {
		s.kept = false
		if !s.inUse {
			s.end()
		}
		delete(c.statements, text)
	}
}

func (c *conn) prepare(text string) (*statement, error) {
	p, err := libc.CString(text)
	if err != nil {
		return nil, err
	}
	defer libc.Xfree(c.tls, p)
	tail := c.out + unsafe.Sizeof(c.out)
	if rc := sqlite3.Xsqlite3_prepare_v2(c.tls, c.db, p, int32(len(text)+1), c.out, tail); rc != sqlite3.SQLITE_OK {
		return nil, c.failure(rc)
	}
	s, err := newStatement(c, *(*uintptr)(at(c.out)))
	if rest := *(*uintptr)(at(tail)); err == nil && int(rest-p) < len(text) {
		s.end()
		return nil, fmt.Errorf("more than one statement: %.60q…", text)
	}
	return s, err
}

// begin counts a new use of the connection and returns its number.
func (c *conn) begin() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.use++
	return c.use
}

// interrupt stops what the use of that number is doing, from another goroutine.
func (c *conn) interrupt(use int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.use == use {
		tls := libc.NewTLS() // one of its own: the connection's is in use
		sqlite3.Xsqlite3_interrupt(tls, c.db)
		tls.Close()
	}
}
