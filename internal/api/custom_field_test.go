package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// wireField is what the tests read of a custom field.
type wireField struct {
	ID            tracker.UUID
	Name          string
	CanonicalName string `json:"canonical_name"`
	Position      int64
	UpdatedAt     string `json:"updated_at"`
	Values        []struct {
		ID       tracker.UUID
		Value    string
		Position int64
	}
}

// value is the id of the value with the text.
func (f wireField) value(t *testing.T, text string) tracker.UUID {
	t.Helper()
	for _, v := range f.Values {
		if v.Value == text {
			return v.ID
		}
	}
	t.Fatalf("field %s has no value %s", f.Name, text)
	return ""
}

func (f wireField) path() string { return "/custom-fields/" + string(f.ID) }

func readJSON[T any](t *testing.T, a testkit.Answer) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Text), &v); err != nil {
		t.Fatalf("%s: %v", a.Text, err)
	}
	return v
}

func listFields(t *testing.T, c *testkit.Client) []wireField {
	t.Helper()
	return readJSON[[]wireField](t, c.Want(t, 200, "GET", "/custom-fields", nil))
}

// builtIn finds one of the fields of a new workspace.
func builtIn(t *testing.T, c *testkit.Client, canonical string) wireField {
	t.Helper()
	fields := listFields(t, c)
	i := slices.IndexFunc(fields, func(f wireField) bool { return f.CanonicalName == canonical })
	if i < 0 {
		t.Fatalf("no field %s in %v", canonical, fields)
	}
	return fields[i]
}

func names(fields []wireField) string {
	var out []string
	for _, f := range fields {
		out = append(out, f.Name)
	}
	return strings.Join(out, ", ")
}

