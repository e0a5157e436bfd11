package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
	"github.com/getkin/kin-openapi/openapi3"

	"milepost/internal/tracker"
)

// Transactions is what conditional and repeatable writes need of the service.
type Transactions interface {
	// Atomically runs fn as one write that everything under fn's context is part of.
	Atomically(ctx context.Context, by tracker.Actor, fn func(context.Context) error) error
	// KeptAnswer and KeepAnswer remember what a request was answered with; they work within it.
	KeptAnswer(ctx context.Context, key string) (tracker.KeptAnswer, error)
	KeepAnswer(ctx context.Context, a tracker.KeptAnswer) error
}

// maxKey bounds an Idempotency-Key.
const maxKey = 255

// etag is the strong tag of a body.
func etag(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// weakTag is the tag of a list, which may be long and which nothing but a copy of it is compared with.
func weakTag(body []byte) string { return `W/"` + strconv.FormatUint(xxhash.Sum64(body), 16) + `"` }

// tagOf is the tag that the operation's answer carries: a strong one for a single resource, a weak
// one for a list, none where the answer is not what a GET would show.
func (r *Route) tagOf(text []byte) string {
	switch {
	case r.Method == http.MethodGet && (r.page || r.answer.kind == kindArray):
		return weakTag(text)
	case r.Method == http.MethodGet, r.twin != nil && r.twin.answer.typ == r.answer.typ && r.Status != http.StatusNoContent:
		return etag(text)
	default:
		return ""
	}
}

// matches reports whether the header lists the tag. If-Match compares strongly, where a weak tag
// equals nothing; If-None-Match weakly, where the mark of weakness does not count.
func matches(header, tag string, weak bool) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if weak {
			candidate, tag = strings.TrimPrefix(candidate, "W/"), strings.TrimPrefix(tag, "W/")
		}
		if candidate == "*" || candidate == tag {
			return true
		}
	}
	return false
}

// rendered is an answer that was rendered inside its transaction.
type rendered struct {
	text     []byte
	replayed bool
}

// A conditionalWrite is a write with If-Match, an Idempotency-Key, or both.
type conditionalWrite struct {
	route *Route
	req   *http.Request
	by    tracker.Actor
	body  []byte
	in    reflect.Value
	match string // what the resource must be
	key   string // what names the request
}

// conditional looks for conditions of the request; nil when it has none. If-Match is for resources
// that have an operation to read them; others, such as bulk operations, ignore it.
func (r *Route) conditional(req *http.Request, by tracker.Actor, body []byte, in reflect.Value) (*conditionalWrite, error) {
	if r.Access == Reads || r.Method == http.MethodGet || r.transactions == nil {
		return nil, nil
	}
	c := &conditionalWrite{route: r, req: req, by: by, body: body, in: in}
	if r.twin != nil {
		c.match = req.Header.Get("If-Match")
	}
	if key := req.Header.Get("Idempotency-Key"); key != "" && !r.unrepeatable {
		if len(key) > maxKey {
			return nil, tracker.InvalidFields(map[string]any{"Idempotency-Key": "must have at most 255 characters"})
		}
		c.key = hashOf(string(by.Member), req.Method, req.URL.Path, key)
	}
	if c.match == "" && c.key == "" {
		return nil, nil
	}
	return c, nil
}

func hashOf(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// run does the write in one transaction with the judgement of its conditions. That the resource is
// stale is said last: what else is wrong comes first.
func (c *conditionalWrite) run() (answer rendered, err error) {
	err = c.route.transactions.Atomically(c.req.Context(), c.by, func(ctx context.Context) error {
		if answer, err = c.kept(ctx); err != nil || answer.replayed {
			return err
		}
		stale, err := c.stale(ctx)
		if err != nil {
			return err
		}
		out, err := c.route.invoke(ctx, c.by, c.in)
		if err != nil {
			return err
		}
		if stale {
			return &tracker.Error{Code: tracker.Stale, Message: "The resource is no longer as you know it (If-Match)."}
		}
		answer.text = c.route.render(nil, out)
		return c.keep(ctx, answer.text)
	})
	return answer, err
}

// stale reports whether the resource, as its GET operation shows it now, is not what the client
// knows. Whether it exists at all is left for the write to judge.
func (c *conditionalWrite) stale(ctx context.Context) (bool, error) {
	if c.match == "" {
		return false, nil
	}
	twin := c.route.twin
	in := reflect.New(twin.in).Elem()
	plain := *c.req
	url := *c.req.URL
	url.RawQuery = ""
	plain.URL = &url
	if err := twin.form.decode(&plain, nil, in); err != nil {
		return false, err
	}
	out, err := twin.invoke(ctx, c.by, in)
	switch {
	case errors.Is(err, tracker.ErrNotFound):
		return false, nil
	case err != nil:
		return false, err
	}
	return !matches(c.match, etag(twin.render(nil, out)), false), nil
}

// kept finds the answer that the same request got before.
func (c *conditionalWrite) kept(ctx context.Context) (rendered, error) {
	if c.key == "" {
		return rendered{}, nil
	}
	kept, err := c.route.transactions.KeptAnswer(ctx, c.key)
	switch {
	case errors.Is(err, tracker.ErrNotFound):
		return rendered{}, nil
	case err != nil:
		return rendered{}, err
	case kept.BodyHash != hashOf(string(c.body)):
		return rendered{}, tracker.Impossible("Idempotency-Key", "was used before with another body")
	}
	return rendered{text: []byte(kept.Body), replayed: true}, nil
}

func (c *conditionalWrite) keep(ctx context.Context, text []byte) error {
	if c.key == "" {
		return nil
	}
	return c.route.transactions.KeepAnswer(ctx, tracker.KeptAnswer{Key: c.key, BodyHash: hashOf(string(c.body)), Body: string(text)})
}

// A condition is a header that makes an operation conditional, as the document shows it.
type condition struct {
	header, means string
	applies       func(*Route) bool
	statuses      []int
}

func (r *Route) repeatable() bool {
	return r.Access != Reads && r.Method != http.MethodGet && !r.unrepeatable && r.sink == nil
}

var conditions = []condition{
	{"If-None-Match", "Answer 304 when the ETag is still this one.",
		func(r *Route) bool { return r.Method == http.MethodGet && r.raw == nil && r.answer.kind != kindEvents }, []int{http.StatusNotModified}},
	{"If-Match", "Write only if the ETag of the resource is still this one.",
		func(r *Route) bool { return r.repeatable() && r.twin != nil }, []int{http.StatusPreconditionFailed}},
	{"Idempotency-Key", "A repetition with the same key within 24 hours gets the first answer and does nothing.",
		(*Route).repeatable, nil},
}

func (c condition) parameter() *openapi3.ParameterRef {
	schema := openapi3.NewStringSchema().WithMinLength(1)
	if c.header == "Idempotency-Key" {
		schema = schema.WithMaxLength(maxKey)
	}
	return &openapi3.ParameterRef{Value: openapi3.NewHeaderParameter(c.header).WithDescription(c.means).WithSchema(schema)}
}
