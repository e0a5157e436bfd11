package testkit

import (
	"strings"
	"testing"
)

func TestCheckWire(t *testing.T) {
	t.Parallel()
	const (
		category = `{"archived":false,"entity_type":"category","color":null,"name":"x","updated_at":"2026-01-05T10:00:00Z",
			"external_id":null,"id":1,"created_at":"2026-01-05T10:00:00Z"`
		field = `{"canonical_name":"priority","created_at":"2026-01-05T10:00:00Z","description":null,"enabled":true,"entity_type":"custom-field",
			"field_type":"enum","icon_set_identifier":null,"id":"00000000-0000-0000-0000-000000000001","name":"Priority","position":1,
			"updated_at":"2026-01-05T10:00:00Z"}`
		categoryPath = "/categories/{category-public-id}"
		fieldPath    = "/custom-fields/{custom-field-public-id}"
	)
	for _, c := range []struct {
		name, method, path string
		status             int
		body               string
		valid              bool
	}{
		{"more than the contract knows, less than it hides", "GET", categoryPath, 200, category + `,"more":1}`, true},
		{"in a list", "GET", "/categories", 200, `[` + category + `}]`, true},
		{"nullable by the product's description", "GET", fieldPath, 200, field, true},
		{"no body", "DELETE", categoryPath, 204, ``, true},
		{"a missing field", "GET", categoryPath, 200, `{"id":1}`, false},
		{"a mistyped field", "GET", categoryPath, 200, category + `,"global_id":7}`, false},
		{"a bad element", "GET", "/categories", 200, `[` + category + `},{}]`, false},
		{"null where it may not be", "GET", categoryPath, 200, category + `,"type":null}`, false},
		{"a bad colour", "GET", "/labels/{label-public-id}", 200, `{"app_url":"","archived":false,"color":"red","created_at":null,"description":null,
			"entity_type":"label","external_id":null,"id":1,"name":"x","updated_at":null}`, false},
		{"a bad time", "GET", "/epic-workflow", 200, `{"entity_type":"x","id":1,"created_at":"yesterday","updated_at":"2026-01-05T10:00:00Z",
			"default_epic_state_id":1,"epic_states":[]}`, false},
		{"a bad UUID", "GET", fieldPath, 200, strings.Replace(field, "00000000-", "-", 1), false},
		{"not JSON", "GET", categoryPath, 200, `{`, false},
		{"a body too many", "DELETE", categoryPath, 204, `{}`, false},
		{"an unknown status", "GET", categoryPath, 201, category + `}`, false},
		{"an unknown operation", "GET", "/nothing", 200, `{}`, false},
	} {
		if err := checkWire(c.method, c.path, c.status, c.body); (err == nil) != c.valid {
			t.Errorf("%s: valid is %v, want %v: %v", c.name, err == nil, c.valid, err)
		}
	}
}
