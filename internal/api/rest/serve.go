package rest

import (
	"context"
	"errors"
	"io"
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

// An API is one version: its routes under one base path.
type API struct {
	Version    string // v3, v2, v1, beta or app
	Title      string
	Deprecated bool
	Routes     []Route
}

// Base is the path under which the version lives.
func (a API) Base() string { return "/api/" + a.Version }

var methods = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete}

// Router dispatches to the operations of several versions.
type Router struct {
	mux *http.ServeMux
}

// NewRouter mounts the versions.
func NewRouter(apis ...API) *Router {
	rt := &Router{mux: http.NewServeMux()}
	for _, api := range apis {
		for _, r := range api.Routes {
			rt.mux.Handle(r.Method+" "+api.Base()+pattern(r.Path), r.handler(api))
		}
	}
	return rt
}

// ServeHTTP answers one request whose actor is in the context.
func (rt *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if len(r.URL.Path) > 1 && strings.HasSuffix(r.URL.Path, "/") {
		u := *r.URL
		u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), strings.TrimRight(u.RawPath, "/")
		clone := *r
		clone.URL = &u
		r = &clone
	}
	if rt.match(r, r.Method) != "" {
		rt.mux.ServeHTTP(w, r)
		return
	}
	var allowed []string
	for _, m := range methods {
		if rt.match(r, m) != "" {
			allowed = append(allowed, m)
		}
	}
	if allowed == nil {
		writeErrorBody(w, http.StatusNotFound, errorBody{Message: "Page not Found"})
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	writeErrorBody(w, http.StatusMethodNotAllowed, errorBody{Message: "The method " + r.Method + " is not served on this path."})
}

// match returns the pattern that serves the path with the method. A path that net/http would
// clean by a redirect matches nothing.
func (rt *Router) match(r *http.Request, method string) string {
	if path := r.URL.EscapedPath(); strings.Contains(path, "//") || strings.Contains(path, "/.") {
		return ""
	}
	clone := *r
	clone.Method = method
	_, p := rt.mux.Handler(&clone)
	return p
}

// pattern turns a published path into one that net/http takes.
func pattern(path string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if strings.HasPrefix(s, "{") {
			segments[i] = wildcard(s)
		}
	}
	return strings.Join(segments, "/")
}

func (r Route) handler(api API) http.Handler {
	name := api.Base() + r.Path
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		httpd.Note(req.Context()).Route = name
		if api.Deprecated {
			w.Header().Set("Deprecation", "true")
			w.Header().Set("Link", `</api/v3`+r.Path+`>; rel="successor-version"`)
		}
		by := ActorOf(req.Context())
		by.Via = api.Version
		answer, err := r.serve(w, req, by)
		if err != nil {
			WriteError(w, req, err)
			return
		}
		r.write(w, answer)
	})
}

func (r Route) serve(w http.ResponseWriter, req *http.Request, by tracker.Actor) (any, error) {
	if err := r.authorize(by); err != nil {
		return nil, err
	}
	body, err := readBody(w, req)
	if err != nil {
		return nil, err
	}
	in := reflect.New(r.in).Elem()
	if err := r.form.decode(req, body, in); err != nil {
		return nil, err
	}
	return r.invoke(req.Context(), by, in)
}

func (r Route) authorize(by tracker.Actor) error {
	switch {
	case r.Access == Reads:
		return nil
	case by.ReadOnly:
		return tracker.Denied("This token may only read.")
	case r.Access == Administers && !by.Role.Administers():
		return tracker.Denied("Only admins and owners of the workspace may do this.")
	case !by.Role.Writes():
		return tracker.Denied("Observers may only read.")
	}
	return nil
}

func readBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	if req.ContentLength == 0 {
		return nil, nil
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxJSON))
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return nil, &tracker.Error{Code: tracker.TooLarge, Message: "The request body is larger than 16 MiB."}
	}
	if err != nil {
		return nil, tracker.InvalidFields(map[string]any{"body": "could not be read to its end"})
	}
	return body, nil
}

var buffers = sync.Pool{New: func() any { return new([]byte) }}

const keptBuffer = 1 << 20 // larger buffers go back to the garbage collector

func (r Route) write(w http.ResponseWriter, answer any) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	if r.Status == http.StatusNoContent {
		w.WriteHeader(r.Status)
		return
	}
	buf := buffers.Get().(*[]byte)
	text := Append((*buf)[:0], answer)
	h.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(r.Status)
	_, _ = w.Write(text) // the client may be gone; there is nobody to tell
	if cap(text) <= keptBuffer {
		*buf = text[:0]
		buffers.Put(buf)
	}
}

// NotFound answers a path that nothing is served on.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	writeErrorBody(w, http.StatusNotFound, errorBody{Message: "Page not Found"})
}
