package api_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const noUUID = "00000000-0000-0000-0000-000000000000"

func templatePath(t *testing.T, a testkit.Answer) string {
	t.Helper()
	return fmt.Sprint("/entity-templates/", a.Object(t)["id"])
}

// stateNamed finds a state of the workspace's workflow.
func stateNamed(t *testing.T, c *testkit.Client, name string) int64 {
	t.Helper()
	type workflow struct {
		States []struct {
			ID   int64
			Name string
		}
	}
	for _, w := range readJSON[[]workflow](t, c.Want(t, 200, "GET", "/workflows", nil)) {
		for _, s := range w.States {
			if s.Name == name {
				return s.ID
			}
		}
	}
	t.Fatalf("no state %s", name)
	return 0
}

func TestEntityTemplates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		stranger := s.NewWorkspace(t, "second")
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		owner, mia := string(s.Owner.Member.ID), string(member.Member.ID)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/entity-templates", Status: 200, Want: `[]`},
			{As: observer, Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":{}}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "every bad field", Method: "POST", Path: "/entity-templates", Body: `{"author_id":7,"story_contents":{"colour":"red"}}`, Status: 400,
				Want: `{"errors":{"author_id":"must be a UUID","name":"missing-required-key","story_contents":{"colour":"disallowed-key"}}}`},
			{Name: "no contents", Method: "POST", Path: "/entity-templates", Body: `{"name":" "}`, Status: 400,
				Want: `{"errors":{"name":"must not be blank","story_contents":"missing-required-key"}}`},
			{Name: "129 characters", Method: "POST", Path: "/entity-templates", Body: map[string]any{"name": strings.Repeat("ü", 129), "story_contents": map[string]any{}},
				Status: 400, Want: `{"errors":{"name":"must have at most 128 characters"}}`},
			{Name: "null contents", Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":null}`, Status: 400,
				Want: `{"errors":{"story_contents":"must not be null"}}`},
			{Name: "unknown author", Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":{},"author_id":"` + string(stranger.Member.ID) + `"}`, Status: 422,
				Want: `{"errors":{"author_id":"names no existing member: ` + string(stranger.Member.ID) + `"}}`},
		})
		a := s.Owner.Want(t, 201, "POST", "/entity-templates", map[string]any{"name": strings.Repeat("ü", 128), "story_contents": map[string]any{}})
		path := templatePath(t, a)
		if contents, _ := a.Object(t)["story_contents"].(map[string]any); len(contents) != 11 {
			t.Errorf("empty contents are %v, want the kind and ten empty lists", contents)
		}
		s.Clock.Advance(60e9)
		testkit.Run(t, s.Owner, []testkit.Case{
			{As: observer, Method: "GET", Path: path, Status: 200, Want: `{"name":"` + strings.Repeat("ü", 128) + `","author_id":"` + owner + `","entity_type":"entity-template",
				"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z","last_used_at":"2026-01-05T10:00:00Z",
				"story_contents":{"entity_type":"story-contents","custom_fields":[],"external_links":[],"files":[],"follower_ids":[],"label_ids":[],"labels":[],
					"linked_files":[],"owner_ids":[],"sub_tasks":[],"tasks":[]}}`},
			{Name: "another author", As: member, Method: "POST", Path: "/entity-templates", Body: `{"name":"Bug","author_id":"` + owner + `","story_contents":{"name":"Broken"}}`, Status: 201,
				Want: `{"author_id":"` + owner + `","story_contents":{"name":"Broken"}}`},
			{Name: "the same name is allowed", As: member, Method: "POST", Path: "/entity-templates", Body: `{"name":"Bug","story_contents":{}}`, Status: 201, Want: `{"author_id":"` + mia + `"}`},
			{Method: "GET", Path: "/entity-templates", Status: 200, Want: `[{"author_id":"` + owner + `"},{"name":"Bug"},{"name":"Bug"}]`},
			{As: stranger, Method: "GET", Path: "/entity-templates", Status: 200, Want: `[]`},
			{As: stranger, Method: "GET", Path: path, Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "GET", Path: "/entity-templates/" + noUUID, Status: 404},
			{Method: "GET", Path: "/entity-templates/7", Status: 400, Want: `{"errors":{"entity-template-public-id":"must be a UUID"}}`},
			{Name: "renamed by a member", As: member, Method: "PUT", Path: path, Body: `{"name":"Feature"}`, Status: 200,
				Want: `{"name":"Feature","updated_at":"2026-01-05T10:01:00Z","last_used_at":"2026-01-05T10:00:00Z","story_contents":{"tasks":[]}}`},
			{As: observer, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 403},
			{As: stranger, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 404},
			{Method: "PUT", Path: "/entity-templates/" + noUUID, Body: `{"name":"x"}`, Status: 404},
			{Name: "129 characters", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400},
			{Name: "128 characters", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 128)}, Status: 200},
			{Name: "nulls", Method: "PUT", Path: path, Body: `{"name":null,"story_contents":null,"author_id":"` + mia + `"}`, Status: 400,
				Want: `{"errors":{"name":"must not be null","story_contents":"must not be null","author_id":"disallowed-key"}}`},
			{As: observer, Method: "DELETE", Path: path, Status: 403},
			{As: stranger, Method: "DELETE", Path: path, Status: 404},
			{As: member, Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestEntityTemplatesOff(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		path := templatePath(t, s.Owner.Want(t, 201, "POST", "/entity-templates", `{"name":"x","story_contents":{}}`))
		off := `{"feature_tag":"entity-templates","message":"The feature entity-templates is disabled in this workspace."}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: "/entity-templates/disable", Status: 204},
			{Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":{}}`, Status: 403, Want: off},
			{Name: "before 422", Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":{"epic_id":99}}`, Status: 403},
			{Name: "after 400", Method: "POST", Path: "/entity-templates", Body: `{"name":"x"}`, Status: 400},
			{Method: "PUT", Path: path, Body: `{"name":"y"}`, Status: 403, Want: off},
			{Name: "before 404", Method: "PUT", Path: "/entity-templates/" + noUUID, Body: `{"name":"y"}`, Status: 403},
			{Method: "GET", Path: path, Status: 200},
			{Method: "GET", Path: "/entity-templates", Status: 200, Want: `[{"name":"x"}]`},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "PUT", Path: "/entity-templates/enable", Status: 204},
			{Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":{}}`, Status: 201},
		})
	})
}

