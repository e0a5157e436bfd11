package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// A violation is a value that a schema calls invalid, and where in it the mistake is.
type violation struct {
	value any
	place []string
}

// samples are strings of which one matches each published pattern.
var samples = []string{"abc", "#123456", "2026-01-31", "+02:00", "a@b.example", "https://b.example", "12"}

// sample is a value that the schema calls valid; optional properties are left out.
func sample(t *testing.T, s *openapi3.Schema) any {
	t.Helper()
	switch {
	case len(s.AnyOf) > 0:
		return sample(t, s.AnyOf[0].Value)
	case s.Type == nil:
		return "anything"
	case s.Type.Includes("object"):
		object := map[string]any{}
		for _, name := range s.Required {
			object[name] = sample(t, s.Properties[name].Value)
		}
		return object
	case s.Type.Includes("array"):
		list := []any{}
		for range s.MinItems {
			list = append(list, sample(t, s.Items.Value))
		}
		return list
	case s.Type.Includes("boolean"):
		return true
	case s.Type.Includes("integer"):
		if s.Min != nil {
			return *s.Min
		}
		return 1
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Format == "uuid":
		return "0198c8a6-0000-7000-8000-000000000000"
	case s.Format == "date-time":
		return "2099-01-31T12:00:00Z"
	}
	for _, text := range samples {
		if s.Pattern == "" || regexp.MustCompile(s.Pattern).MatchString(text) {
			return text
		}
	}
	t.Fatalf("samples has nothing that matches %s", s.Pattern)
	return nil
}

func sampleText(t *testing.T, s *openapi3.Schema) string { return fmt.Sprint(sample(t, s)) }

// violations breaks each constraint of the schema once, down to the depth.
func violations(t *testing.T, s *openapi3.Schema, depth int) (out []violation) {
	t.Helper()
	add := func(value any, place ...string) { out = append(out, violation{value, place}) }
	switch {
	case len(s.AnyOf) > 0:
		return violations(t, s.AnyOf[0].Value, depth)
	case s.Type == nil || depth == 0: // anything goes
		return nil
	case !s.Type.Includes("null"):
		add(nil)
	}
	switch {
	case s.Type.Includes("object"):
		add([]any{})
		base := sample(t, s).(map[string]any)
		with := func(name string, value any) map[string]any {
			object := maps.Clone(base)
			object[name] = value
			return object
		}
		for name, p := range s.Properties {
			for _, bad := range violations(t, p.Value, depth-1) {
				add(with(name, bad.value), append([]string{name}, bad.place...)...)
			}
		}
		for _, name := range s.Required {
			object := maps.Clone(base)
			delete(object, name)
			add(object, name)
		}
		if has := s.AdditionalProperties.Has; has == nil || *has {
			t.Errorf("%v takes unknown keys", s.Properties)
		}
		add(with("no-such-key", 1), "no-such-key")
	case s.Type.Includes("array"):
		add(map[string]any{})
		good := sample(t, s.Items.Value)
		add(slices.Repeat([]any{good}, int(*s.MaxItems)+1))
		if s.MinItems > 0 {
			add(slices.Repeat([]any{good}, int(s.MinItems)-1))
		}
		for _, bad := range violations(t, s.Items.Value, depth-1) {
			add([]any{good, bad.value}, append([]string{"1"}, bad.place...)...)
		}
	case s.Type.Includes("boolean"):
		add("true")
	case s.Type.Includes("integer"):
		add("1")
		add(1.5)
		add(json.Number("9223372036854775808"))
		if s.Min != nil {
			add(*s.Min - 1)
		}
		if s.Max != nil {
			add(*s.Max + 1)
		}
	case s.Type.Includes("string"):
		add(1)
		add("a\x00b")
		if s.MaxLength != nil {
			add(strings.Repeat("ü", int(*s.MaxLength)+1))
		}
		if s.MinLength > 0 {
			add(strings.Repeat("x", int(s.MinLength)-1))
		}
		if s.Enum != nil || s.Format != "" {
			add("no such value")
		}
		if s.Pattern != "" {
			add("  ")
		}
	default:
		t.Errorf("what breaks a schema of type %v?", s.Type)
	}
	return out
}

// queryText gives a violation as it is written in a query string; not all of them can be.
func queryText(s *openapi3.Schema, bad violation) (text func(name string) []string, ok bool) {
	values := []any{bad.value}
	if list, isList := bad.value.([]any); isList {
		values = list
	}
	if s.Type.Includes("array") != (len(values) > 1) || len(values) > 200 {
		return nil, false // an empty array is an absent one
	}
	for _, v := range values {
		switch v := v.(type) {
		case nil, map[string]any:
			return nil, false
		case string:
			if s.Type.Includes("boolean") && v == "true" || s.Type.Includes("integer") && v == "1" {
				return nil, false // every value of a query is a string
			}
		default:
			if s.Type.Includes("string") {
				return nil, false
			}
		}
	}
	return func(name string) (out []string) {
		for _, v := range values {
			out = append(out, name+"="+url.QueryEscape(fmt.Sprint(v)))
		}
		return out
	}, true
}
