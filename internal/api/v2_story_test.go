package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func v2Story(id int64) string { return fmt.Sprintf("/api/v2/stories/%d", id) }

func TestV2Stories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const stories = "/api/v2/stories"
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID
		epic := s.Owner.Want(t, 201, "POST", "/api/v2/epics", `{"name":"Engine"}`).ID(t)
		blocker := s.Owner.Want(t, 201, "POST", stories, `{"name":"In the way"}`).ID(t)
		id := s.Owner.Want(t, 201, "POST", stories, fmt.Sprintf(`{"name":"Pump","description":"Ask @mia","story_type":"bug","estimate":3,"epic_id":%d,
			"workflow_state_id":%d,"owner_ids":[%q],"follower_ids":[%[3]q],"requested_by_id":%[3]q,"external_id":"s-1","deadline":"2026-02-01T00:00:00Z",
			"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z","started_at_override":"2020-01-03T00:00:00Z",
			"completed_at_override":"2020-01-04T00:00:00Z","labels":[{"name":"warm","color":"#112233"}],"tasks":[{"description":"Find @mia","complete":true}],
			"comments":[{"text":"Odd, @mia.","external_id":"c-1"}],"story_links":[{"subject_id":%d,"verb":"blocks"}]}`, epic, developing, mia, blocker)).ID(t)
		path := v2Story(id)
		base := fmt.Sprintf(`"name":"Pump","story_type":"bug","estimate":3,"epic_id":%d,"workflow_state_id":%d,"owner_ids":[%q],"mention_ids":[%[3]q],
			"requested_by_id":%[3]q,"external_id":"s-1","started":true,"blocked":true,"created_at":"2020-01-01T00:00:00Z",
			"labels":[{"name":"warm","color":"#112233"}],"story_links":[{"subject_id":%d,"object_id":%d,"verb":"blocks","type":"object"}]`, epic, developing, mia, blocker, id)
		cases := []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{%s,"description":"Ask @mia","files":[],"linked_files":[],"branches":[],"commits":[],
				"tasks":[{"description":"Find @mia","complete":true,"mention_ids":[%q]}],"comments":[{"text":"Odd, @mia.","mention_ids":[%[2]q]}]}`, base, mia)},
			{Name: "unset", Method: "PUT", Path: path, Body: `{"estimate":null,"epic_id":null,"deadline":null,"started_at_override":null,"completed_at_override":null,"labels":[]}`, Status: 200,
				Want: `{"estimate":null,"epic_id":null,"deadline":null,"started_at_override":null,"completed_at_override":null,"labels":[]}`},
			{Name: "move", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"workflow_state_id":%d,"before_id":%d,"archived":true,"name":"Pumps"}`, unscheduled, blocker), Status: 200,
				Want: fmt.Sprintf(`{"workflow_state_id":%d,"archived":true,"name":"Pumps","started":false}`, unscheduled)},
			{Name: "512", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 512)}, Status: 200},
			{Name: "513", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 513)}, Status: 400},
			{Method: "POST", Path: stories, Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key"}}`},
			{Name: "absent epic", Method: "POST", Path: stories, Body: `{"name":"x","epic_id":99}`, Status: 422},
			{Name: "absent branch", Method: "PUT", Path: path, Body: `{"branch_ids":[99]}`, Status: 422},
			{Name: "inner keys", Method: "POST", Path: stories, Body: `{"name":"x","comments":[{"text":"y","blocker":true}],"labels":[{"name":"y","description":"z"}]}`, Status: 400,
				Want: `{"errors":{"comments":[{"blocker":"disallowed-key"}],"labels":[{"description":"disallowed-key"}]}}`},
			{Method: "PUT", Path: v2Story(99), Body: `{}`, Status: 404},
		}
		cases = append(cases, refusals("POST", stories, `"name":"x",`, "archived", "custom_fields", "external_links", "group_id", "move_to", "parent_story_id",
			"source_task_id", "story_template_id", "sub_tasks")...)
		cases = append(cases, refusals("PUT", path, "", "custom_fields", "external_links", "group_id", "move_to", "parent_story_id", "pull_request_ids", "sub_tasks")...)
		cases = append(cases,
			testkit.Case{Method: "DELETE", Path: path, Status: 204}, testkit.Case{Method: "GET", Path: path, Status: 404},
			testkit.Case{Method: "DELETE", Path: path, Status: 404})
		testkit.Run(t, s.Owner, cases)
	})
}

