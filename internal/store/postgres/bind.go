package postgres

import (
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"reflect"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"

	"milepost/internal/tracker"
)

// value queues an argument with its length and tells whether it has the binary form of its type.
// Single values go as text, which the server reads as whatever the parameter is; only lists would
// be slow that way. The types that the hot statements use have a case of their own.
func (c *conn) value(value any) (isBinary bool, err error) {
	switch v := value.(type) {
	case nil:
		c.null()
	case int64:
		c.int(v)
	case *int64:
		if v == nil {
			c.null()
		} else {
			c.int(*v)
		}
	case string:
		c.string(v)
	case *string:
		if v == nil {
			c.null()
		} else {
			c.string(*v)
		}
	case *tracker.UUID:
		if v == nil {
			c.null()
		} else {
			c.string(string(*v))
		}
	case *tracker.Time:
		if v == nil {
			c.null()
		} else {
			c.int(int64(*v))
		}
	case []int64:
		c.ints(v)
		return true, nil
	case []byte:
		c.bytes(v)
		return true, nil
	case driver.Valuer:
		given, err := v.Value()
		if err != nil {
			return false, err
		}
		return c.value(given)
	default:
		return c.valueOfKind(reflect.ValueOf(value))
	}
	return false, nil
}

func (c *conn) valueOfKind(v reflect.Value) (isBinary bool, err error) {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			c.null()
			return false, nil
		}
		v = v.Elem()
	}
	switch v.Kind() { //nolint:exhaustive // what is missing is refused below
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		c.int(v.Int())
		return false, nil
	case reflect.String:
		c.string(v.String())
		return false, nil
	case reflect.Bool:
		c.string(strconv.FormatBool(v.Bool()))
		return false, nil
	case reflect.Float32, reflect.Float64:
		c.string(strconv.FormatFloat(v.Float(), 'g', -1, 64))
		return false, nil
	case reflect.Slice:
		switch v.Type().Elem().Kind() { //nolint:exhaustive // as above
		case reflect.Uint8:
			c.bytes(v.Bytes())
			return true, nil
		case reflect.Int, reflect.Int64:
			list := make([]int64, v.Len())
			for i := range list {
				list[i] = v.Index(i).Int()
			}
			c.ints(list)
			return true, nil
		case reflect.String:
			c.strings(v)
			return true, nil
		}
	}
	return false, fmt.Errorf("a %s cannot be bound", v.Type())
}

func (c *conn) null() { c.length(-1) }

func (c *conn) int(v int64) {
	start := c.length(0)
	c.out = strconv.AppendInt(c.out, v, 10)
	c.measure(start)
}

func (c *conn) string(v string) {
	c.length(len(v))
	c.out = append(c.out, v...)
}

func (c *conn) bytes(v []byte) {
	if v == nil {
		c.null()
		return
	}
	c.length(len(v))
	c.out = append(c.out, v...)
}

func (c *conn) ints(list []int64) {
	start := c.list(pgtype.Int8OID, len(list))
	for _, v := range list {
		c.length(8)
		c.out = binary.BigEndian.AppendUint64(c.out, uint64(v))
	}
	c.measure(start)
}

// strings queues a slice of some kind of string.
func (c *conn) strings(list reflect.Value) {
	start := c.list(pgtype.TextOID, list.Len())
	for i := range list.Len() {
		c.string(list.Index(i).String())
	}
	c.measure(start)
}

// list begins a list of n elements: its dimensions, "no nulls", the type, the length and the first index.
func (c *conn) list(elements uint32, n int) (start int) {
	start = c.length(0)
	for _, word := range [...]uint32{1, 0, elements, uint32(n), 1} {
		c.out = binary.BigEndian.AppendUint32(c.out, word)
	}
	return start
}

// length queues the length of a value; -1 stands for null.
func (c *conn) length(n int) (start int) {
	start = len(c.out)
	c.out = binary.BigEndian.AppendUint32(c.out, uint32(int32(n)))
	return start
}

// measure puts in the length of a value that was not known before.
func (c *conn) measure(start int) {
	binary.BigEndian.PutUint32(c.out[start:], uint32(len(c.out)-start-4))
}
