package api_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestIterations(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		stranger := s.NewWorkspace(t, "second")
		group := s.Owner.Want(t, 201, "POST", "/groups", `{"name":"Blue","mention_name":"blue"}`).Object(t)["id"].(string)
		mention := fmt.Sprintf("See [@mia](milepost://members/%s) and [@blue](milepost://groups/%s).", member.Member.ID, group)

		id := member.Want(t, 201, "POST", "/iterations", map[string]any{
			"name": "Week 2", "description": mention, "start_date": "2026-01-05", "end_date": "2026-01-09T23:30:00-05:00",
			"follower_ids": []any{member.Member.ID, member.Member.ID}, "group_ids": []any{group},
			"labels": []any{map[string]any{"name": "Sprint", "color": "#112233"}, map[string]any{"name": " sprint"}, map[string]any{"name": "Extra"}},
		}).ID(t)
		path := fmt.Sprintf("/iterations/%d", id)
		const noStats = `{"num_points":0,"num_points_backlog":0,"num_points_done":0,"num_points_started":0,"num_points_unstarted":0,
			"num_related_documents":0,"num_stories_backlog":0,"num_stories_done":0,"num_stories_started":0,"num_stories_unestimated":0,"num_stories_unstarted":0}`
		whole := fmt.Sprintf(`{"id":%d,"name":"Week 2","description":%q,"start_date":"2026-01-05T00:00:00Z","end_date":"2026-01-09T00:00:00Z",
			"follower_ids":[%q],"group_ids":[%q],"mention_ids":[%[3]q],"member_mention_ids":[%[3]q],"group_mention_ids":[%[4]q],
			"labels":[{"name":"Sprint","color":"#112233","stats":{"num_epics":0,"num_stories_total":0}},{"name":"Extra"}],
			"status":"started","entity_type":"iteration","associated_groups":[],"global_id":"v2:i:%[5]s:%[1]d","app_url":"%[6]s/first/iteration/%[1]d",
			"stats":%[7]s,"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`,
			id, mention, member.Member.ID, group, s.Owner.Workspace, s.URL, noStats)
		bad := func(key string, value any) map[string]any {
			body := map[string]any{"name": "x", "start_date": "2026-01-05", "end_date": "2026-01-09"}
			body[key] = value
			return body
		}
		absent := "00000000-0000-7000-8000-000000000000"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole},
			{Name: "the list shows as much", Method: "GET", Path: "/iterations", Status: 200, Want: "[" + whole + "]"},
			{Name: "observers read", As: observer, Method: "GET", Path: path, Status: 200},
			{Name: "observers write nothing", As: observer, Method: "POST", Path: "/iterations", Body: bad("name", "x"), Status: 403, Want: `{"tag":"forbidden"}`},
			{As: observer, Method: "PUT", Path: path, Body: `{}`, Status: 403},
			{As: observer, Method: "DELETE", Path: path, Status: 403},
			{Name: "another workspace", As: stranger, Method: "GET", Path: path, Status: 404, Want: `{"message":"Resource not found."}`},
			{As: stranger, Method: "PUT", Path: path, Body: `{}`, Status: 404},
			{As: stranger, Method: "DELETE", Path: path, Status: 404},
			{As: stranger, Method: "GET", Path: path + "/stories", Status: 404},
			{As: stranger, Method: "GET", Path: "/iterations", Status: 200, Want: `[]`},

			{Name: "what is required", Method: "POST", Path: "/iterations", Body: `{"nme":1}`, Status: 400, Want: `{"errors":{"nme":"disallowed-key",
				"name":"missing-required-key","start_date":"missing-required-key","end_date":"missing-required-key"}}`},
			{Name: "one day", Method: "POST", Path: "/iterations", Body: bad("end_date", "2026-01-05"), Status: 201,
				Want: `{"start_date":"2026-01-05T00:00:00Z","end_date":"2026-01-05T00:00:00Z","description":"","labels":[],"label_ids":[],"group_ids":[]}`},
			{Name: "end before start", Method: "POST", Path: "/iterations", Body: bad("end_date", "2026-01-04"), Status: 422,
				Want: `{"errors":{"end_date":"is before start_date"}}`},
			{Name: "no date", Method: "POST", Path: "/iterations", Body: bad("end_date", "2026-02-30"), Status: 400,
				Want: `{"errors":{"end_date":"must be a date such as 2026-01-31"}}`},
			{Name: "empty date", Method: "POST", Path: "/iterations", Body: bad("start_date", ""), Status: 400},
			{Name: "name of 256", Method: "POST", Path: "/iterations", Body: bad("name", strings.Repeat("é", 256)), Status: 201},
			{Name: "name of 257", Method: "POST", Path: "/iterations", Body: bad("name", strings.Repeat("é", 257)), Status: 400,
				Want: `{"errors":{"name":"must have at most 256 characters"}}`},
			{Name: "no name", Method: "POST", Path: "/iterations", Body: bad("name", ""), Status: 400},
			{Name: "description of 100000", Method: "POST", Path: "/iterations", Body: bad("description", strings.Repeat("é", 100000)), Status: 201},
			{Name: "description of 100001", Method: "POST", Path: "/iterations", Body: bad("description", strings.Repeat("é", 100001)), Status: 400,
				Want: `{"errors":{"description":"must have at most 100000 characters"}}`},
			{Name: "unknown follower", Method: "POST", Path: "/iterations", Body: bad("follower_ids", []any{absent}), Status: 422,
				Want: `{"errors":{"follower_ids":"names no existing member: ` + absent + `"}}`},
			{Name: "a member of another workspace", Method: "POST", Path: "/iterations", Body: bad("follower_ids", []any{stranger.Member.ID}), Status: 422},
			{Name: "unknown group", Method: "POST", Path: "/iterations", Body: bad("group_ids", []any{absent}), Status: 422,
				Want: `{"errors":{"group_ids":"names no existing group: ` + absent + `"}}`},
			{Name: "bad inline label", Method: "POST", Path: "/iterations", Body: bad("labels", []any{map[string]any{"name": "ok"}, map[string]any{"color": "red"}}),
				Status: 400, Want: `{"errors":{"labels":[null,{"color":"must be a colour of the form #rrggbb","name":"missing-required-key"}]}}`},
			{Name: "null on creation", Method: "POST", Path: "/iterations", Body: bad("description", nil), Status: 400, Want: `{"errors":{"description":"must not be null"}}`},

			{Name: "nothing may be null", Method: "PUT", Path: path, Body: `{"name":null,"description":null,"start_date":null,"end_date":null,"follower_ids":null,"group_ids":null,"labels":null}`,
				Status: 400, Want: `{"errors":{"name":"must not be null","description":"must not be null","start_date":"must not be null","end_date":"must not be null",
					"follower_ids":"must not be null","group_ids":"must not be null","labels":"must not be null"}}`},
			{Name: "start past the end", Method: "PUT", Path: path, Body: `{"start_date":"2026-01-10"}`, Status: 422, Want: `{"errors":{"end_date":"is before start_date"}}`},
			{Name: "start on the end", Method: "PUT", Path: path, Body: `{"start_date":"2026-01-09"}`, Status: 200, Want: `{"start_date":"2026-01-09T00:00:00Z","status":"unstarted"}`},
			{Name: "both dates", Method: "PUT", Path: path, Body: `{"start_date":"2025-12-01","end_date":"2025-12-02"}`, Status: 200, Want: `{"status":"done"}`},
			{Name: "lists are replaced", Method: "PUT", Path: path, Body: `{"labels":[{"name":"EXTRA"}],"follower_ids":[],"group_ids":[],"description":"plain"}`, Status: 200,
				Want: `{"labels":[{"name":"Extra"}],"follower_ids":[],"group_ids":[],"mention_ids":[],"group_mention_ids":[],"name":"Week 2"}`},
			{Method: "PUT", Path: path, Body: bad("group_ids", []any{absent}), Status: 422},
			{Method: "PUT", Path: "/iterations/99999", Body: `{"end_date":"2020-01-01"}`, Status: 404},
			{Method: "GET", Path: "/iterations/99999", Status: 404},
			{Method: "GET", Path: "/iterations/x", Status: 400, Want: `{"errors":{"iteration-public-id":"must be an integer"}}`},
			{Method: "GET", Path: "/iterations/99999/stories", Status: 404},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestIterationsOff(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		path := fmt.Sprintf("/iterations/%d", s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"a","start_date":"2026-01-05","end_date":"2026-01-09"}`).ID(t))
		const off = `{"feature_tag":"iterations","message":"The feature iterations is disabled in this workspace."}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: "/iterations/disable", Status: 204},
			{Method: "POST", Path: "/iterations", Body: `{"name":"a","start_date":"2026-01-05","end_date":"2026-01-01"}`, Status: 403, Want: off},
			{Name: "the schema comes first", Method: "POST", Path: "/iterations", Body: `{}`, Status: 400},
			{Method: "PUT", Path: path, Body: `{}`, Status: 403, Want: off},
			{Name: "absence comes after", Method: "PUT", Path: "/iterations/99999", Body: `{}`, Status: 403, Want: off},
			{Method: "GET", Path: path, Status: 200},
			{Method: "GET", Path: path + "/stories", Status: 200, Want: `[]`},
			{Method: "PUT", Path: "/iterations/enable", Status: 204},
			{Method: "PUT", Path: path, Body: `{"name":"b"}`, Status: 200, Want: `{"name":"b"}`},
			{Method: "PUT", Path: "/iterations/disable", Status: 204},
			{Method: "DELETE", Path: path, Status: 204},
		})
	})
}

