package api_test

import (
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestCreateCustomField(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		admin, member := s.NewMember(t, s.Owner, "ada", tracker.Admin), s.NewMember(t, s.Owner, "mia", tracker.Regular)
		const path = "/api/app/custom-fields"
		at := func(n int) map[string]any {
			text := strings.Repeat("ü", n)
			return map[string]any{"name": text, "icon_set_identifier": text, "description": strings.Repeat("ü", 449+n), "values": []any{map[string]any{"value": text}}}
		}
		testkit.Run(t, admin, []testkit.Case{
			{Name: "everything", Method: "POST", Path: path, Status: 201,
				Body: `{"name":"Risk","description":"d","icon_set_identifier":"flag","story_types":["bug","chore","bug"],
					"values":[{"value":"High","color_key":"red"},{"value":"Low"}]}`,
				Want: `{"name":"Risk","description":"d","icon_set_identifier":"flag","story_types":["bug","chore"],"enabled":true,"field_type":"enum",
					"fixed_position":false,"entity_type":"custom-field","values":[{"value":"High","color_key":"red","enabled":true,"position":1},
					{"value":"Low","color_key":null,"enabled":true,"position":2}]}`},
			{Name: "the least", Method: "POST", Path: path, Body: `{"name":"Bare","story_types":[]}`, Status: 201, Want: `{"description":null,"icon_set_identifier":null,"values":[]}`},
			{Name: "at the limits", Method: "POST", Path: path, Body: at(63), Status: 201},
			{Name: "beyond them", Method: "POST", Path: path, Body: at(64), Status: 400, Want: `{"errors":{"name":"must have at most 63 characters",
				"icon_set_identifier":"must have at most 63 characters","description":"must have at most 512 characters",
				"values":[{"value":"must have at most 63 characters"}]}}`},
			{Name: "every bad field", Method: "POST", Path: path, Status: 400,
				Body: `{"description":null,"story_types":["epic"],"enabled":true,"values":[{"value":"a"},{"color_key":"beige","id":"x"}]}`,
				Want: `{"errors":{"name":"missing-required-key","description":"must not be null","story_types":["must be one of: feature, bug, chore"],
					"enabled":"disallowed-key","values":[null,{"value":"missing-required-key","id":"disallowed-key"}]}}`},
			{Name: "a taken name", Method: "POST", Path: path, Body: `{"name":"RISK"}`, Status: 422, Want: `{"errors":{"name":"already exists"}}`},
			{Name: "the same value twice", Method: "POST", Path: path, Body: `{"name":"Twice","values":[{"value":"A"},{"value":"a"}]}`, Status: 409,
				Want: `{"name":"DataConflictError"}`},
			{As: member, Method: "POST", Path: path, Body: `{"name":"x"}`, Status: 403, Want: `{"tag":"forbidden"}`},
		})
		list := s.Owner.Want(t, 200, "GET", "/custom-fields", nil).List(t)
		var names []string
		for _, f := range list {
			names = append(names, f["name"].(string))
		}
		if n := len(names); n != 8 || names[n-3] != "Risk" || names[n-2] != "Bare" {
			t.Errorf("the fields are %q", names)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: "/api/app/workspace", Body: `{"features":{"custom-fields":false}}`, Status: 200},
			{Name: "switched off", Method: "POST", Path: path, Body: `{"name":"x"}`, Status: 403},
		})
	})
}
