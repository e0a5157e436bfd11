package rest

import (
	"iter"
	"net/http"
	"reflect"
	"time"
	"unsafe"

	"github.com/getkin/kin-openapi/openapi3"

	"milepost/internal/httpd"
)

// Events is an answer that goes on: a stream of Server-Sent Events. Its first event must come at
// once, if only an empty one, and the following ones oftener than eventPause; after an error it ends.
type Events struct {
	Items iter.Seq2[Event, error]
}

// Event is one event of a stream. Without data it only tells the client the id to go on from; an
// empty one only shows that the stream lives.
type Event struct {
	ID   string
	Name string
	Data Raw
}

// eventPause is how long a client may take for an event, and the server for the next one.
const eventPause = time.Minute

var eventsType = reflect.TypeFor[Events]()

// writeEvents sends events until there are no more or the client is gone.
func (r *Route) writeEvents(w http.ResponseWriter, req *http.Request, events Events) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // a proxy would hold events back
	control := http.NewResponseController(w)
	for event, err := range events.Items {
		if err != nil {
			_ = internal(req, err) // logs it; the client asks again from where it was
			return
		}
		if err := httpd.ExtendDeadlines(w, time.Now().Add(eventPause)); err != nil {
			_ = internal(req, err)
			return
		}
		if _, err := w.Write(event.append(nil)); err != nil || control.Flush() != nil || req.Method == http.MethodHead {
			return
		}
	}
}

func (e Event) append(b []byte) []byte {
	line := func(field, value string) { b = append(append(append(append(b, field...), ": "...), value...), '\n') }
	if e.ID != "" {
		line("id", e.ID)
	}
	if e.Name != "" {
		line("event", e.Name)
	}
	if e.Data != nil {
		line("data", string(e.Data)) // JSON in its wire form has no line breaks
	}
	if len(b) == 0 {
		b = append(b, ":\n"...)
	}
	return append(b, '\n')
}

// eventsContent is how the document shows Events.
func eventsContent() openapi3.Content {
	return openapi3.Content{"text/event-stream": openapi3.NewMediaType().WithSchema(text())}
}

// Encoder gives values of a type their wire form, where they are not an answer of their own.
func Encoder[T any]() func(T) Raw {
	shape := compileAnswer(reflect.TypeFor[T](), false)
	return func(v T) Raw { return shape.appendAt(nil, unsafe.Pointer(&v)) }
}
