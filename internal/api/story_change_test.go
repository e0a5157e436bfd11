package api_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// One request is one change, with one item for each entity it touched and what changed in it.
func TestStoryChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		a, b := newStory(t, s, ""), newStory(t, s, "")
		number += 2
		path := storyPath(a)
		// did fails unless the request is one change whose items are as wanted: "update story 2" and,
		// for an update, the delta of each field.
		did := func(method, path, body string, want ...string) []tracker.ChangeItem {
			t.Helper()
			a := mia.Do(t, method, path, body)
			if a.Status >= 300 {
				t.Fatalf("%s %s %s: %d %s", method, path, body, a.Status, a.Text)
			}
			changes := s.Changes(t, s.Owner.Workspace, number)
			if len(changes) != 1 || changes[0].Member != mia.Member.ID || changes[0].Via != "v3" {
				t.Fatalf("%s %s %s: changes %+v", method, path, body, changes)
			}
			number++
			var got []string
			for _, item := range changes[0].Items {
				text := item.Action + " " + item.EntityType + " " + item.EntityID
				if item.Action == "update" {
					delta, err := json.Marshal(item.Data)
					if err != nil {
						t.Fatal(err)
					}
					text += " " + string(delta)
				}
				got = append(got, text)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("%s %s %s: the change is\n%s\nwant\n%s", method, path, body, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			return changes[0].Items
		}
		upd := func(id int64, delta string) string { return fmt.Sprintf("update story %d {%s}", id, delta) }
		s.Clock.Advance(time.Hour)
		did("PUT", path, `{"name":"New","estimate":3,"labels":[{"name":"l"}]}`, "create label 4",
			upd(a, `"estimate":{"new":3},"label_ids":{"adds":[4]},"name":{"new":"New","old":"Story"}`))
		did("PUT", path, `{"estimate":null,"labels":[]}`, upd(a, `"estimate":{"old":3},"label_ids":{"removes":[4]}`))
		did("PUT", path, fmt.Sprintf(`{"workflow_state_id":%d}`, developing),
			upd(a, fmt.Sprintf(`"follower_ids":{"adds":[%[1]q]},"owner_ids":{"adds":[%[1]q]},"started":{"new":true,"old":false},"started_at":{"new":"2026-01-05T11:00:00Z"},"workflow_state_id":{"new":%d,"old":%d}`,
				mia.Member.ID, developing, unscheduled)))
		did("PUT", path, fmt.Sprintf(`{"workflow_state_id":%d,"owner_ids":[]}`, completed),
			upd(a, fmt.Sprintf(`"completed":{"new":true,"old":false},"completed_at":{"new":"2026-01-05T11:00:00Z"},"owner_ids":{"removes":[%q]},"workflow_state_id":{"new":%d,"old":%d}`,
				mia.Member.ID, completed, developing)))
		did("PUT", path, fmt.Sprintf(`{"workflow_state_id":%d}`, unscheduled), upd(a, fmt.Sprintf(
			`"completed":{"new":false,"old":true},"completed_at":{"old":"2026-01-05T11:00:00Z"},"position":{"new":2147614720,"old":2147483648},"started":{"new":false,"old":true},"started_at":{"old":"2026-01-05T11:00:00Z"},"workflow_state_id":{"new":%d,"old":%d}`,
			unscheduled, completed)))

		did("POST", path+"/tasks", `{"description":"t"}`, "create story-task 5", upd(a, `"task_ids":{"adds":[5]}`))
		did("PUT", path+"/tasks/5", `{"complete":true}`, upd(a, `"num_tasks_completed":{"new":1,"old":0}`), `update story-task 5 {"complete":{"new":true,"old":false},"completed_at":{"new":"2026-01-05T11:00:00Z"}}`)
		did("PUT", path+"/tasks/5", `{"description":"T"}`, `update story-task 5 {"description":{"new":"T","old":"t"}}`)
		did("POST", path+"/tasks", `{"description":"u"}`, "create story-task 6", upd(a, `"task_ids":{"adds":[6]}`))
		did("PUT", path+"/tasks/6", `{"before_id":5}`, upd(a, `"task_ids":{"new":[6,5],"old":[5,6]}`))
		did("DELETE", path+"/tasks/5", "", "delete story-task 5", upd(a, `"num_tasks_completed":{"new":0,"old":1},"task_ids":{"removes":[5]}`))
		did("POST", path+"/comments", `{"text":"c","blocker":true}`, "create story-comment 7", upd(a, `"comment_ids":{"adds":[7]},"unresolved_blocker_comments":{"adds":[7]}`))
		did("POST", path+"/comments", `{"text":"d","parent_id":7,"unblocks_parent":true}`, "create story-comment 8", upd(a, `"comment_ids":{"adds":[8]},"unresolved_blocker_comments":{"removes":[7]}`))
		items := did("DELETE", path+"/comments/7", "", "delete story-comment 7")
		if items[0].Data["text"] != "c" {
			t.Errorf("the deletion keeps %v", items[0].Data)
		}
		did("DELETE", path+"/comments/8", "", "delete story-comment 8", upd(a, `"comment_ids":{"removes":[7,8]}`))

		did("POST", "/story-links", fmt.Sprintf(`{"subject_id":%d,"verb":"blocks","object_id":%d}`, a, b), "create story-link 500000011",
			upd(a, `"blocker":{"new":true,"old":false},"subject_story_link_ids":{"adds":[500000011]}`), upd(b, `"blocked":{"new":true,"old":false},"object_story_link_ids":{"adds":[500000011]}`))
		did("PUT", path, `{"archived":true}`, upd(a, `"archived":{"new":true,"old":false},"blocker":{"new":false,"old":true}`), upd(b, `"blocked":{"new":false,"old":true}`))
		did("PUT", "/stories/bulk", fmt.Sprintf(`{"story_ids":[%d,%d],"archived":false,"estimate":1}`, a, b),
			upd(a, `"archived":{"new":false,"old":true},"blocker":{"new":true,"old":false},"estimate":{"new":1}`), upd(b, `"blocked":{"new":true,"old":false},"estimate":{"new":1}`))
		did("PUT", "/story-links/500000011", `{"verb":"relates to"}`, `update story-link 500000011 {"verb":{"new":"relates to","old":"blocks"}}`,
			upd(a, `"blocker":{"new":false,"old":true}`), upd(b, `"blocked":{"new":false,"old":true}`))
		did("PUT", path, fmt.Sprintf(`{"sub_tasks":[{"story_id":%d}]}`, b), upd(a, fmt.Sprintf(`"sub_task_story_ids":{"adds":[%d]}`, b)), upd(b, fmt.Sprintf(`"parent_story_id":{"new":%d}`, a)))

		did("POST", "/stories", fmt.Sprintf(`{"name":"All","labels":[{"name":"m"}],"tasks":[{"description":"t"}],"comments":[{"text":"c"}],
			"story_links":[{"verb":"blocks","object_id":%d}],"sub_tasks":[{"name":"Sub"}]}`, b),
			"create label 10", "create story 9", "create story 13", "create story-comment 12", "create story-link 500000012", "create story-task 11",
			upd(b, `"blocked":{"new":true,"old":false},"object_story_link_ids":{"adds":[500000012]}`))
		items = s.Changes(t, s.Owner.Workspace, number-1)[0].Items
		for _, item := range items {
			if item.EntityType == "story" && item.EntityID == "9" && (item.Data["blocker"] != true || fmt.Sprint(item.Data["sub_task_story_ids"], item.Data["task_ids"]) != "[13] [11]") {
				t.Errorf("the creation keeps %v", item.Data)
			}
		}
		items = did("DELETE", "/stories/9", "", "delete story 9", "delete story-comment 12", "delete story-link 500000012", "delete story-task 11",
			upd(b, `"blocked":{"new":false,"old":true},"object_story_link_ids":{"removes":[500000012]}`), upd(13, `"parent_story_id":{"old":9}`))
		i := slices.IndexFunc(items, func(i tracker.ChangeItem) bool { return i.EntityID == "9" })
		if fmt.Sprint(items[i].Data["subject_story_link_ids"], items[i].Data["name"]) != "[5.00000012e+08]All" {
			t.Errorf("the deletion keeps %v", items[i].Data)
		}
		did("DELETE", path, "", "delete story "+fmt.Sprint(a), "delete story-link 500000011", "delete story-task 6",
			upd(b, `"object_story_link_ids":{"removes":[500000011]},"parent_story_id":{"old":2}`))

		y := newStory(t, s, `"archived":true`)
		x := newStory(t, s, `"archived":true,"story_links":[{"verb":"blocks","object_id":%d}],"sub_tasks":[{"story_id":%[1]d}]`, y)
		number += 2
		did("DELETE", "/stories/bulk", fmt.Sprintf(`{"story_ids":[%d,%d]}`, x, y), fmt.Sprintf("delete story %d", x), fmt.Sprintf("delete story %d", y), "delete story-link 500000013")
	})
}

