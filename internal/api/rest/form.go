package rest

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"milepost/internal/tracker"
)

// A form is the compiled request of one operation: a struct whose fields carry the tags
// path:"name", query:"name" and json:"name" (a parameter may have both of the last two), or
// whose field Body holds the JSON body.
type form struct {
	path  []*field
	query []*field
	known map[string]*field // the query fields by name
	body  *shape
	inner int // index of the field Body, or -1 when the body's fields are the struct's own
}

func compileForm(t reflect.Type) *form {
	c := compiler{}
	f := &form{known: map[string]*field{}, inner: -1}
	f.body = c.object(t)
	for i := range t.NumField() {
		sf := t.Field(i)
		if name := sf.Tag.Get("path"); name != "" {
			f.path = append(f.path, c.field(sf, name))
		}
		if name := sf.Tag.Get("query"); name != "" {
			q := c.field(sf, name)
			f.query = append(f.query, q)
			f.known[name] = q
		}
		if sf.Name == "Body" {
			f.inner, f.body = i, c.object(sf.Type)
		}
	}
	for _, q := range f.query {
		// The query string may carry it, so the body need not.
		if twin := f.body.byName[q.name]; twin != nil && f.inner < 0 {
			twin.required = false
		}
	}
	return f
}

// decode fills v, a struct of the compiled type, from the request. Every bad field is named.
func (f *form) decode(r *http.Request, body []byte, v reflect.Value) error {
	target := v
	if f.inner >= 0 {
		target = v.Field(f.inner)
	}
	reasons := f.body.decodeBody(body, target)
	for _, p := range f.path {
		if reason := p.shape.set(v.Field(p.index), r.PathValue(wildcard(p.name))); reason != "" {
			reasons[p.name] = reason
		}
	}
	f.decodeQuery(r, v, reasons)
	if len(reasons) > 0 {
		return tracker.InvalidFields(reasons)
	}
	return nil
}

func (f *form) decodeQuery(r *http.Request, v reflect.Value, reasons map[string]any) {
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		reasons["query"] = "is not a well-formed query string"
		return
	}
	given := map[string][]string{}
	for key, texts := range values {
		name := strings.TrimSuffix(key, "[]")
		if name != tokenParameter {
			given[name] = append(given[name], texts...)
		}
	}
	for name, texts := range given {
		q := f.known[name]
		if q == nil {
			reasons[name] = disallowedKey
			continue
		}
		delete(reasons, name) // the query string beats the body
		if reason := q.setTexts(v.Field(q.index), texts); reason != "" {
			reasons[name] = reason
		}
	}
	for _, q := range f.query {
		if q.required && given[q.name] == nil && reasons[q.name] == nil && v.Field(q.index).IsZero() {
			reasons[q.name] = missingKey
		}
	}
}

// setTexts reads one or, for an array, several values of a query parameter.
func (f *field) setTexts(v reflect.Value, texts []string) (reason string) {
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
		reason = f.shape.set(value, texts[0])
	}
	if f.optional && f.drop(reason != "", v) {
		return ""
	}
	return reason
}

func (s *shape) setItems(v reflect.Value, texts []string) string {
	if reason := s.checkCount(len(texts)); reason != "" {
		return reason
	}
	out := reflect.MakeSlice(s.typ, len(texts), len(texts))
	for i, text := range texts {
		if reason := s.elem.set(out.Index(i), text); reason != "" {
			return fmt.Sprintf("item %d %s", i+1, reason)
		}
	}
	v.Set(out)
	return ""
}
