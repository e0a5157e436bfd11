package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestTasks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID
		story, other := newStory(t, s, ""), newStory(t, s, "")
		path := storyPath(story) + "/tasks"
		task := func(body string) int64 { return s.Owner.Want(t, 201, "POST", path, body).ID(t) }
		a := task(fmt.Sprintf(`{"description":"a","owner_ids":[%q,%[1]q],"external_id":"x","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`, mia))
		b, c := task(`{"description":"b","complete":true}`), task(`{"description":"c"}`)
		at := func(id int64) string { return fmt.Sprintf("%s/%d", path, id) }
		slim := func(completed int, ids ...int64) testkit.Case {
			return testkit.Case{Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d]}`, story), Status: 200,
				Want: fmt.Sprintf(`[{"task_ids":%s,"num_tasks_completed":%d}]`, jsonInts(ids...), completed)}
		}
		s.Clock.Advance(time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: at(a), Status: 200, Want: fmt.Sprintf(`{"id":%d,"story_id":%d,"description":"a","complete":false,"completed_at":null,"owner_ids":[%q],
				"external_id":"x","position":1,"entity_type":"story-task","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z",
				"mention_ids":[],"member_mention_ids":[],"group_mention_ids":[],"global_id":"v2:t:%s:%[1]d"}`, a, story, mia, s.Owner.Workspace)},
			{Method: "GET", Path: at(b), Status: 200, Want: `{"complete":true,"completed_at":"2026-01-05T10:00:00Z","position":2}`},
			{Method: "GET", Path: path, Status: 200, Want: `[{"description":"a","position":1},{"description":"b","position":2},{"description":"c","position":3}]`},
			slim(1, a, b, c),
			{Name: "done", Method: "PUT", Path: at(a), Body: `{"complete":true}`, Status: 200, Want: `{"complete":true,"completed_at":"2026-01-05T11:00:00Z","updated_at":"2026-01-05T11:00:00Z"}`},
			slim(2, a, b, c),
			{Name: "done already", Method: "PUT", Path: at(b), Body: `{"complete":true}`, Status: 200, Want: `{"completed_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`},
			{Name: "open", Method: "PUT", Path: at(b), Body: `{"complete":false,"description":"B","owner_ids":[]}`, Status: 200, Want: `{"complete":false,"completed_at":null,"description":"B"}`},
			slim(1, a, b, c),
			{Name: "before", Method: "PUT", Path: at(c), Body: fmt.Sprintf(`{"before_id":%d}`, a), Status: 200, Want: `{"position":1}`},
			slim(1, c, a, b),
			{Name: "after", Method: "PUT", Path: at(c), Body: fmt.Sprintf(`{"after_id":%d}`, a), Status: 200, Want: `{"position":2}`},
			slim(1, a, c, b),
			{Name: "after the last", Method: "PUT", Path: at(a), Body: fmt.Sprintf(`{"after_id":%d}`, b), Status: 200, Want: `{"position":3}`},
			slim(1, c, b, a),
			{Method: "GET", Path: storyPath(story), Status: 200, Want: `{"tasks":[{"description":"c","position":1},{"description":"B","position":2},{"description":"a","position":3}]}`},
			{Name: "itself", Method: "PUT", Path: at(a), Body: fmt.Sprintf(`{"after_id":%d}`, a), Status: 422, Want: `{"errors":{"after_id":"names nothing else in the same list"}}`},
			{Name: "absent", Method: "PUT", Path: at(a), Body: `{"before_id":99}`, Status: 422, Want: `{"errors":{"before_id":"names nothing else in the same list"}}`},
			{Name: "both sides", Method: "PUT", Path: at(a), Body: fmt.Sprintf(`{"after_id":%d,"before_id":%d}`, b, c), Status: 422, Want: `{"errors":{"before_id":"cannot be combined with after_id"}}`},
			{Name: "nobody", Method: "PUT", Path: at(a), Body: `{"owner_ids":["00000000-0000-7000-8000-000000000000"]}`, Status: 422},
			{Name: "nobody", Method: "POST", Path: path, Body: `{"description":"x","owner_ids":["00000000-0000-7000-8000-000000000000"]}`, Status: 422},
			{Name: "null", Method: "PUT", Path: at(a), Body: `{"complete":null,"description":null,"owner_ids":null,"before_id":null}`, Status: 400,
				Want: `{"errors":{"complete":"must not be null","description":"must not be null","owner_ids":"must not be null","before_id":"must not be null"}}`},
			{Name: "another story's", Method: "GET", Path: fmt.Sprintf("%s/tasks/%d", storyPath(other), a), Status: 404},
			{Method: "PUT", Path: fmt.Sprintf("%s/tasks/%d", storyPath(other), a), Body: `{}`, Status: 404},
			{Method: "DELETE", Path: fmt.Sprintf("%s/tasks/%d", storyPath(other), a), Status: 404},
			{Method: "GET", Path: "/stories/99/tasks", Status: 404},
			{Method: "POST", Path: "/stories/99/tasks", Body: `{"description":"x"}`, Status: 404},
			{Name: "missing", Method: "POST", Path: path, Body: `{}`, Status: 400, Want: `{"errors":{"description":"missing-required-key"}}`},
			{Name: "2049", Method: "POST", Path: path, Body: map[string]any{"description": strings.Repeat("ü", 2049)}, Status: 400},
			{Name: "2049", Method: "PUT", Path: at(a), Body: map[string]any{"description": strings.Repeat("ü", 2049)}, Status: 400},
			{Name: "2048", Method: "PUT", Path: at(a), Body: map[string]any{"description": strings.Repeat("ü", 2048)}, Status: 200},
			{Name: "128", Method: "POST", Path: storyPath(other) + "/tasks", Body: map[string]any{"description": strings.Repeat("ü", 2048), "external_id": strings.Repeat("ü", 128)}, Status: 201},
			{Name: "129", Method: "POST", Path: path, Body: map[string]any{"description": "x", "external_id": strings.Repeat("ü", 129)}, Status: 400},
			{Method: "DELETE", Path: at(a), Status: 204},
			{Method: "GET", Path: at(a), Status: 404},
			{Method: "DELETE", Path: at(a), Status: 404},
			slim(0, c, b),
		})
	})
}