func TestBuiltInFields(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		value := func(position int, text string) string {
			return fmt.Sprintf(`{"value":%q,"position":%d,"color_key":null,"enabled":true,"entity_type":"custom-field-enum-value"}`, text, position)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/custom-fields", Status: 200, Want: `[
				{"name":"Technical Area","canonical_name":"technical-area","enabled":false,"fixed_position":false,"field_type":"enum","entity_type":"custom-field",
					"description":null,"icon_set_identifier":null,"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z",
					"values":[` + value(1, "Web app") + `,` + value(2, "API") + `,` + value(3, "Mobile") + `,` + value(4, "Server") + `,` + value(5, "Client database") + `]},
				{"name":"Skill Set","canonical_name":"skill-set","enabled":false,"fixed_position":false,"values":[{"value":"Frontend engineering"},
					{"value":"Backend engineering"},{"value":"Product"},{"value":"Design"},{"value":"Analytics"}]},
				{"name":"Product Area","canonical_name":"product-area","enabled":false,"fixed_position":false,"values":[{"value":"Onboarding"},
					{"value":"Billing"},{"value":"Search"},{"value":"Integrations"},{"value":"Demo"},{"value":"Notifications"}]},
				{"name":"Priority","canonical_name":"priority","enabled":false,"fixed_position":true,"values":[{"value":"Highest"},{"value":"High"},
					{"value":"Medium"},{"value":"Low"},{"value":"Lowest"}]},
				{"name":"Severity","canonical_name":"severity","enabled":false,"fixed_position":true,"story_types":["bug"],"values":[{"value":"Severity 0"},
					{"value":"Severity 1"},{"value":"Severity 2"},{"value":"Severity 3"},{"value":"Severity 4"}]}]`},
		})
		list := listFields(t, s.Owner)
		for i, f := range list[1:] {
			if f.Position <= list[i].Position {
				t.Errorf("%s stands at %d, behind %s at %d", f.Name, f.Position, list[i].Name, list[i].Position)
			}
		}
		if text := s.Owner.Want(t, 200, "GET", list[0].path(), nil).Text; strings.Contains(text, "story_types") {
			t.Errorf("a field for all stories names types: %s", text)
		}
	})
}

func TestCustomFields(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		stranger := s.NewWorkspace(t, "second")
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		admin := s.NewMember(t, s.Owner, "ada", tracker.Admin)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		priority := builtIn(t, s.Owner, "priority")
		path, absent := priority.path(), "/custom-fields/00000000-0000-0000-0000-000000000000"
		high, low := string(priority.value(t, "High")), string(priority.value(t, "Low"))
		long := func(n int) string { return strings.Repeat("ü", n) }
		testkit.Run(t, s.Owner, []testkit.Case{
			{As: observer, Method: "GET", Path: path, Status: 200, Want: `{"name":"Priority"}`},
			{Method: "GET", Path: absent, Status: 404, Want: `{"message":"Resource not found."}`},
			{As: stranger, Method: "GET", Path: path, Status: 404},
			{Method: "GET", Path: "/custom-fields/7", Status: 400, Want: `{"errors":{"custom-field-public-id":"must be a UUID"}}`},
			{Name: "member updates", As: member, Method: "PUT", Path: path, Body: `{"enabled":true}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "member deletes", As: member, Method: "DELETE", Path: path, Status: 403},
			{Name: "observer updates", As: observer, Method: "PUT", Path: path, Body: `{"enabled":true}`, Status: 403},
			{Name: "admin updates", As: admin, Method: "PUT", Path: path, Body: `{"enabled":true}`, Status: 200, Want: `{"enabled":true,"name":"Priority"}`},
			{Name: "absent", Method: "PUT", Path: absent, Body: `{"enabled":true}`, Status: 404},
			{Name: "of another workspace", As: stranger, Method: "PUT", Path: path, Body: `{"enabled":true}`, Status: 404},
			{Name: "everything", Method: "PUT", Path: path, Body: `{"name":"Urgency","description":"How soon","icon_set_identifier":"flag","enabled":false}`, Status: 200,
				Want: `{"name":"Urgency","canonical_name":"priority","description":"How soon","icon_set_identifier":"flag","enabled":false}`},
			{Name: "no description", Method: "PUT", Path: path, Body: `{"description":""}`, Status: 200, Want: `{"description":null,"name":"Urgency"}`},
			{Name: "63 and 512 characters", Method: "PUT", Path: path, Status: 200,
				Body: map[string]any{"name": long(63), "icon_set_identifier": long(63), "description": long(512)}, Want: `{"name":"` + long(63) + `"}`},
			{Name: "one more of each", Method: "PUT", Path: path, Status: 400,
				Body: map[string]any{"name": long(64), "icon_set_identifier": long(64), "description": long(513), "values": []any{map[string]any{"value": long(64)}}},
				Want: `{"errors":{"name":"must have at most 63 characters","icon_set_identifier":"must have at most 63 characters",
					"description":"must have at most 512 characters","values":[{"value":"must have at most 63 characters"}]}}`},
			{Name: "null and blank", Method: "PUT", Path: path, Status: 400,
				Body: `{"name":null,"description":null,"enabled":null,"icon_set_identifier":"","values":null,"after_id":null,"before_id":7,"story_types":[]}`,
				Want: `{"errors":{"name":"must not be null","description":"must not be null","enabled":"must not be null","values":"must not be null",
					"icon_set_identifier":"must have at least 1 characters","after_id":"must not be null","before_id":"must be a UUID","story_types":"disallowed-key"}}`},
			{Name: "bad values", Method: "PUT", Path: path, Status: 400,
				Body: `{"values":[{"value":"x","color_key":"red"},{"value":" ","color_key":"crimson"},{"id":7,"enabled":null,"value":null}]}`,
				Want: `{"errors":{"values":[null,{"value":"must not be blank","color_key":"must be one of: blue, purple, midnight-blue, orange, yellow-green, brass, gray, fuchsia, yellow, pink, sky-blue, green, red, black, slate, turquoise"},
					{"id":"must be a UUID","enabled":"must not be null","value":"must not be null"}]}}`},
			{Name: "neither id nor value", Method: "PUT", Path: absent, Body: `{"values":[{"value":"x"},{"color_key":"red"}]}`, Status: 400,
				Want: `{"errors":{"values":[null,{"value":"missing-required-key"}]}}`},
			{Name: "taken name", Method: "PUT", Path: path, Body: `{"name":" SKILL set"}`, Status: 422, Want: `{"errors":{"name":"already exists"}}`},
			{Name: "its own name folded", Method: "PUT", Path: path, Body: map[string]any{"name": strings.ToUpper(long(63))}, Status: 200},

			{Name: "values", Method: "PUT", Path: path, Status: 200,
				Body: `{"values":[{"id":"` + low + `","value":"Later","color_key":"sky-blue"},{"value":"Never","enabled":false},{"id":"` + high + `","enabled":false}]}`,
				Want: `{"values":[{"id":"` + low + `","value":"Later","color_key":"sky-blue","enabled":true,"position":1},
					{"value":"Never","color_key":null,"enabled":false,"position":2},{"id":"` + high + `","value":"High","enabled":false,"position":3}]}`},
			{Name: "what is left out stays", Method: "PUT", Path: path, Body: `{"values":[{"id":"` + high + `"},{"id":"` + low + `"}]}`, Status: 200,
				Want: `{"values":[{"id":"` + high + `","enabled":false},{"id":"` + low + `","value":"Later","color_key":"sky-blue","enabled":true}]}`},
			{Name: "colour unset", Method: "PUT", Path: path, Body: `{"values":[{"id":"` + high + `"},{"id":"` + low + `","color_key":null}]}`, Status: 200,
				Want: `{"values":[{"id":"` + high + `"},{"id":"` + low + `","color_key":null}]}`},
			{Name: "swapped names", Method: "PUT", Path: path, Body: `{"values":[{"id":"` + high + `","value":"Later"},{"id":"` + low + `","value":"High"}]}`, Status: 200},
			{Name: "63 characters of a value", Method: "PUT", Path: path, Status: 200,
				Body: map[string]any{"values": []any{map[string]any{"id": high}, map[string]any{"id": low}, map[string]any{"value": long(63)}}}},
			{Name: "a value that it no longer has", Method: "PUT", Path: path, Body: `{"values":[{"id":"` + string(priority.value(t, "Medium")) + `"}]}`, Status: 409,
				Want: `{"name":"DataConflictError","error":"data-conflict-error","message":"The update conflicts with the custom field as it is now: values names an id that the field does not have: ` + string(priority.value(t, "Medium")) + `."}`},
			{Name: "the same id twice", Method: "PUT", Path: path, Body: `{"values":[{"id":"` + high + `"},{"id":"` + high + `","value":"Other"}]}`, Status: 409},
			{Name: "the same text twice", Method: "PUT", Path: path, Body: `{"values":[{"value":"Größe"},{"value":"GRÖSSE "}]}`, Status: 409, Want: `{"error":"data-conflict-error"}`},
			{Name: "the text of another", Method: "PUT", Path: path, Body: `{"values":[{"id":"` + high + `"},{"id":"` + low + `","value":"later"}]}`, Status: 409},
			{Name: "no conflict left a trace", Method: "GET", Path: path, Status: 200, Want: `{"values":[{"id":"` + high + `","value":"Later"},{"id":"` + low + `","value":"High"},{"value":"` + long(63) + `"}]}`},
			{Name: "no values", Method: "PUT", Path: path, Body: `{"values":[]}`, Status: 200, Want: `{"values":[]}`},

			{Name: "member deletes", As: member, Method: "DELETE", Path: path, Status: 403},
			{Name: "stranger deletes", As: stranger, Method: "DELETE", Path: path, Status: 404},
			{Name: "admin deletes", As: admin, Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
		if list := names(listFields(t, s.Owner)); list != "Technical Area, Skill Set, Product Area, Severity" {
			t.Errorf("after the deletion there are %s", list)
		}
	})
}

