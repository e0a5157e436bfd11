package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestStoryComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		story, other := newStory(t, s, ""), newStory(t, s, "")
		path := storyPath(story) + "/comments"
		at := func(id int64) string { return fmt.Sprintf("%s/%d", path, id) }
		a := s.Owner.Want(t, 201, "POST", path, `{"text":"a","external_id":"x","created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z"}`).ID(t)
		b := mia.Want(t, 201, "POST", path, fmt.Sprintf(`{"text":"b","parent_id":%d}`, a)).ID(t)
		elsewhere := s.Owner.Want(t, 201, "POST", storyPath(other)+"/comments", `{"text":"x","parent_id":null}`).ID(t)
		s.Clock.Advance(time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: at(a), Status: 200, Want: fmt.Sprintf(`{"id":%d,"story_id":%d,"text":"a","author_id":%q,"external_id":"x","position":1,"parent_id":null,
				"created_at":"2020-01-01T00:00:00Z","updated_at":"2020-01-02T00:00:00Z","deleted":false,"blocker":false,"unblocks_parent":false,"linked_to_slack":false,
				"reactions":[],"mention_ids":[],"member_mention_ids":[],"group_mention_ids":[],"entity_type":"story-comment","app_url":"%s/first/story/%[2]d#activity-%[1]d"}`,
				a, story, s.Owner.Member.ID, s.URL)},
			{Method: "GET", Path: at(b), Status: 200, Want: fmt.Sprintf(`{"author_id":%q,"parent_id":%d,"position":2}`, mia.Member.ID, a)},
			{Method: "GET", Path: path, Status: 200, Want: `[{"text":"a","position":1},{"text":"b","position":2}]`},
			{Method: "GET", Path: storyPath(story), Status: 200, Want: `{"comments":[{"text":"a"},{"text":"b"}]}`},
			{Method: "PUT", Path: at(b), Body: `{"text":"B"}`, Status: 200, Want: `{"text":"B","position":2,"updated_at":"2026-01-05T11:00:00Z"}`},
			{Name: "the same", Method: "PUT", Path: at(a), Body: `{"text":"a"}`, Status: 200, Want: `{"updated_at":"2020-01-02T00:00:00Z"}`},
			{Method: "PUT", Path: at(a), Body: `{}`, Status: 400, Want: `{"errors":{"text":"missing-required-key"}}`},
			{Method: "POST", Path: path, Body: `{"text":null,"author_id":null,"blocker":null}`, Status: 400, Want: `{"errors":{"text":"must not be null","author_id":"must not be null","blocker":"must not be null"}}`},
			{Name: "100000", Method: "PUT", Path: at(a), Body: map[string]any{"text": strings.Repeat("ü", 100000)}, Status: 200},
			{Name: "100001", Method: "PUT", Path: at(a), Body: map[string]any{"text": strings.Repeat("ü", 100001)}, Status: 400},
			{Name: "1024", Method: "POST", Path: storyPath(other) + "/comments", Body: map[string]any{"text": "x", "external_id": strings.Repeat("ü", 1024)}, Status: 201},
			{Name: "1025", Method: "POST", Path: path, Body: map[string]any{"text": "x", "external_id": strings.Repeat("ü", 1025)}, Status: 400},
			{Name: "a comment of another story", Method: "POST", Path: path, Body: fmt.Sprintf(`{"text":"x","parent_id":%d}`, elsewhere), Status: 422, Want: `{"errors":{"parent_id":"names a comment that the story does not have"}}`},
			{Method: "POST", Path: path, Body: `{"text":"x","parent_id":99}`, Status: 422},
			{Method: "GET", Path: at(elsewhere), Status: 404},
			{Method: "PUT", Path: at(elsewhere), Body: `{"text":"x"}`, Status: 404},
			{Method: "DELETE", Path: at(elsewhere), Status: 404},
			{Method: "POST", Path: at(elsewhere) + "/reactions", Body: `{"emoji":"x"}`, Status: 404},
			{Method: "GET", Path: "/stories/99/comments", Status: 404},
			{Method: "POST", Path: "/stories/99/comments", Body: `{"text":"x"}`, Status: 404},
			{Method: "POST", Path: at(a) + "/unlink-from-slack", Status: 201, Want: fmt.Sprintf(`{"id":%d,"linked_to_slack":false}`, a)},
		})
	})
}

