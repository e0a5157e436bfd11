package api_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestV1Stories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		const list = "/api/v1/stories"
		me := string(s.Owner.Member.UserID)
		project := s.Owner.Want(t, 201, "POST", "/api/v1/projects", `{"name":"p"}`).ID(t)
		epic := s.Owner.Want(t, 201, "POST", "/api/v1/epics", `{"name":"e"}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", list, `{"name":"other"}`).ID(t)
		id := s.Owner.Want(t, 201, "POST", list, fmt.Sprintf(`{"name":"Pump","description":"d","story_type":"bug","estimate":3,"deadline":"2026-02-01T10:00:00Z",
			"workflow_state_id":%d,"project_id":%d,"epic_id":%d,"external_id":"s-1","labels":[{"name":"warm","external_id":"l-1"}],
			"tasks":[{"description":"one"},{"description":"two","complete":true,"external_id":"t-1"}],"comments":[{"text":"Odd","external_id":"c-1"}],
			"story_links":[{"subject_id":%d,"verb":"blocks"}],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`, ready, project, epic, other)).ID(t)
		path := fmt.Sprintf("%s/%d", list, id)
		whole := fmt.Sprintf(`{"id":%d,"name":"Pump","description":"d","story_type":"bug","estimate":3,"deadline":"2026-02-01T10:00:00Z","workflow_state_id":%d,
			"project_id":%d,"epic_id":%d,"labels":[{"name":"warm"}],"tasks":[{"description":"one","complete":false,"completed_at":null,"position":1,"story_id":%[1]d},
			{"description":"two","complete":true,"completed_at":"2026-01-05T10:00:00Z","position":2}],"comments":[{"text":"Odd","position":1,"story_id":%[1]d,"author_id":%[5]q}],
			"story_links":[{"subject_id":%[6]d,"verb":"blocks","object_id":%[1]d,"type":"object"}],"requested_by_id":%[5]q,"follower_ids":[%[5]q],"owner_ids":[],
			"file_ids":[],"linked_file_ids":[],"archived":false,"created_at":"2026-01-01T00:00:00Z"}`, id, ready, project, epic, me, other)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole},
			{Name: "the other side", Method: "GET", Path: fmt.Sprintf("%s/%d", list, other), Status: 200, Want: fmt.Sprintf(`{"story_links":[{"type":"subject"}],
				"project_id":null,"epic_id":null,"estimate":null,"deadline":null,"story_type":"feature","workflow_state_id":%d}`, unscheduled)},
			{Name: "in a list", Method: "GET", Path: fmt.Sprintf("/api/v1/projects/%d/stories", project), Status: 200, Want: `[` + whole + `]`},
			{Name: "v3 shows the rest", Method: "GET", Path: fmt.Sprintf("/stories/%d", id), Status: 200, Want: `{"external_id":"s-1","blocked":true,"labels":[{"external_id":"l-1"}]}`},
			{Name: "every bad field", Method: "POST", Path: list, Body: `{"group_id":null,"archived":true,"story_type":"task","labels":[{"name":"x","color":"#112233"}],"estimate":-1}`, Status: 400,
				Want: `{"errors":{"name":"missing-required-key","group_id":"disallowed-key","archived":"disallowed-key","estimate":"must be at least 0",
					"story_type":"must be one of: feature, bug, chore","labels":[{"color":"disallowed-key"}]}}`},
			{Name: "exact limits", Method: "POST", Path: list, Body: map[string]any{"name": strings.Repeat("ü", 512), "description": strings.Repeat("ü", 100_000)}, Status: 201},
			{Name: "long name", Method: "POST", Path: list, Body: map[string]any{"name": strings.Repeat("ü", 513)}, Status: 400},
			{Name: "absent project", Method: "POST", Path: list, Body: `{"name":"x","project_id":99}`, Status: 422, Want: `{"errors":{"project_id":"names no existing project"}}`},
			{Name: "observer", As: observer, Method: "POST", Path: list, Body: `{"name":"x"}`, Status: 403},
			{Name: "observer reads", As: observer, Method: "GET", Path: path, Status: 200, Want: whole},
			{Name: "nothing", Method: "PUT", Path: path, Body: `{}`, Status: 200, Want: whole},
			{Method: "PUT", Path: path, Body: fmt.Sprintf(`{"name":"Pipe","description":"","story_type":"chore","estimate":null,"deadline":null,"epic_id":null,"archived":true,
				"labels":[],"workflow_state_id":%d}`, unscheduled), Status: 200, Want: fmt.Sprintf(`{"name":"Pipe","description":"","story_type":"chore","estimate":null,
				"deadline":null,"epic_id":null,"archived":true,"labels":[],"workflow_state_id":%d,"tasks":[{},{}],"comments":[{}]}`, unscheduled)},
			{Name: "null elsewhere", Method: "PUT", Path: path, Body: `{"name":null,"project_id":null}`, Status: 400,
				Want: `{"errors":{"name":"must not be null","project_id":"must not be null"}}`},
			{Name: "move", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"before_id":%d}`, other), Status: 200},
			{Name: "move beside itself", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"after_id":%d}`, id), Status: 422},
			{Method: "PUT", Path: path, Body: `{"iteration_id":null,"move_to":"first"}`, Status: 400, Want: `{"errors":{"iteration_id":"disallowed-key","move_to":"disallowed-key"}}`},
			{Method: "PUT", Path: list + "/99", Body: `{}`, Status: 404},
			{Method: "GET", Path: list + "/99", Status: 404},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Name: "the link went too", Method: "GET", Path: fmt.Sprintf("%s/%d", list, other), Status: 200, Want: `{"story_links":[]}`},
		})
	})
}

// Bulk operations answer with the same full stories as getting them.
func TestV1BulkStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const bulk = "/api/v1/stories/bulk"
		full := func(a testkit.Answer) []map[string]any {
			t.Helper()
			list := a.List(t)
			for _, story := range list {
				path := fmt.Sprintf("/api/v1/stories/%v", numberOf(story["id"]))
				if got := s.Owner.Want(t, 200, "GET", path, nil).Object(t); !reflect.DeepEqual(got, story) {
					t.Errorf("%s is %v, the list has %v", path, got, story)
				}
			}
			return list
		}
		first := s.Owner.Want(t, 201, "POST", "/api/v1/stories", `{"name":"first"}`).ID(t)
		made := full(s.Owner.Want(t, 201, "POST", bulk, fmt.Sprintf(`{"stories":[{"name":"a","tasks":[{"description":"d"}],"comments":[{"text":"t"}]},
			{"name":"b","story_links":[{"verb":"blocks","object_id":%d}],"labels":[{"name":"warm"}]}]}`, first)))
		if len(made) != 2 || made[0]["name"] != "a" || len(made[0]["tasks"].([]any)) != 1 || len(made[0]["comments"].([]any)) != 1 {
			t.Fatalf("made %v", made)
		}
		ids := fmt.Sprintf(`"story_ids":[%v,%v]`, numberOf(made[0]["id"]), numberOf(made[1]["id"]))
		changed := full(s.Owner.Want(t, 200, "PUT", bulk, `{`+ids+`,"estimate":2,"archived":true,"story_type":"chore","deadline":"2026-02-01T10:00:00Z",
			"labels_add":[{"name":"cold"}],"labels_remove":[{"name":"warm"}]}`))
		for _, story := range changed {
			labels := story["labels"].([]any)
			if story["estimate"] != 2.0 || story["archived"] != true || len(labels) != 1 || labels[0].(map[string]any)["name"] != "cold" {
				t.Errorf("changed to %v", story)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "all or none", Method: "POST", Path: bulk, Body: `{"stories":[{"name":"x"},{"name":"y","epic_id":99}]}`, Status: 422,
				Want: `{"errors":{"stories":[null,{"epic_id":"names no existing epic: 99"}]}}`},
			{Name: "none was made", Method: "POST", Path: "/api/v1/stories/search", Body: `{"archived":false}`, Status: 201, Want: fmt.Sprintf(`[{"id":%d}]`, first)},
			{Name: "empty", Method: "POST", Path: bulk, Body: `{"stories":[]}`, Status: 400},
			{Name: "absent", Method: "PUT", Path: bulk, Body: `{"story_ids":[99],"archived":true}`, Status: 422},
			{Name: "of later versions", Method: "PUT", Path: bulk, Body: `{` + ids + `,"group_id":null,"custom_fields_add":[]}`, Status: 400,
				Want: `{"errors":{"group_id":"disallowed-key","custom_fields_add":"disallowed-key"}}`},
			{Name: "v1 deletes one by one", Method: "DELETE", Path: bulk, Body: `{` + ids + `}`, Status: 400,
				Want: `{"errors":{"story-public-id":"must be an integer"}}`},
		})
	})
}

func TestV1StorySearch(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		project := s.Owner.Want(t, 201, "POST", "/api/v1/projects", `{"name":"p"}`).ID(t)
		epic := s.Owner.Want(t, 201, "POST", "/api/v1/epics", `{"name":"e"}`).ID(t)
		make := func(fields string) int64 {
			return s.Owner.Want(t, 201, "POST", "/api/v1/stories", `{"name":"n","tasks":[{"description":"d"}],`+fields+`}`).ID(t)
		}
		a := make(fmt.Sprintf(`"project_id":%d,"estimate":1,"labels":[{"name":"Warm"}],"created_at":"2026-01-01T00:00:00Z"`, project))
		b := make(fmt.Sprintf(`"epic_id":%d,"story_type":"bug","workflow_state_id":%d,"updated_at":"2026-01-02T00:00:00Z"`, epic, ready))
		c := make(fmt.Sprintf(`"workflow_state_id":%d`, stateIDs(t, s)["Completed"]))
		s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/api/v1/stories/%d", c), `{"archived":true}`)
		testkit.Beside(t, address, s.Owner.Workspace)(`update workflow_state set type = 'backlog' where workspace_id = $1 and id = $2`, unscheduled)
		for filter, want := range map[string][]int64{
			``:                                      {a, b, c},
			fmt.Sprintf(`"project_id":%d`, project): {a},
			fmt.Sprintf(`"project_ids":[%d]`, project):         {a},
			fmt.Sprintf(`"epic_id":%d`, epic):                  {b},
			fmt.Sprintf(`"epic_ids":[%d]`, epic):               {b},
			`"epic_id":null`:                                   {a, c},
			`"owner_id":null,"archived":false`:                 {a, b},
			`"estimate":1`:                                     {a},
			`"label_name":"warm"`:                              {a},
			`"story_type":"bug"`:                               {b},
			`"archived":true`:                                  {c},
			fmt.Sprintf(`"workflow_state_id":%d`, ready):       {b},
			`"workflow_state_types":["Unstarted"]`:             {a, b}, // a is in a backlog, which v1 does not know
			`"workflow_state_types":["done","started"]`:        {c},
			`"created_at_end":"2026-01-01T00:00:00Z"`:          {a},
			`"created_at_start":"2026-01-01T00:00:01Z"`:        {b, c},
			`"updated_at_end":"2026-01-02T00:00:00Z"`:          {b},
			`"updated_at_start":"2026-01-02T00:00:01Z"`:        {a, c},
			`"project_ids":[],"workflow_state_types":["done"]`: {},
		} {
			list := s.Owner.Want(t, 201, "POST", "/api/v1/stories/search", `{`+filter+`}`).List(t)
			got := []int64{}
			for _, story := range list {
				got = append(got, numberOf(story["id"]).(int64))
				if tasks, _ := story["tasks"].([]any); len(tasks) != 1 {
					t.Errorf("%s: not a full story: %v", filter, story)
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s finds %v, want %v", filter, got, want)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/api/v1/stories/search", Body: `{"workflow_state_types":["backlog"],"includes_description":true}`, Status: 400,
				Want: `{"errors":{"workflow_state_types":["must be one of: unstarted, started, done"],"includes_description":"disallowed-key"}}`},
			{Name: "observers search", As: s.NewMember(t, s.Owner, "oscar", tracker.Observer), Method: "POST", Path: "/api/v1/stories/search", Body: `{}`, Status: 201},
		})
	})
}
