package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// The states of the workflow of a new workspace, by short names.
const (
	ready      int64 = readyForDevelopment
	developing int64 = inDevelopment
	reviewing  int64 = readyForReview
	deploying  int64 = readyForDeploy
)

func storyPath(id int64) string { return fmt.Sprintf("/stories/%d", id) }

// newStory creates a story of the owner's; the body is the inside of the JSON object after the name.
func newStory(t *testing.T, s *testkit.Server, body string, args ...any) int64 {
	t.Helper()
	if body != "" {
		body = "," + fmt.Sprintf(body, args...)
	}
	return s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Story"`+body+`}`).ID(t)
}

// secondWorkflow stores a workflow that assigns no owners, with the states unstarted, started, done.
func secondWorkflow(t *testing.T, s *testkit.Server) (flow tracker.Workflow, states []int64) {
	t.Helper()
	storeWrite(t, s, func(tx *store.Tx) error {
		flow = tracker.Workflow{ID: tx.NextHighID(), TeamID: tx.NextID(), Name: "Second", Position: 2}
		states = []int64{tx.NextHighID(), tx.NextHighID(), tx.NextHighID()}
		flow.DefaultStateID = states[0]
		if err := tx.InsertWorkflow(&flow); err != nil {
			return err
		}
		for i, kind := range []tracker.StateType{tracker.Unstarted, tracker.Started, tracker.Done} {
			state := tracker.WorkflowState{State: tracker.State{ID: states[i], Name: string(kind), Type: kind, Position: int64(i + 1)}, WorkflowID: flow.ID}
			if err := tx.InsertWorkflowState(&state); err != nil {
				return err
			}
		}
		return nil
	})
	return flow, states
}

