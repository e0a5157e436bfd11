package sqlite

import (
	"fmt"
	"strconv"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"milepost/internal/store/db"
)

// statement is a prepared statement of a connection.
type statement struct {
	c *conn
	p uintptr
	// arguments holds, for each parameter in SQLite's order, the number in its name: $2 may come first.
	arguments []int
	columns   int
	// Bound texts are copied into the room, which belongs to a kept statement, or else to places of
	// their own.
	room uintptr
	used int
	lent []uintptr
	// rows keeps what is read of the rows.
	rows        db.Rows
	kept, inUse bool
}

// roomForTexts is enough for ids and other short texts.
const roomForTexts = 256

func newStatement(c *conn, p uintptr) (*statement, error) {
	s := &statement{c: c, p: p, inUse: true}
	s.columns = int(sqlite3.Xsqlite3_column_count(c.tls, p))
	for i := range sqlite3.Xsqlite3_bind_parameter_count(c.tls, p) {
		name := libc.GoString(sqlite3.Xsqlite3_bind_parameter_name(c.tls, p, i+1))
		n, err := strconv.Atoi(name[min(1, len(name)):])
		if err != nil || n < 1 {
			s.end()
			return nil, fmt.Errorf("a statement has the parameter %q: only $1, $2, … are known", name)
		}
		s.arguments = append(s.arguments, n)
	}
	return s, nil
}

// end makes a kept statement ready for its next use and frees any other.
func (s *statement) end() {
	s.inUse, s.rows, s.used = false, db.Rows{}, 0
	if s.kept {
		sqlite3.Xsqlite3_reset(s.c.tls, s.p) // its error is the one that step told
		if len(s.lent) > 0 {
			sqlite3.Xsqlite3_clear_bindings(s.c.tls, s.p)
		}
	} else {
		sqlite3.Xsqlite3_finalize(s.c.tls, s.p)
		libc.Xfree(s.c.tls, s.room)
	}
	for _, p := range s.lent {
		libc.Xfree(s.c.tls, p)
	}
	s.lent = s.lent[:0]
}

// bind gives the parameters their values.
func (s *statement) bind(args []any) error {
	for i, n := range s.arguments {
		if n > len(args) {
			return fmt.Errorf("a statement has the parameter $%d, but %d arguments were given", n, len(args))
		}
		if err := s.bindValue(int32(i+1), args[n-1]); err != nil {
			return fmt.Errorf("argument $%d: %w", n, err)
		}
	}
	return nil
}
