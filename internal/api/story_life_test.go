package api_test

import (
	"fmt"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// Moves between states set and clear the times; the clock goes on by an hour before each step.
func TestStoryTimes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newStory(t, s, "")
		const created = `"created_at":"2026-01-05T10:00:00Z"`
		none := `"started":false,"started_at":null,"completed":false,"completed_at":null`
		for _, step := range []struct{ name, body, want string }{
			{"to another unstarted state", fmt.Sprintf(`{"workflow_state_id":%d}`, ready), none + `,"moved_at":"2026-01-05T11:00:00Z"`},
			{"nothing moves", fmt.Sprintf(`{"workflow_state_id":%d,"name":"x"}`, ready), none + `,"moved_at":"2026-01-05T11:00:00Z","updated_at":"2026-01-05T12:00:00Z"`},
			{"started", fmt.Sprintf(`{"workflow_state_id":%d}`, developing),
				`"started":true,"started_at":"2026-01-05T13:00:00Z","completed":false,"completed_at":null,"moved_at":"2026-01-05T13:00:00Z"`},
			{"still started", fmt.Sprintf(`{"workflow_state_id":%d}`, reviewing), `"started_at":"2026-01-05T13:00:00Z","moved_at":"2026-01-05T14:00:00Z"`},
			{"done", fmt.Sprintf(`{"workflow_state_id":%d}`, completed),
				`"started":true,"started_at":"2026-01-05T13:00:00Z","completed":true,"completed_at":"2026-01-05T15:00:00Z","cycle_time":7200,"lead_time":18000`},
			{"back to started", fmt.Sprintf(`{"workflow_state_id":%d}`, developing),
				`"started":true,"started_at":"2026-01-05T13:00:00Z","completed":false,"completed_at":null,"moved_at":"2026-01-05T16:00:00Z"`},
			{"back to unstarted", fmt.Sprintf(`{"workflow_state_id":%d}`, unscheduled), none},
			{"straight to done", fmt.Sprintf(`{"workflow_state_id":%d}`, completed),
				`"started_at":"2026-01-05T18:00:00Z","completed_at":"2026-01-05T18:00:00Z","cycle_time":0,"lead_time":28800`},
			{"start overridden", `{"started_at_override":"2026-01-05T12:00:00Z"}`, `"started_at":"2026-01-05T18:00:00Z","cycle_time":21600,"lead_time":28800`},
			{"end overridden", `{"completed_at_override":"2026-01-05T14:00:00Z"}`, `"completed_at":"2026-01-05T18:00:00Z","cycle_time":7200,"lead_time":14400`},
			{"end before start", `{"completed_at_override":"2026-01-05T09:00:00Z"}`, `"cycle_time":0,"lead_time":0`},
			{"overrides gone", `{"completed_at_override":null,"started_at_override":null}`, `"cycle_time":0,"lead_time":28800`},
		} {
			s.Clock.Advance(time.Hour)
			testkit.Run(t, s.Owner, []testkit.Case{{Name: step.name, Method: "PUT", Path: storyPath(id), Body: step.body, Status: 200,
				Want: `{` + created + `,` + step.want + `}`}})
		}
		s.Owner.Want(t, 200, "PUT", storyPath(id), fmt.Sprintf(`{"workflow_state_id":%d}`, developing))
		for _, key := range []string{"cycle_time", "lead_time"} {
			if v, ok := s.Owner.Want(t, 200, "GET", storyPath(id), nil).Object(t)[key]; ok {
				t.Errorf("%s of a story that is open again is %v", key, v)
			}
		}
		second := putState(t, s, defaultWorkflow(t, s).ID, tracker.Done)
		s.Owner.Want(t, 200, "PUT", storyPath(id), fmt.Sprintf(`{"workflow_state_id":%d}`, completed))
		at := s.Owner.Want(t, 200, "GET", storyPath(id), nil).Object(t)["completed_at"]
		s.Clock.Advance(time.Hour)
		if again := s.Owner.Want(t, 200, "PUT", storyPath(id), fmt.Sprintf(`{"workflow_state_id":%d}`, second)).Object(t)["completed_at"]; again != at {
			t.Errorf("a move from done to done moved completed_at from %v to %v", at, again)
		}
	})
}