// surroundings is what contents can refer to.
type surroundings struct {
	member, group             tracker.UUID
	project, epic, iteration  int64
	state                     int64
	priority, severity        wireField
	highest, worst            tracker.UUID
	everything, restOfRequest string
}

// newSurroundings makes one of each, and the contents that refer to all of them.
func newSurroundings(t *testing.T, s *testkit.Server) surroundings {
	t.Helper()
	c := s.Owner
	team := c.Want(t, 200, "GET", "/teams", nil).List(t)[0]["id"]
	x := surroundings{
		member:    s.NewMember(t, c, "mia", tracker.Regular).Member.ID,
		group:     readJSON[struct{ ID tracker.UUID }](t, c.Want(t, 201, "POST", "/groups", `{"name":"Crew","mention_name":"crew"}`)).ID,
		project:   c.Want(t, 201, "POST", "/projects", map[string]any{"name": "Project", "team_id": team}).ID(t),
		epic:      c.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t),
		iteration: c.Want(t, 201, "POST", "/iterations", `{"name":"Sprint","start_date":"2026-01-05","end_date":"2026-01-16"}`).ID(t),
		state:     stateNamed(t, c, "In Development"),
		priority:  builtIn(t, c, "priority"), severity: builtIn(t, c, "severity"),
	}
	x.highest, x.worst = x.priority.value(t, "Highest"), x.severity.value(t, "Severity 0")
	c.Want(t, 200, "PUT", x.priority.path(), `{"enabled":true}`)
	c.Want(t, 200, "PUT", x.severity.path(), `{"enabled":true}`)
	x.everything = fmt.Sprintf(`"name":"Broken","description":"It **broke**","story_type":"bug","estimate":2,"deadline":"2026-02-01T10:00:00Z",
		"workflow_state_id":%d,"project_id":%d,"epic_id":%d,"iteration_id":%d,"group_id":%q,"owner_ids":[%[6]q],"follower_ids":[%[6]q],
		"external_links":["https://example.com/1"]`, x.state, x.project, x.epic, x.iteration, x.group, x.member)
	x.restOfRequest = fmt.Sprintf(`"custom_fields":[{"field_id":%q,"value_id":%q},{"field_id":%q,"value_id":%q,"value":"ignored"}],
		"labels":[{"name":"new","color":"#112233"},{"name":" KNOWN"},{"name":"NEW"}],"file_ids":[],"linked_file_ids":[],
		"tasks":[{"description":"Find it","owner_ids":[%q,%[5]q]},{"description":"Fix it","complete":true,"external_id":"t2"}],
		"sub_tasks":[{"name":"Part","owner_ids":[%[5]q],"workflow_state_id":%d},{"name":"Other"}]`,
		x.priority.ID, x.highest, x.severity.ID, x.worst, x.member, x.state)
	return x
}