// An update that changes nothing leaves no record and keeps updated_at.
func TestStoryUnchanged(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		sub := newStory(t, s, "")
		// Whoever is a follower because of the request would be lost to a list that does not name them.
		everything := strings.Replace(x.everything, fmt.Sprintf(`"follower_ids":["%s"]`, x.member), fmt.Sprintf(`"follower_ids":["%s","%s"]`, x.member, s.Owner.Member.ID), 1)
		same := fmt.Sprintf(`%s,"labels":[{"name":"l"}],"custom_fields":[{"field_id":%q,"value_id":%q}],"archived":true,"started_at_override":"2026-01-02T00:00:00Z"`,
			everything, x.priority.ID, x.highest)
		created := s.Owner.Want(t, 201, "POST", "/stories", `{`+same+fmt.Sprintf(`,"sub_tasks":[{"story_id":%d}],"tasks":[{"description":"t","complete":true}],"comments":[{"text":"c"}]}`, sub))
		story := readJSON[struct {
			ID       int64
			Tasks    []struct{ ID int64 } `json:"tasks"`
			Comments []struct{ ID int64 } `json:"comments"`
		}](t, created)
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Clock.Advance(time.Hour)
		path := storyPath(story.ID)
		kept := `{"updated_at":"2026-01-05T10:00:00Z"}`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: path, Body: `{}`, Status: 200, Want: kept},
			{Method: "PUT", Path: path, Status: 200, Want: kept, Body: `{` + same + fmt.Sprintf(`,"sub_tasks":[{"story_id":%d}],"parent_story_id":null}`, sub)},
			{Method: "PUT", Path: storyPath(sub), Body: fmt.Sprintf(`{"parent_story_id":%d}`, story.ID), Status: 200, Want: kept},
			{Method: "PUT", Path: "/stories/bulk", Status: 200, Want: `[` + kept + `]`,
				Body: fmt.Sprintf(`{"story_ids":[%d],"labels_add":[{"name":"L"}],"labels_remove":[{"name":"x"}],"archived":true,"epic_id":%d,"custom_fields_add":[{"field_id":%q,"value_id":%q}]}`,
					story.ID, x.epic, x.priority.ID, x.highest)},
			{Method: "PUT", Path: fmt.Sprintf("%s/tasks/%d", path, story.Tasks[0].ID), Body: `{"description":"t","complete":true,"owner_ids":[]}`, Status: 200, Want: kept},
			{Method: "PUT", Path: fmt.Sprintf("%s/comments/%d", path, story.Comments[0].ID), Body: `{"text":"c"}`, Status: 200, Want: kept},
			{Method: "GET", Path: path, Status: 200, Want: kept},
		})
		if changes := s.Changes(t, s.Owner.Workspace, number); len(changes) > 0 {
			t.Errorf("nothing changed, and the log has %s", itemsOf(changes))
		}
	})
}

