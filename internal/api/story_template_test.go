package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// newTemplate creates a template with the contents and returns its id.
func newTemplate(t *testing.T, s *testkit.Server, contents string) string {
	t.Helper()
	return fmt.Sprint(s.Owner.Want(t, 201, "POST", "/entity-templates", `{"name":"T","story_contents":{`+contents+`}}`).Object(t)["id"])
}

func TestStoryFromTemplate(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		me := s.Owner.Member.ID
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"known"}`)
		full, empty := newTemplate(t, s, x.everything+`,`+x.restOfRequest), newTemplate(t, s, "")
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Clock.Advance(time.Hour)
		post := func(name, template, body string, status int, want string) testkit.Case {
			if body != "" {
				body = "," + body
			}
			return testkit.Case{Name: name, Method: "POST", Path: "/stories/from-template", Body: `{"story_template_id":"` + template + `"` + body + `}`, Status: status, Want: want}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			post("everything", full, "", 201, `{`+x.everything[:strings.Index(x.everything, `"follower_ids"`)]+fmt.Sprintf(`"follower_ids":[%q,%q],
				"external_links":["https://example.com/1"],"story_template_id":%q,"requested_by_id":%[2]q,"started":true,
				"labels":[{"name":"new"},{"name":"known"}],"custom_fields":[{"value":"Highest"},{"value":"Severity 0"}],
				"tasks":[{"description":"Find it","owner_ids":[%[1]q],"complete":false,"external_id":null},
					{"description":"Fix it","owner_ids":[],"complete":true,"completed_at":"2026-01-05T11:00:00Z","external_id":"t2"}]}`, x.member, me, full)),
		})
		changes := s.Changes(t, s.Owner.Workspace, number)
		story := readJSON[struct {
			SubTaskIDs []int64 `json:"sub_task_story_ids"`
		}](t, s.Owner.Want(t, 200, "GET", "/stories/"+changes[0].PrimaryID, nil))
		if got := itemsOf(changes); len(changes) != 1 || changes[0].Items[0].EntityType != "story" || !strings.Contains(got, "update entity-template") || len(story.SubTaskIDs) != 2 {
			t.Fatalf("the change is about %q: %s; the sub-tasks are %v", changes[0].PrimaryID, got, story.SubTaskIDs)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: storyPath(story.SubTaskIDs[0]), Status: 200, Want: fmt.Sprintf(`{"name":"Part","owner_ids":[%q],"workflow_state_id":%d,"epic_id":%d}`, x.member, x.state, x.epic)},
			{Method: "GET", Path: storyPath(story.SubTaskIDs[1]), Status: 200, Want: `{"name":"Other","owner_ids":[]}`},
			{Name: "used now, not updated", Method: "GET", Path: "/entity-templates/" + full, Status: 200, Want: `{"last_used_at":"2026-01-05T11:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`},
			{Method: "GET", Path: "/entity-templates/" + empty, Status: 200, Want: `{"last_used_at":"2026-01-05T10:00:00Z"}`},

			post("own values win", full, fmt.Sprintf(`"name":"Mine","description":"","story_type":"chore","estimate":null,"deadline":null,"epic_id":null,"iteration_id":null,
				"group_id":null,"project_id":null,"workflow_state_id":%d,"owner_ids":[%q],"follower_ids":[],"labels":[{"name":"other"}],"external_links":[],"tasks":[],"sub_tasks":[],
				"custom_fields":[],"external_id":"e","comments":[{"text":"c"}],"archived":true`, unscheduled, me), 201, fmt.Sprintf(`{"name":"Mine","description":"","story_type":"chore",
				"estimate":null,"deadline":null,"epic_id":null,"iteration_id":null,"group_id":null,"project_id":null,"workflow_state_id":%d,"owner_ids":[%q],"follower_ids":[%[2]q],
				"labels":[{"name":"other"}],"external_links":[],"tasks":[],"sub_task_story_ids":[],"custom_fields":[],"external_id":"e","comments":[{"text":"c"}],"archived":true}`, unscheduled, me)),
			post("adjusted", full, fmt.Sprintf(`"owner_ids_add":[%[1]q],"owner_ids_remove":[%[2]q],"follower_ids_add":[%[1]q],"follower_ids_remove":[%[2]q],
				"labels_add":[{"name":"added"}],"labels_remove":[{"name":"known"},{"name":"no such"}],"external_links_add":["https://example.com/2"],"external_links_remove":["https://example.com/1"],
				"custom_fields_add":[{"field_id":%[3]q,"value_id":%[4]q}],"custom_fields_remove":[{"field_id":%[5]q}],"file_ids_add":[],"linked_file_ids_remove":[9]`,
				me, x.member, x.priority.ID, x.priority.value(t, "Low"), x.severity.ID), 201, fmt.Sprintf(`{"owner_ids":[%q],"follower_ids":[%[1]q],"labels":[{"name":"new"},{"name":"added"}],
				"external_links":["https://example.com/2"],"custom_fields":[{"value":"Low"}]}`, me)),
			post("a field that does not apply to the type", full, `"story_type":"feature"`, 201, `{"custom_fields":[{"value":"Highest"}]}`),

			post("no name", empty, "", 422, `{"errors":{"name":"is needed, since the template has none"}}`),
			post("an empty template", empty, `"name":"x"`, 201, fmt.Sprintf(`{"name":"x","story_type":"feature","owner_ids":[],"follower_ids":[%q],"workflow_state_id":%d}`, me, unscheduled)),
			post("unknown template", noUUID, `"name":"x"`, 422, `{"errors":{"story_template_id":"names no existing template: `+noUUID+`"}}`),
			{Name: "no template", Method: "POST", Path: "/stories/from-template", Body: `{"name":"x"}`, Status: 400, Want: `{"errors":{"story_template_id":"missing-required-key"}}`},
			post("every bad field", full, `"name":"","labels_remove":[{}],"custom_fields_remove":[{"field_id":1}],"owner_ids_add":null`, 400,
				`{"errors":{"labels_remove":[{"name":"missing-required-key"}],"custom_fields_remove":[{"field_id":"must be a UUID"}],"owner_ids_add":"must not be null"}}`),
			post("unknown epic", full, `"epic_id":99`, 422, `{"errors":{"epic_id":"names no existing epic: 99"}}`),
			post("unknown file", full, `"file_ids_add":[99]`, 422, `{"errors":{"file_ids_add":"names no existing file: 99"}}`),
			post("unknown owner", full, `"owner_ids_add":["`+noUUID+`"]`, 422, `{"errors":{"owner_ids_add":"names no existing member: `+noUUID+`"}}`),
			post("unknown field", full, `"custom_fields_remove":[{"field_id":"`+noUUID+`"}]`, 422, `{"errors":{"custom_fields_remove":"names no existing custom field: `+noUUID+`"}}`),
		})
		for list, item := range map[string]string{
			"owner_ids": `"` + noUUID + `"`, "follower_ids": `"` + noUUID + `"`, "labels": `{"name":"l"}`, "file_ids": `1`, "linked_file_ids": `1`,
			"external_links": `"https://example.com"`, "custom_fields": fmt.Sprintf(`{"field_id":%q}`, noUUID),
		} {
			added := item
			if list == "custom_fields" {
				added = fmt.Sprintf(`{"field_id":%q,"value_id":%[1]q}`, noUUID)
			}
			testkit.Run(t, s.Owner, []testkit.Case{
				post(list+" and more", full, fmt.Sprintf(`"%s":[],"%[1]s_add":[%s]`, list, added), 422, fmt.Sprintf(`{"errors":{"%s_add":"cannot be combined with %[1]s"}}`, list)),
				post(list+" and less", full, fmt.Sprintf(`"%s":[],"%[1]s_remove":[%s]`, list, item), 422, fmt.Sprintf(`{"errors":{"%s_remove":"cannot be combined with %[1]s"}}`, list)),
			})
		}
	})
}