func (x surroundings) request() string {
	return `{"name":"Bug","story_contents":{` + x.everything + `,` + x.restOfRequest + `}}`
}

func TestStoryContents(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		known := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"known"}`).ID(t)
		a := s.Owner.Want(t, 201, "POST", "/entity-templates", x.request())
		path := templatePath(t, a)
		full := fmt.Sprintf(`{%s,"entity_type":"story-contents","files":[],"linked_files":[],"label_ids":[%d,%d],
			"labels":[{"name":"new","color":"#112233","entity_type":"label"},{"name":"known","id":%[3]d}],
			"custom_fields":[{"field_id":%q,"value_id":%q,"value":"Highest"},{"field_id":%q,"value_id":%q,"value":"Severity 0"}],
			"tasks":[{"description":"Find it","owner_ids":[%q],"complete":false,"external_id":null,"position":1},
				{"description":"Fix it","owner_ids":[],"complete":true,"external_id":"t2","position":2}],
			"sub_tasks":[{"name":"Part","owner_ids":[%[8]q],"workflow_state_id":%d},{"name":"Other","owner_ids":[]}]}`,
			x.everything, known+1, known, x.priority.ID, x.highest, x.severity.ID, x.worst, x.member, x.state)
		put := func(name, contents, want string) testkit.Case {
			return testkit.Case{Name: name, Method: "PUT", Path: path, Body: `{"story_contents":` + contents + `}`, Status: 200, Want: `{"story_contents":` + want + `}`}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{"story_contents":` + full + `}`},
			{Method: "GET", Path: "/entity-templates", Status: 200, Want: `[{"story_contents":` + full + `}]`},
			put("nothing given", `{}`, full),
			put("one key", `{"description":"Less"}`, strings.Replace(full, "It **broke**", "Less", 1)),
			put("lists", `{"labels":[{"name":"known"}],"owner_ids":[],"tasks":[{"description":"Only"}],"sub_tasks":[],"custom_fields":[],"external_links":["a","b","a"]}`,
				`{"label_ids":[`+strconv.FormatInt(known, 10)+`],"owner_ids":[],"tasks":[{"description":"Only","position":1}],"sub_tasks":[],"custom_fields":[],
				"external_links":["a","b"],"name":"Broken"}`),
		})
		unset := s.Owner.Want(t, 200, "PUT", path, `{"story_contents":{"deadline":null,"epic_id":null,"estimate":null,"group_id":null,"iteration_id":null,
			"project_id":null,"workflow_state_id":null,"name":"","description":""}}`).Object(t)["story_contents"].(map[string]any)
		for _, key := range []string{"deadline", "epic_id", "estimate", "group_id", "iteration_id", "project_id", "workflow_state_id", "name", "description"} {
			if v, there := unset[key]; there {
				t.Errorf("%s was unset and is %v", key, v)
			}
		}
		if unset["story_type"] != "bug" {
			t.Errorf("story_type is %v", unset["story_type"])
		}
	})
}