func TestCustomFieldMoves(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		foreign := builtIn(t, s.NewWorkspace(t, "second"), "priority")
		area, skill, severity := builtIn(t, s.Owner, "technical-area"), builtIn(t, s.Owner, "skill-set"), builtIn(t, s.Owner, "severity")
		for _, step := range []struct {
			moved   wireField
			key     string
			beside  wireField
			want    string
			changes int
		}{
			{severity, "before_id", area, "Severity, Technical Area, Skill Set, Product Area, Priority", 1},
			{severity, "before_id", area, "Severity, Technical Area, Skill Set, Product Area, Priority", 0},
			{skill, "after_id", area, "Severity, Technical Area, Skill Set, Product Area, Priority", 0},
			{severity, "after_id", skill, "Technical Area, Skill Set, Severity, Product Area, Priority", 1},
			{area, "after_id", builtIn(t, s.Owner, "priority"), "Skill Set, Severity, Product Area, Priority, Technical Area", 1},
		} {
			before := len(s.Changes(t, s.Owner.Workspace, 0))
			s.Owner.Want(t, 200, "PUT", step.moved.path(), map[string]any{step.key: step.beside.ID})
			if got := names(listFields(t, s.Owner)); got != step.want {
				t.Errorf("%s %s %s: the order is %s, want %s", step.moved.Name, step.key, step.beside.Name, got, step.want)
			}
			if n := len(s.Changes(t, s.Owner.Workspace, int64(before))); n != step.changes {
				t.Errorf("%s %s %s: %d changes, want %d", step.moved.Name, step.key, step.beside.Name, n, step.changes)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "beside itself", Method: "PUT", Path: area.path(), Body: map[string]any{"after_id": area.ID}, Status: 422,
				Want: `{"errors":{"after_id":"must name another custom field"}}`},
			{Name: "beside one of another workspace", Method: "PUT", Path: area.path(), Body: map[string]any{"before_id": foreign.ID}, Status: 422,
				Want: `{"errors":{"before_id":"names no existing custom field: ` + string(foreign.ID) + `"}}`},
			{Name: "two places", Method: "PUT", Path: area.path(), Body: map[string]any{"before_id": skill.ID, "after_id": severity.ID}, Status: 422,
				Want: `{"errors":{"before_id":"cannot be combined with after_id"}}`},
		})
		// Moves to the same place spend the gap there; the order must outlive its spreading.
		for i := range 60 {
			moved := []wireField{severity, area}[i%2]
			s.Owner.Want(t, 200, "PUT", moved.path(), map[string]any{"after_id": skill.ID})
			if got := names(listFields(t, s.Owner)); !strings.HasPrefix(got, "Skill Set, "+moved.Name) {
				t.Fatalf("move %d: the order is %s", i, got)
			}
		}
	})
}

