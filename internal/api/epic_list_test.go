package api_test

import (
	"fmt"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestEpicStats(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := defaultWorkflow(t, s)
		kernel, shell := newGroup(t, s, "kernel"), newGroup(t, s, "shell")
		p1, p2 := newProject(t, s, flow.TeamID), newProject(t, s, flow.TeamID)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t)
		path, start := epicPath(epic), tracker.TimeOf(testkit.Start)
		at := func(seconds int64) *tracker.Time { return new(start + tracker.Time(seconds)) }
		put := func(change func(*tracker.Story)) {
			testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
				story.EpicID = &epic
				change(story)
			})
		}
		backlog, started, done := putState(t, s, flow.ID, tracker.Backlog), putState(t, s, flow.ID, tracker.Started), putState(t, s, flow.ID, tracker.Done)
		put(func(x *tracker.Story) {
			x.StateID, x.Estimate, x.GroupID, x.ProjectID = backlog, new(int64(1)), &shell, &p2
		})
		put(func(x *tracker.Story) {
			x.Estimate, x.GroupID, x.ProjectID, x.UpdatedAt = new(int64(2)), &kernel, &p1, *at(90)
		})
		put(func(x *tracker.Story) {
			x.StateID, x.Estimate, x.GroupID, x.ProjectID, x.Description = started, new(int64(4)), &kernel, &p2, "text"
		})
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path + "/stories", Status: 200, Want: fmt.Sprintf(`[{"epic_id":%d},{},{"epic_id":%d}]`, epic, epic)},
			{Method: "GET", Path: path + "/stories?includes_description=true", Status: 200, Want: `[{"description":""},{},{"description":"text"}]`},
			{Method: "GET", Path: path + "/stories?includes_description=yes", Status: 400, Want: `{"errors":{"includes_description":"must be true or false"}}`},
			{Method: "GET", Path: "/epics/99/stories", Status: 404},
		})
		if s.Owner.Want(t, 200, "GET", path+"/stories", nil).List(t)[2]["description"] != nil {
			t.Error("the list of stories shows descriptions without being asked")
		}
		stats := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["stats"].(map[string]any)
		if _, ok := stats["average_cycle_time"]; ok || stats["average_lead_time"] != nil {
			t.Errorf("averages without a story that is done: %v", stats)
		}
		put(func(x *tracker.Story) {
			x.StateID, x.Estimate = done, new(int64(8))
			x.Progress = tracker.Progress{StartedAt: at(10), CompletedAt: at(40)}
		})
		put(func(x *tracker.Story) {
			x.StateID = done
			x.Progress = tracker.Progress{StartedAt: at(10), StartedAtOverride: at(20), CompletedAt: at(40), CompletedAtOverride: at(60)}
		})
		put(func(x *tracker.Story) { x.Archived, x.Estimate, x.UpdatedAt = true, new(int64(16)), *at(999) })
		want := fmt.Sprintf(`{"associated_groups":[{"group_id":%q,"associated_stories_count":2},{"group_id":%q,"associated_stories_count":1}],
			"project_ids":[%d,%d],"stories_without_projects":2,"stats":{"average_cycle_time":35,"average_lead_time":50,
			"last_story_update":"2026-01-05T10:01:30Z","num_points":15,"num_points_backlog":1,"num_points_unstarted":2,"num_points_started":4,
			"num_points_done":8,"num_related_documents":0,"num_stories_backlog":1,"num_stories_unstarted":1,"num_stories_started":1,"num_stories_done":2,
			"num_stories_total":5,"num_stories_unestimated":1}}`, kernel, shell, p1, p2)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: want},
			{Method: "GET", Path: "/epics", Status: 200, Want: "[" + want + "]"},
			{Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 200, Want: want},
		})
	})
}