func TestStoryContentsLimits(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		contents := func(status int, want string, body map[string]any) testkit.Case {
			return testkit.Case{Name: fmt.Sprint(status, want), Method: "POST", Path: "/entity-templates", Status: status, Want: want,
				Body: map[string]any{"name": "x", "story_contents": body}}
		}
		at := func(more int) map[string]any {
			return map[string]any{
				"name": strings.Repeat("ü", 512+more), "description": strings.Repeat("ü", 100_000+more), "estimate": -more,
				"external_links": []any{strings.Repeat("ü", 2048+more)}, "labels": []any{map[string]any{"name": strings.Repeat("ü", 128+more)}},
				"tasks":     []any{map[string]any{"description": strings.Repeat("ü", 2048+more), "external_id": strings.Repeat("ü", 128+more)}},
				"sub_tasks": []any{map[string]any{"name": strings.Repeat("ü", 512+more)}},
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			contents(201, "", at(0)),
			contents(400, `{"errors":{"story_contents":{"name":"must have at most 512 characters","description":"must have at most 100000 characters",
				"estimate":"must be at least 0","external_links":["must have at most 2048 characters"],"labels":[{"name":"must have at most 128 characters"}],
				"tasks":[{"description":"must have at most 2048 characters","external_id":"must have at most 128 characters"}],
				"sub_tasks":[{"name":"must have at most 512 characters"}]}}}`, at(1)),
			contents(400, `{"errors":{"story_contents":{"tasks":[{"description":"missing-required-key","position":"disallowed-key"},{"description":"must not be blank"}],
				"sub_tasks":[{"name":"missing-required-key"}],"labels":[{"name":"missing-required-key"}],"external_links":["must have at least 1 characters"],
				"custom_fields":[{"field_id":"missing-required-key","value_id":"missing-required-key"}],"story_type":"must be one of: feature, chore, bug",
				"label_ids":"disallowed-key","deadline":"must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z"}}}`,
				map[string]any{"tasks": []any{map[string]any{"position": 1}, map[string]any{"description": " "}}, "sub_tasks": []any{map[string]any{}},
					"labels": []any{map[string]any{}}, "external_links": []any{""}, "custom_fields": []any{map[string]any{}}, "story_type": "epic",
					"label_ids": []any{1}, "deadline": "tomorrow"}),
			contents(400, `{"errors":{"story_contents":{"custom_fields":"must not be null","description":"must not be null","external_links":"must not be null",
				"file_ids":"must not be null","follower_ids":"must not be null","labels":"must not be null","linked_file_ids":"must not be null","name":"must not be null",
				"owner_ids":"must not be null","project_id":"must not be null","story_type":"must not be null","sub_tasks":"must not be null","tasks":"must not be null"}}}`,
				map[string]any{"custom_fields": nil, "deadline": nil, "description": nil, "epic_id": nil, "estimate": nil, "external_links": nil, "file_ids": nil,
					"follower_ids": nil, "group_id": nil, "iteration_id": nil, "labels": nil, "linked_file_ids": nil, "name": nil, "owner_ids": nil,
					"project_id": nil, "story_type": nil, "sub_tasks": nil, "tasks": nil, "workflow_state_id": nil}),
		})
	})
}