func TestStoryDefaults(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		owner := s.Owner.Member.ID
		base := fmt.Sprintf(`"id":2,"name":"First","app_url":"%s/first/story/2","entity_type":"story","global_id":"v2:s:%s:2","archived":false,
			"blocked":false,"blocker":false,"completed":false,"completed_at":null,"completed_at_override":null,"created_at":"2026-01-05T10:00:00Z",
			"custom_fields":[],"deadline":null,"epic_id":null,"estimate":null,"external_id":null,"external_links":[],"follower_ids":["%[3]s"],
			"group_id":null,"group_mention_ids":[],"iteration_id":null,"label_ids":[],"labels":[],"member_mention_ids":[],"mention_ids":[],
			"moved_at":"2026-01-05T10:00:00Z","owner_ids":[],"parent_story_id":null,"position":2147483648,"previous_iteration_ids":[],
			"project_id":null,"requested_by_id":"%[3]s","started":false,"started_at":null,"started_at_override":null,
			"stats":{"num_related_documents":0},"story_links":[],"story_template_id":null,"story_type":"feature","sub_task_story_ids":[],
			"unresolved_blocker_comments":[],"updated_at":"2026-01-05T10:00:00Z","workflow_id":500000004,"workflow_state_id":500000005`,
			s.URL, s.Owner.Workspace, owner)
		full := `{` + base + `,"description":"","branches":[],"comments":[],"commits":[],"files":[],"linked_files":[],"pull_requests":[],"tasks":[]}`
		slim := `{` + base + `,"description":"","comment_ids":[],"file_ids":[],"linked_file_ids":[],"num_tasks_completed":0,"task_ids":[]}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/stories", Body: `{"name":"First"}`, Status: 201, Want: full},
			{Method: "GET", Path: "/stories/2", Status: 200, Want: full},
			{Method: "PUT", Path: "/stories/2", Body: `{}`, Status: 200, Want: full},
			{Name: "slim", Method: "PUT", Path: "/stories/bulk", Body: `{"story_ids":[2]}`, Status: 200, Want: `[` + slim + `]`},
		})
		for _, key := range []string{"cycle_time", "lead_time", "synced_item"} {
			if v, ok := s.Owner.Want(t, 200, "GET", "/stories/2", nil).Object(t)[key]; ok {
				t.Errorf("%s is %v, want no such key", key, v)
			}
		}
	})
}

// Every field that can be given is kept, can be changed, and is unset by null where it may be.
func TestStoryFields(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		given := x.everything + fmt.Sprintf(`,"archived":true,"external_id":"ext","started_at_override":"2026-01-02T00:00:00Z",
			"completed_at_override":"2026-01-03T00:00:00Z","requested_by_id":%q`, x.member)
		created := s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{%s,"labels":[{"name":"a"},{"name":"A "},{"name":"b"}],
			"custom_fields":[{"field_id":%q,"value_id":%q,"value":"ignored"}]}`, given, x.priority.ID, x.highest))
		id := created.ID(t)
		path := storyPath(id)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{` + given + `,"labels":[{"name":"a"},{"name":"b"}],"custom_fields":[{"value":"Highest"}]}`},
			{Name: "all nulls", Method: "PUT", Path: path, Body: `{"deadline":null,"epic_id":null,"estimate":null,"group_id":null,"iteration_id":null,
				"project_id":null,"started_at_override":null,"completed_at_override":null,"parent_story_id":null}`, Status: 200,
				Want: `{"deadline":null,"epic_id":null,"estimate":null,"group_id":null,"iteration_id":null,"project_id":null,
					"started_at_override":null,"completed_at_override":null,"parent_story_id":null}`},
			{Name: "empty lists", Method: "PUT", Path: path, Body: `{"custom_fields":[],"external_links":[],"follower_ids":[],"labels":[],"owner_ids":[],
				"file_ids":[],"linked_file_ids":[],"branch_ids":[],"commit_ids":[],"pull_request_ids":[],"sub_tasks":[],"description":""}`, Status: 200,
				Want: `{"custom_fields":[],"external_links":[],"follower_ids":[],"labels":[],"label_ids":[],"owner_ids":[],"files":[],"description":""}`},
			{Name: "everything again", Method: "PUT", Path: path, Body: fmt.Sprintf(`{%s,"archived":false,"started_at_override":"2026-01-02T00:00:00Z",
				"completed_at_override":"2026-01-03T00:00:00Z","requested_by_id":%q,"labels":[{"name":"b"},{"name":"c"}]}`, x.everything, s.Owner.Member.ID), Status: 200,
				Want: `{` + x.everything + `,"archived":false,"external_id":"ext","labels":[{"name":"b"},{"name":"c"}],"requested_by_id":"` + string(s.Owner.Member.ID) + `"}`},
			{Name: "null on creation", Method: "POST", Path: "/stories", Body: `{"name":"x","deadline":null,"epic_id":null,"estimate":null,"group_id":null,
				"iteration_id":null,"parent_story_id":null,"project_id":null,"source_task_id":null,"story_template_id":null}`, Status: 201},
		})
		nulls := map[string]string{
			"POST": "archived comments completed_at_override created_at custom_fields description external_id external_links file_ids follower_ids labels " +
				"linked_file_ids move_to name owner_ids requested_by_id started_at_override story_links story_type sub_tasks tasks updated_at workflow_state_id",
			"PUT": "after_id archived before_id branch_ids commit_ids custom_fields description external_links file_ids follower_ids labels linked_file_ids " +
				"move_to name owner_ids pull_request_ids requested_by_id story_type sub_tasks workflow_state_id",
		}
		for method, keys := range nulls {
			for _, key := range strings.Fields(keys) {
				target := map[string]string{"POST": "/stories", "PUT": path}[method]
				body := map[string]any{key: nil}
				if method == "POST" && key != "name" {
					body["name"] = "x"
				}
				testkit.Run(t, s.Owner, []testkit.Case{{Name: method + " null " + key, Method: method, Path: target, Body: body, Status: 400,
					Want: `{"errors":{"` + key + `":"must not be null"}}`}})
			}
		}
	})
}

func TestStoryLimits(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newStory(t, s, "")
		long := func(n int) string { return strings.Repeat("ü", n) }
		for _, c := range []struct {
			field     string
			most      int
			on        string // the operations that take it
			wrap      func(string) any
			atLeast   bool // the empty string is refused
			errorPath string
		}{
			{field: "name", most: 512, on: "POST PUT", atLeast: true},
			{field: "description", most: 100000, on: "POST PUT"},
			{field: "external_id", most: 1024, on: "POST"},
			{field: "external_links", most: 2048, on: "POST PUT", wrap: func(v string) any { return []string{v} }, atLeast: true},
			{field: "labels", most: 128, on: "POST PUT", wrap: func(v string) any { return []any{map[string]any{"name": v}} }, atLeast: true},
			{field: "tasks", most: 2048, on: "POST", wrap: func(v string) any { return []any{map[string]any{"description": v}} }, atLeast: true},
			{field: "comments", most: 100000, on: "POST", wrap: func(v string) any { return []any{map[string]any{"text": v}} }, atLeast: true},
			{field: "sub_tasks", most: 512, on: "POST", wrap: func(v string) any { return []any{map[string]any{"name": v}} }, atLeast: true},
		} {
			for _, method := range strings.Fields(c.on) {
				send := func(value string, want int) {
					t.Helper()
					body := map[string]any{c.field: value}
					if c.wrap != nil {
						body[c.field] = c.wrap(value)
					}
					path, good := storyPath(id), 200
					if method == "POST" {
						path, good = "/stories", 201
						if c.field != "name" {
							body["name"] = "x"
						}
					}
					if want == 0 {
						want = good
					}
					if a := s.Owner.Do(t, method, path, body); a.Status != want || want == 400 && !strings.Contains(a.Text, `"`+c.field+`"`) {
						t.Errorf("%s %s of %d characters: status %d, want %d: %.300s", method, c.field, len([]rune(value)), a.Status, want, a.Text)
					}
				}
				send(long(c.most), 0)
				send(long(c.most+1), 400)
				if c.atLeast {
					send("", 400)
				}
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/stories", Body: `{"name":"x","estimate":0}`, Status: 201, Want: `{"estimate":0}`},
			{Method: "POST", Path: "/stories", Body: `{"name":"x","estimate":-1}`, Status: 400, Want: `{"errors":{"estimate":"must be at least 0"}}`},
			{Method: "PUT", Path: storyPath(id), Body: `{"estimate":-1}`, Status: 400},
			{Method: "POST", Path: "/stories", Body: `{"name":"x","story_type":"epic","move_to":"up","x":1}`, Status: 400,
				Want: `{"errors":{"story_type":"must be one of: feature, chore, bug","move_to":"must be one of: last, first","x":"disallowed-key"}}`},
			{Method: "POST", Path: "/stories", Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key"}}`},
			{Method: "POST", Path: "/stories", Body: `{"name":"x","tasks":[{"description":"t"},{}],"comments":[{}],"story_links":[{}]}`, Status: 400,
				Want: `{"errors":{"tasks":[null,{"description":"missing-required-key"}],"comments":[{"text":"missing-required-key"}],"story_links":[{"verb":"missing-required-key"}]}}`},
			{Method: "GET", Path: "/stories/99", Status: 404},
			{Method: "PUT", Path: "/stories/99", Body: `{"epic_id":99}`, Status: 404},
			{Method: "DELETE", Path: "/stories/99", Status: 404},
			{Method: "GET", Path: "/stories/x", Status: 400, Want: `{"errors":{"story-public-id":"must be an integer"}}`},
			{Method: "GET", Path: "/external-link/stories", Status: 400, Want: `{"errors":{"external_link":"missing-required-key"}}`},
		})
	})
}

