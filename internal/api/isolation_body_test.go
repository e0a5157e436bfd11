package api_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// valid is the least body that the schema and the territory take: it names what is there, and its
// new texts have the word in them.
func (k *territory) valid(s schema, word string) any { return k.validField("", s, word) }

// needed is what fields must hold beyond their schema.
var needed = map[string]any{
	"story_contents":         map[string]any{"name": "Contents"},
	"initial_observed_value": map[string]any{"numeric_value": "1"},
	"target_value":           map[string]any{"numeric_value": "2"},
	"number":                 2, // of the first change after the workspace itself
}

func (k *territory) validField(name string, s schema, word string) any {
	switch {
	case needed[name] != nil:
		return needed[name]
	case s.is("object"):
		out := map[string]any{}
		required, _ := s["required"].([]any)
		for _, field := range required {
			out[field.(string)] = k.validField(field.(string), s.properties()[field.(string)].(schema), word)
		}
		return out
	case s.is("array"):
		return []any{k.validField(name, s.items(), word)}
	case isID(name) && s.idType() != "":
		return idValue(k.draw(kindNamed(name)))
	}
	if text, ok := minimal(s).(string); ok {
		return strings.Replace(text, "word", word, 1)
	}
	return minimal(s)
}

// draw takes another id of the kind each time, while there are some.
func (k *territory) draw(kind string) string {
	var all []string
	for _, id := range slices.Sorted(maps.Keys(k.kinds)) {
		if k.kinds[id] == kind {
			all = append(all, id)
		}
	}
	if len(all) == 0 {
		return "0"
	}
	k.drawn++
	return all[k.drawn%len(all)]
}

func idValue(id string) any {
	if idTypeOf(id) == "integer" {
		return json.Number(id)
	}
	return id
}

// bodiesWithIDs gives, for each place in which the schema takes an id and each id of that type, the
// least body with that id in that place.
func (k *territory) bodiesWithIDs(s schema, ids func(field, idType string) []string) []any {
	var out []any
	for _, name := range slices.Sorted(maps.Keys(s.properties())) {
		for _, value := range k.valuesWithIDs(name, s.properties()[name].(schema), ids) {
			body := k.valid(s, "home").(map[string]any)
			body[name] = value
			out = append(out, body)
		}
	}
	return out
}

func (k *territory) valuesWithIDs(name string, s schema, ids func(field, idType string) []string) []any {
	var out []any
	switch {
	case s.is("object"):
		return k.bodiesWithIDs(s, ids)
	case s.is("array"):
		for _, value := range k.valuesWithIDs(name, s.items(), ids) {
			out = append(out, []any{value})
		}
	case isID(name) && s.idType() != "":
		for _, id := range ids(name, s.idType()) {
			out = append(out, idValue(id))
		}
	}
	return out
}