// A list of many stories, and one story with much, cost as many queries as a few.
func TestStoryQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		x := newSurroundings(t, s)
		story := func(n int64) string {
			return fmt.Sprintf(`{"name":"x","labels":[{"name":"l"}],"custom_fields":[{"field_id":%q,"value_id":%q}],"story_links":[{"verb":"relates to","object_id":%d}],
				"tasks":[{"description":"t"}],"external_links":["https://example.com"],"epic_id":%d}`, x.priority.ID, x.highest, n, x.epic)
		}
		first := s.Owner.Want(t, 201, "POST", "/stories", story(newStory(t, s, "")))
		id := first.ID(t)
		label := int64(first.Object(t)["label_ids"].([]any)[0].(float64))
		lists := []string{fmt.Sprintf("/labels/%d/stories", label), fmt.Sprintf("/epics/%d/stories", x.epic), "/external-link/stories?external_link=https://example.com", storyPath(id), storyPath(id) + "/tasks", storyPath(id) + "/comments", storyPath(id) + "/sub-tasks"}
		s.Owner.Want(t, 201, "POST", storyPath(id)+"/comments", `{"text":"c"}`)
		s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{"name":"sub","parent_story_id":%d,"labels":[{"name":"l"}]}`, id))
		count := func() map[string]int64 {
			costs := map[string]int64{}
			for _, path := range lists {
				before := s.Store.Queries()
				s.Owner.Want(t, 200, "GET", path, nil)
				costs[path] = s.Store.Queries() - before
			}
			return costs
		}
		// New stories are linked with earlier ones; one in twenty gives the first one a task, a comment
		// and a sub-task.
		earlier := []int64{id}
		grow := func(n int) {
			var bodies []string
			for i := range n {
				bodies = append(bodies, story(earlier[i%len(earlier)]))
			}
			for _, made := range s.Owner.Want(t, 201, "POST", "/stories/bulk", `{"stories":[`+strings.Join(bodies, ",")+`]}`).List(t) {
				earlier = append(earlier, int64(made["id"].(float64)))
			}
			for range n / 20 {
				s.Owner.Want(t, 201, "POST", storyPath(id)+"/tasks", `{"description":"t"}`)
				s.Owner.Want(t, 201, "POST", storyPath(id)+"/comments", `{"text":"c"}`)
				s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{"name":"sub","parent_story_id":%d,"labels":[{"name":"l"}]}`, id))
			}
		}
		grow(10)
		count() // after which the labels are remembered
		few := count()
		grow(1000)
		for path, n := range count() {
			if n != few[path] || n > 8 {
				t.Errorf("%s costs %d queries with many, %d with few", path, n, few[path])
			}
		}
	})
}