func TestStoryContentsReferences(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		path := templatePath(t, s.Owner.Want(t, 201, "POST", "/entity-templates", `{"name":"Bug","story_contents":{"story_type":"feature"}}`))
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		choose := func(f wireField, value tracker.UUID) string {
			return `[{"field_id":"` + string(f.ID) + `","value_id":"` + string(value) + `"}]`
		}
		var cases []testkit.Case
		for _, c := range []struct{ key, value, reason string }{
			{"epic_id", strconv.FormatInt(x.project, 10), "names no existing epic: " + strconv.FormatInt(x.project, 10)},
			{"iteration_id", "99", "names no existing iteration: 99"},
			{"project_id", "99", "names no existing project: 99"},
			{"workflow_state_id", "99", "names no existing workflow-state: 99"},
			{"file_ids", "[99]", "names no existing file: 99"},
			{"linked_file_ids", "[99]", "names no existing linked-file: 99"},
			{"group_id", `"` + noUUID + `"`, "names no existing group: " + noUUID},
			{"owner_ids", `["` + string(x.member) + `","` + noUUID + `"]`, "names no existing member: " + noUUID},
			{"follower_ids", `["` + noUUID + `"]`, "names no existing member: " + noUUID},
			{"tasks", `[{"description":"x","owner_ids":["` + noUUID + `"]}]`, "names no existing member: " + noUUID},
			{"sub_tasks", `[{"name":"x","owner_ids":["` + noUUID + `"]}]`, "names no existing member: " + noUUID},
			{"sub_tasks", `[{"name":"x","workflow_state_id":99}]`, "names no existing workflow-state: 99"},
			{"custom_fields", choose(x.priority, x.worst), "names a value that the field Priority does not have: " + string(x.worst)},
			{"custom_fields", choose(builtIn(t, s.Owner, "skill-set"), x.worst), "names a field that is disabled: Skill Set"},
		} {
			contents := `"story_contents":{"labels":[{"name":"fresh"}],"` + c.key + `":` + c.value + `}`
			want := `{"errors":{"story_contents":{"` + c.key + `":"` + c.reason + `"}}}`
			cases = append(cases,
				testkit.Case{Name: "create " + c.key, Method: "POST", Path: "/entity-templates", Body: `{"name":"x",` + contents + `}`, Status: 422, Want: want},
				testkit.Case{Name: "update " + c.key, Method: "PUT", Path: path, Body: `{` + contents + `}`, Status: 422, Want: want})
		}
		severity := `"custom_fields":` + choose(x.severity, x.worst)
		cases = append(cases,
			testkit.Case{Name: "not of the type it has", Method: "PUT", Path: path, Body: `{"story_contents":{` + severity + `}}`, Status: 422,
				Want: `{"errors":{"story_contents":{"custom_fields":"names a field that does not apply to a feature: Severity"}}}`},
			testkit.Case{Name: "nothing was left", Method: "GET", Path: "/labels", Status: 200, Want: `[]`})
		testkit.Run(t, s.Owner, cases)
		if n := len(s.Changes(t, s.Owner.Workspace, int64(before))); n != 0 {
			t.Errorf("refused requests left %d changes", n)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "the type is open", Method: "POST", Path: "/entity-templates", Body: `{"name":"x","story_contents":{` + severity + `}}`, Status: 201},
			{Name: "of the type it gets", Method: "PUT", Path: path, Body: `{"story_contents":{"story_type":"bug",` + severity + `}}`, Status: 200},
		})
	})
}

