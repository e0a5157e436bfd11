package api_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"milepost/internal/api"
	"milepost/internal/api/rest"
	"milepost/internal/testkit"
)

// An operation as its version's OpenAPI document describes it.
type operation struct {
	method    string
	template  string // with /api/<version> and {wildcards}
	readsOnly bool
	path      []parameter // in their order
	query     []parameter
	body      schema
	file      string // the field of an upload
}

type parameter struct {
	name   string
	schema schema
}

// A schema is one of JSON Schema, with its references resolved.
type schema map[string]any

func (p parameter) isID() bool { return isID(p.name) && p.schema.idType() != "" }

func isID(name string) bool {
	name = strings.ReplaceAll(name, "-", "_")
	return name == "id" || strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "_ids")
}

// fill is the path with the values in the place of its first wildcards.
func (op operation) fill(values []string) string {
	path := op.template
	for i, value := range values {
		path = strings.Replace(path, "{"+op.path[i].name+"}", value, 1)
	}
	return path
}

// publishedOperations reads the documents of all versions. What they say of themselves is left out,
// and what never ends answering: TestChangeStream looks at that.
func publishedOperations(t *testing.T, s *testkit.Server) []operation {
	t.Helper()
	var ops []operation
	for _, version := range api.Versions(api.Config{}) {
		readsOnly := map[string]bool{}
		for _, r := range version.Routes {
			readsOnly[r.Method+r.Path] = r.Access == rest.Reads
		}
		doc := s.Owner.Want(t, 200, "GET", version.DocumentPath(), nil).Object(t)
		for path, item := range doc["paths"].(map[string]any) {
			for method, described := range item.(map[string]any) {
				if version.Base()+path == version.DocumentPath() || version.Base()+path == changeStream {
					continue
				}
				op := operation{method: strings.ToUpper(method), template: version.Base() + path}
				op.readsOnly = readsOnly[op.method+path]
				op.read(doc, described.(map[string]any))
				ops = append(ops, op)
			}
		}
	}
	slices.SortFunc(ops, func(a, b operation) int { return strings.Compare(a.template+a.method, b.template+b.method) })
	return ops
}

func (op *operation) read(doc, described map[string]any) {
	list, _ := described["parameters"].([]any)
	for _, one := range list {
		p := one.(map[string]any)
		param := parameter{p["name"].(string), resolve(doc, p["schema"], 0)}
		if p["in"] == "path" {
			op.path = append(op.path, param)
		} else {
			op.query = append(op.query, param)
		}
	}
	at := func(p parameter) int { return strings.Index(op.template, "{"+p.name+"}") }
	slices.SortFunc(op.path, func(a, b parameter) int { return at(a) - at(b) })
	if body, ok := described["requestBody"].(map[string]any); ok {
		if content, ok := body["content"].(map[string]any)["application/json"].(map[string]any); ok {
			op.body = resolve(doc, content["schema"], 0)
		}
		if content, ok := body["content"].(map[string]any)["multipart/form-data"].(map[string]any); ok {
			for name, p := range resolve(doc, content["schema"], 0).properties() {
				if p.(schema)["contentMediaType"] != nil && (op.file == "" || name < op.file) {
					op.file = name // the first is the one that is needed
				}
			}
		}
	}
}

const maxDepth = 6 // of recursive types

func resolve(doc map[string]any, v any, depth int) schema {
	s, ok := v.(map[string]any)
	if !ok || depth > maxDepth {
		return schema{}
	}
	if ref, ok := s["$ref"].(string); ok {
		at := any(doc)
		for _, key := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			at = at.(map[string]any)[key]
		}
		return resolve(doc, at, depth+1)
	}
	out := maps.Clone(s)
	if properties, ok := s["properties"].(map[string]any); ok {
		resolved := map[string]any{}
		for name, p := range properties {
			resolved[name] = resolve(doc, p, depth+1)
		}
		out["properties"] = resolved
	}
	for _, key := range []string{"items"} {
		if s[key] != nil {
			out[key] = resolve(doc, s[key], depth+1)
		}
	}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if list, ok := s[key].([]any); ok {
			for _, one := range list {
				maps.Copy(out, resolve(doc, one, depth+1)) // such as a type or null
			}
		}
	}
	return out
}

// is reports whether values may be of the type; "type" may be a list such as ["integer", "null"].
func (s schema) is(name string) bool {
	if list, ok := s["type"].([]any); ok {
		return slices.Contains(list, any(name))
	}
	return s["type"] == name
}

// idType is integer or uuid, "" when the values can be no ids.
func (s schema) idType() string {
	switch {
	case s.is("integer"):
		return "integer"
	case s["format"] == "uuid":
		return "uuid"
	}
	return ""
}

func (s schema) items() schema {
	items, _ := s["items"].(schema)
	return items
}

func (s schema) properties() map[string]any {
	properties, _ := s["properties"].(map[string]any)
	return properties
}

var drawn atomic.Int64

// minimal is the least value that the schema takes; texts are new ones.
func minimal(s schema) any {
	switch {
	case s == nil:
		return nil
	case s.is("object"):
		out := map[string]any{}
		required, _ := s["required"].([]any)
		for _, name := range required {
			out[name.(string)] = minimal(s.properties()[name.(string)].(schema))
		}
		return out
	case s.is("array"):
		return []any{}
	case s.is("boolean"):
		return true
	case s.is("integer"):
		return 1
	default:
		return minimalText(s)
	}
}

func minimalText(s schema) string {
	if enum, ok := s["enum"].([]any); ok {
		return enum[0].(string)
	}
	n := drawn.Add(1)
	pattern, _ := s["pattern"].(string)
	most, bounded := s["maxLength"].(float64)
	for _, text := range []string{
		fmt.Sprint("word ", n), fmt.Sprint("word", n), fmt.Sprintf("word%d@example.org", n), fmt.Sprint("https://example.org/word", n), "#112233", "+02:00", "2026-01-31T12:00:00Z",
	} {
		fits := regexp.MustCompile(pattern).MatchString(text) && (!bounded || utf8.RuneCountInString(text) <= int(most))
		if fits && (s["format"] != "date-time" || strings.HasSuffix(text, "Z")) {
			return text
		}
	}
	return ""
}
