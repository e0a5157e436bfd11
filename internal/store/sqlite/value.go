package sqlite

import (
	"database/sql/driver"
	"fmt"
	"reflect"
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
	p := s.room + uintptr(s.used)
	if s.used += len(text); s.room == 0 || s.used > roomForTexts {
		s.used -= len(text)
		p = libc.Xmalloc(s.c.tls, libc.Tsize_t(len(text)+1)) // never 0 bytes, or the null pointer would bind null
		s.lent = append(s.lent, p)
	}
	copy(unsafe.Slice((*byte)(at(p)), len(text)), text)
	return p
}

func (s *statement) check(rc int32) error {
	if rc != sqlite3.SQLITE_OK {
		return s.c.failure(rc)
	}
	return nil
}

// Scan implements db.Row.
func (s *statement) Scan(dest ...any) error {
	if len(dest) != s.columns {
		return fmt.Errorf("a row of %d columns is read into %d places", s.columns, len(dest))
	}
	// The values are read where SQLite keeps them: its functions would cost as much as all the rest.
	row := (*sqlite3.TVdbe)(at(s.p)).FpResultRow
	var v db.Value
	for i, d := range dest {
		valueOf((*sqlite3.Tsqlite3_value)(at(row+uintptr(i)*unsafe.Sizeof(sqlite3.Tsqlite3_value{}))), &v)
		if err := s.rows.Put(d, &v); err != nil {
			return fmt.Errorf("column %d: %w", i, err)
		}
	}
	return nil
}

// valueOf reads a value of SQLite's, whose texts are all in UTF-8.
func valueOf(from *sqlite3.Tsqlite3_value, to *db.Value) {
	switch flags := from.Fflags; {
	case flags&sqlite3.MEM_Null != 0:
		to.Kind = db.Null
	case flags&sqlite3.MEM_Int != 0:
		to.Kind, to.Int = db.Integer, number(from)
	case flags&sqlite3.MEM_Real != 0:
		to.Kind, to.Real = db.Real, from.Fu.Fr
	case flags&sqlite3.MEM_IntReal != 0: // a real with a small integer's form
		to.Kind, to.Real = db.Real, float64(number(from))
	case flags&sqlite3.MEM_Str != 0:
		to.Kind, to.Text = db.Text, view(from)
	default:
		to.Kind, to.Text = db.Bytes, view(from)
	}
}

func number(v *sqlite3.Tsqlite3_value) int64 { return *(*int64)(unsafe.Pointer(&v.Fu)) }

// view is a text in SQLite's own memory.
func view(v *sqlite3.Tsqlite3_value) string {
	if v.Fn == 0 {
		return ""
	}
	return unsafe.String((*byte)(at(v.Fz)), v.Fn)
}
