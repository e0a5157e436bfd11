package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestV1Projects(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		const list = "/api/v1/projects"
		me := string(s.Owner.Member.UserID)
		id := s.Owner.Want(t, 201, "POST", list, `{"name":"Engine","abbreviation":"eng","color":"rgb(0, 128, 0)","description":"d","external_id":"p-1",
			"follower_ids":["`+me+`"],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`).ID(t)
		path := fmt.Sprintf("%s/%d", list, id)
		s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{"name":"a","project_id":%d,"estimate":3}`, id))
		gone := s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{"name":"b","project_id":%d,"estimate":5,"archived":true}`, id)).ID(t)
		whole := fmt.Sprintf(`{"id":%d,"name":"Engine","abbreviation":"eng","color":"rgb(0, 128, 0)","description":"d","archived":false,"num_points":3,
			"num_stories":1,"follower_ids":[%q],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`, id, me)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole},
			{Method: "GET", Path: list, Status: 200, Want: `[` + whole + `]`},
			{Name: "v3 has its one form of colour", Method: "GET", Path: fmt.Sprintf("/projects/%d", id), Status: 200,
				Want: fmt.Sprintf(`{"color":"#008000","external_id":"p-1","team_id":%d,"stats":{"num_points":3,"num_stories":1}}`, defaultWorkflow(t, s).TeamID)},
			{Name: "bare", Method: "POST", Path: list, Body: `{"name":"Bare","color":"red"}`, Status: 201,
				Want: `{"abbreviation":null,"color":null,"description":null,"follower_ids":[],"num_points":0,"num_stories":0}`},
			{Name: "every bad field", Method: "POST", Path: list, Body: `{"team_id":1,"start_time":"2026-01-01T00:00:00Z","abbreviation":null}`, Status: 400,
				Want: `{"errors":{"name":"missing-required-key","team_id":"disallowed-key","start_time":"disallowed-key","abbreviation":"must not be null"}}`},
			{Name: "exact limits", Method: "POST", Path: list, Status: 201,
				Body: map[string]any{"name": strings.Repeat("ü", 128), "description": strings.Repeat("ü", 100_000), "abbreviation": strings.Repeat("ü", 63)}},
			{Name: "long name", Method: "POST", Path: list, Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400},
			{Name: "observer", As: observer, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 403},
			{Name: "no colour changes nothing", Method: "PUT", Path: path, Body: `{"color":"red"}`, Status: 200, Want: whole},
			{Method: "PUT", Path: path, Body: `{"name":"Motor","archived":true,"color":"hsl(120, 100%, 25%)","follower_ids":[]}`, Status: 200,
				Want: `{"name":"Motor","archived":true,"color":"hsl(120, 100%, 25%)","follower_ids":[],"abbreviation":"eng"}`},
			{Name: "null clears", Method: "PUT", Path: path, Body: `{"abbreviation":null,"color":null,"description":null}`, Status: 200,
				Want: `{"abbreviation":null,"color":null,"description":null,"name":"Motor"}`},
			{Name: "null elsewhere", Method: "PUT", Path: path, Body: `{"name":null,"archived":null}`, Status: 400,
				Want: `{"errors":{"name":"must not be null","archived":"must not be null"}}`},
			{Method: "PUT", Path: path, Body: `{"days_to_thermometer":1}`, Status: 400, Want: `{"errors":{"days_to_thermometer":"disallowed-key"}}`},
			{Name: "archived stories are listed", Method: "GET", Path: path + "/stories", Status: 200, Want: fmt.Sprintf(`[{"name":"a"},{"id":%d}]`, gone)},
			{Method: "GET", Path: list + "/99/stories", Status: 404, Want: `{"message":"Resource not found."}`},
			{Name: "with stories", Method: "DELETE", Path: path, Status: 422},
			{Method: "PUT", Path: list + "/99", Body: `{}`, Status: 404},
			{Method: "DELETE", Path: list + "/99", Status: 404},
		})
		for _, story := range s.Owner.Want(t, 200, "GET", path+"/stories", nil).List(t) {
			s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/api/v1/stories/%v", numberOf(story["id"])), nil)
		}
		s.Owner.Want(t, 204, "DELETE", path, nil)
		s.Owner.Want(t, 404, "GET", path, nil)
	})
}
