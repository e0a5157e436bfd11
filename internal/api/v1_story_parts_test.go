package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestV1Tasks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story := s.Owner.Want(t, 201, "POST", "/api/v1/stories", `{"name":"n"}`).ID(t)
		list := fmt.Sprintf("/api/v1/stories/%d/tasks", story)
		first := s.Owner.Want(t, 201, "POST", list, `{"description":"one","external_id":"t-1","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`).ID(t)
		second := s.Owner.Want(t, 201, "POST", list, map[string]any{"description": strings.Repeat("ü", 2048), "complete": true}).ID(t)
		path := fmt.Sprintf("%s/%d", list, first)
		s.Clock.Advance(time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"id":%d,"story_id":%d,"description":"one","complete":false,"completed_at":null,"position":1,
				"owner_ids":[],"mention_ids":[],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`, first, story)},
			{Method: "GET", Path: fmt.Sprintf("%s/%d", list, second), Status: 200, Want: `{"complete":true,"completed_at":"2026-01-05T10:00:00Z","position":2}`},
			{Name: "long", Method: "POST", Path: list, Body: map[string]any{"description": strings.Repeat("ü", 2049)}, Status: 400},
			{Method: "POST", Path: list, Body: `{"text":"x"}`, Status: 400, Want: `{"errors":{"description":"missing-required-key","text":"disallowed-key"}}`},
			{Method: "POST", Path: "/api/v1/stories/99/tasks", Body: `{"description":"x"}`, Status: 404},
			{Name: "v1 lists tasks in the story alone", Method: "GET", Path: list, Status: 405},
			{Method: "PUT", Path: path, Body: fmt.Sprintf(`{"description":"done","complete":true,"after_id":%d}`, second), Status: 200,
				Want: `{"description":"done","complete":true,"completed_at":"2026-01-05T11:00:00Z","position":2,"updated_at":"2026-01-05T11:00:00Z"}`},
			{Name: "in the story", Method: "GET", Path: fmt.Sprintf("/api/v1/stories/%d", story), Status: 200, Want: fmt.Sprintf(`{"tasks":[{"id":%d},{"id":%d}]}`, second, first)},
			{Name: "beside none", Method: "PUT", Path: path, Body: `{"before_id":99}`, Status: 422, Want: `{"errors":{"before_id":"names nothing else in the same list"}}`},
			{Name: "null", Method: "PUT", Path: path, Body: `{"description":null}`, Status: 400},
			{Method: "PUT", Path: list + "/99", Body: `{}`, Status: 404},
			{Name: "observer", As: s.NewMember(t, s.Owner, "oscar", tracker.Observer), Method: "DELETE", Path: path, Status: 403},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestV1Comments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story := s.Owner.Want(t, 201, "POST", "/api/v1/stories", `{"name":"n"}`).ID(t)
		list := fmt.Sprintf("/api/v1/stories/%d/comments", story)
		first := s.Owner.Want(t, 201, "POST", list, `{"text":"one","external_id":"c-1","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`).ID(t)
		second := s.Owner.Want(t, 201, "POST", list, map[string]any{"text": strings.Repeat("ü", 100_000)}).ID(t)
		answer := s.Owner.Want(t, 201, "POST", fmt.Sprintf("/stories/%d/comments", story), fmt.Sprintf(`{"text":"answer","parent_id":%d}`, first)).ID(t)
		path := fmt.Sprintf("%s/%d", list, first)
		s.Clock.Advance(time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"id":%d,"story_id":%d,"text":"one","position":1,"author_id":%q,"mention_ids":[],
				"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`, first, story, s.Owner.Member.UserID)},
			{Name: "long", Method: "POST", Path: list, Body: map[string]any{"text": strings.Repeat("ü", 100_001)}, Status: 400},
			{Method: "POST", Path: list, Body: `{"parent_id":1,"blocker":true}`, Status: 400,
				Want: `{"errors":{"text":"missing-required-key","parent_id":"disallowed-key","blocker":"disallowed-key"}}`},
			{Method: "POST", Path: "/api/v1/stories/99/comments", Body: `{"text":"x"}`, Status: 404},
			{Name: "v1 lists comments in the story alone", Method: "GET", Path: list, Status: 405},
			{Method: "PUT", Path: path, Body: `{"text":"two"}`, Status: 200, Want: `{"text":"two","updated_at":"2026-01-05T11:00:00Z"}`},
			{Method: "PUT", Path: path, Body: `{}`, Status: 400, Want: `{"errors":{"text":"missing-required-key"}}`},
			{Method: "PUT", Path: list + "/99", Body: `{"text":"x"}`, Status: 404},
			{Name: "observer", As: s.NewMember(t, s.Owner, "oscar", tracker.Observer), Method: "PUT", Path: path, Body: `{"text":"x"}`, Status: 403},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
			{Name: "the deleted one, which v3 keeps for its answer, is gone", Method: "GET", Path: fmt.Sprintf("/api/v1/stories/%d", story), Status: 200,
				Want: fmt.Sprintf(`{"comments":[{"id":%d,"position":2},{"id":%d,"position":3,"text":"answer"}]}`, second, answer)},
			{Method: "GET", Path: fmt.Sprintf("/stories/%d", story), Status: 200, Want: `{"comments":[{"deleted":true},{},{}]}`},
		})
	})
}

