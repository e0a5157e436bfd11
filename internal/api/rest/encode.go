package rest

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"milepost/internal/tracker"
)

// An appender writes one value as JSON at the end of a buffer.
type appender func(b []byte, v reflect.Value) []byte

var appenders sync.Map // reflect.Type → appender

// Append appends v in its wire form. Nil slices are [], nil pointers null; a field tagged
// omitzero is left out while it is zero.
func Append(b []byte, v any) []byte {
	r := reflect.ValueOf(v)
	return appenderOf(r.Type())(b, r)
}

func appenderOf(t reflect.Type) appender {
	if a, ok := appenders.Load(t); ok {
		return a.(appender)
	}
	// A recursive type meets this before its own appender is ready.
	appenders.Store(t, appender(func(b []byte, v reflect.Value) []byte { return appenderOf(t)(b, v) }))
	a := buildAppender(t)
	appenders.Store(t, a)
	return a
}

func buildAppender(t reflect.Type) appender {
	if t == timeType {
		return func(b []byte, v reflect.Value) []byte {
			b, _ = tracker.Time(v.Int()).AppendText(append(b, '"'))
			return append(b, '"')
		}
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) []byte {
			b, err := jsontext.AppendQuote(b, v.String())
			if err != nil { // not UTF-8: AppendQuote has replaced what is wrong
				return b
			}
			return b
		}
	case reflect.Int, reflect.Int64:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendInt(b, v.Int(), 10) }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) []byte { return strconv.AppendBool(b, v.Bool()) }
	case reflect.Pointer:
		elem := appenderOf(t.Elem())
		return func(b []byte, v reflect.Value) []byte {
			if v.IsNil() {
				return append(b, "null"...)
			}
			return elem(b, v.Elem())
		}
	case reflect.Slice:
		return sliceAppender(appenderOf(t.Elem()))
	case reflect.Struct:
		return structAppender(t)
	default:
		panic(fmt.Sprintf("rest: type %s cannot be answered", t))
	}
}

func sliceAppender(elem appender) appender {
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = elem(b, v.Index(i))
		}
		return append(b, ']')
	}
}

func structAppender(t reflect.Type) appender {
	type member struct {
		key      string // with its quotes and colon
		index    int
		omitZero bool
		append   appender
	}
	var members []member
	for i := range t.NumField() {
		name, omit, ok := answerTag(t.Field(i))
		if ok {
			members = append(members, member{`"` + name + `":`, i, omit, appenderOf(t.Field(i).Type)})
		}
	}
	return func(b []byte, v reflect.Value) []byte {
		b = append(b, '{')
		first := true
		for i := range members {
			m := &members[i]
			f := v.Field(m.index)
			if m.omitZero && f.IsZero() {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			b = m.append(append(b, m.key...), f)
		}
		return append(b, '}')
	}
}

// answerTag reads json:"name,omitzero".
func answerTag(f reflect.StructField) (name string, omitZero, ok bool) {
	tag, ok := f.Tag.Lookup("json")
	name, option, _ := strings.Cut(tag, ",")
	return name, option == "omitzero", ok
}
