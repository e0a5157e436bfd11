package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

func TestBulkStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"E"}`).ID(t)
		a := newStory(t, s, `"labels":[{"name":"old"},{"name":"kept"}]`)
		b := newStory(t, s, `"archived":true`)
		ids := jsonInts(a, b)
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "each bad story is named", Method: "POST", Path: "/stories/bulk", Status: 422,
				Body: fmt.Sprintf(`{"stories":[{"name":"1","epic_id":%d},{"name":"2","epic_id":99},{"name":"3"},
					{"name":"4","tasks":[{"description":"t"},{"description":"t","owner_ids":["00000000-0000-7000-8000-000000000000"]}]}]}`, epic),
				Want: `{"errors":{"stories":[null,{"epic_id":"names no existing epic: 99"},null,
					{"tasks":[null,{"owner_ids":"names no existing member: 00000000-0000-7000-8000-000000000000"}]}]}}`},
			{Name: "also of a double link", Method: "POST", Path: "/stories/bulk", Status: 422,
				Body: fmt.Sprintf(`{"stories":[{"name":"1","story_links":[{"verb":"blocks","object_id":%d},{"verb":"blocks","object_id":%[1]d}]},{"name":"2","epic_id":99}]}`, a),
				Want: `{"errors":{"stories":[{"story_links":[null,{"object_id":"is linked with subject_id by this verb already"}]},{"epic_id":"names no existing epic: 99"}]}}`},
			{Name: "and of the schema", Method: "POST", Path: "/stories/bulk", Body: `{"stories":[{"name":"1"},{"estimate":"x"}]}`, Status: 400,
				Want: `{"errors":{"stories":[null,{"name":"missing-required-key","estimate":"must be an integer"}]}}`},
			{Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d,98,99],"archived":true}`, a), Status: 422,
				Want: `{"errors":{"story_ids":[null,"names no existing story: 98","names no existing story: 99"]}}`},
			{Method: "PUT", Path: "/stories/bulk", Body: `{"story_ids":` + ids + `,"epic_id":99}`, Status: 422, Want: `{"errors":{"epic_id":"names no existing epic: 99"}}`},
			{Method: "PUT", Path: "/stories/bulk", Body: `{"story_ids":` + ids + `,"name":"x"}`, Status: 400, Want: `{"errors":{"name":"disallowed-key"}}`},
			{Method: "DELETE", Path: "/stories/bulk", Body: `{"story_ids":` + jsonInts(b, a, 99) + `}`, Status: 422, Want: `{"errors":{"story_ids":[null,null,"names no existing story: 99"]}}`},
			{Method: "DELETE", Path: "/stories/bulk", Body: `{"story_ids":` + jsonInts(b, a) + `}`, Status: 422, Want: `{"errors":{"story_ids":[null,"names a story that is not archived"]}}`},
		})
		if changes := s.Changes(t, s.Owner.Workspace, int64(before)); len(changes) > 0 {
			t.Errorf("refused requests left %s", itemsOf(changes))
		}
		if got := column(t, s, unscheduled); len(got) != 2 {
			t.Errorf("refused requests left stories: %v", got)
		}
		for _, key := range []string{"stories", "story_ids"} {
			for n, item := range map[int]any{0: nil, 1001: nil} {
				list := slices.Repeat([]any{item}, n)
				for i := range list {
					list[i] = map[string]any{"stories": map[string]any{"name": "x"}, "story_ids": a}[key]
				}
				method := map[string]string{"stories": "POST", "story_ids": "PUT"}[key]
				reason := map[int]string{0: "must hold at least 1 items", 1001: "must hold at most 1000 items"}[n]
				testkit.Run(t, s.Owner, []testkit.Case{{Method: method, Path: "/stories/bulk", Body: map[string]any{key: list}, Status: 400, Want: `{"errors":{"` + key + `":"` + reason + `"}}`}})
				if key == "story_ids" {
					testkit.Run(t, s.Owner, []testkit.Case{{Method: "DELETE", Path: "/stories/bulk", Body: map[string]any{key: list}, Status: 400, Want: `{"errors":{"` + key + `":"` + reason + `"}}`}})
				}
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/stories/bulk", Body: `{"stories":[{"name":"one"}]}`, Status: 201, Want: `[{"name":"one","description":"","task_ids":[]}]`},
			{Name: "lists and plain fields", Method: "PUT", Path: "/stories/bulk", Status: 200,
				Body: `{"story_ids":` + ids + fmt.Sprintf(`,"epic_id":%d,"estimate":3,"deadline":"2026-02-01T00:00:00Z","story_type":"bug","archived":true,
					"external_links":["https://example.com"],"labels_add":[{"name":"new"}],"labels_remove":[{"name":"OLD"},{"name":"never heard of"}],"workflow_state_id":%d}`, epic, completed),
				Want: fmt.Sprintf(`[{"id":%d,"epic_id":%d,"estimate":3,"story_type":"bug","archived":true,"labels":[{"name":"kept"},{"name":"new"}],"completed":true},
					{"id":%d,"epic_id":%[2]d,"labels":[{"name":"new"}],"external_links":["https://example.com"]}]`, a, epic, b)},
			{Name: "nulls, and a story twice", Method: "PUT", Path: "/stories/bulk", Status: 200, Body: `{"story_ids":` + jsonInts(b, a, b) + `,"epic_id":null,"estimate":null,"deadline":null,"iteration_id":null,"group_id":null,"project_id":null}`,
				Want: fmt.Sprintf(`[{"id":%d,"epic_id":null},{"id":%d,"estimate":null,"deadline":null}]`, b, a)},
			{Name: "twice", Method: "DELETE", Path: "/stories/bulk", Body: `{"story_ids":` + jsonInts(a, b, a) + `}`, Status: 204},
			{Method: "GET", Path: storyPath(a), Status: 404},
			{Method: "GET", Path: storyPath(b), Status: 404},
		})
	})
}

// A thousand stories are one change with an item for each.
func TestBulkOfAThousand(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		var number int64
		one := func(want string) {
			t.Helper()
			number++
			changes := s.Changes(t, s.Owner.Workspace, number)
			if len(changes) != 1 || itemsOf(changes) != strings.TrimSuffix(strings.Repeat(want+", ", 1000), ", ") {
				t.Fatalf("%d changes; the first: %.100s", len(changes), itemsOf(changes[:1]))
			}
		}
		number = int64(len(s.Changes(t, s.Owner.Workspace, 0))) - 1
		list := s.Owner.Want(t, 201, "POST", "/stories/bulk", map[string]any{"stories": slices.Repeat([]any{map[string]any{"name": "x"}}, 1000)}).List(t)
		one("create story")
		ids := make([]any, len(list))
		for i, story := range list {
			ids[i] = story["id"]
		}
		if n := len(s.Owner.Want(t, 200, "PUT", "/stories/bulk", map[string]any{"story_ids": ids, "archived": true, "workflow_state_id": ready}).List(t)); n != 1000 {
			t.Errorf("%d stories answered", n)
		}
		one("update story")
		s.Owner.Want(t, 204, "DELETE", "/stories/bulk", map[string]any{"story_ids": ids})
		one("delete story")
	})
}