func TestV2BulkStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const bulk = "/api/v2/stories/bulk"
		made := s.Owner.Want(t, 201, "POST", bulk, `{"stories":[{"name":"a","description":"hidden"},{"name":"b","labels":[{"name":"warm"}]}]}`)
		list := made.List(t)
		if strings.Contains(made.Text, "hidden") || len(list) != 2 {
			t.Fatalf("made %s", made.Text)
		}
		ids := jsonInts(numberOf(list[0]["id"]).(int64), numberOf(list[1]["id"]).(int64))
		me := s.Owner.Member.ID
		cases := []testkit.Case{
			{Method: "PUT", Path: bulk, Body: fmt.Sprintf(`{"story_ids":%s,"estimate":2,"archived":true,"story_type":"chore","workflow_state_id":%d,"deadline":"2026-03-01T00:00:00Z",
				"owner_ids_add":[%q],"follower_ids_add":[%[3]q],"requested_by_id":%[3]q,"labels_add":[{"name":"cold"}],"labels_remove":[{"name":"warm"}]}`, ids, ready, me), Status: 200,
				Want: fmt.Sprintf(`[{"name":"a","estimate":2,"archived":true,"story_type":"chore","owner_ids":[%q],"labels":[{"name":"cold"}]},{"name":"b","labels":[{"name":"cold"}]}]`, me)},
			{Method: "PUT", Path: bulk, Body: fmt.Sprintf(`{"story_ids":%s,"owner_ids_remove":[%q],"follower_ids_remove":[%[2]q],"deadline":null}`, ids, me), Status: 200,
				Want: `[{"owner_ids":[],"deadline":null},{"owner_ids":[]}]`},
			{Name: "empty", Method: "POST", Path: bulk, Body: `{"stories":[]}`, Status: 400},
			{Name: "absent", Method: "PUT", Path: bulk, Body: `{"story_ids":[99]}`, Status: 422},
			{Name: "inner key", Method: "POST", Path: bulk, Body: `{"stories":[{"name":"x","group_id":null}]}`, Status: 400, Want: `{"errors":{"stories":[{"group_id":"disallowed-key"}]}}`},
		}
		cases = append(cases, refusals("PUT", bulk, `"story_ids":[1],`, "custom_fields_add", "external_links", "group_id", "iteration_id", "move_to")...)
		cases = append(cases,
			testkit.Case{Method: "DELETE", Path: bulk, Body: fmt.Sprintf(`{"story_ids":%s}`, ids), Status: 204},
			testkit.Case{Method: "GET", Path: v2Story(numberOf(list[0]["id"]).(int64)), Status: 404})
		testkit.Run(t, s.Owner, cases)
		kept := newStory(t, s, "")
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "not archived", Method: "DELETE", Path: bulk, Body: fmt.Sprintf(`{"story_ids":[%d]}`, kept), Status: 422},
		})
	})
}

func TestV2SearchStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const search = "/api/v2/stories/search"
		testkit.Beside(t, address, s.Owner.Workspace)(`update workflow_state set type = 'backlog' where workspace_id = $1 and id = $2`, unscheduled)
		later, next := newStory(t, s, `"estimate":1,"story_type":"bug"`), newStory(t, s, `"workflow_state_id":%d,"labels":[{"name":"warm"}]`, ready)
		now := newStory(t, s, `"workflow_state_id":%d,"external_id":"s-1"`, developing)
		ids := func(ids ...int64) string {
			var items []string
			for _, id := range ids {
				items = append(items, fmt.Sprintf(`{"id":%d}`, id))
			}
			return "[" + strings.Join(items, ",") + "]"
		}
		cases := []testkit.Case{
			{Method: "POST", Path: search, Body: `{}`, Status: 201, Want: ids(later, next, now)},
			{Name: "a backlog is unstarted", Method: "POST", Path: search, Body: `{"workflow_state_types":["unstarted"]}`, Status: 201, Want: ids(later, next)},
			{Name: "started", Method: "POST", Path: search, Body: `{"workflow_state_types":["started"]}`, Status: 201, Want: ids(now)},
			{Name: "no backlog", Method: "POST", Path: search, Body: `{"workflow_state_types":["backlog"]}`, Status: 400},
			{Name: "label", Method: "POST", Path: search, Body: `{"label_name":"Warm"}`, Status: 201, Want: ids(next)},
			{Name: "type", Method: "POST", Path: search, Body: `{"story_type":"bug","estimate":1}`, Status: 201, Want: ids(later)},
			{Name: "external id", Method: "POST", Path: search, Body: `{"external_id":"s-1"}`, Status: 201, Want: ids(now)},
			{Name: "state", Method: "POST", Path: search, Body: fmt.Sprintf(`{"workflow_state_id":%d}`, ready), Status: 201, Want: ids(next)},
			{Name: "times", Method: "POST", Path: search, Body: `{"created_at_start":"2100-01-01T00:00:00Z"}`, Status: 201, Want: `[]`},
			{Name: "archived", Method: "POST", Path: search, Body: `{"archived":true}`, Status: 201, Want: `[]`},
		}
		testkit.Run(t, s.Owner, append(cases, refusals("POST", search, "", "group_id", "group_ids", "label_ids", "includes_description")...))
	})
}

