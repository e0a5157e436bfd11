package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestKeyResultAdministration(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		member, observer := s.NewMember(t, s.Owner, "mia", tracker.Regular), s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		stranger := s.NewWorkspace(t, "second")
		m := s.Owner.Want(t, 201, "POST", "/objectives", `{"name":"m"}`).ID(t)
		objective := fmt.Sprintf("/objectives/%d", m)
		path := "/api/app" + objective + "/key-results"
		body := func(more string) string {
			return `{"name":"Visits","type":"numeric","initial_observed_value":{"numeric_value":"10"},"target_value":{"numeric_value":"20.5"}` + more + `}`
		}
		long := func(n int) map[string]any {
			return map[string]any{"name": strings.Repeat("ü", n), "type": "boolean", "initial_observed_value": map[string]any{"boolean_value": false},
				"target_value": map[string]any{"boolean_value": true}}
		}
		first := member.Want(t, 201, "POST", path, body("")).Object(t)["id"].(string)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "as created", Method: "GET", Path: "/key-results/" + first, Status: 200, Want: fmt.Sprintf(`{"name":"Visits","type":"numeric","objective_id":%d,
				"progress":0,"initial_observed_value":{"numeric_value":"10"},"current_observed_value":{"numeric_value":"10"},"current_target_value":{"numeric_value":"20.5"}}`, m)},
			{Name: "observed elsewhere", Method: "POST", Path: path, Body: body(`,"observed_value":{"numeric_value":"15.25"}`), Status: 201,
				Want: `{"progress":50,"current_observed_value":{"numeric_value":"15.25"}}`},
			{Name: "the longest name", Method: "POST", Path: path, Body: long(1024), Status: 201, Want: `{"type":"boolean","current_target_value":{"boolean_value":true}}`},
			{Name: "too long", Method: "POST", Path: path, Body: long(1025), Status: 400, Want: `{"errors":{"name":"must have at most 1024 characters"}}`},
			{Name: "all that is needed", Method: "POST", Path: path, Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key",
				"type":"missing-required-key","initial_observed_value":"missing-required-key","target_value":"missing-required-key"}}`},
			{Name: "no type", Method: "POST", Path: path, Body: `{"type":"money"}`, Status: 400},
			{Name: "a truth for a number", Method: "POST", Path: path, Body: body(`,"observed_value":{"boolean_value":true}`), Status: 422,
				Want: `{"errors":{"observed_value":"must hold numeric_value alone, since the key result is of type numeric"}}`},
			{Name: "no objective", Method: "POST", Path: "/api/app/objectives/99999/key-results", Body: body(""), Status: 404},
			{Name: "another workspace's", As: stranger, Method: "POST", Path: path, Body: body(""), Status: 404},
			{As: observer, Method: "POST", Path: path, Body: body(""), Status: 403},

			{As: observer, Method: "DELETE", Path: "/api/app/key-results/" + first, Status: 403},
			{As: stranger, Method: "DELETE", Path: "/api/app/key-results/" + first, Status: 404},
			{As: member, Method: "DELETE", Path: "/api/app/key-results/" + first, Status: 204},
			{Method: "DELETE", Path: "/api/app/key-results/" + first, Status: 404},
			{Method: "GET", Path: "/key-results/" + first, Status: 404},
			{Method: "PUT", Path: "/api/app/workspace", Body: `{"features":{"objectives":false}}`, Status: 200},
			{Name: "switched off", Method: "POST", Path: path, Body: body(""), Status: 403, Want: `{"feature_tag":"objectives"}`},
		})
		if ids := s.Owner.Want(t, 200, "GET", objective, nil).Object(t)["key_result_ids"].([]any); len(ids) != 2 {
			t.Errorf("the objective has the key results %v", ids)
		}
	})
}
