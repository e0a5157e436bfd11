package rest

import (
	"reflect"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"milepost/internal/tracker"
)

// append appends v in its wire form. Nil slices are [], nil pointers null; a field tagged
// omitzero is left out while it is zero.
func (s *shape) append(b []byte, v reflect.Value) []byte {
	switch s.kind {
	case kindInt:
		return strconv.AppendInt(b, v.Int(), 10)
	case kindBool:
		return strconv.AppendBool(b, v.Bool())
	case kindTime:
		b, _ = tracker.Time(v.Int()).AppendText(append(b, '"')) // never fails
		return append(b, '"')
	case kindArray:
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			b = s.elem.append(b, v.Index(i))
		}
		return append(b, ']')
	case kindObject:
		return s.appendObject(b, v)
	case kindRaw:
		return append(b, v.Bytes()...)
	default:
		b, _ = jsontext.AppendQuote(b, v.String()) // what is not UTF-8 has been replaced when it fails
		return b
	}
}

func (s *shape) appendObject(b []byte, v reflect.Value) []byte {
	b = append(b, '{')
	first := true
	for _, f := range s.fields {
		value := v.FieldByIndex(f.index)
		if f.omitZero && value.IsZero() {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(append(append(b, '"'), f.name...), '"', ':')
		switch {
		case !f.pointer:
			b = f.shape.append(b, value)
		case value.IsNil():
			b = append(b, "null"...)
		default:
			b = f.shape.append(b, value.Elem())
		}
	}
	return append(b, '}')
}