// An id in the body that names nothing in the workspace is told by its field.
func TestStoryReferences(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "other")
		foreign := other.Want(t, 201, "POST", "/stories", `{"name":"x"}`).ID(t)
		newStory(t, s, "")
		path := storyPath(newStory(t, s, ""))
		if foreign != 2 {
			t.Fatalf("the foreign story has id %d", foreign)
		}
		const nobody = `"00000000-0000-7000-8000-000000000000"`
		stranger := `"` + string(other.Member.ID) + `"`
		for field, values := range map[string][]string{
			"epic_id": {"99", "-1", "2"}, "iteration_id": {"99"}, "group_id": {nobody}, "project_id": {"99"}, "workflow_state_id": {"99", "2"},
			"parent_story_id": {"99"}, "requested_by_id": {nobody, stranger}, "owner_ids": {"[" + stranger + "]"}, "follower_ids": {"[" + nobody + "]"},
			"file_ids": {"[99]"}, "linked_file_ids": {"[2]"}, "branch_ids": {"[1]"}, "commit_ids": {"[1]"}, "pull_request_ids": {"[1]"},
			"source_task_id": {"2"}, "story_template_id": {nobody}, "before_id": {"99"}, "after_id": {"99"},
			"sub_tasks": {`[{"story_id":99}]`}, "story_links": {`[{"verb":"blocks","object_id":99}]`, `[{"verb":"blocks","subject_id":99}]`},
			"tasks": {`[{"description":"t","owner_ids":[` + stranger + `]}]`}, "comments": {`[{"text":"t","author_id":` + nobody + `}]`, `[{"text":"t","parent_id":2}]`},
		} {
			for _, value := range values {
				for _, c := range []testkit.Case{
					{Method: "POST", Path: "/stories", Body: `{"name":"x","` + field + `":` + value + `}`},
					{Method: "PUT", Path: path, Body: `{"` + field + `":` + value + `}`},
				} {
					a := s.Owner.Do(t, c.Method, c.Path, c.Body)
					if strings.Contains(a.Text, "disallowed-key") {
						continue // only one of the two operations takes the field
					}
					if named := a.Object(t)["errors"]; a.Status != 422 || named == nil || named.(map[string]any)[field] == nil {
						t.Errorf("%s %s %s: %d %s", c.Method, field, value, a.Status, a.Text)
					}
				}
			}
		}
	})
}

