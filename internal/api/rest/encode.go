package rest

import (
	"encoding/binary"
	"reflect"
	"strconv"
	"unsafe"

	"github.com/go-json-experiment/json/jsontext"

	"milepost/internal/tracker"
)

// appendAt appends the value at p, whose type the shape was compiled from, in its wire form. Nil slices are
// [], nil pointers null; a field tagged omitzero is left out while it is zero. It does without package
// reflect: of a list of a thousand stories, reading fields through that was a tenth of the work.
func (s *shape) appendAt(b []byte, p unsafe.Pointer) []byte {
	switch s.kind {
	case kindInt:
		if s.size == 4 { // an int on some machines
			return strconv.AppendInt(b, int64(*(*int32)(p)), 10)
		}
		return strconv.AppendInt(b, *(*int64)(p), 10)
	case kindBool:
		return strconv.AppendBool(b, *(*bool)(p))
	case kindTime:
		b, _ = (*tracker.Time)(p).AppendText(append(b, '"')) // never fails
		return append(b, '"')
	case kindArray:
		list := (*sliceHeader)(p)
		b = append(b, '[')
		for i := range list.length {
			if i > 0 {
				b = append(b, ',')
			}
			b = s.elem.appendAt(b, unsafe.Add(list.data, uintptr(i)*s.elem.size))
		}
		return append(b, ']')
	case kindObject:
		return s.appendObject(b, p)
	case kindRaw:
		return append(b, *(*[]byte)(p)...)
	case kindShared:
		return s.appendShared(b, p)
	default:
		return appendString(b, *(*string)(p))
	}
}

func appendString(b []byte, text string) []byte {
	if plain(text) {
		return append(append(append(b, '"'), text...), '"')
	}
	b, _ = jsontext.AppendQuote(b, text) // what is not UTF-8 has been replaced when it fails
	return b
}

// plain reports whether the text is of ASCII characters that stand for themselves in JSON. It looks at
// eight of them at a time: a byte of odd is not 0 when its character is below a space, a quote, a
// backslash or beyond ASCII.
func plain(text string) bool {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	bytes := unsafe.Slice(unsafe.StringData(text), len(text))
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		word := binary.LittleEndian.Uint64(bytes)
		quote, backslash := word^('"'*ones), word^('\\'*ones)
		if odd := (word - ' '*ones) | (quote - ones) | (backslash - ones) | word; odd&highs != 0 {
			return false
		}
	}
	for _, c := range bytes {
		if c < ' ' || c == '"' || c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

// sliceHeader is how Go keeps a slice of any type.
type sliceHeader struct {
	data        unsafe.Pointer
	length, cap int
}

func (s *shape) appendObject(b []byte, p unsafe.Pointer) []byte {
	start := len(b)
	for _, f := range s.fields {
		at := unsafe.Add(p, f.offset)
		if f.omitZero && f.zeroAt(at) {
			continue
		}
		b = append(b, f.key...)
		if f.pointer {
			if at = *(*unsafe.Pointer)(at); at == nil {
				b = append(b, "null"...)
				continue
			}
		}
		b = f.shape.appendAt(b, at)
	}
	if len(b) == start {
		return append(b, "{}"...)
	}
	b[start] = '{' // instead of the first comma
	return append(b, '}')
}

func (f *field) zeroAt(p unsafe.Pointer) bool {
	if f.pointer {
		return *(*unsafe.Pointer)(p) == nil
	}
	switch f.shape.kind { //nolint:exhaustive // objects are refused when they are compiled
	case kindBool:
		return !*(*bool)(p)
	case kindInt, kindTime:
		return reflect.NewAt(f.shape.typ, p).Elem().IsZero()
	case kindArray, kindRaw:
		return (*sliceHeader)(p).data == nil
	default:
		return *(*string)(p) == ""
	}
}