// What has gone since the template was made is left out, and what the template says of the state
// and the project gives way to what the request says.
func TestStoryFromTemplateGone(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		_, states := secondWorkflow(t, s)
		template := newTemplate(t, s, x.everything+`,`+x.restOfRequest)
		labels := s.Owner.Want(t, 200, "GET", "/labels", nil).List(t)
		body := func(more string) string { return `{"story_template_id":"` + template + `"` + more + `}` }
		path := "/stories/from-template"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "own state", Method: "POST", Path: path, Body: body(fmt.Sprintf(`,"workflow_state_id":%d,"sub_tasks":[]`, states[1])), Status: 201,
				Want: fmt.Sprintf(`{"workflow_state_id":%d,"project_id":null}`, states[1])},
			{Name: "own state of the project's workflow", Method: "POST", Path: path, Body: body(fmt.Sprintf(`,"workflow_state_id":%d`, completed)), Status: 201,
				Want: fmt.Sprintf(`{"workflow_state_id":%d,"project_id":%d}`, completed, x.project)},
			{Name: "own state and project", Method: "POST", Path: path, Body: body(fmt.Sprintf(`,"workflow_state_id":%d,"project_id":%d`, states[1], x.project)), Status: 422,
				Want: `{"errors":{"workflow_state_id":"belongs to another workflow than the project"}}`},
			{Name: "unknown state", Method: "POST", Path: path, Body: body(`,"workflow_state_id":1`), Status: 422,
				Want: `{"errors":{"workflow_state_id":"names no existing state"}}`},

			{Method: "DELETE", Path: fmt.Sprint("/epics/", x.epic), Status: 204},
			{Method: "DELETE", Path: fmt.Sprint("/iterations/", x.iteration), Status: 204},
			{Method: "DELETE", Path: fmt.Sprint("/labels/", labels[0]["id"]), Status: 204},
			{Method: "PUT", Path: x.priority.path(), Body: `{"enabled":false}`, Status: 200},
			{Name: "without what is gone", Method: "POST", Path: path, Body: body(""), Status: 201,
				Want: fmt.Sprintf(`{"epic_id":null,"iteration_id":null,"label_ids":[%v],"custom_fields":[{"value":"Severity 0"}],"project_id":%d}`, labels[1]["id"], x.project)},
		})
		if err := s.Service.SwitchFeature(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.SubTasks, false); err != nil {
			t.Fatal(err)
		}
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		stranger := s.NewWorkspace(t, "second")
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "without sub-tasks", Method: "POST", Path: path, Body: body(""), Status: 201, Want: `{"sub_task_story_ids":[]}`},
			{As: observer, Method: "POST", Path: path, Body: body(""), Status: 403, Want: `{"tag":"forbidden"}`},
			{As: stranger, Method: "POST", Path: path, Body: body(""), Status: 422},
			{Method: "PUT", Path: "/entity-templates/disable", Status: 204},
			{Method: "POST", Path: path, Body: body(""), Status: 403, Want: `{"feature_tag":"entity-templates"}`},
			{Name: "before 422", Method: "POST", Path: path, Body: body(`,"labels":[],"labels_add":[{"name":"l"}]`), Status: 403},
			{Name: "after 400", Method: "POST", Path: path, Body: `{}`, Status: 400},
		})
	})
}