// A comment that was answered stays without its text, until the last answer below it goes.
func TestDeletedComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story := newStory(t, s, "")
		path := storyPath(story) + "/comments"
		at := func(id int64) string { return fmt.Sprintf("%s/%d", path, id) }
		comment := func(text string, parent int64) int64 {
			body := map[string]any{"text": text}
			if parent != 0 {
				body["parent_id"] = parent
			}
			return s.Owner.Want(t, 201, "POST", path, body).ID(t)
		}
		root := comment("root [@o](milepost://members/"+string(s.Owner.Member.ID)+")", 0)
		reply := comment("reply", root)
		leaf, side := comment("leaf", reply), comment("side", root)
		s.Owner.Want(t, 201, "POST", at(root)+"/reactions", `{"emoji":":+1:"}`)
		list := func(want string, ids ...int64) []testkit.Case {
			return []testkit.Case{{Name: want, Method: "GET", Path: path, Status: 200, Want: want},
				{Name: "ids", Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d]}`, story), Status: 200, Want: `[{"comment_ids":` + jsonInts(ids...) + `}]`}}
		}
		gone := func(id int64) testkit.Case {
			return testkit.Case{Method: "DELETE", Path: at(id), Status: 204}
		}
		stays := `"deleted":true,"text":null,"reactions":[],"member_mention_ids":[]`
		steps := [][]testkit.Case{
			{gone(root)},
			list(fmt.Sprintf(`[{"id":%d,%s,"position":1},{"text":"reply","deleted":false,"position":2},{"text":"leaf"},{"text":"side"}]`, root, stays), root, reply, leaf, side),
			{
				{Method: "GET", Path: at(root), Status: 404}, {Method: "PUT", Path: at(root), Body: `{"text":"x"}`, Status: 404}, {Method: "DELETE", Path: at(root), Status: 404},
				{Method: "POST", Path: at(root) + "/reactions", Body: `{"emoji":"x"}`, Status: 404},
				{Method: "POST", Path: path, Body: fmt.Sprintf(`{"text":"x","parent_id":%d}`, root), Status: 422},
				gone(side),
			},
			list(`[{"deleted":true},{"text":"reply"},{"text":"leaf"}]`, root, reply, leaf),
			{gone(reply)},
			list(`[{"deleted":true},{"deleted":true,"text":null},{"text":"leaf","position":3}]`, root, reply, leaf),
			{gone(leaf)},
			list(`[]`),
		}
		for _, step := range steps {
			testkit.Run(t, s.Owner, step)
		}
	})
}

func TestBlockerComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story := newStory(t, s, `"comments":[{"text":"stuck","blocker":true},{"text":"fine"}]`)
		path := storyPath(story)
		list := s.Owner.Want(t, 200, "GET", path+"/comments", nil).List(t)
		first, plain := int64(list[0]["id"].(float64)), int64(list[1]["id"].(float64))
		unresolved := func(ids ...int64) {
			t.Helper()
			testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: path, Status: 200, Want: `{"unresolved_blocker_comments":` + jsonInts(ids...) + `}`}})
		}
		say := func(body string, args ...any) int64 {
			t.Helper()
			return s.Owner.Want(t, 201, "POST", path+"/comments", fmt.Sprintf(`{"text":"x",`+body+`}`, args...)).ID(t)
		}
		drop := func(id int64) {
			t.Helper()
			s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("%s/comments/%d", path, id), nil)
		}
		unresolved(first)
		second := say(`"blocker":true`)
		unresolved(first, second)
		say(`"parent_id":%d`, first)
		unresolved(first, second)
		answer := say(`"parent_id":%d,"unblocks_parent":true`, first)
		unresolved(second)
		drop(answer)
		unresolved(first, second)
		answer, again := say(`"parent_id":%d,"unblocks_parent":true`, first), say(`"parent_id":%d,"unblocks_parent":true`, first)
		drop(answer)
		unresolved(second)
		say(`"parent_id":%d`, again)
		drop(again) // it was answered and stays, but says nothing any more
		unresolved(first, second)
		drop(first)
		unresolved(second)
		drop(second)
		unresolved()
		refuse := func(body, field string) testkit.Case {
			return testkit.Case{Name: body, Method: "POST", Path: path + "/comments", Body: `{"text":"x",` + body + `}`, Status: 422, Want: `{"errors":{` + field + `}}`}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			refuse(fmt.Sprintf(`"parent_id":%d,"blocker":true`, plain), `"blocker":"is for comments that answer no other"`),
			refuse(fmt.Sprintf(`"parent_id":%d,"unblocks_parent":true`, plain), `"unblocks_parent":"needs a parent that is a blocker"`),
			refuse(`"unblocks_parent":true`, `"unblocks_parent":"needs the parent_id of a blocker"`),
		})
	})
}

func TestReactions(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		story := newStory(t, s, "")
		comment := fmt.Sprintf("%s/comments/%d", storyPath(story), s.Owner.Want(t, 201, "POST", storyPath(story)+"/comments", `{"text":"x"}`).ID(t))
		path := comment + "/reactions"
		is := func(emoji string, who ...*testkit.Client) string {
			var ids []tracker.UUID
			for _, c := range who {
				ids = append(ids, c.Member.ID)
			}
			return fmt.Sprintf(`{"emoji":%q,"permission_ids":%s}`, emoji, jsonList(ids))
		}
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		give := func(as *testkit.Client, emoji, want string) testkit.Case {
			return testkit.Case{As: as, Method: "POST", Path: path, Body: map[string]any{"emoji": emoji}, Status: 201, Want: `[` + want + `]`}
		}
		take := func(as *testkit.Client, emoji string) testkit.Case {
			return testkit.Case{As: as, Method: "DELETE", Path: path, Body: map[string]any{"emoji": emoji}, Status: 204}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			give(nil, ":a:", is(":a:", s.Owner)),
			give(mia, ":a:", is(":a:", s.Owner, mia)),
			give(nil, ":a:", is(":a:", s.Owner, mia)),
			give(mia, ":b:", is(":a:", s.Owner, mia)+","+is(":b:", mia)),
			take(nil, ":a:"), take(nil, ":a:"), take(nil, ":b:"), take(nil, ":none:"),
			{Method: "GET", Path: comment, Status: 200, Want: `{"reactions":[` + is(":a:", mia) + "," + is(":b:", mia) + `]}`},
			take(mia, ":a:"),
			{Method: "GET", Path: comment, Status: 200, Want: `{"reactions":[` + is(":b:", mia) + `],"updated_at":"2026-01-05T10:00:00Z"}`},
			{Method: "POST", Path: path, Body: `{}`, Status: 400, Want: `{"errors":{"emoji":"missing-required-key"}}`},
			{Name: "128", Method: "POST", Path: path, Body: map[string]any{"emoji": strings.Repeat("x", 128)}, Status: 201},
			{Name: "129", Method: "POST", Path: path, Body: map[string]any{"emoji": strings.Repeat("x", 129)}, Status: 400},
		})
		want := strings.TrimSuffix(strings.Repeat("create reaction, ", 3)+strings.Repeat("delete reaction, ", 2)+"create reaction, ", ", ")
		if got := itemsOf(s.Changes(t, s.Owner.Workspace, number)); got != want {
			t.Errorf("the log has %s, want %s", got, want)
		}
	})
}