func TestStoryCreatedInThePast(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		past := `"created_at":"2020-02-03T04:05:06Z"`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/stories", Body: `{"name":"x",` + past + `}`, Status: 201, Want: `{` + past + `,"moved_at":"2020-02-03T04:05:06Z","updated_at":"2026-01-05T10:00:00Z"}`},
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x",%s,"updated_at":"2021-01-01T01:00:00+01:00","workflow_state_id":%d}`, past, developing), Status: 201,
				Want: `{` + past + `,"updated_at":"2021-01-01T00:00:00Z","started_at":"2020-02-03T04:05:06Z"}`},
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x",%s,"workflow_state_id":%d}`, past, completed), Status: 201,
				Want: `{"started_at":"2020-02-03T04:05:06Z","completed_at":"2020-02-03T04:05:06Z","cycle_time":0,"lead_time":0}`},
		})
	})
}

func TestStoryFollowersAndOwners(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		o, m, n := s.Owner.Member.ID, mia.Member.ID, s.NewMember(t, s.Owner, "nora", tracker.Regular).Member.ID
		followers := func(ids ...tracker.UUID) string { return `{"follower_ids":` + jsonList(ids) + `}` }
		people := func(owners, followers []tracker.UUID) string {
			return `{"owner_ids":` + jsonList(owners) + `,"follower_ids":` + jsonList(followers) + `}`
		}
		id := newStory(t, s, "")
		path := storyPath(id)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "an explicit list gains owners and the requester", Method: "POST", Path: "/stories", Status: 201, Want: followers(n, m, o),
				Body: fmt.Sprintf(`{"name":"x","follower_ids":[%q,%[1]q],"owner_ids":[%q]}`, n, m)},
			{Name: "the requester follows, not who creates", Method: "POST", Path: "/stories", Status: 201, Want: followers(n), Body: fmt.Sprintf(`{"name":"x","requested_by_id":%q}`, n)},
			{Name: "a new owner follows", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"owner_ids":[%q,%[1]q]}`, m), Status: 200, Want: people([]tracker.UUID{m}, []tracker.UUID{o, m})},
			{Name: "who is owner already can stop following", Method: "PUT", Path: path, Body: followers(o), Status: 200, Want: people([]tracker.UUID{m}, []tracker.UUID{o})},
			{Name: "the same owners again", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"owner_ids":[%q]}`, m), Status: 200, Want: followers(o)},
			{Name: "nobody", Method: "PUT", Path: path, Body: `{"owner_ids":[],"follower_ids":[]}`, Status: 200, Want: people(nil, nil)},
			{Name: "who comments follows", As: mia, Method: "POST", Path: path + "/comments", Body: `{"text":"x"}`, Status: 201},
			{Method: "GET", Path: path, Status: 200, Want: followers(m)},
			{Name: "also in another's name", Method: "POST", Path: path + "/comments", Body: fmt.Sprintf(`{"text":"x","author_id":%q}`, n), Status: 201, Want: fmt.Sprintf(`{"author_id":%q}`, n)},
			{Method: "GET", Path: path, Status: 200, Want: followers(m, n)},
			{Name: "bulk", Method: "PUT", Path: "/stories/bulk", Status: 200,
				Body: fmt.Sprintf(`{"story_ids":[%d],"owner_ids_add":[%q],"follower_ids_add":[%q],"follower_ids_remove":[%[4]q]}`, id, m, o, n),
				Want: `[` + people([]tracker.UUID{m}, []tracker.UUID{m, o}) + `]`},
			{Name: "bulk back", Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d],"owner_ids_remove":[%q]}`, id, m), Status: 200,
				Want: `[` + people(nil, []tracker.UUID{m, o}) + `]`},

			{Name: "created in a started state", Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","workflow_state_id":%d}`, developing), Status: 201,
				Want: people([]tracker.UUID{o}, []tracker.UUID{o})},
			{Name: "created owned", Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","workflow_state_id":%d,"owner_ids":[%q]}`, developing, n), Status: 201,
				Want: people([]tracker.UUID{n}, []tracker.UUID{n, o})},
			{Name: "who starts it gets it", As: mia, Method: "PUT", Path: path, Body: fmt.Sprintf(`{"workflow_state_id":%d}`, developing), Status: 200,
				Want: people([]tracker.UUID{m}, []tracker.UUID{m, o})},
			{Name: "given back", Method: "PUT", Path: path, Body: `{"owner_ids":[]}`, Status: 200},
			{Name: "started before", As: mia, Method: "PUT", Path: path, Body: fmt.Sprintf(`{"workflow_state_id":%d}`, reviewing), Status: 200, Want: people(nil, []tracker.UUID{m, o})},
			{Name: "done is not started", Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","workflow_state_id":%d}`, completed), Status: 201, Want: people(nil, []tracker.UUID{o})},
		})
		_, states := secondWorkflow(t, s)
		testkit.Run(t, s.Owner, []testkit.Case{{Name: "a workflow that assigns nobody", Method: "POST", Path: "/stories",
			Body: fmt.Sprintf(`{"name":"x","workflow_state_id":%d}`, states[1]), Status: 201, Want: `{"started":true,"owner_ids":[]}`}})
	})
}