func TestStoryRoles(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer, member := s.NewMember(t, s.Owner, "oscar", tracker.Observer), s.NewMember(t, s.Owner, "mia", tracker.Regular)
		stranger := s.NewWorkspace(t, "other")
		id := newStory(t, s, `"labels":[{"name":"l"}],"tasks":[{"description":"t"}],"comments":[{"text":"c"}]`)
		path := storyPath(id)
		link := s.Owner.Want(t, 201, "POST", "/story-links", map[string]any{"subject_id": id, "verb": "blocks", "object_id": newStory(t, s, "")}).ID(t)
		linkPath := fmt.Sprintf("/story-links/%d", link)
		for _, c := range []struct{ method, path, body string }{
			{"POST", "/stories", `{"name":"x"}`}, {"POST", "/stories/bulk", `{"stories":[{"name":"x"}]}`},
			{"PUT", "/stories/bulk", fmt.Sprintf(`{"story_ids":[%d]}`, id)}, {"DELETE", "/stories/bulk", fmt.Sprintf(`{"story_ids":[%d]}`, id)},
			{"PUT", path, `{}`}, {"POST", path + "/tasks", `{"description":"x"}`}, {"PUT", path + "/tasks/4", `{}`}, {"DELETE", path + "/tasks/4", ``},
			{"POST", path + "/comments", `{"text":"x"}`}, {"PUT", path + "/comments/5", `{"text":"x"}`},
			{"POST", path + "/comments/5/reactions", `{"emoji":":+1:"}`}, {"DELETE", path + "/comments/5/reactions", `{"emoji":":+1:"}`},
			{"POST", path + "/comments/5/unlink-from-slack", ``}, {"DELETE", path + "/comments/5", ``},
			{"POST", "/story-links", fmt.Sprintf(`{"subject_id":%d,"verb":"relates to","object_id":6}`, id)},
			{"PUT", linkPath, `{"verb":"duplicates"}`}, {"DELETE", linkPath, ``}, {"DELETE", path, ``},
		} {
			if a := observer.Do(t, c.method, c.path, c.body); a.Status != 403 {
				t.Errorf("observer %s %s: %d %s", c.method, c.path, a.Status, a.Text)
			}
			if strings.ContainsAny(c.path, "0123456789") {
				stranger.Want(t, 404, c.method, c.path, c.body)
			}
		}
		for _, get := range []string{path, path + "/tasks", path + "/tasks/4", path + "/comments", path + "/comments/5", path + "/sub-tasks", linkPath, "/labels/3/stories"} {
			observer.Want(t, 200, "GET", get, nil)
			stranger.Want(t, 404, "GET", get, nil)
		}
		member.Want(t, 200, "PUT", path, `{"name":"theirs"}`)
		member.Want(t, 204, "DELETE", path, nil)
	})
}

// Long links and ids of many bytes find their stories, also where the engine bounds its indexes.
func TestLongExternalLinks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		text := func(seed, n int) string {
			out := make([]rune, n)
			for i := range out {
				seed = (seed*1103515245 + 12345) & 0x7fffffff
				out[i] = rune(0x10000 + seed>>8%0x8000)
			}
			return string(out)
		}
		a, b := text(1, 2048), text(2, 2048)
		id := s.Owner.Want(t, 201, "POST", "/stories", map[string]any{"name": "x", "external_id": text(3, 1024), "external_links": []string{a, b, a}}).ID(t)
		other := s.Owner.Want(t, 201, "POST", "/stories", map[string]any{"name": "x", "external_links": []string{b, "https://example.com/1"}}).ID(t)
		find := func(link string) (ids []int64) {
			for _, story := range readJSON[[]struct{ ID int64 }](t, s.Owner.Want(t, 200, "GET", "/external-link/stories?external_link="+url.QueryEscape(link), nil)) {
				ids = append(ids, story.ID)
			}
			return ids
		}
		for link, want := range map[string][]int64{a: {id}, b: {id, other}, "https://example.com/1": {other}, "https://example.com/2": nil} {
			if got := find(link); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("link %.30s: stories %v, want %v", link, got, want)
			}
		}
		s.Owner.Want(t, 200, "PUT", storyPath(id), `{"external_links":[]}`)
		if got := find(a); got != nil {
			t.Errorf("the link is gone and still finds %v", got)
		}
	})
}
