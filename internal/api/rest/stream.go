package rest

import (
	"iter"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unsafe"
)

// Stream is a list that is written while it is read, so that its length costs no memory. The
// OpenAPI document shows it as an array.
type Stream[T any] struct {
	// Items gives the items one after another, perhaps all in the same place.
	Items iter.Seq2[*T, error]
}

// streamer is a Stream of any type.
type streamer interface {
	each(yield func(item unsafe.Pointer, err error) bool)
}

var streamerType = reflect.TypeFor[streamer]()

func (s Stream[T]) each(yield func(unsafe.Pointer, error) bool) {
	for item, err := range s.Items {
		if !yield(unsafe.Pointer(item), err) {
			return
		}
	}
}

// streamed is the type of a stream's items.
func streamed(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Struct || !t.Implements(streamerType) || !strings.HasPrefix(t.Name(), "Stream[") {
		return nil, false
	}
	return t.Field(0).Type.In(0).In(0).Elem(), true
}

// flushAt is how much of a stream gathers before it is sent.
const flushAt = 128 << 10

// writeStream sends a list while it is read. One that fits the buffer is sent whole, with its
// length and tag. An error after the first part was sent cuts the connection, so that the client
// cannot take half a list for a whole one.
func (r *Route) writeStream(w http.ResponseWriter, req *http.Request, list streamer) {
	buf := buffers.Get().(*[]byte)
	text := append((*buf)[:0], '[')
	items, sent := 0, false
	var failure error
	list.each(func(item unsafe.Pointer, err error) bool {
		if err != nil {
			failure = err
			return false
		}
		if items++; items > 1 {
			text = append(text, ',')
		}
		if items == 8 { // growing with every few items would copy all of them again and again
			text = slices.Grow(text, flushAt)
		}
		text = r.answer.elem.appendAt(text, item)
		if len(text) < flushAt {
			return true
		}
		if !sent {
			w.Header().Set("Content-Type", contentType)
			w.WriteHeader(r.Status)
			sent = true
		}
		_, failure = w.Write(text)
		text = text[:0]
		return failure == nil
	})
	switch {
	case failure != nil && sent:
		panic(http.ErrAbortHandler)
	case failure != nil:
		WriteError(w, req, failure)
	case sent:
		_, _ = w.Write(append(text, ']'))
	default:
		text = append(text, ']')
		r.writeText(w, req, text)
	}
	*buf = text[:0]
	buffers.Put(buf)
}