func TestV1StoryLinks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		a, b := newStory(t, s, ""), newStory(t, s, "")
		const list = "/api/v1/story-links"
		link := fmt.Sprintf(`{"subject_id":%d,"verb":"relates to","object_id":%d}`, a, b)
		id := s.Owner.Want(t, 201, "POST", list, link).ID(t)
		path := fmt.Sprintf("%s/%d", list, id)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: link},
			{Name: "v3", Method: "GET", Path: fmt.Sprintf("/story-links/%d", id), Status: 200, Want: link},
			{Name: "double", Method: "POST", Path: list, Body: link, Status: 422},
			{Name: "absent", Method: "POST", Path: list, Body: fmt.Sprintf(`{"subject_id":99,"verb":"blocks","object_id":%d}`, a), Status: 422,
				Want: `{"errors":{"subject_id":"names no existing story: 99"}}`},
			{Method: "POST", Path: list, Body: `{"verb":"hates"}`, Status: 400,
				Want: `{"errors":{"subject_id":"missing-required-key","object_id":"missing-required-key","verb":"must be one of: blocks, duplicates, relates to"}}`},
			{Name: "v1 updates no links", Method: "PUT", Path: path, Body: link, Status: 405},
			{Name: "observer", As: s.NewMember(t, s.Owner, "oscar", tracker.Observer), Method: "POST", Path: list, Body: link, Status: 403},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

// Full stories with tasks, comments and people, and epics with discussions, cost the same queries
// however many there are.
func TestV1ListsCostTheSameQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member
		project := s.Owner.Want(t, 201, "POST", "/api/v1/projects", `{"name":"p"}`).ID(t)
		made := 0
		makeUpTo := func(n int) {
			var stories []string
			for ; made < n; made++ {
				stories = append(stories, fmt.Sprintf(`{"name":"n","project_id":%d,"owner_ids":[%q],"labels":[{"name":"l%d"}],
					"tasks":[{"description":"d"}],"comments":[{"text":"t"}]}`, project, mia.UserID, made))
				epic := s.Owner.Want(t, 201, "POST", "/api/v1/epics", `{"name":"n"}`).ID(t)
				s.Owner.Want(t, 201, "POST", fmt.Sprintf("/epics/%d/comments", epic), `{"text":"t"}`)
			}
			s.Owner.Want(t, 201, "POST", "/api/v1/stories/bulk", `{"stories":[`+strings.Join(stories, ",")+`]}`)
		}
		cost := func(method, path string) int64 {
			before := s.Store.Queries()
			list := s.Owner.Do(t, method, path, nil).List(t)
			if len(list) != made || len(list[made-1]["comments"].([]any)) != 1 {
				t.Fatalf("%s lists %d, want %d", path, len(list), made)
			}
			return s.Store.Queries() - before
		}
		paths := [][2]string{{"GET", "/api/v1/epics"}, {"GET", fmt.Sprintf("/api/v1/projects/%d/stories", project)}, {"POST", "/api/v1/stories/search"}}
		few := map[string]int64{}
		makeUpTo(10)
		for _, p := range paths {
			few[p[1]] = cost(p[0], p[1])
		}
		makeUpTo(1000)
		for _, p := range paths {
			if many := cost(p[0], p[1]); many != few[p[1]] || many == 0 {
				t.Errorf("%s: 1,000 cost %d queries, 10 cost %d", p[1], many, few[p[1]])
			}
		}
	})
}