func jsonList(ids []tracker.UUID) string {
	text := "["
	for i, id := range ids {
		if i > 0 {
			text += ","
		}
		text += `"` + string(id) + `"`
	}
	return text + "]"
}

func TestStoryWorkflowFollowsTheProject(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		first := defaultWorkflow(t, s)
		second, states := secondWorkflow(t, s)
		p1, p2 := newProject(t, s, first.TeamID), newProject(t, s, second.TeamID)
		in := func(workflow, state int64) string {
			return fmt.Sprintf(`{"workflow_id":%d,"workflow_state_id":%d}`, workflow, state)
		}
		id := newStory(t, s, "")
		path := storyPath(id)
		put := func(name, body string, status int, want string) testkit.Case {
			return testkit.Case{Name: name, Method: "PUT", Path: path, Body: body, Status: status, Want: want}
		}
		mismatch := `{"errors":{"workflow_state_id":"belongs to another workflow than the project"}}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","project_id":%d}`, p2), Status: 201, Want: in(second.ID, states[0])},
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","project_id":%d,"workflow_state_id":%d}`, p2, states[2]), Status: 201, Want: in(second.ID, states[2])},
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","project_id":%d,"workflow_state_id":%d}`, p2, ready), Status: 422, Want: mismatch},
			put("without a project any workflow", fmt.Sprintf(`{"workflow_state_id":%d}`, states[1]), 200, in(second.ID, states[1])),
			put("a project of the same workflow", fmt.Sprintf(`{"project_id":%d}`, p2), 200, in(second.ID, states[1])),
			put("a state of another workflow", fmt.Sprintf(`{"workflow_state_id":%d}`, ready), 422, mismatch),
			put("a project of another workflow", fmt.Sprintf(`{"project_id":%d}`, p1), 200, fmt.Sprintf(`{"workflow_id":%d,"workflow_state_id":%d,"started":false}`, first.ID, unscheduled)),
			put("project and state", fmt.Sprintf(`{"project_id":%d,"workflow_state_id":%d}`, p2, states[2]), 200, fmt.Sprintf(`{"workflow_state_id":%d,"completed":true}`, states[2])),
			put("project and state that do not fit", fmt.Sprintf(`{"project_id":%d,"workflow_state_id":%d}`, p1, states[2]), 422, mismatch),
			put("no project stays where it is", `{"project_id":null}`, 200, in(second.ID, states[2])),
			put("no project and a state", fmt.Sprintf(`{"project_id":null,"workflow_state_id":%d}`, completed), 200, in(first.ID, completed)),
		})
	})
}