// What a template refers to may go away; the template stays and shows what is left.
func TestStoryContentsOutliveWhatTheyNamed(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		a := s.Owner.Want(t, 201, "POST", "/entity-templates", x.request())
		path := templatePath(t, a)
		labels := a.Object(t)["story_contents"].(map[string]any)["label_ids"].([]any)
		for _, gone := range []string{
			fmt.Sprint("/epics/", x.epic), fmt.Sprint("/iterations/", x.iteration), fmt.Sprint("/projects/", x.project),
			fmt.Sprintf("/labels/%.0f", labels[0]), x.severity.path(),
		} {
			s.Owner.Want(t, 204, "DELETE", gone, nil)
		}
		s.Owner.Want(t, 200, "PUT", x.priority.path(), `{"enabled":false}`)
		left := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["story_contents"].(map[string]any)
		for _, key := range []string{"epic_id", "iteration_id", "project_id"} {
			if v, there := left[key]; there {
				t.Errorf("%s is %v though it was deleted", key, v)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"updated_at":%q,"story_contents":{"label_ids":[%.0f],"labels":[{"name":" KNOWN"}],"custom_fields":[],
				"group_id":%q,"owner_ids":[%q],"name":"Broken"}}`, a.Object(t)["updated_at"], labels[1], x.group, x.member)},
			{Name: "an update of the rest", Method: "PUT", Path: path, Body: `{"story_contents":{"name":"Still broken"}}`, Status: 200,
				Want: `{"story_contents":{"name":"Still broken","custom_fields":[]}}`},
			{Name: "enabled again", Method: "PUT", Path: x.priority.path(), Body: `{"enabled":true}`, Status: 200},
			{Name: "the value returns", Method: "GET", Path: path, Status: 200, Want: `{"story_contents":{"custom_fields":[{"value":"Highest"}]}}`},
		})
	})
}

func TestEntityTemplateChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		path := templatePath(t, s.Owner.Want(t, 201, "POST", "/entity-templates", x.request()))
		s.Clock.Advance(60e9)
		again := s.Owner.Want(t, 200, "PUT", path, x.request()).Object(t)["updated_at"]
		if again != "2026-01-05T10:00:00Z" {
			t.Errorf("an update that changes nothing moved updated_at to %v", again)
		}
		s.Owner.Want(t, 200, "PUT", path, `{"story_contents":{"owner_ids":[],"labels":[{"name":"third"}]}}`)
		s.Owner.Want(t, 204, "DELETE", path, nil)
		changes := s.Changes(t, s.Owner.Workspace, before)
		if len(changes) != 3 {
			t.Fatalf("%d changes, want a creation, an update and a deletion: %+v", len(changes), changes)
		}
		for i, want := range []string{"label create, label create, entity-template create", "label create, entity-template update", "entity-template delete"} {
			var items []string
			for _, item := range changes[i].Items {
				items = append(items, item.EntityType+" "+item.Action)
			}
			if got := strings.Join(items, ", "); got != want {
				t.Errorf("change %d is %s, want %s", i, got, want)
			}
		}
		data := changes[1].Items[1].Data
		delta, _ := data["story_contents"].(map[string]any)
		was, _ := delta["old"].(map[string]any)
		is, _ := delta["new"].(map[string]any)
		if len(data) != 1 || was["owner_ids"] == nil || is["owner_ids"] != nil || is["epic_id"] == nil {
			t.Errorf("the update records %v", data)
		}
		if kept := changes[2].Items[0].Data; kept["name"] != "Bug" || kept["author_id"] != string(s.Owner.Member.ID) || kept["story_contents"] == nil {
			t.Errorf("the deletion keeps %v", kept)
		}
	})
}

// Making a story from a template is no update of the template, but is noted and recorded.
func TestEntityTemplateUse(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		a := s.Owner.Want(t, 201, "POST", "/entity-templates", x.request())
		s.Owner.Want(t, 204, "DELETE", fmt.Sprint("/epics/", x.epic), nil)
		s.Clock.Advance(60e9)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		use := map[string]any{"story_template_id": a.Object(t)["id"]}
		s.Owner.Want(t, 201, "POST", "/stories/from-template", use)
		s.Owner.Want(t, 201, "POST", "/stories/from-template", use)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: templatePath(t, a), Status: 200, Want: `{"last_used_at":"2026-01-05T10:01:00Z","updated_at":"2026-01-05T10:00:00Z",
				"story_contents":{"name":"Broken"}}`},
			{Name: "absent", Method: "POST", Path: "/stories/from-template", Body: `{"story_template_id":"` + noUUID + `"}`, Status: 422,
				Want: `{"errors":{"story_template_id":"names no existing template: ` + noUUID + `"}}`},
		})
		var recorded []string
		for _, c := range s.Changes(t, s.Owner.Workspace, before) {
			for _, item := range c.Items {
				if item.EntityType == "entity-template" {
					recorded = append(recorded, fmt.Sprint(item.Action, item.Data))
				}
			}
		}
		if got := strings.Join(recorded, "; "); got != "updatemap[last_used_at:map[new:2026-01-05T10:01:00Z old:2026-01-05T10:00:00Z]]" {
			t.Errorf("the uses record %s", got)
		}
	})
}

func TestEntityTemplateQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		add := func(n int) {
			for range n {
				s.Owner.Want(t, 201, "POST", "/entity-templates", x.request())
			}
		}
		count := func() int64 {
			before := s.Store.Queries()
			s.Owner.Want(t, 200, "GET", "/entity-templates", nil)
			return s.Store.Queries() - before
		}
		add(10)
		few := count()
		add(90)
		if many := count(); many != few {
			t.Errorf("a list of 100 templates costs %d queries, one of 10 costs %d", many, few)
		}
	})
}
