package sqlite

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"modernc.org/libc"
	sqlite3 "modernc.org/sqlite/lib"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// static tells SQLite that what it is given stays where it is.
const static = 0

// bindValue binds a value or what a pointer points to. The types that the hot statements use have
// a case of their own, the others go by their kind.
func (s *statement) bindValue(i int32, value any) error {
	switch v := value.(type) {
	case nil:
		return s.bindNull(i)
	case int64:
		return s.bindInt(i, v)
	case *int64:
		if v != nil {
			return s.bindInt(i, *v)
		}
		return s.bindNull(i)
	case string:
		return s.bindText(i, v)
	case *string:
		if v != nil {
			return s.bindText(i, *v)
		}
		return s.bindNull(i)
	case *tracker.UUID:
		if v != nil {
			return s.bindText(i, string(*v))
		}
		return s.bindNull(i)
	case *tracker.Time:
		if v != nil {
			return s.bindInt(i, int64(*v))
		}
		return s.bindNull(i)
	case []byte:
		return s.bindBlob(i, v)
	case driver.Valuer:
		given, err := v.Value()
		if err != nil {
			return err
		}
		return s.bindValue(i, given)
	}
	return s.bindKind(i, reflect.ValueOf(value))
}

func (s *statement) bindKind(i int32, v reflect.Value) error {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return s.bindNull(i)
		}
		v = v.Elem()
	}
	switch v.Kind() { //nolint:exhaustive // what is missing is refused below
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return s.bindInt(i, v.Int())
	case reflect.String:
		return s.bindText(i, v.String())
	case reflect.Bool:
		if v.Bool() {
			return s.bindInt(i, 1)
		}
		return s.bindInt(i, 0)
	case reflect.Float32, reflect.Float64:
		return s.check(sqlite3.Xsqlite3_bind_double(s.c.tls, s.p, i, v.Float()))
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return s.bindBlob(i, v.Bytes())
		}
	}
	return fmt.Errorf("a %s cannot be bound", v.Type())
}

func (s *statement) bindNull(i int32) error {
	return s.check(sqlite3.Xsqlite3_bind_null(s.c.tls, s.p, i))
}

func (s *statement) bindInt(i int32, v int64) error {
	return s.check(sqlite3.Xsqlite3_bind_int64(s.c.tls, s.p, i, v))
}

func (s *statement) bindText(i int32, v string) error {
	return s.check(sqlite3.Xsqlite3_bind_text(s.c.tls, s.p, i, s.lend(v), int32(len(v)), static))
}

func (s *statement) bindBlob(i int32, v []byte) error {
	if v == nil {
		return s.bindNull(i)
	}
	return s.check(sqlite3.Xsqlite3_bind_blob(s.c.tls, s.p, i, s.lend(string(v)), int32(len(v)), static))
}

// lend copies a text to SQLite's memory, where it stays until the statement ends.
func (s *statement) lend(text string) uintptr {
	p := libc.Xmalloc(s.c.tls, libc.Tsize_t(len(text)+1)) // never 0 bytes, or the null pointer would bind null
	copy(unsafe.Slice((*byte)(at(p)), len(text)), text)
	s.lent = append(s.lent, p)
	return p
}

func (s *statement) check(rc int32) error {
	if rc != sqlite3.SQLITE_OK {
		return s.c.failure(rc)
	}
	return nil
}

var errNull = errors.New("a null is read into a place that takes none")

// read puts a column into the place that dest points to. Rows are wide, so the most frequent kinds
// come first, and only a zero asks whether it is a null.
func (s *statement) read(i int32, dest any) error {
	switch d := dest.(type) {
	case *int64:
		*d = s.int(i)
		return s.notNull(i, *d == 0)
	case *tracker.Time:
		*d = tracker.Time(s.int(i))
		return s.notNull(i, *d == 0)
	case *string:
		*d = s.text(i)
		return s.notNull(i, *d == "")
	case *tracker.UUID:
		*d = tracker.UUID(s.text(i))
		return s.notNull(i, *d == "")
	case *bool:
		*d = s.int(i) != 0
		return s.notNull(i, !*d)
	}
	if s.isNull(i) {
		return readNull(dest)
	}
	switch d := dest.(type) {
	case **int64:
		*d = new(s.int(i))
	case **tracker.UUID:
		*d = new(tracker.UUID(s.text(i)))
	case **tracker.Time:
		*d = new(tracker.Time(s.int(i)))
	case *[]byte:
		*d = []byte(s.view(i))
	case db.TextScanner:
		return d.ScanText(s.view(i))
	case sql.Scanner:
		return d.Scan(s.any(i))
	case *any:
		*d = s.any(i)
	default:
		return s.readKind(i, reflect.ValueOf(dest).Elem())
	}
	return nil
}

func (s *statement) isNull(i int32) bool {
	return sqlite3.Xsqlite3_column_type(s.c.tls, s.p, i) == sqlite3.SQLITE_NULL
}

// notNull refuses a null that was read as a zero.
func (s *statement) notNull(i int32, zero bool) error {
	if zero && s.isNull(i) {
		return errNull
	}
	return nil
}

func (s *statement) readKind(i int32, place reflect.Value) error {
	switch place.Kind() { //nolint:exhaustive // what is missing is refused below
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		place.SetInt(s.int(i))
	case reflect.String:
		place.SetString(s.text(i))
	case reflect.Bool:
		place.SetBool(s.int(i) != 0)
	case reflect.Float32, reflect.Float64:
		place.SetFloat(sqlite3.Xsqlite3_column_double(s.c.tls, s.p, i))
	case reflect.Pointer:
		v := reflect.New(place.Type().Elem())
		place.Set(v)
		return s.readKind(i, v.Elem())
	default:
		return fmt.Errorf("nothing can be read into a %s", place.Type())
	}
	return nil
}

func readNull(dest any) error {
	switch d := dest.(type) {
	case **int64:
		*d = nil
	case **tracker.UUID:
		*d = nil
	case **tracker.Time:
		*d = nil
	case sql.Scanner:
		return d.Scan(nil)
	default:
		place := reflect.ValueOf(dest).Elem()
		if k := place.Kind(); k != reflect.Pointer && k != reflect.Interface && k != reflect.Slice {
			return errNull
		}
		place.SetZero()
	}
	return nil
}

func (s *statement) int(i int32) int64 { return sqlite3.Xsqlite3_column_int64(s.c.tls, s.p, i) }

func (s *statement) text(i int32) string { return strings.Clone(s.view(i)) }

// view is a column in SQLite's own memory; it is gone with the next step.
func (s *statement) view(i int32) string {
	p := sqlite3.Xsqlite3_column_blob(s.c.tls, s.p, i)
	n := sqlite3.Xsqlite3_column_bytes(s.c.tls, s.p, i)
	if p == 0 || n == 0 {
		return ""
	}
	return unsafe.String((*byte)(at(p)), n)
}

func (s *statement) any(i int32) any {
	switch sqlite3.Xsqlite3_column_type(s.c.tls, s.p, i) {
	case sqlite3.SQLITE_INTEGER:
		return s.int(i)
	case sqlite3.SQLITE_FLOAT:
		return sqlite3.Xsqlite3_column_double(s.c.tls, s.p, i)
	case sqlite3.SQLITE_BLOB:
		return []byte(s.view(i))
	default:
		return s.text(i)
	}
}