// An iteration is remembered when the story was in it for more than a day and it had begun.
func TestPreviousIterations(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		iteration := func(start, end string) int64 {
			return s.Owner.Want(t, 201, "POST", "/iterations", map[string]any{"name": "I", "start_date": start, "end_date": end}).ID(t)
		}
		begun, later, over := iteration("2026-01-05", "2026-01-09"), iteration("2026-02-01", "2026-02-10"), iteration("2025-01-01", "2025-01-02")
		for _, c := range []struct {
			name      string
			iteration int64
			stay      time.Duration
			want      string
		}{
			{"a day to the second", begun, 24 * time.Hour, "[]"},
			{"a second more", begun, 24*time.Hour + time.Second, fmt.Sprintf("[%d]", begun)},
			{"not begun", later, 48 * time.Hour, "[]"},
			{"over", over, 48 * time.Hour, fmt.Sprintf("[%d]", over)},
		} {
			id := newStory(t, s, `"iteration_id":%d`, c.iteration)
			s.Clock.Advance(c.stay)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Name: c.name + ", still there", Method: "PUT", Path: storyPath(id), Body: fmt.Sprintf(`{"iteration_id":%d}`, c.iteration), Status: 200, Want: `{"previous_iteration_ids":[]}`},
				{Name: c.name, Method: "PUT", Path: storyPath(id), Body: `{"iteration_id":null}`, Status: 200, Want: `{"iteration_id":null,"previous_iteration_ids":` + c.want + `}`},
			})
		}
		id := newStory(t, s, `"iteration_id":%d`, begun)
		s.Clock.Advance(48 * time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d],"iteration_id":%d}`, id, over), Status: 200, Want: fmt.Sprintf(`[{"iteration_id":%d,"previous_iteration_ids":[%d]}]`, over, begun)},
		})
		s.Clock.Advance(48 * time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: storyPath(id), Body: fmt.Sprintf(`{"iteration_id":%d}`, begun), Status: 200, Want: fmt.Sprintf(`{"previous_iteration_ids":[%d,%d]}`, begun, over)},
		})
		s.Clock.Advance(48 * time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "each once", Method: "PUT", Path: storyPath(id), Body: `{"iteration_id":null}`, Status: 200, Want: fmt.Sprintf(`{"previous_iteration_ids":[%d,%d]}`, begun, over)},
		})
	})
}

// The clock of a workspace east of Greenwich decides whether an iteration has begun.
func TestPreviousIterationsInTheWorkspacesOwnTime(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		iteration := s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"I","start_date":"2026-01-08","end_date":"2026-01-09"}`).ID(t)
		first, second := newStory(t, s, `"iteration_id":%d`, iteration), newStory(t, s, `"iteration_id":%d`, iteration)
		s.Clock.Advance(61 * time.Hour) // 2026-01-07T23:00:00Z
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "PUT", Path: storyPath(first), Body: `{"iteration_id":null}`, Status: 200, Want: `{"previous_iteration_ids":[]}`}})
		if _, err := s.Service.UpdateWorkspace(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.WorkspaceChange{UTCOffset: tracker.Some("+02:00")}); err != nil {
			t.Fatal(err)
		}
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "PUT", Path: storyPath(second), Body: `{"iteration_id":null}`, Status: 200, Want: fmt.Sprintf(`{"previous_iteration_ids":[%d]}`, iteration)}})
	})
}

