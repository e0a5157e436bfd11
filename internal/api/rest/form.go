package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"milepost/internal/tracker"
)

// bodyField is the name of the Go field that holds the JSON body where the params struct itself
// does not.
const bodyField = "Body"

// A form is the compiled request of one operation: a struct whose fields carry the tags
// path:"name", header:"name", query:"name" and json:"name" (a parameter may have both of the last
// two: the query string beats the body), or whose field Body holds the JSON body; or, for uploads,
// form:"name" and file:"names".
type form struct {
	path   []*field
	header []*field
	query  []*param
	body   *shape
	inner  int // index of the field Body, or -1 when the body's fields are the struct's own
	parts  []*field
	files  *fileField
}

// A param is a query parameter; its twin is the field of the body that can carry it as well.
type param struct {
	*field
	twin *field
}

func compileForm(c compiler, t reflect.Type) *form {
	f := &form{inner: -1, body: c.object(t)}
	if sf, ok := t.FieldByName(bodyField); ok {
		f.inner, f.body = sf.Index[0], c.object(sf.Type)
	}
	for _, sf := range reflect.VisibleFields(t) {
		if name := sf.Tag.Get("path"); name != "" {
			p := c.field(sf, name)
			if p.optional || p.shape.kind >= kindArray {
				panic("rest: path parameter " + name + " must be a plain scalar")
			}
			p.required = true
			f.path = append(f.path, p)
		}
		if name := sf.Tag.Get("header"); name != "" {
			f.header = append(f.header, c.textField(sf, name))
		}
		if name := sf.Tag.Get("query"); name != "" {
			f.query = append(f.query, &param{c.textField(sf, name), f.twin(name)})
		}
		if name := sf.Tag.Get("form"); name != "" {
			f.parts = append(f.parts, c.textField(sf, name))
		}
		if names := sf.Tag.Get("file"); names != "" {
			f.files = newFileField(sf, names)
		}
	}
	return f
}

// textField is a field that can be read from texts: a scalar, or an array of scalars.
func (c compiler) textField(sf reflect.StructField, name string) *field {
	f := c.field(sf, name)
	s := f.shape
	if s.kind == kindArray {
		s = s.elem
	}
	if s.kind >= kindArray {
		panic(fmt.Sprintf("rest: parameter %s cannot be a %s", name, sf.Type))
	}
	return f
}

// bound sets the greatest value of a query parameter.
func (f *form) bound(name string, most int64) {
	for _, q := range f.query {
		if q.name == name {
			q.shape.rule.most = &most
			if q.twin != nil {
				q.twin.shape.rule.most = &most
			}
			return
		}
	}
	panic("rest: there is no parameter " + name)
}

func (f *form) twin(name string) *field {
	if f.inner >= 0 {
		return nil
	}
	return f.body.byName[name]
}

// decode fills v, a struct of the compiled type, from the request. Every bad field is named.
func (f *form) decode(r *http.Request, body []byte, v reflect.Value) error {
	seen := make([]sight, len(f.body.fields))
	bad := f.decodeURL(r, v, seen)
	target := v
	if f.inner >= 0 {
		target = v.Field(f.inner)
	}
	for name, reason := range f.body.decodeBody(body, target, seen) {
		bad.add(name, reason)
	}
	return bad.err()
}

func (r reasons) err() error {
	if len(r) == 0 {
		return nil
	}
	return tracker.InvalidFields(r)
}

// decodeURL reads the path, the headers and the query string, and marks in seen which fields of the body the
// latter has given.
func (f *form) decodeURL(r *http.Request, v reflect.Value, seen []sight) (bad reasons) {
	for _, p := range f.path {
		if reason := p.shape.set(v.FieldByIndex(p.index), r.PathValue(wildcard(p.name))); reason != "" {
			bad.add(p.name, reason)
		}
	}
	for _, h := range f.header {
		if texts := r.Header.Values(h.name); texts != nil {
			if reason := h.setTexts(v.FieldByIndex(h.index), texts); reason != nil {
				bad.add(h.name, reason)
			}
		}
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		bad.add("query", "is not a well-formed query string")
	}
	delete(values, tokenParameter)
	for _, q := range f.query {
		texts := take(values, q.name)
		if q.shape.kind == kindArray {
			texts = append(texts, take(values, q.name+"[]")...)
		}
		if texts == nil {
			if q.required && q.twin == nil {
				bad.add(q.name, missingKey)
			}
			continue
		}
		if q.twin != nil {
			seen[q.twin.number] = inQuery
		}
		if reason := q.setTexts(v.FieldByIndex(q.index), texts); reason != nil {
			bad.add(q.name, reason)
		}
	}
	for name := range values {
		bad.add(strings.ToValidUTF8(name, "\uFFFD"), disallowedKey)
	}
	return bad
}

func take(values url.Values, name string) []string {
	texts := values[name]
	delete(values, name)
	return texts
}

// setTexts reads one or, for an array, several values; it returns a reason as decoding JSON does.
func (f *field) setTexts(v reflect.Value, texts []string) (reason any) {
	value := v
	if f.optional {
		value = v.Field(0)
	}
	switch {
	case f.shape.kind == kindArray:
		reason = f.shape.setItems(value, texts)
	case len(texts) > 1:
		reason = "must be given once"
	default:
		reason = orNil(f.shape.set(value, texts[0]))
	}
	if f.optional && reason == nil {
		v.Field(1).SetUint(uint64(tracker.Given))
	}
	if f.shape.rule.lenient() {
		return nil
	}
	return reason
}

func (s *shape) setItems(v reflect.Value, texts []string) any {
	if reason := s.checkCount(len(texts)); reason != "" {
		return reason
	}
	v.Set(reflect.MakeSlice(s.typ, len(texts), len(texts)))
	bad := make([]any, 0)
	for i, text := range texts {
		if reason := s.elem.set(v.Index(i), text); reason != "" {
			bad = append(append(bad, make([]any, i-len(bad))...), reason)
		}
	}
	if len(bad) > 0 {
		return bad
	}
	return nil
}

func orNil(reason string) any {
	if reason == "" {
		return nil
	}
	return reason
}
