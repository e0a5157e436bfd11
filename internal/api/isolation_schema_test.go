package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"unicode/utf8"

	"milepost/internal/api"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// An operation as its version's OpenAPI document describes it.
type operation struct {
	method   string
	template string // with /api/<version> and {wildcards}
	path     []parameter
	query    []parameter
	body     schema
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

// paths gives the path with each id in the place of its wildcards; those of the wrong kind will
// answer 404.
func (op operation) paths(k known) []string {
	if len(op.path) == 0 {
		return []string{op.template}
	}
	var out []string
	for _, id := range k.of(op.path[0]) {
		path := op.template
		for _, p := range op.path {
			path = strings.Replace(path, "{"+p.name+"}", id, 1)
		}
		out = append(out, path)
	}
	return out
}

// under is the operation with its first wildcard filled in.
func (op operation) under(parent string) operation {
	op.template = strings.Replace(op.template, "{"+op.path[0].name+"}", parent, 1)
	op.path = op.path[1:]
	return op
}

// publishedOperations reads the documents of all versions; what they say of themselves is left out.
func publishedOperations(t *testing.T, s *testkit.Server) []operation {
	t.Helper()
	var ops []operation
	for _, version := range api.Versions(s.Service, s.URL) {
		doc := s.Owner.Want(t, 200, "GET", version.DocumentPath(), nil).Object(t)
		for path, item := range doc["paths"].(map[string]any) {
			for method, described := range item.(map[string]any) {
				if version.Base()+path == version.DocumentPath() {
					continue
				}
				op := operation{method: strings.ToUpper(method), template: version.Base() + path}
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
	if body, ok := described["requestBody"].(map[string]any); ok {
		if content, ok := body["content"].(map[string]any)["application/json"].(map[string]any); ok {
			op.body = resolve(doc, content["schema"], 0)
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

// known is what can be learned of a workspace through its API.
type known struct{ ids, uuids, texts []string }

func (k known) of(p parameter) []string {
	if p.schema.idType() == "integer" {
		return k.ids
	}
	return k.uuids
}

func (k known) without(other known) known {
	minus := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(v string) bool { return slices.Contains(b, v) })
	}
	return known{minus(k.ids, other.ids), minus(k.uuids, other.uuids), minus(k.texts, other.texts)}
}

// survey reads everything that the client can list.
func survey(t *testing.T, as *testkit.Client, ops []operation) known {
	t.Helper()
	var k known
	for _, text := range snapshot(t, as, ops) {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		k.learn("", v)
	}
	for _, list := range []*[]string{&k.ids, &k.uuids, &k.texts} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return k
}

func (k *known) learn(key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			k.learn(name, value)
		}
	case []any:
		for _, value := range v {
			k.learn(key, value)
		}
	case float64:
		if isID(key) {
			k.ids = append(k.ids, strconv.FormatFloat(v, 'f', -1, 64))
		}
	case string:
		if id, ok := tracker.ParseUUID(v); ok {
			k.uuids = append(k.uuids, string(id))
		} else if slices.Contains([]string{"name", "mention_name", "email_address", "email", "url_slug", "slug", "description", "text"}, key) && v != "" {
			k.texts = append(k.texts, v)
		}
	}
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
		fmt.Sprint("word ", n), fmt.Sprint("word", n), fmt.Sprintf("word%d@example.org", n), "#112233", "+02:00", "2026-01-31T12:00:00Z",
	} {
		fits := regexp.MustCompile(pattern).MatchString(text) && (!bounded || utf8.RuneCountInString(text) <= int(most))
		if fits && (s["format"] != "date-time" || strings.HasSuffix(text, "Z")) {
			return text
		}
	}
	return ""
}

// marked puts the word into the texts that minimal has drawn.
func marked(v any, word string) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = marked(value, word)
		}
		return v
	case string:
		return strings.Replace(v, "word", word, 1)
	}
	return v
}

// bodiesWithIDs gives, for each place in which the schema takes an id and each id, the least body with
// that id in that place.
func bodiesWithIDs(s schema, k known) []any {
	var out []any
	for name, p := range s.properties() {
		for _, value := range valuesWithIDs(name, p.(schema), k) {
			body := minimal(s).(map[string]any)
			body[name] = value
			out = append(out, body)
		}
	}
	return out
}

func valuesWithIDs(name string, s schema, k known) []any {
	var out []any
	switch {
	case s.is("object"):
		return bodiesWithIDs(s, k)
	case s.is("array"):
		for _, value := range valuesWithIDs(name, s.items(), k) {
			out = append(out, []any{value})
		}
	case isID(name) && s.idType() == "integer":
		for _, id := range k.ids {
			out = append(out, json.Number(id))
		}
	case isID(name) && s.idType() == "uuid":
		for _, id := range k.uuids {
			out = append(out, id)
		}
	}
	return out
}