func TestStoryMentions(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		owner := s.Owner.Member.ID
		group := readJSON[struct{ ID tracker.UUID }](t, s.Owner.Want(t, 201, "POST", "/groups", `{"name":"G","mention_name":"g"}`)).ID
		text := fmt.Sprintf("[@olivia](milepost://members/%s) [@olivia](shortcutapp://members/%[1]s) [@g](milepost://groups/%s) [@x](milepost://members/00000000-0000-7000-8000-000000000000) @olivia", owner, group)
		mentioned := fmt.Sprintf(`{"member_mention_ids":[%q],"mention_ids":[%[1]q],"group_mention_ids":[%q]}`, owner, group)
		none := `{"member_mention_ids":[],"mention_ids":[],"group_mention_ids":[]}`
		id := newStory(t, s, "")
		path := storyPath(id)
		task := s.Owner.Want(t, 201, "POST", path+"/tasks", map[string]any{"description": text}).ID(t)
		comment := s.Owner.Want(t, 201, "POST", path+"/comments", map[string]any{"text": text}).ID(t)
		for _, c := range []struct{ path, field string }{
			{path, "description"}, {fmt.Sprintf("%s/tasks/%d", path, task), "description"}, {fmt.Sprintf("%s/comments/%d", path, comment), "text"},
		} {
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "PUT", Path: c.path, Body: map[string]any{c.field: text}, Status: 200, Want: mentioned},
				{Method: "GET", Path: c.path, Status: 200, Want: mentioned},
				{Method: "PUT", Path: c.path, Body: map[string]any{c.field: "nobody"}, Status: 200, Want: none},
			})
		}
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "POST", Path: "/stories", Body: map[string]any{"name": "x", "description": text}, Status: 201, Want: mentioned}})
	})
}

// A list of custom fields replaces what the story shows, and leaves what is hidden alone.
func TestStoryCustomFieldLists(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		high := x.priority.value(t, "High")
		field := func(f wireField, value tracker.UUID) string {
			return fmt.Sprintf(`{"field_id":%q,"value_id":%q}`, f.ID, value)
		}
		id := newStory(t, s, `"story_type":"bug","custom_fields":[%s,%s]`, field(x.priority, x.highest), field(x.severity, x.worst))
		enable := func(on bool) testkit.Case {
			return testkit.Case{Method: "PUT", Path: x.priority.path(), Body: map[string]any{"enabled": on}, Status: 200}
		}
		bulk := func(name, change string, status int, want string) testkit.Case {
			return testkit.Case{Name: name, Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d],%s}`, id, change), Status: status, Want: want}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			enable(false),
			{Name: "cleared while one is hidden", Method: "PUT", Path: storyPath(id), Body: `{"custom_fields":[]}`, Status: 200, Want: `{"custom_fields":[]}`},
			enable(true),
			{Name: "back", Method: "GET", Path: storyPath(id), Status: 200, Want: `{"custom_fields":[{"value":"Highest"}]}`},
			bulk("replaced", `"custom_fields_add":[`+field(x.priority, high)+`,`+field(x.severity, x.worst)+`]`, 200, `[{"custom_fields":[{"value":"High"},{"value":"Severity 0"}]}]`),
			bulk("another value stays", `"custom_fields_remove":[`+field(x.priority, x.highest)+`]`, 200, `[{"custom_fields":[{"value":"High"},{"value":"Severity 0"}]}]`),
			bulk("removed", `"custom_fields_remove":[`+field(x.priority, high)+`]`, 200, `[{"custom_fields":[{"value":"Severity 0"}]}]`),
			bulk("a field that is none", `"custom_fields_remove":[`+field(wireField{ID: high}, high)+`]`, 422, `{"errors":{"custom_fields_remove":"names no existing custom field: `+string(high)+`"}}`),
			bulk("not for this type", `"story_type":"chore","custom_fields_add":[`+field(x.severity, x.worst)+`]`, 422,
				`{"errors":{"custom_fields_add":"names a field that does not apply to a chore: Severity","story_ids":["custom_fields_add names a field that does not apply to a chore: Severity"]}}`),
		})
	})
}