func TestV2StoryParts(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID
		story, other := newStory(t, s, ""), newStory(t, s, "")
		comments, tasks := v2Story(story)+"/comments", v2Story(story)+"/tasks"
		comment := s.Owner.Want(t, 201, "POST", comments, fmt.Sprintf(`{"text":"Hi @mia","author_id":%q,"external_id":"c-1","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`, mia)).ID(t)
		task := s.Owner.Want(t, 201, "POST", tasks, fmt.Sprintf(`{"description":"Ask @mia","owner_ids":[%q],"external_id":"t-1","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`, mia)).ID(t)
		second := s.Owner.Want(t, 201, "POST", tasks, `{"description":"Then","complete":true}`).ID(t)
		link := s.Owner.Want(t, 201, "POST", "/api/v2/story-links", fmt.Sprintf(`{"subject_id":%d,"verb":"blocks","object_id":%d}`, story, other)).ID(t)
		oneComment, oneTask, oneLink := fmt.Sprintf("%s/%d", comments, comment), fmt.Sprintf("%s/%d", tasks, task), fmt.Sprintf("/api/v2/story-links/%d", link)
		whole := fmt.Sprintf(`{"text":"Hi @mia","author_id":%q,"external_id":"c-1","mention_ids":[%[1]q],"position":1,"entity_type":"story-comment","updated_at":"2020-01-02T00:00:00Z"}`, mia)
		cases := []testkit.Case{
			{Method: "GET", Path: oneComment, Status: 200, Want: whole},
			{Method: "GET", Path: comments, Status: 200, Want: `[` + whole + `]`},
			{Method: "PUT", Path: oneComment, Body: `{"text":"Bye"}`, Status: 200, Want: `{"text":"Bye","mention_ids":[]}`},
			{Method: "PUT", Path: oneComment, Body: `{}`, Status: 400, Want: `{"errors":{"text":"missing-required-key"}}`},
			{Name: "another story's", Method: "GET", Path: fmt.Sprintf("%s/comments/%d", v2Story(other), comment), Status: 404},
			{Method: "GET", Path: v2Story(99) + "/comments", Status: 404},
			{Method: "GET", Path: oneTask, Status: 200, Want: fmt.Sprintf(`{"description":"Ask @mia","complete":false,"owner_ids":[%q],"external_id":"t-1","mention_ids":[%[1]q],"position":1,"story_id":%d}`, mia, story)},
			{Method: "PUT", Path: oneTask, Body: fmt.Sprintf(`{"complete":true,"description":"Done","owner_ids":[],"after_id":%d}`, second), Status: 200,
				Want: `{"complete":true,"description":"Done","owner_ids":[],"position":2,"mention_ids":[]}`},
			{Name: "2048", Method: "PUT", Path: oneTask, Body: map[string]any{"description": strings.Repeat("ü", 2048)}, Status: 200},
			{Name: "2049", Method: "PUT", Path: oneTask, Body: map[string]any{"description": strings.Repeat("ü", 2049)}, Status: 400},
			{Name: "absent neighbour", Method: "PUT", Path: oneTask, Body: `{"before_id":99}`, Status: 422},
			{Method: "POST", Path: tasks, Body: `{}`, Status: 400, Want: `{"errors":{"description":"missing-required-key"}}`},
			{Name: "no list of tasks", Method: "GET", Path: tasks, Status: 405},
			{Method: "GET", Path: oneLink, Status: 200, Want: fmt.Sprintf(`{"subject_id":%d,"verb":"blocks","object_id":%d,"entity_type":"story-link"}`, story, other)},
			{Name: "double", Method: "POST", Path: "/api/v2/story-links", Body: fmt.Sprintf(`{"subject_id":%d,"verb":"blocks","object_id":%d}`, story, other), Status: 422},
			{Name: "verb", Method: "POST", Path: "/api/v2/story-links", Body: fmt.Sprintf(`{"subject_id":%d,"verb":"hates","object_id":%d}`, story, other), Status: 400},
			{Name: "required", Method: "POST", Path: "/api/v2/story-links", Body: `{"verb":"blocks"}`, Status: 400,
				Want: `{"errors":{"subject_id":"missing-required-key","object_id":"missing-required-key"}}`},
			{Name: "no update of links", Method: "PUT", Path: oneLink, Body: `{}`, Status: 405},
		}
		cases = append(cases, refusals("POST", comments, `"text":"x",`, "parent_id", "blocker", "unblocks_parent")...)
		for _, path := range []string{oneComment, oneTask, oneLink} {
			cases = append(cases,
				testkit.Case{Method: "DELETE", Path: path, Status: 204}, testkit.Case{Method: "GET", Path: path, Status: 404},
				testkit.Case{Method: "DELETE", Path: path, Status: 404})
		}
		testkit.Run(t, s.Owner, cases)
	})
}
