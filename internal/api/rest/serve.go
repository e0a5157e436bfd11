package rest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"milepost/internal/httpd"
	"milepost/internal/tracker"
)

const (
	contentType    = "application/json; charset=utf-8"
	tokenParameter = "token" // read by the server, never a parameter of an operation
	maxJSON        = 16 << 20
)

type actorKey struct{}

// WithActor tells the operations under ctx who is asking.
func WithActor(ctx context.Context, by tracker.Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, by)
}

// ActorOf returns who is asking; the zero Actor when nobody is known yet.
func ActorOf(ctx context.Context) tracker.Actor {
	by, _ := ctx.Value(actorKey{}).(tracker.Actor)
	return by
}

func (r Route) handler(api API) http.Handler {
	name := api.Base() + r.Path
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		httpd.Note(req.Context()).Route = name
		if api.Deprecated {
			w.Header().Set("Deprecation", deprecatedSince)
			w.Header().Set("Link", "<"+r.successorOf(api, req)+`>; rel="successor-version"`)
		}
		if r.raw != nil {
			r.raw.ServeHTTP(w, req)
			return
		}
		by := ActorOf(req.Context())
		by.Via = api.Version
		answer, err := r.serve(w, req, by)
		if err != nil {
			WriteError(w, req, err)
			return
		}
		r.write(w, req, answer)
	})
}

// deprecatedSince is 2026-01-01 in the form of RFC 9745: the earlier versions were deprecated
// before the first release.
const deprecatedSince = "@1767225600"

// successorOf is where v3 serves what the request asks an earlier version for.
func (r Route) successorOf(api API, req *http.Request) string {
	path := strings.TrimPrefix(req.URL.EscapedPath(), api.Base())
	if r.successor != "" {
		collection, _, _ := strings.Cut(r.Path[1:], "/")
		path = r.successor + strings.TrimPrefix(path, "/"+collection)
	}
	return "/api/v3" + path
}

func (r Route) serve(w http.ResponseWriter, req *http.Request, by tracker.Actor) (any, error) {
	if err := r.authorize(by); err != nil {
		return nil, err
	}
	if r.sink != nil {
		return r.serveUpload(w, req, by)
	}
	body, err := readBody(w, req)
	if err != nil {
		return nil, err
	}
	in := reflect.New(r.in).Elem()
	if err := r.form.decode(req, body, in); err != nil {
		return nil, err
	}
	condition, err := r.conditional(req, by, body, in)
	if err != nil {
		return nil, err
	}
	if condition != nil {
		return condition.run()
	}
	return r.invoke(req.Context(), by, in)
}

func (r Route) authorize(by tracker.Actor) error {
	switch {
	case r.Access == Reads:
		return nil
	case by.ReadOnly && r.Method != http.MethodGet:
		return tracker.Denied("This token may only read.")
	case r.Access == Administers && !by.Role.Administers():
		return tracker.Denied("Only admins and owners of the workspace may do this.")
	case r.Access != ManagesOwn && !by.Role.Writes():
		return tracker.Denied("Observers may only read.")
	}
	return nil
}

func readBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	return ReadBody(w, req, maxJSON)
}

// ReadBody reads a body of at most so many bytes.
func ReadBody(w http.ResponseWriter, req *http.Request, most int64) ([]byte, error) {
	if req.ContentLength == 0 {
		return nil, nil
	}
	if req.ContentLength > most {
		return nil, errTooLarge(most)
	}
	// What a client announces is not yet sent: only so much is taken on trust.
	body := bytes.NewBuffer(make([]byte, 0, min(max(req.ContentLength, 0), 64<<10)+bytes.MinRead))
	if _, err := body.ReadFrom(http.MaxBytesReader(w, req.Body, most)); err != nil {
		return nil, bodyError(err)
	}
	return body.Bytes(), nil
}

func errTooLarge(limit int64) error {
	return &tracker.Error{Code: tracker.TooLarge, Message: fmt.Sprintf("The request body is larger than %d MiB.", limit>>20)}
}

// bodyError says why a body could not be read.
func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return errTooLarge(tooLarge.Limit)
	}
	return tracker.InvalidFields(map[string]any{"body": "could not be read to its end"})
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

const keptBuffer = 1 << 20 // larger buffers go back to the garbage collector

// render appends the answer in its wire form.
func (r *Route) render(b []byte, answer any) []byte {
	if r.Status == http.StatusNoContent {
		return b
	}
	return r.answer.appendAt(b, reflect.ValueOf(answer).UnsafePointer())
}

func (r *Route) write(w http.ResponseWriter, req *http.Request, answer any) {
	if list, ok := answer.(streamer); ok {
		r.writeStream(w, req, list)
		return
	}
	if done, ok := answer.(rendered); ok {
		if done.replayed {
			w.Header().Set("Idempotency-Replayed", "true")
		}
		r.writeText(w, req, done.text)
		return
	}
	switch a := answer.(type) {
	case *Blob:
		r.writeBlob(w, req, *a)
		return
	case *Content:
		writeContent(w, req, *a)
		return
	case *Events:
		r.writeEvents(w, req, *a)
		return
	}
	buf := buffers.Get().(*[]byte)
	text := r.render((*buf)[:0], answer)
	r.writeText(w, req, text)
	if cap(text) <= keptBuffer {
		*buf = text[:0]
		buffers.Put(buf)
	}
}

func (r *Route) writeText(w http.ResponseWriter, req *http.Request, text []byte) {
	r.writeBytes(w, req, contentType, text)
}

func (r *Route) writeBytes(w http.ResponseWriter, req *http.Request, mediaType string, text []byte) {
	h := w.Header()
	if tag := r.tagOf(text); tag != "" {
		h.Set("ETag", tag)
		if known := req.Header.Get("If-None-Match"); r.Method == http.MethodGet && known != "" && matches(known, tag, true) {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	if r.Status == http.StatusNoContent {
		w.WriteHeader(r.Status)
		return
	}
	h.Set("Content-Type", mediaType)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(r.Status)
	_, _ = w.Write(text) // the client may be gone; there is nobody to tell
}
