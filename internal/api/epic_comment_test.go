package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestEpicComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, group := s.Owner.Member.ID, newGroup(t, s, "kernel")
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		elsewhere := s.NewWorkspace(t, "second")
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Other"}`).ID(t)
		list := epicPath(epic) + "/comments"
		first := s.Owner.Want(t, 201, "POST", list, `{"text":"First"}`)
		one := fmt.Sprintf("%s/%d", list, first.ID(t))
		strange := fmt.Sprintf("%s/comments/%d", epicPath(other), first.ID(t))
		mention := fmt.Sprintf("[@olivia](milepost://members/%s) and [@kernel](milepost://groups/%s)", me, group)
		text := func(n int) map[string]any { return map[string]any{"text": strings.Repeat("ü", n)} }
		both := func(cases ...testkit.Case) []testkit.Case { // a comment and an answer are created alike
			var out []testkit.Case
			for _, c := range cases {
				for _, path := range []string{list, one} {
					c.Method, c.Path = "POST", path
					out = append(out, c)
				}
			}
			return out
		}
		s.Clock.Advance(time.Minute)
		testkit.Run(t, s.Owner, both(
			testkit.Case{Name: "everything", As: mia, Status: 201,
				Body: map[string]any{"text": mention, "author_id": me, "external_id": "x", "created_at": "2020-01-01T00:00:00Z", "updated_at": "2021-01-01T00:00:00Z"},
				Want: fmt.Sprintf(`{"author_id":%q,"external_id":"x","created_at":"2020-01-01T00:00:00Z","updated_at":"2021-01-01T00:00:00Z","deleted":false,
					"comments":[],"entity_type":"epic-comment","member_mention_ids":[%q],"mention_ids":[%q],"group_mention_ids":[%q]}`, me, me, me, group)},
			testkit.Case{Name: "the least", As: mia, Status: 201, Body: `{"text":"x"}`,
				Want: fmt.Sprintf(`{"text":"x","author_id":%q,"external_id":null,"created_at":"2026-01-05T10:01:00Z","updated_at":"2026-01-05T10:01:00Z",
					"member_mention_ids":[],"mention_ids":[],"group_mention_ids":[]}`, mia.Member.ID)},
			testkit.Case{Name: "nothing", Status: 400, Want: `{"errors":{"text":"missing-required-key"}}`},
			testkit.Case{Name: "empty", Status: 400, Body: `{"text":""}`, Want: `{"errors":{"text":"must have at least 1 characters"}}`},
			testkit.Case{Name: "every bad field", Status: 400, Body: `{"text":null,"author_id":null,"created_at":null,"updated_at":1,"external_id":null,"id":1}`,
				Want: `{"errors":{"text":"must not be null","author_id":"must not be null","created_at":"must not be null","updated_at":"must be a timestamp",
					"external_id":"must not be null","id":"disallowed-key"}}`},
			testkit.Case{Name: "100,000 characters", Status: 201, Body: text(100000)},
			testkit.Case{Name: "100,001 characters", Status: 400, Body: text(100001), Want: `{"errors":{"text":"must have at most 100000 characters"}}`},
			testkit.Case{Name: "external id of 128", Status: 201, Body: map[string]any{"text": "x", "external_id": strings.Repeat("x", 128)}},
			testkit.Case{Name: "external id of 129", Status: 400, Body: map[string]any{"text": "x", "external_id": strings.Repeat("x", 129)}},
			testkit.Case{Name: "unknown author", Status: 422, Body: `{"text":"x","author_id":"` + nobody + `"}`,
				Want: `{"errors":{"author_id":"names no existing member: ` + nobody + `"}}`},
			testkit.Case{Name: "author of another workspace", Status: 422, Body: map[string]any{"text": "x", "author_id": elsewhere.Member.ID}},
			testkit.Case{Name: "observer", As: observer, Status: 403, Body: `{"text":"x"}`, Want: `{"tag":"forbidden"}`},
			testkit.Case{Name: "another workspace", As: elsewhere, Status: 404, Body: `{"text":"x"}`},
		))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "observer reads", As: observer, Method: "GET", Path: one, Status: 200,
				Want: fmt.Sprintf(`{"text":"First","author_id":%q,"app_url":"%s/first/epic/%d#activity-%d","comments":[{},{},{},{}]}`, me, s.URL, epic, first.ID(t))},
			{Method: "GET", Path: "/epics/99/comments", Status: 404},
			{Method: "POST", Path: "/epics/99/comments", Body: `{"text":"x"}`, Status: 404},
			{Method: "GET", Path: list + "/99999", Status: 404},
			{Method: "POST", Path: list + "/99999", Body: `{"text":"x"}`, Status: 404},
			{Method: "GET", Path: list + "/x", Status: 400, Want: `{"errors":{"comment-public-id":"must be an integer"}}`},
			{Name: "of another epic", Method: "GET", Path: strange, Status: 404},
			{Name: "of another epic, answered", Method: "POST", Path: strange, Body: `{"text":"x"}`, Status: 404},
			{Name: "of another epic, updated", Method: "PUT", Path: strange, Body: `{"text":"x"}`, Status: 404},
			{Name: "of another epic, deleted", Method: "DELETE", Path: strange, Status: 404},
			{Method: "PUT", Path: one, Body: map[string]any{"text": mention}, Status: 200,
				Want: fmt.Sprintf(`{"mention_ids":[%q],"member_mention_ids":[%q],"group_mention_ids":[%q],"author_id":%q,"comments":[{},{},{},{}],
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:01:00Z"}`, me, me, group, me)},
			{Method: "PUT", Path: one, Body: `{}`, Status: 400, Want: `{"errors":{"text":"missing-required-key"}}`},
			{Method: "PUT", Path: one, Body: `{"text":""}`, Status: 400},
			{Method: "PUT", Path: one, Body: `{"text":"x","author_id":"` + nobody + `"}`, Status: 400, Want: `{"errors":{"author_id":"disallowed-key"}}`},
			{Name: "update to 100,000 characters", Method: "PUT", Path: one, Body: text(100000), Status: 200, Want: `{"mention_ids":[]}`},
			{Name: "update to 100,001 characters", Method: "PUT", Path: one, Body: text(100001), Status: 400},
			{Name: "observer updates", As: observer, Method: "PUT", Path: one, Body: `{"text":"x"}`, Status: 403},
			{Name: "observer deletes", As: observer, Method: "DELETE", Path: one, Status: 403},
			{Name: "another workspace deletes", As: elsewhere, Method: "DELETE", Path: one, Status: 404},
		})
	})
}

func TestDeletedEpicComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t))
		list := epic + "/comments"
		write := func(path, text string) string {
			t.Helper()
			return fmt.Sprintf("%s/%d", list, s.Owner.Want(t, 201, "POST", path, map[string]any{"text": text}).ID(t))
		}
		drop := func(path string) {
			t.Helper()
			s.Owner.Want(t, 204, "DELETE", path, nil)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: path, Status: 404},
				{Method: "POST", Path: path, Body: `{"text":"x"}`, Status: 404},
				{Method: "PUT", Path: path, Body: `{"text":"x"}`, Status: 404},
				{Method: "DELETE", Path: path, Status: 404},
			})
		}
		shows := func(want string) {
			t.Helper()
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: list, Status: 200, Want: want},
				{Method: "GET", Path: epic, Status: 200, Want: `{"comments":` + want + `}`},
			})
		}
		a := write(list, "[@olivia](milepost://members/"+string(s.Owner.Member.ID)+")")
		b := write(a, "b")
		c := write(b, "c")
		d := write(c, "d")
		e := write(b, "e")
		f := write(list, "f")
		shows(`[{"comments":[{"text":"b","comments":[{"text":"c","comments":[{"text":"d","comments":[]}]},{"text":"e"}]}]},{"text":"f"}]`)
		drop(a)
		drop(b)
		gone := fmt.Sprintf(`"deleted":true,"text":"","mention_ids":[],"author_id":%q`, s.Owner.Member.ID)
		shows(`[{` + gone + `,"comments":[{` + gone + `,"comments":[{"text":"c","comments":[{"text":"d"}]},{"text":"e","deleted":false}]}]},{"text":"f"}]`)
		drop(c)
		drop(d) // takes c along; b still has e
		shows(`[{"deleted":true,"comments":[{"deleted":true,"comments":[{"text":"e"}]}]},{"text":"f"}]`)
		s.Owner.Want(t, 200, "PUT", e, `{"text":"still here"}`)
		shows(`[{"comments":[{"comments":[{"text":"still here"}]}]},{"text":"f"}]`)
		drop(e) // takes b and a along
		shows(`[{"text":"f","comments":[]}]`)
		drop(f)
		shows(`[]`)
	})
}

func TestEpicCommentChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		list := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t)) + "/comments"
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		a := fmt.Sprintf("%s/%d", list, s.Owner.Want(t, 201, "POST", list, `{"text":"a"}`).ID(t))
		b := fmt.Sprintf("%s/%d", list, s.Owner.Want(t, 201, "POST", a, `{"text":"b"}`).ID(t))
		s.Clock.Advance(time.Minute)
		if same := s.Owner.Want(t, 200, "PUT", a, `{"text":"a"}`).Object(t); same["updated_at"] != "2026-01-05T10:00:00Z" {
			t.Errorf("an update that changes nothing gives %v", same)
		}
		s.Owner.Want(t, 200, "PUT", a, `{"text":"A"}`)
		s.Owner.Want(t, 204, "DELETE", a, nil)
		s.Owner.Want(t, 204, "DELETE", b, nil)
		wantChanges(t, s, after, "create epic-comment text epic_id", "create epic-comment text parent_id", "update epic-comment text",
			"delete epic-comment text author_id", "delete epic-comment text parent_id")
	})
}

func TestEpicCommentsAreListedByTime(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t)
		list := epicPath(epic) + "/comments"
		s.Owner.Want(t, 201, "POST", list, `{"text":"second"}`)
		s.Owner.Want(t, 201, "POST", list, `{"text":"third"}`)
		s.Owner.Want(t, 201, "POST", list, `{"text":"first","created_at":"2020-01-01T00:00:00Z"}`)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: list, Status: 200, Want: `[{"text":"first"},{"text":"second"},{"text":"third"}]`}})
		few := queries(t, s, list)
		for range 20 {
			s.Owner.Want(t, 201, "POST", list, `{"text":"more"}`)
		}
		if many := queries(t, s, list); many != few {
			t.Errorf("the list costs %d queries for 3 comments and %d for 23", few, many)
		}
	})
}
