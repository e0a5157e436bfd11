// Package rest turns typed functions into HTTP operations: it decodes and validates what a
// params struct declares, is the only writer of answers and errors, and publishes the same
// declarations as an OpenAPI document.
package rest

import (
	"context"
	"net/http"
	"reflect"
	"strings"

	"milepost/internal/tracker"
)

// Access says what an operation needs of the actor's role.
type Access uint8

// Observers read, members write, admins and owners administer; everybody manages what is their own.
const (
	Reads Access = iota
	ManagesOwn
	Writes
	Administers
)

// A Route is one operation: a row of a version's route table.
type Route struct {
	Method  string
	Path    string // relative to the version, with {wildcards} as published
	Summary string
	Access  Access
	Status  int // of success

	successor string // the collection of v3 that took the place of the path's first segment, if it did

	in     reflect.Type
	form   *form
	answer *shape
	// invoke gives a pointer to the answer: answers are large.
	invoke func(ctx context.Context, by tracker.Actor, in reflect.Value) (any, error)

	twin         *Route       // the GET operation on the same path, found when the route is mounted
	transactions Transactions // of the service, given when the route is mounted
	unrepeatable bool         // an answer that must not be kept
	page         bool         // the answer is a part of a list

	bounded string // a parameter with another bound than its struct says, and that bound
	most    int64

	failures []int        // statuses beside those that every operation may answer with
	sink     Sink         // of an upload
	raw      http.Handler // answers in the place of invoke, without a token
}

// None is the input of operations without parameters and the output of those that answer 204.
type None struct{}

// A Func is a use case in the wire form of one version.
type Func[In, Out any] func(ctx context.Context, by tracker.Actor, in In) (Out, error)

// Get is an operation that reads.
func Get[In, Out any](path, summary string, fn Func[In, Out]) Route {
	return route(http.MethodGet, path, summary, Reads, http.StatusOK, fn)
}

// Post is an operation that creates.
func Post[In, Out any](path, summary string, fn Func[In, Out]) Route {
	return route(http.MethodPost, path, summary, Writes, http.StatusCreated, fn)
}

// Put is an operation that updates.
func Put[In, Out any](path, summary string, fn Func[In, Out]) Route {
	return route(http.MethodPut, path, summary, Writes, http.StatusOK, fn)
}

// Delete is an operation that deletes.
func Delete[In, Out any](path, summary string, fn Func[In, Out]) Route {
	return route(http.MethodDelete, path, summary, Writes, http.StatusOK, fn)
}

// Hook is an address that outside services call: without a token, and with what is signed and has no
// form of ours.
func Hook(path, summary string, handler http.HandlerFunc) Route {
	return Route{Method: http.MethodPost, Path: path, Summary: summary, Status: http.StatusOK, raw: handler}
}

// ForAdmins restricts the operation to admins and owners.
func (r Route) ForAdmins() Route { r.Access = Administers; return r }

// ForSelf opens an operation with a writing method to observers, since it changes only what is the
// actor's own.
func (r Route) ForSelf() Route { r.Access = ManagesOwn; return r }

// ReadsOnly opens an operation with a writing method to observers.
func (r Route) ReadsOnly() Route { r.Access = Reads; return r }

// Answers sets another success status.
func (r Route) Answers(status int) Route { r.Status = status; return r }

// SucceededBy names the collection of v3, such as /members, that serves what the first segment of
// this path served.
func (r Route) SucceededBy(collection string) Route { r.successor = collection; return r }

// Unrepeatable ignores an Idempotency-Key, for answers that must not be kept, such as secrets.
func (r Route) Unrepeatable() Route { r.unrepeatable = true; return r }

// Pages says that the answer is a page of a list, though it is an object: its tag is a weak one.
func (r Route) Pages() Route { r.page = true; return r }

// Fails adds statuses, such as 409, to those that every operation may answer with.
func (r Route) Fails(statuses ...int) Route { r.failures = statuses; return r }

// AtMost sets another bound of an integer parameter than its struct says.
func (r Route) AtMost(parameter string, most int64) Route {
	r.bounded, r.most = parameter, most
	r.form.bound(parameter, most)
	return r
}

// Receives makes an upload of the operation: its params hold a []File tagged file:"names", whose
// contents go to the sink while they arrive.
func (r Route) Receives(sink Sink) Route {
	r.sink = sink
	if r.form.files == nil {
		panic("rest: " + r.Path + " receives files and has no field for them")
	}
	return r
}

func route[In, Out any](method, path, summary string, access Access, status int, fn Func[In, Out]) Route {
	r := Route{
		Method: method, Path: path, Summary: summary, Access: access, Status: status,
		in: reflect.TypeFor[In](),
	}
	r.form = compileForm(newCompiler(), r.in)
	r.answer = compileAnswer(reflect.TypeFor[Out](), false)
	if reflect.TypeFor[Out]() == reflect.TypeFor[None]() {
		r.Status = http.StatusNoContent
	}
	r.invoke = func(ctx context.Context, by tracker.Actor, in reflect.Value) (any, error) {
		out, err := fn(ctx, by, in.Interface().(In))
		return &out, err
	}
	return r
}

// Replace gives the routes of base with those rows exchanged that stand in changes too.
func Replace(base []Route, changes ...Route) []Route {
	at := map[string]int{}
	out := make([]Route, len(base), len(base)+len(changes))
	for i, r := range base {
		out[i] = r
		at[r.Method+r.Path] = i
	}
	for _, r := range changes {
		if i, ok := at[r.Method+r.Path]; ok {
			out[i] = r
		} else {
			out = append(out, r)
		}
	}
	return out
}

// PathParams lists the names of the wildcards in the path.
func (r Route) PathParams() []string {
	var names []string
	for _, f := range r.form.path {
		names = append(names, f.name)
	}
	return names
}

// wildcard is the name under which net/http knows a path parameter.
func wildcard(name string) string { return strings.ReplaceAll(name, "-", "_") }