func TestSubTasks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		a, b, c := newStory(t, s, ""), newStory(t, s, ""), newStory(t, s, "")
		parent := newStory(t, s, `"epic_id":%d,"group_id":%q,"iteration_id":%d,"sub_tasks":[{"story_id":%d},{"name":"New","owner_ids":[%q],"workflow_state_id":%d},{"story_id":%d}]`,
			x.epic, x.group, x.iteration, b, x.member, ready, a)
		path := storyPath(parent)
		list := readJSON[struct {
			SubTasks []int64 `json:"sub_task_story_ids"`
		}](t, s.Owner.Want(t, 200, "GET", path, nil)).SubTasks
		if len(list) != 3 || list[0] != b || list[2] != a {
			t.Fatalf("sub-tasks %v", list)
		}
		created := list[1]
		has := func(id int64, subTasks ...int64) testkit.Case {
			return testkit.Case{Name: "sub-tasks", Method: "GET", Path: storyPath(id), Status: 200, Want: `{"sub_task_story_ids":` + jsonInts(subTasks...) + `}`}
		}
		under := func(id int64, parent any) testkit.Case {
			text := "null"
			if parent != nil {
				text = fmt.Sprint(parent)
			}
			return testkit.Case{Name: "parent", Method: "GET", Path: storyPath(id), Status: 200, Want: `{"parent_story_id":` + text + `}`}
		}
		put := func(id int64, body string, status int, want string) testkit.Case {
			return testkit.Case{Name: body, Method: "PUT", Path: storyPath(id), Body: body, Status: status, Want: want}
		}
		subTasks := func(ids ...int64) string {
			var parts []string
			for _, id := range ids {
				parts = append(parts, fmt.Sprintf(`{"story_id":%d}`, id))
			}
			return `{"sub_tasks":[` + strings.Join(parts, ",") + `]}`
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "it inherits", Method: "GET", Path: storyPath(created), Status: 200, Want: fmt.Sprintf(`{"name":"New","parent_story_id":%d,"epic_id":%d,"group_id":%q,
				"iteration_id":%d,"owner_ids":[%q],"workflow_state_id":%d}`, parent, x.epic, x.group, x.iteration, x.member, ready)},
			{Method: "GET", Path: path + "/sub-tasks", Status: 200, Want: fmt.Sprintf(`[{"id":%d,"description":""},{"id":%d},{"id":%d}]`, b, created, a)},
			{Method: "GET", Path: storyPath(a) + "/sub-tasks", Status: 200, Want: `[]`},
			{Method: "GET", Path: "/stories/99/sub-tasks", Status: 404},
			under(a, parent),
			put(parent, subTasks(c, b), 200, `{"sub_task_story_ids":`+jsonInts(c, b)+`}`),
			under(a, nil), under(created, nil), under(c, parent),
			put(parent, subTasks(b, c, b), 200, `{"sub_task_story_ids":`+jsonInts(b, c)+`}`),
			put(a, fmt.Sprintf(`{"parent_story_id":%d}`, parent), 200, fmt.Sprintf(`{"parent_story_id":%d}`, parent)),
			has(parent, b, c, a),
			put(c, `{"parent_story_id":null}`, 200, `{"parent_story_id":null}`),
			has(parent, b, a),
			put(c, subTasks(a), 200, `{"sub_task_story_ids":`+jsonInts(a)+`}`),
			has(parent, b), under(a, c),

			put(parent, subTasks(b, parent), 422, `{"errors":{"sub_tasks":[null,{"story_id":"names the story itself"}]}}`),
			put(parent, subTasks(b, c), 422, `{"errors":{"sub_tasks":[null,{"story_id":"is not possible for a story that has sub-tasks"}]}}`),
			put(b, subTasks(created), 422, `{"errors":{"sub_tasks":[{"story_id":"names a story that is a sub-task itself"}]}}`),
			put(parent, subTasks(b, 98, 99), 422, `{"errors":{"sub_tasks":[null,{"story_id":"names no existing story: 98"},{"story_id":"names no existing story: 99"}]}}`),
			put(parent, fmt.Sprintf(`{"parent_story_id":%d}`, parent), 422, `{"errors":{"parent_story_id":"names the story itself"}}`),
			put(parent, fmt.Sprintf(`{"parent_story_id":%d}`, b), 422, `{"errors":{"parent_story_id":"names a story that is a sub-task itself"}}`),
			put(parent, fmt.Sprintf(`{"parent_story_id":%d}`, created), 422, `{"errors":{"parent_story_id":"is not possible for a story that has sub-tasks"}}`),
			put(parent, `{"sub_tasks":[{}]}`, 400, `{"errors":{"sub_tasks":[{"story_id":"missing-required-key"}]}}`),
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","parent_story_id":%d}`, b), Status: 422, Want: `{"errors":{"parent_story_id":"names a story that is a sub-task itself"}}`},
			{Method: "POST", Path: "/stories", Body: fmt.Sprintf(`{"name":"x","sub_tasks":[{"name":"y"},{"story_id":%d}]}`, parent), Status: 422,
				Want: `{"errors":{"sub_tasks":[null,{"story_id":"is not possible for a story that has sub-tasks"}]}}`},
			{Method: "POST", Path: "/stories", Body: `{"name":"x","sub_tasks":[{"workflow_state_id":1}]}`, Status: 400, Want: `{"errors":{"sub_tasks":[{"name":"missing-required-key"}]}}`},
			{Method: "POST", Path: "/stories", Body: `{"name":"x","sub_tasks":[{"name":"y","workflow_state_id":1}]}`, Status: 422, Want: `{"errors":{"sub_tasks":[{"workflow_state_id":"names no existing state"}]}}`},
			has(parent, b),
			{Name: "a child goes", Method: "DELETE", Path: storyPath(b), Status: 204},
			has(parent),
			{Name: "a parent goes", Method: "DELETE", Path: storyPath(c), Status: 204},
			under(a, nil),
		})
		if err := s.Service.SwitchFeature(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.SubTasks, false); err != nil {
			t.Fatal(err)
		}
		off := `{"feature_tag":"sub-tasks"}`
		testkit.Run(t, s.Owner, []testkit.Case{
			put(parent, subTasks(a), 403, off), put(a, fmt.Sprintf(`{"parent_story_id":%d}`, parent), 403, off),
			{Method: "POST", Path: "/stories", Body: `{"name":"x","sub_tasks":[{"name":"y"}]}`, Status: 403, Want: off},
			put(parent, `{"sub_tasks":[]}`, 200, ""), put(a, `{"parent_story_id":null}`, 200, ""),
		})
	})
}