func TestEpicLists(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		testkit.Run(t, s.Owner, []testkit.Case{{Name: "no epics", Method: "GET", Path: "/epics/paginated", Status: 200, Want: `{"data":[],"next":null,"total":0}`}})
		putManyEpics(t, s, 251)
		for _, c := range []struct {
			query    string
			data, to int
			next     any
		}{
			{"", 10, 10, 2.0},
			{"?page=2", 10, 20, 3.0},
			{"?page=26", 1, 251, nil},
			{"?page=27", 0, 0, nil},
			{"?page=9223372036854775807&page_size=250", 0, 0, nil},
			{"?page_size=1", 1, 1, 2.0},
			{"?page_size=250", 250, 250, 2.0},
			{"?page_size=250&page=2", 1, 251, nil},
			{"?page_size=251&page=1", -1, 0, nil},
			{"?page_size=0", -1, 0, nil},
			{"?page=0", -1, 0, nil},
			{"?page=x", -1, 0, nil},
			{"?size=1", -1, 0, nil},
		} {
			if c.data < 0 {
				s.Owner.Want(t, 400, "GET", "/epics/paginated"+c.query, nil)
				continue
			}
			page := s.Owner.Want(t, 200, "GET", "/epics/paginated"+c.query, nil).Object(t)
			data := page["data"].([]any)
			if len(data) != c.data || page["next"] != c.next || page["total"] != 251.0 {
				t.Errorf("%s: %d epics, next %v, total %v", c.query, len(data), page["next"], page["total"])
			}
			if last := fmt.Sprintf("Epic %d", c.to); len(data) > 0 && data[len(data)-1].(map[string]any)["name"] != last {
				t.Errorf("%s ends with %v, want %s", c.query, data[len(data)-1], last)
			}
		}
		for path, shown := range map[string]bool{"": false, "?includes_description=false": false, "?includes_description=true": true} {
			list := s.Owner.Want(t, 200, "GET", "/epics"+path, nil).List(t)
			page := s.Owner.Want(t, 200, "GET", "/epics/paginated"+path, nil).Object(t)["data"].([]any)
			for _, e := range []map[string]any{list[0], page[0].(map[string]any)} {
				if _, ok := e["description"]; ok != shown || e["comments"] != nil || e["health"] != nil {
					t.Errorf("%s: an epic in a list is %v", path, e)
				}
			}
			if len(list) != 251 {
				t.Errorf("%s: %d epics", path, len(list))
			}
		}
		s.Owner.Want(t, 400, "GET", "/epics?includes_description=1", nil)
	})
}

func TestEpicListsCostAFixedNumberOfQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		putManyEpics(t, s, 10)
		paths := []string{"/epics", "/epics?includes_description=true", "/epics/paginated?page_size=250", "/labels/2/epics", "/epics/3"}
		var few []int64
		for _, path := range paths {
			few = append(few, queries(t, s, path))
		}
		putManyEpics(t, s, 990)
		for i, path := range paths {
			if many := queries(t, s, path); many != few[i] {
				t.Errorf("%s costs %d queries for 10 epics and %d for 1,000", path, few[i], many)
			}
		}
		if n := len(s.Owner.Want(t, 200, "GET", "/epics", nil).List(t)); n != 1000 {
			t.Errorf("%d epics", n)
		}
	})
}

// putManyEpics stores n epics with the label 2 and an owner, and a story in each.
func putManyEpics(t *testing.T, s *testkit.Server, n int) {
	t.Helper()
	var ids []int64
	storeWrite(t, s, func(tx *store.Tx) error {
		flow, err := tx.EpicWorkflow()
		if err != nil {
			return err
		}
		before, err := tx.CountEpics()
		if err != nil {
			return err
		}
		if before == 0 {
			if err := tx.InsertLabel(&tracker.Label{ID: tx.NextID(), Name: "label"}); err != nil {
				return err
			}
		}
		for i := range n {
			e := tracker.Epic{ID: tx.NextID(), Name: fmt.Sprintf("Epic %d", before+int64(i)+1), StateID: flow.DefaultStateID,
				LabelIDs: []int64{2}, OwnerIDs: []tracker.UUID{s.Owner.Member.ID}}
			if e.Position, err = tx.EpicLast(); err != nil {
				return err
			}
			if err := tx.InsertEpic(&e); err != nil {
				return err
			}
			ids = append(ids, e.ID)
		}
		return nil
	})
	testkit.PutStories(t, s, s.Owner.Workspace, n, func(story *tracker.Story) {
		story.EpicID = &ids[0]
		ids = ids[1:]
	})
}