func TestIterationStatusFollowsTheWorkspacesDay(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address) // the clock stands at 10:00 UTC on 5 January
		path := fmt.Sprintf("/iterations/%d", s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"a","start_date":"2026-01-06","end_date":"2026-01-07"}`).ID(t))
		status := func(want string) {
			t.Helper()
			if got := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["status"]; got != want {
				t.Errorf("at %v the status is %v, want %s", s.Clock.Now(), got, want)
			}
		}
		if _, err := s.Service.UpdateWorkspace(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.WorkspaceChange{UTCOffset: tracker.Some("+02:00")}); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(12*time.Hour - time.Second) // 23:59:59 in the workspace
		status("unstarted")
		s.Clock.Advance(time.Second)
		status("started")
		s.Clock.Advance(48*time.Hour - time.Second) // the last second of its last day
		status("started")
		s.Clock.Advance(time.Second)
		status("done")
	})
}

func TestIterationStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := s.Owner.Workspace
		i := s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"a","start_date":"2026-01-05","end_date":"2026-01-09","labels":[{"name":"L"}]}`)
		id, label := i.ID(t), int64(i.Object(t)["label_ids"].([]any)[0].(float64))
		group := tracker.UUID(s.Owner.Want(t, 201, "POST", "/groups", `{"name":"Blue","mention_name":"blue"}`).Object(t)["id"].(string))
		path := fmt.Sprintf("/iterations/%d", id)
		flow, err := s.Service.Workflows(t.Context(), testkit.Operator(w))
		if err != nil {
			t.Fatal(err)
		}
		states := flow[0].States
		now := tracker.TimeOf(s.Clock.Now())
		put := func(state tracker.WorkflowState, estimate int64, change func(*tracker.Story)) tracker.Story {
			return testkit.PutStory(t, s, w, func(story *tracker.Story) {
				story.IterationID, story.Estimate, story.StateID, story.Description = &id, &estimate, state.ID, "text"
				story.Enter(state.Type, now)
				if change != nil {
					change(story)
				}
			})
		}
		first := put(states[0], 1, func(s *tracker.Story) { s.Estimate = nil })
		put(states[2], 2, func(s *tracker.Story) { s.GroupID = &group; s.LabelIDs = []int64{label} })
		put(states[5], 4, func(s *tracker.Story) {
			s.CreatedAt = now - 100
			started := now - 30
			s.StartedAt, s.GroupID = &started, &group
		})
		put(states[5], 8, func(s *tracker.Story) { s.Archived = true })
		testkit.PutStory(t, s, w, func(*tracker.Story) {})

		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"stats":{"average_cycle_time":30,"average_lead_time":100,
			"num_points":6,"num_points_backlog":0,"num_points_done":4,"num_points_started":2,"num_points_unstarted":0,
			"num_stories_backlog":0,"num_stories_done":1,"num_stories_started":1,"num_stories_unestimated":1,"num_stories_unstarted":1},
			"associated_groups":[{"group_id":%q,"associated_stories_count":2}],
			"labels":[{"id":%d,"stats":{"num_stories_total":1,"num_points_total":2,"num_points_in_progress":2}}]}`, group, label)}})
		stories := s.Owner.Want(t, 200, "GET", path+"/stories", nil).List(t)
		if len(stories) != 4 || stories[0]["id"] != float64(first.ID) {
			t.Errorf("the iteration lists %d stories, want 4 from %d on", len(stories), first.ID)
		}
		if _, has := stories[0]["description"]; has {
			t.Error("the list carries descriptions unasked")
		}
		if got := s.Owner.Want(t, 200, "GET", path+"/stories?includes_description=true", nil).List(t)[0]["description"]; got != "text" {
			t.Errorf("includes_description gives %v", got)
		}
		s.Owner.Want(t, 400, "GET", path+"/stories?includes_description=perhaps", nil)
	})
}

func TestDeletingAnIterationKeepsItsStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := s.Owner.Workspace
		create := func() int64 {
			return s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"a","start_date":"2026-01-05","end_date":"2026-01-09"}`).ID(t)
		}
		gone, other := create(), create()
		// 400 are in it (half of them for the second time) and 400 more were: more than one chunk, with overlap.
		n := 0
		stories := testkit.PutStories(t, s, w, 800, func(story *tracker.Story) {
			n++
			switch {
			case n <= 200:
				story.IterationID = &gone
			case n <= 400:
				story.IterationID, story.PreviousIterations = &gone, []int64{gone, other}
			default:
				story.IterationID, story.PreviousIterations = &other, []int64{other, gone}
			}
		})
		before := int64(len(s.Changes(t, w, 0)))
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/iterations/%d", gone), nil)
		changes := s.Changes(t, w, before)
		items := map[string]int{}
		for _, c := range changes {
			for _, item := range c.Items {
				items[item.EntityType+" "+item.Action]++
			}
		}
		if len(changes) != 2 || items["story update"] != 800 || items["iteration delete"] != 1 || len(items) != 2 {
			t.Errorf("%d changes hold %v, want 800 story updates and the deletion in 2", len(changes), items)
		}
		for _, at := range []int{0, 200, 400, 799} {
			story := testkit.GetStory(t, s, w, stories[at].ID)
			want := map[int][]int64{0: {}, 200: {other}, 400: {other}, 799: {other}}[at]
			if (story.IterationID == nil) != (at < 400) || !slices.Equal(story.PreviousIterations, want) {
				t.Errorf("story %d is left in iteration %v and remembers %v, want %v", at, story.IterationID, story.PreviousIterations, want)
			}
		}
	})
}

func TestIterationChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := s.Owner.Workspace
		before := int64(len(s.Changes(t, w, 0)))
		a := s.Owner.Want(t, 201, "POST", "/iterations", `{"name":"a","start_date":"2026-01-05","end_date":"2026-01-09","labels":[{"name":"L"}]}`)
		path, label := fmt.Sprintf("/iterations/%d", a.ID(t)), a.Object(t)["label_ids"].([]any)[0]
		s.Clock.Advance(time.Minute)
		same := s.Owner.Want(t, 200, "PUT", path, `{"name":"a","start_date":"2026-01-05","end_date":"2026-01-09T12:00:00Z","labels":[{"name":"l"}],"description":"","group_ids":[]}`)
		if got := same.Object(t)["updated_at"]; got != "2026-01-05T10:00:00Z" {
			t.Errorf("an update that changes nothing moved updated_at to %v", got)
		}
		s.Owner.Want(t, 200, "PUT", path, `{"end_date":"2026-01-10"}`)
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/labels/%v", label), nil)
		after := s.Owner.Want(t, 200, "GET", path, nil).Object(t)
		if len(after["labels"].([]any)) != 0 || after["updated_at"] != "2026-01-05T10:01:00Z" {
			t.Errorf("after its label is deleted, the iteration is %v", after)
		}

		var got []string
		for _, c := range s.Changes(t, w, before) {
			got = append(got, itemsOf([]tracker.Change{c}))
		}
		want := []string{"create label, create iteration", "update iteration", "update iteration, delete label"}
		if !slices.Equal(got, want) {
			t.Errorf("the changes are %q, want %q", got, want)
		}
	})
}

func TestIterationListCost(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		create := func(n int) {
			for range n {
				_, err := s.Service.CreateIteration(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.IterationChange{
					Name: tracker.Some("i"), Labels: tracker.Some([]tracker.LabelParams{{Name: "one"}, {Name: "two"}}),
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		cost := func(want int) int64 {
			before := s.Store.Queries()
			if got := len(s.Owner.Want(t, 200, "GET", "/iterations", nil).List(t)); got != want {
				t.Fatalf("%d iterations, want %d", got, want)
			}
			return s.Store.Queries() - before
		}
		create(10)
		few := cost(10)
		create(990)
		if many := cost(1000); many != few {
			t.Errorf("a list of 1,000 takes %d queries, one of 10 %d", many, few)
		}
	})
}
