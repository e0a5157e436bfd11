package api_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// A territory is what a client can reach in its workspace through the API.
type territory struct {
	as    *testkit.Client
	ops   []operation
	kinds map[string]string // kinds of all ids seen
	typed map[string]bool   // ids of which an answer has told the entity_type
	texts map[string]bool
	fits  map[string][]string // ids that led somewhere, by the name of the wildcard
	paths map[string]string   // by the part of a template that ends with a wildcard
	drawn int
}

func newTerritory(as *testkit.Client, ops []operation) *territory {
	return &territory{
		as: as, ops: ops, kinds: map[string]string{}, typed: map[string]bool{}, texts: map[string]bool{},
		fits: map[string][]string{}, paths: map[string]string{},
	}
}

// seed calls every creating operation, those that need what others make after them.
func (k *territory) seed(t *testing.T, word string) {
	t.Helper()
	var left []operation
	for _, op := range k.ops {
		if op.method == "POST" {
			left = append(left, op)
		}
	}
	for len(left) > 0 {
		k.survey(t)
		var refused []operation
		var why string
		for _, op := range left {
			path, ok := k.path(t, op)
			if !ok {
				refused, why = append(refused, op), "no path leads there"
				continue
			}
			if answer := k.make(t, op, path, word); answer.Status < 300 {
				k.learn(t, op, answer)
			} else {
				refused, why = append(refused, op), answer.Text
			}
		}
		if len(refused) == len(left) {
			for _, op := range left {
				t.Errorf("POST %s: nothing could be made with %v; let valid know how: %s", op.template, k.valid(op.body, word), why)
			}
			return
		}
		left = refused
	}
}

func (k *territory) make(t *testing.T, op operation, path, word string) testkit.Answer {
	t.Helper()
	if op.file != "" {
		return k.as.Upload(t, path, op.file, "a.png", picture)
	}
	return k.as.Do(t, "POST", path, k.valid(op.body, word))
}

// requireReach makes sure that each operation can be reached with ids of the territory, and that an
// update is accepted without a foreign id: what is refused anyway proves nothing.
func (k *territory) requireReach(t *testing.T) {
	t.Helper()
	for _, op := range k.ops {
		path, ok := k.path(t, op)
		if !ok && op.method != "DELETE" {
			t.Errorf("%s %s: the test knows no id of it", op.method, op.template)
		}
		if ok && op.method == "PUT" && takesIDs(op.body) {
			k.as.Want(t, 200, "PUT", path, k.valid(op.body, "word"))
		}
	}
}

func takesIDs(s schema) bool {
	some := func(string, string) []string { return []string{"1"} }
	return len((&territory{}).bodiesWithIDs(s, some)) > 0
}

// survey reads everything that can be read, by path.
func (k *territory) survey(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, op := range k.ops {
		path, ok := k.path(t, op)
		if op.method != "GET" || !ok {
			continue
		}
		if answer := k.as.Do(t, "GET", path, nil); answer.Status == 200 {
			out[path] = answer.Text
			k.learn(t, op, answer)
		}
	}
	return out
}

// path is the operation's path to something of the territory.
func (k *territory) path(t *testing.T, op operation) (path string, ok bool) {
	t.Helper()
	values := k.values(t, op)
	return op.fill(values), !slices.Contains(values, "")
}

// values is what stands in the place of each wildcard, "" where nothing is known.
func (k *territory) values(t *testing.T, op operation) []string {
	t.Helper()
	values := make([]string, len(op.path))
	for i, p := range op.path {
		if p.schema.idType() == "" {
			values[i] = "something"
		} else if i == 0 || values[i-1] != "" {
			values[i] = k.value(t, op, values[:i])
		}
	}
	return values
}

// value finds what fits in the place of a wildcard, given those before it.
func (k *territory) value(t *testing.T, op operation, before []string) string {
	t.Helper()
	p := op.path[len(before)]
	head, _, _ := strings.Cut(op.template, "{"+p.name+"}")
	head += "{" + p.name + "}"
	if k.paths[head] != "" {
		return k.paths[head]
	}
	probe, ok := k.probe(head)
	if !ok {
		return slices.Concat(k.fits[p.name], []string{""})[0]
	}
	tried := map[string]bool{}
	for _, id := range slices.Concat(k.fits[p.name], oneOfEach(k.kinds, p.schema.idType()), slices.Sorted(maps.Keys(k.kinds))) {
		if tried[id] || idTypeOf(id) != p.schema.idType() {
			continue
		}
		tried[id] = true
		if k.as.Do(t, probe.method, probe.fill(append(slices.Clone(before), id)), minimal(probe.body)).Status != 404 {
			k.paths[head], k.fits[p.name] = id, append(k.fits[p.name], id)
			return id
		}
	}
	return ""
}

// probe is the operation by which one learns whether there is something at the end of head.
func (k *territory) probe(head string) (operation, bool) {
	for _, method := range []string{"GET", "PUT"} {
		for _, op := range k.ops {
			rest, under := strings.CutPrefix(op.template, head)
			if under && op.method == method && !strings.Contains(rest, "{") {
				return op, true
			}
		}
	}
	return operation{}, false
}

func (k *territory) learn(t *testing.T, op operation, answer testkit.Answer) {
	t.Helper()
	if !strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(answer.Text), &v); err != nil {
		t.Fatalf("%s %s: %v", op.method, op.template, err)
	}
	k.learnValue(op.template, v)
}

// learnValue notes the ids and texts of a value; the key says what it is.
func (k *territory) learnValue(key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		kind, typed := v["entity_type"].(string)
		if !typed {
			kind = key
		}
		for name, value := range v {
			if id := idOf(value); name == "id" && id != "" {
				k.sight(id, kind, typed)
			} else {
				k.learnValue(name, value)
			}
		}
	case []any:
		for _, value := range v {
			k.learnValue(key, value)
		}
	case float64:
		if isID(key) {
			k.sight(idOf(v), kindNamed(key), false)
		}
	case string:
		if id := idOf(v); id != "" {
			k.sight(id, kindNamed(key), false)
		} else if slices.Contains([]string{"name", "mention_name", "email_address", "email", "url_slug", "slug", "description", "text", "title"}, key) && v != "" {
			k.texts[v] = true
		}
	}
}

// sight notes an id; what an answer says of its own type is believed most.
func (k *territory) sight(id, kind string, typed bool) {
	if k.kinds[id] == "" || (typed && !k.typed[id]) {
		k.kinds[id], k.typed[id] = kind, typed
	}
}

func idOf(v any) string {
	switch v := v.(type) {
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case string:
		if id, ok := tracker.ParseUUID(v); ok {
			return string(id)
		}
	}
	return ""
}

func idTypeOf(id string) string {
	if strings.Contains(id, "-") {
		return "uuid"
	}
	return "integer"
}

// oneOfEach is one id of each kind.
func oneOfEach(kinds map[string]string, idType string) []string {
	var out []string
	seen := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(kinds)) {
		if kind := kinds[id]; !seen[kind] && idTypeOf(id) == idType {
			seen[kind] = true
			out = append(out, id)
		}
	}
	return out
}

// kindNamed is the kind of what a field such as epic_id or follower_ids names.
func kindNamed(field string) string {
	kind := strings.TrimSuffix(strings.TrimSuffix(field, "_ids"), "_id")
	switch kind {
	case "subject", "object", "parent_story":
		return "story"
	case "owner", "follower", "requested_by", "author":
		return "member"
	case "story_template":
		return "entity-template"
	}
	return strings.ReplaceAll(kind, "_", "-")
}