func TestCustomFieldsOff(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		if err := s.Service.SwitchFeature(context.Background(), testkit.Operator(s.Owner.Workspace), tracker.CustomFields, false); err != nil {
			t.Fatal(err)
		}
		path := builtIn(t, s.Owner, "priority").path()
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: path, Body: `{"enabled":true}`, Status: 403, Want: `{"feature_tag":"custom-fields"}`},
			{Name: "before 404", Method: "PUT", Path: "/custom-fields/00000000-0000-0000-0000-000000000000", Body: `{"enabled":true}`, Status: 403},
			{Name: "after 400", Method: "PUT", Path: path, Body: `{"enabled":1}`, Status: 400},
			{Method: "GET", Path: path, Status: 200},
			{Method: "DELETE", Path: path, Status: 204},
		})
		_, err := s.Service.CreateCustomField(context.Background(), testkit.Operator(s.Owner.Workspace), tracker.CustomFieldParams{Name: "x"})
		if code := codeOf(err); code != tracker.FeatureOff {
			t.Errorf("creation fails with %v", err)
		}
	})
}

// codeOf is the code of a use case's error, -1 without one.
func codeOf(err error) tracker.Code {
	var e *tracker.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return -1
}

func TestCustomFieldCreation(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		create := func(p tracker.CustomFieldParams) (tracker.CustomField, error) {
			return s.Service.CreateCustomField(context.Background(), testkit.Operator(s.Owner.Workspace), p)
		}
		value := func(text string) tracker.CustomFieldValueParams {
			return tracker.CustomFieldValueParams{Value: tracker.Some(text)}
		}
		f, err := create(tracker.CustomFieldParams{
			Name: "Customer", Description: tracker.Some("Who asked"), IconSetIdentifier: tracker.Some("person"), StoryTypes: []tracker.StoryType{tracker.Feat},
			Values: []tracker.CustomFieldValueParams{value("Ann"), {Value: tracker.Some("Bob"), ColorKey: tracker.Some("red")}},
		})
		if err != nil {
			t.Fatal(err)
		}
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: "/custom-fields/" + string(f.ID), Status: 200,
			Want: `{"name":"Customer","description":"Who asked","icon_set_identifier":"person","enabled":true,"fixed_position":false,"field_type":"enum",
				"story_types":["feature"],"values":[{"value":"Ann","color_key":null,"enabled":true},{"value":"Bob","color_key":"red"}]}`}})
		if list := listFields(t, s.Owner); list[5].ID != f.ID {
			t.Errorf("the new field is not the last: %s", names(list))
		}
		if text := s.Owner.Want(t, 200, "GET", "/custom-fields/"+string(f.ID), nil).Text; strings.Contains(text, "canonical_name") {
			t.Errorf("a field of the workspace's own has a canonical name: %s", text)
		}
		if _, err := create(tracker.CustomFieldParams{Name: " customer"}); codeOf(err) != tracker.Unprocessable {
			t.Errorf("a taken name gives %v", err)
		}
		if _, err := create(tracker.CustomFieldParams{Name: "x", Values: []tracker.CustomFieldValueParams{value("a"), value("A")}}); codeOf(err) != tracker.DataConflict {
			t.Errorf("the same value twice gives %v", err)
		}
		for i := range 30 {
			if _, err := create(tracker.CustomFieldParams{Name: fmt.Sprint("Field ", i)}); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(listFields(t, s.Owner)); n != 36 {
			t.Errorf("%d fields, want 36", n)
		}
	})
}

func TestCustomFieldsOnStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		priority, severity := builtIn(t, s.Owner, "priority"), builtIn(t, s.Owner, "severity")
		high, low, worst := priority.value(t, "High"), priority.value(t, "Low"), severity.value(t, "Severity 0")
		choose := func(f wireField, value tracker.UUID) string {
			return `{"field_id":"` + string(f.ID) + `","value_id":"` + string(value) + `"}`
		}
		story := func(kind string, fields ...string) string {
			return `{"name":"x","story_type":"` + kind + `","custom_fields":[` + strings.Join(fields, ",") + `]}`
		}
		refused := func(name, body, reason string) testkit.Case {
			return testkit.Case{Name: name, Method: "POST", Path: "/stories", Body: body, Status: 422, Want: `{"errors":{"custom_fields":"` + reason + `"}}`}
		}
		enable := func(f wireField, on bool) testkit.Case {
			return testkit.Case{Method: "PUT", Path: f.path(), Body: map[string]any{"enabled": on}, Status: 200}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			refused("disabled field", story("bug", choose(priority, high)), "names a field that is disabled: Priority"),
			enable(priority, true), enable(severity, true),
			{Method: "POST", Path: "/stories", Body: story("bug", choose(priority, high), choose(severity, worst)), Status: 201, Want: `{"id":2,"custom_fields":[
				{"field_id":"` + string(priority.ID) + `","value_id":"` + string(high) + `","value":"High"},{"value_id":"` + string(worst) + `","value":"Severity 0"}]}`},
			refused("absent field", story("bug", choose(wireField{ID: high}, high)), "names no existing custom field: "+string(high)),
			refused("value of another field", story("bug", choose(priority, worst)), "names a value that the field Priority does not have: "+string(worst)),
			refused("a field twice", story("bug", choose(priority, high), choose(priority, low)), "gives the field Priority more than one value"),
			refused("not of this type", story("chore", choose(severity, worst)), "names a field that does not apply to a chore: Severity"),
			{Name: "value disabled", Method: "PUT", Path: priority.path(), Body: `{"values":[{"id":"` + string(high) + `","enabled":false},{"id":"` + string(low) + `"}]}`, Status: 200},
			refused("disabled value", story("bug", choose(priority, high)), "names a value that is disabled: High"),
			{Name: "hidden", Method: "GET", Path: "/stories/2", Status: 200, Want: `{"custom_fields":[{"value":"Severity 0"}]}`},
			{Name: "value enabled and renamed", Method: "PUT", Path: priority.path(), Body: `{"values":[{"id":"` + string(high) + `","enabled":true,"value":"Top"},{"id":"` + string(low) + `"}]}`, Status: 200},
			{Name: "back", Method: "GET", Path: "/stories/2", Status: 200, Want: `{"custom_fields":[{"value":"Top"},{"value":"Severity 0"}]}`},
			enable(severity, false),
			{Name: "hidden with its field", Method: "GET", Path: "/stories/2", Status: 200, Want: `{"custom_fields":[{"value":"Top"}]}`},
			enable(severity, true),
			{Name: "back with its field", Method: "GET", Path: "/stories/2", Status: 200, Want: `{"custom_fields":[{"value":"Top"},{"value":"Severity 0"}]}`},
			{Name: "field deleted", Method: "DELETE", Path: severity.path(), Status: 204},
			{Name: "gone with its field", Method: "GET", Path: "/stories/2", Status: 200, Want: `{"custom_fields":[{"value":"Top"}]}`},
		})
		changes := s.Changes(t, s.Owner.Workspace, 0)
		items := changes[len(changes)-1].Items
		if len(items) != 2 || items[0].EntityType != "story" || items[1].EntityType != "custom-field" || items[1].Action != "delete" ||
			fmt.Sprint(items[0].Data) != "map[custom_field_value_ids:map[removes:["+string(worst)+"]]]" {
			t.Errorf("the deletion of a field records %+v", items)
		}
	})
}

