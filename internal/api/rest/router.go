package rest

import (
	"net/http"
	"path"
	"slices"
	"strings"
)

// An API is one version: its routes under one base path.
type API struct {
	Version    string // v3, v2, v1, beta or app
	Title      string
	Deprecated bool
	Routes     []Route
}

// Base is the path under which the version lives.
func (a API) Base() string { return "/api/" + a.Version }

// paired is the routes, each with the GET operation on the same path as its twin.
func (a API) paired() []Route {
	readers := map[string]*Route{}
	for _, r := range a.Routes {
		if r.Method == http.MethodGet && r.raw == nil {
			readers[r.Path] = &r
		}
	}
	routes := slices.Clone(a.Routes)
	for i := range routes {
		routes[i].twin = readers[routes[i].Path]
	}
	return routes
}

var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete}

// Router dispatches to the operations of several versions.
type Router struct {
	mux      *http.ServeMux
	prefixes map[string]string // by pattern: what the last segment of the path starts with
}

// NewRouter mounts the versions. Without transactions, writes have no conditions.
func NewRouter(transactions Transactions, apis ...API) *Router {
	rt := &Router{mux: http.NewServeMux(), prefixes: map[string]string{}}
	rt.mux.HandleFunc(everything, rt.refuse)
	for _, api := range apis {
		for _, r := range api.paired() {
			r.transactions = transactions
			path, prefix := pattern(r.Path)
			p := r.Method + " " + api.Base() + path
			rt.prefixes[p] = prefix
			rt.mux.Handle(p, rt.stripped(prefix, r, r.handler(api)))
		}
	}
	return rt
}

const everything = "/" // the pattern of what no operation serves

// ServeHTTP answers one request whose actor is in the context. One slash at the end of the path
// does not matter; a path that net/http would clean by a redirect is not found.
func (rt *Router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if path := r.URL.EscapedPath(); len(path) > 1 && strings.HasSuffix(path, "/") {
		u := *r.URL
		u.Path, u.RawPath = strings.TrimSuffix(u.Path, "/"), strings.TrimSuffix(u.RawPath, "/")
		clone := *r
		clone.URL = &u
		r = &clone
	}
	for segment := range strings.SplitSeq(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/") {
		if segment == "" || segment == "." || segment == ".." {
			NotFound(w, r)
			return
		}
	}
	rt.mux.ServeHTTP(w, r)
}

// refuse answers 404, or 405 where other methods are served on the path.
func (rt *Router) refuse(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, m := range methods {
		clone := *r
		clone.Method = m
		if _, p := rt.mux.Handler(&clone); p != everything && strings.HasPrefix(path.Base(r.URL.Path), rt.prefixes[p]) {
			allowed = append(allowed, m)
		}
	}
	if allowed == nil {
		NotFound(w, r)
		return
	}
	notAllowed(w, r, allowed...)
}

// pattern turns a published path into one that net/http takes, which knows only whole segments as
// wildcards: of a last segment such as unlink-{tool}, the prefix is returned apart.
func pattern(published string) (path, prefix string) {
	segments := strings.Split(published, "/")
	for i, s := range segments {
		if before, name, ok := strings.Cut(s, "{"); ok {
			if prefix != "" {
				panic("rest: only the last segment can have a prefix: " + published)
			}
			segments[i], prefix = "{"+wildcard(name), before
		}
	}
	return strings.Join(segments, "/"), prefix
}

// stripped takes the prefix off the last path parameter, which next is to see.
func (rt *Router) stripped(prefix string, r Route, next http.Handler) http.Handler {
	if prefix == "" {
		return next
	}
	last := wildcard(r.form.path[len(r.form.path)-1].name)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		value, ok := strings.CutPrefix(req.PathValue(last), prefix)
		if !ok {
			rt.refuse(w, req)
			return
		}
		req.SetPathValue(last, value)
		next.ServeHTTP(w, req)
	})
}

// notAllowed answers a method that is not served on a path, where others are.
func notAllowed(w http.ResponseWriter, r *http.Request, methods ...string) {
	w.Header().Set("Allow", strings.Join(methods, ", "))
	writeErrorBody(w, http.StatusMethodNotAllowed, errorBody{Message: "The method " + r.Method + " is not served on this path."})
}

// NotFound answers a path that nothing is served on.
func NotFound(w http.ResponseWriter, _ *http.Request) {
	writeErrorBody(w, http.StatusNotFound, errorBody{Message: "Page not Found"})
}