// A value that many stories have goes in chunks: every story lets go of it, with a record of
// that, and the field comes last.
func TestDeletedValueLeavesItsStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		priority, area := builtIn(t, s.Owner, "priority"), builtIn(t, s.Owner, "technical-area")
		high, low, web := priority.value(t, "High"), priority.value(t, "Low"), area.value(t, "Web app")
		const many = 501
		stories := testkit.PutStories(t, s, s.Owner.Workspace, many, func(story *tracker.Story) {
			story.CustomFields = []tracker.StoryField{{FieldID: area.ID, ValueID: web}, {FieldID: priority.ID, ValueID: high}}
		})
		other := testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
			story.CustomFields = []tracker.StoryField{{FieldID: priority.ID, ValueID: low}}
		})
		s.Clock.Advance(60e9)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Owner.Want(t, 409, "PUT", priority.path(), map[string]any{"values": []any{map[string]any{"id": web}}})
		if n := len(s.Changes(t, s.Owner.Workspace, before)); n != 0 {
			t.Fatalf("a conflict left %d changes", n)
		}
		s.Owner.Want(t, 200, "PUT", priority.path(), map[string]any{"values": []any{map[string]any{"id": low}, map[string]any{"value": "New"}}})

		changes := s.Changes(t, s.Owner.Workspace, before)
		if len(changes) != 2 || len(changes[0].Items) != 500 || len(changes[1].Items) != 2 {
			t.Fatalf("%d changes, want one of 500 stories and one of a story and the field", len(changes))
		}
		seen := map[string]bool{}
		for _, item := range append(changes[0].Items, changes[1].Items[0]) {
			delta, _ := item.Data["custom_field_value_ids"].(map[string]any)
			if item.EntityType != "story" || item.Action != "update" || fmt.Sprint(delta["removes"]) != "["+string(high)+"]" {
				t.Fatalf("the item is %+v", item)
			}
			seen[item.EntityID] = true
		}
		if len(seen) != many {
			t.Errorf("%d stories are recorded, want %d", len(seen), many)
		}
		field := changes[1].Items[1]
		delta, _ := field.Data["values"].(map[string]any)
		adds, _ := delta["adds"].([]any)
		removes, _ := delta["removes"].([]any)
		if field.EntityType != "custom-field" || len(field.Data) != 1 || len(adds) != 1 || len(removes) != 4 {
			t.Errorf("the field's item is %+v", field)
		}

		s.Owner.Want(t, 200, "PUT", area.path(), `{"enabled":true}`)
		s.Owner.Want(t, 200, "PUT", priority.path(), `{"enabled":true}`)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/stories/" + stories[many-1].EntityID(), Status: 200, Want: `{"custom_fields":[{"value":"Web app"}],"updated_at":"2026-01-05T10:01:00Z"}`},
			{Method: "GET", Path: "/stories/" + other.EntityID(), Status: 200, Want: `{"custom_fields":[{"value":"Low"}],"updated_at":"2026-01-05T10:00:00Z"}`},
		})
	})
}

func TestCustomFieldChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		first := s.Changes(t, s.Owner.Workspace, 0)[0]
		created := 0
		for _, item := range first.Items {
			if item.EntityType == "custom-field" && item.Action == "create" {
				created++
			}
		}
		if created != 5 {
			t.Errorf("the new workspace records %d custom fields, want 5", created)
		}
		f := builtIn(t, s.Owner, "priority")
		values := func(texts ...string) map[string]any {
			var list []any
			for _, text := range texts {
				list = append(list, map[string]any{"id": f.value(t, text)})
			}
			return map[string]any{"values": list}
		}
		record := func(method string, body any) map[string]any {
			t.Helper()
			s.Clock.Advance(60e9)
			before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
			s.Owner.Do(t, method, f.path(), body)
			changes := s.Changes(t, s.Owner.Workspace, before)
			if len(changes) == 0 {
				return nil
			}
			if len(changes) != 1 || len(changes[0].Items) != 1 || changes[0].Member != s.Owner.Member.ID {
				t.Fatalf("the changes are %+v", changes)
			}
			return changes[0].Items[0].Data
		}
		if got := record("PUT", map[string]any{"enabled": true, "name": "Priority"}); fmt.Sprint(got) != "map[enabled:map[new:true old:false]]" {
			t.Errorf("enabling records %v", got)
		}
		updated := builtIn(t, s.Owner, "priority").UpdatedAt
		if got := record("PUT", values("Highest", "High", "Medium", "Low", "Lowest")); got != nil {
			t.Errorf("the same values record %v", got)
		}
		if now := builtIn(t, s.Owner, "priority").UpdatedAt; now != updated {
			t.Errorf("an update that changes nothing moved updated_at from %s to %s", updated, now)
		}
		reordered := record("PUT", values("High", "Highest", "Medium", "Low", "Lowest"))
		delta, _ := reordered["values"].(map[string]any)
		if len(reordered) != 1 || delta["adds"] != nil || len(delta["old"].([]any)) != 5 || len(delta["new"].([]any)) != 5 {
			t.Errorf("another order records %v", reordered)
		}
		coloured := values("High", "Highest", "Medium", "Low", "Lowest")
		coloured["values"].([]any)[0].(map[string]any)["color_key"] = "red"
		recoloured := record("PUT", coloured)
		delta, _ = recoloured["values"].(map[string]any)
		if fmt.Sprint(delta["adds"]) != "[map[color_key:red enabled:true id:"+string(f.value(t, "High"))+" value:High]]" ||
			fmt.Sprint(delta["removes"]) != "[map[enabled:true id:"+string(f.value(t, "High"))+" value:High]]" {
			t.Errorf("another colour records %v", recoloured)
		}
		if got := record("DELETE", nil); got["name"] != "Priority" || len(got["values"].([]any)) != 5 {
			t.Errorf("the deletion keeps %v", got)
		}
	})
}

func TestCustomFieldQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		count := func() int64 {
			before := s.Store.Queries()
			s.Owner.Want(t, 200, "GET", "/custom-fields", nil)
			return s.Store.Queries() - before
		}
		few := count()
		for i := range 50 {
			p := tracker.CustomFieldParams{Name: fmt.Sprint("Field ", i)}
			if _, err := s.Service.CreateCustomField(context.Background(), testkit.Operator(s.Owner.Workspace), p); err != nil {
				t.Fatal(err)
			}
		}
		if many := count(); many != few {
			t.Errorf("a list of 55 fields costs %d queries, one of 5 costs %d", many, few)
		}
	})
}
