package api_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// historian sends requests and looks at what they add to the history of one story.
type historian struct {
	s     *testkit.Server
	story int64
	known int
	ids   map[any]bool
	words *strings.Replacer // of the wanted entries
}

// did fails unless the request adds exactly the wanted entry; "" wants none.
func (h *historian) did(t *testing.T, method, path, body, want string) {
	t.Helper()
	if a := h.s.Owner.Do(t, method, path, h.words.Replace(body)); a.Status >= 300 {
		t.Fatalf("%s %s %s: %d %s", method, path, body, a.Status, a.Text)
	}
	entries := h.s.Owner.Want(t, 200, "GET", storyPath(h.story)+"/history", nil).List(t)
	if want == "" {
		if len(entries) != h.known {
			t.Errorf("%s %s %s adds %v", method, path, body, entries[h.known:])
		}
		h.known = len(entries)
		return
	}
	if len(entries) != h.known+1 {
		t.Fatalf("%s %s %s: %d entries, want %d", method, path, body, len(entries), h.known+1)
	}
	entry := entries[h.known]
	h.known++
	if id, ok := tracker.ParseUUID(entry["id"].(string)); !ok || h.ids[id] {
		t.Errorf("%s %s: the id %v is no new UUID", method, path, entry["id"])
	}
	h.ids[entry["id"]] = true
	at := h.s.Clock.Now().Format("2006-01-02T15:04:05.000Z")
	if entry["changed_at"] != at || entry["member_id"] != string(h.s.Owner.Member.ID) || entry["actor_name"] != "Olivia Owner" || entry["version"] != "v1" {
		t.Errorf("%s %s: the entry is %v", method, path, entry)
	}
	for _, key := range []string{"id", "changed_at", "member_id", "actor_name", "version"} {
		delete(entry, key)
	}
	var wanted map[string]any
	if err := json.Unmarshal([]byte(h.words.Replace(want)), &wanted); err != nil {
		t.Fatalf("%s: %v", want, err)
	}
	if !reflect.DeepEqual(entry, wanted) {
		got, _ := json.Marshal(entry)
		want, _ := json.Marshal(wanted)
		t.Errorf("%s %s %s:\n got %s\nwant %s", method, path, body, got, want)
	}
}

func TestStoryHistory(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		priority := builtIn(t, s.Owner, "priority")
		s.Owner.Want(t, 200, "PUT", priority.path(), `{"enabled":true}`)
		s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`)
		other := newStory(t, s, "")
		s.Clock.Advance(1234567 * time.Microsecond)
		h := &historian{s: s, story: 4, ids: map[any]bool{}, words: strings.NewReplacer(
			"ME", string(s.Owner.Member.ID), "URL", s.URL+"/first", "FIELD", string(priority.ID), "HIGH", string(priority.value(t, "High")),
			"UPDATED", `"entity_type":"story","action":"update","id":4,"name":"One","story_type":"feature","app_url":"`+s.URL+`/first/story/4"`,
			"OTHER", fmt.Sprintf(`{"id":%d,"entity_type":"story","name":"Story","story_type":"feature","app_url":"%s/first/story/%[1]d"}`, other, s.URL),
		)}
		h.did(t, "POST", "/stories", `{"name":"One","epic_id":2,"labels":[{"name":"l"}],"tasks":[{"description":"t"}]}`, `{"primary_id":4,
			"actions":[{"action":"create","entity_type":"label","id":5,"name":"l","app_url":"URL/label/5"},
				{"action":"create","entity_type":"story","id":4,"name":"One","story_type":"feature","app_url":"URL/story/4","requested_by_id":"ME",
					"follower_ids":["ME"],"label_ids":[5],"task_ids":[6],"epic_id":2,"workflow_id":500000004,"workflow_state_id":500000005,"position":2147549184},
				{"action":"create","entity_type":"story-task","id":6,"description":"t","complete":false,"story_id":4}],
			"references":[{"id":2,"entity_type":"epic","name":"Epic","app_url":"URL/epic/2"},
				{"id":500000005,"entity_type":"workflow-state","name":"Unscheduled","type":"unstarted"}]}`)
		h.did(t, "PUT", "/stories/4", `{"workflow_state_id":500000007}`, `{"primary_id":4,"actions":[{UPDATED,"changes":{
			"workflow_state_id":{"old":500000005,"new":500000007},"started":{"old":false,"new":true},"started_at":{"new":"2026-01-05T10:00:01Z"},
			"position":{"old":2147549184,"new":2147483648},"owner_ids":{"adds":["ME"]}}}],
			"references":[{"id":500000007,"entity_type":"workflow-state","name":"In Development","type":"started"},
				{"id":500000005,"entity_type":"workflow-state","name":"Unscheduled","type":"unstarted"}]}`)
		h.did(t, "PUT", "/stories/4/tasks/6", `{"complete":true}`, `{"primary_id":6,
			"actions":[{"action":"update","entity_type":"story-task","id":6,"description":"t","complete":true,"story_id":4,
				"changes":{"complete":{"old":false,"new":true},"completed_at":{"new":"2026-01-05T10:00:01Z"}}}],
			"references":[{"id":4,"entity_type":"story","name":"One","story_type":"feature","app_url":"URL/story/4"}]}`)
		h.did(t, "PUT", "/stories/4/tasks/6", `{"complete":true}`, "")
		h.did(t, "POST", "/stories/4/comments", `{"text":"c"}`, `{"primary_id":7,
			"actions":[{"action":"create","entity_type":"story-comment","id":7,"text":"c","author_id":"ME","story_id":4,"app_url":"URL/story/4#activity-7"},
				{UPDATED,"changes":{"comment_ids":{"adds":[7]}}}]}`)
		h.did(t, "PUT", "/stories/4/comments/7", `{"text":"d"}`, `{"primary_id":7,
			"actions":[{"action":"update","entity_type":"story-comment","id":7,"text":"d","author_id":"ME","story_id":4,"app_url":"URL/story/4#activity-7",
				"changes":{"text":{"old":"c","new":"d"}}}],
			"references":[{"id":4,"entity_type":"story","name":"One","story_type":"feature","app_url":"URL/story/4"}]}`)
		h.did(t, "POST", "/stories/4/comments/7/reactions", `{"emoji":":+1:"}`, "")
		h.did(t, "DELETE", "/stories/4/comments/7", "", `{"primary_id":7,"actions":[{UPDATED,"changes":{"comment_ids":{"removes":[7]}}}]}`)
		h.did(t, "PUT", "/stories/4", `{"estimate":5}`, `{"primary_id":4,"actions":[{UPDATED,"changes":{"estimate":{"new":5}}}]}`)
		h.did(t, "PUT", "/stories/4", `{"estimate":null}`, `{"primary_id":4,"actions":[{UPDATED,"changes":{"estimate":{"old":5}}}]}`)
		h.did(t, "POST", "/story-links", `{"subject_id":4,"verb":"relates to","object_id":3}`, `{"primary_id":500000011,
			"actions":[{"action":"create","entity_type":"story-link","id":500000011,"subject_id":4,"verb":"relates to","object_id":3},
				{UPDATED,"changes":{"subject_story_link_ids":{"adds":[500000011]}}}],
			"references":[OTHER]}`)
		h.did(t, "PUT", "/story-links/500000011", `{"verb":"duplicates"}`, `{"primary_id":500000011,
			"actions":[{"action":"update","entity_type":"story-link","id":500000011,"subject_id":4,"verb":"duplicates","object_id":3,
				"changes":{"verb":{"old":"relates to","new":"duplicates"}}}],
			"references":[OTHER,{"id":4,"entity_type":"story","name":"One","story_type":"feature","app_url":"URL/story/4"}]}`)
		h.did(t, "PUT", "/story-links/500000011", `{"subject_id":3,"object_id":4}`, `{"primary_id":500000011,
			"actions":[{"action":"update","entity_type":"story-link","id":500000011,"subject_id":3,"verb":"duplicates","object_id":4,
				"changes":{"subject_id":{"old":4,"new":3},"object_id":{"old":3,"new":4}}},
				{UPDATED,"changes":{"subject_story_link_ids":{"removes":[500000011]},"object_story_link_ids":{"adds":[500000011]}}}],
			"references":[OTHER]}`)
		h.did(t, "DELETE", "/story-links/500000011", "", `{"primary_id":500000011,
			"actions":[{"action":"delete","entity_type":"story-link","id":500000011,"subject_id":3,"verb":"duplicates","object_id":4},
				{UPDATED,"changes":{"object_story_link_ids":{"removes":[500000011]}}}]}`)
		h.did(t, "PUT", "/stories/4", `{"custom_fields":[{"field_id":"FIELD","value_id":"HIGH"}]}`, `{"primary_id":4,
			"actions":[{UPDATED,"changes":{"custom_field_value_ids":{"adds":["HIGH"]}}}],
			"references":[{"id":"HIGH","entity_type":"custom-field-enum-value","string_value":"High","enum_value_enabled":true,
				"field_id":"FIELD","field_type":"enum","field_name":"Priority","field_enabled":true}]}`)
		h.did(t, "PUT", "/stories/bulk", `{"story_ids":[3,4],"deadline":"2026-02-01T00:00:00Z","labels_add":[{"name":"m"}]}`, `{
			"actions":[{UPDATED,"changes":{"deadline":{"new":"2026-02-01T00:00:00Z"},"label_ids":{"adds":[8]}}}],
			"references":[{"id":8,"entity_type":"label","name":"m","app_url":"URL/label/8"}]}`)
		h.did(t, "PUT", "/stories/3", `{"name":"Other"}`, "")
		h.did(t, "DELETE", "/labels/5", "", `{"primary_id":5,"actions":[{UPDATED,"changes":{"label_ids":{"removes":[5]}}},
			{"action":"delete","entity_type":"label","id":5,"name":"l"}]}`)
		h.did(t, "PUT", "/stories/4", `{"parent_story_id":3}`, `{"primary_id":4,"actions":[{UPDATED,"parent_story_id":3,"changes":{"parent_story_id":{"new":3}}}],
			"references":[{"id":3,"entity_type":"story","name":"Other","story_type":"feature","app_url":"URL/story/3"}]}`)
		h.did(t, "DELETE", "/stories/4/tasks/6", "", `{"primary_id":6,
			"actions":[{"action":"delete","entity_type":"story-task","id":6,"description":"t","complete":true,"story_id":4},
				{UPDATED,"parent_story_id":3,"changes":{"task_ids":{"removes":[6]}}}],
			"references":[{"id":3,"entity_type":"story","name":"Other","story_type":"feature","app_url":"URL/story/3"}]}`)

		stranger := s.NewWorkspace(t, "second")
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "the other end of the link", Method: "GET", Path: "/stories/3/history", Status: 200, Want: `[
				{"actions":[{"action":"create"}]},
				{"actions":[{"entity_type":"story-link"},{"entity_type":"story","changes":{"object_story_link_ids":{"adds":[500000011]}}}]},
				{"actions":[{"changes":{"verb":{"new":"duplicates"}}}]},
				{"actions":[{"changes":{"subject_id":{"new":3}}},{"changes":{"subject_story_link_ids":{"adds":[500000011]},"object_story_link_ids":{"removes":[500000011]}}}]},
				{"actions":[{"action":"delete"},{"changes":{"subject_story_link_ids":{"removes":[500000011]}}}]},
				{"actions":[{"changes":{"deadline":{}}}]},{"actions":[{"changes":{"name":{}}}]},
				{"actions":[{"changes":{"sub_task_story_ids":{"adds":[4]}}}],"references":[{"id":4,"parent_story_id":3}]}]`},
			{As: observer, Method: "GET", Path: "/stories/3/history", Status: 200},
			{As: stranger, Method: "GET", Path: "/stories/3/history", Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "DELETE", Path: "/stories/4", Status: 204},
			{Method: "GET", Path: "/stories/4/history", Status: 404},
		})
	})
}

// What a use case records first is not always what the request was about.
func TestPrimaryID(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		for _, c := range []struct{ method, path, body, want string }{
			{"POST", "/stories", `{"name":"a","labels":[{"name":"l1"}]}`, "2"},
			{"POST", "/stories/bulk", `{"stories":[{"name":"b"}]}`, ""},
			{"PUT", "/stories/2", `{"labels":[{"name":"l2"}],"parent_story_id":4}`, "2"},
			{"POST", "/epics", `{"name":"e","labels":[{"name":"l3"}]}`, "6"},
			{"PUT", "/epics/6", `{"labels":[{"name":"l4"}]}`, "6"},
			{"POST", "/iterations", `{"name":"i","start_date":"2026-01-05","end_date":"2026-01-06","labels":[{"name":"l5"}]}`, "9"},
			{"PUT", "/iterations/9", `{"labels":[{"name":"l6"}]}`, "9"},
			{"POST", "/milestones", `{"name":"m","categories":[{"name":"c1"}]}`, "12"},
			{"PUT", "/milestones/12", `{"categories":[{"name":"c2"}]}`, "12"},
			{"PUT", "/stories/bulk", `{"story_ids":[2,4],"epic_id":6,"iteration_id":9,"archived":true}`, ""},
			{"PUT", "/epics/6", `{"objective_ids":[12]}`, "6"},
			{"DELETE", "/categories/14", "", "14"},
			{"DELETE", "/milestones/12", "", "12"},
			{"DELETE", "/labels/5", "", "5"},
			{"DELETE", "/iterations/9", "", "9"},
			{"DELETE", "/epics/6", "", "6"},
			{"DELETE", "/stories/2", "", "2"},
			{"DELETE", "/stories/bulk", `{"story_ids":[4]}`, ""},
		} {
			if a := s.Owner.Do(t, c.method, c.path, c.body); a.Status >= 300 {
				t.Fatalf("%s %s %s: %d %s", c.method, c.path, c.body, a.Status, a.Text)
			}
			changes := s.Changes(t, s.Owner.Workspace, number)
			number += int64(len(changes))
			if len(changes) != 1 || changes[0].PrimaryID != c.want {
				t.Errorf("%s %s %s: the changes are %+v, want one about %q", c.method, c.path, c.body, changes, c.want)
			}
		}
	})
}

// A long history costs as many queries as a short one.
func TestStoryHistoryQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		cost := func(n int) int64 {
			story := testkit.PutStory(t, s, s.Owner.Workspace, func(*tracker.Story) {})
			storeWrite(t, s, func(tx *store.Tx) error {
				for i := range n {
					before, after := story, story
					before.StateID, after.StateID = unscheduled+int64(i%2), unscheduled+int64((i+1)%2)
					before.ParentID, after.ParentID = nil, &story.ID
					item := tracker.NewItem("update", after, tracker.Diff(before, after))
					if err := tx.AppendChange(&tracker.Change{ID: tracker.UUID(fmt.Sprint(story.ID, "-", i)), Items: []tracker.ChangeItem{item}}); err != nil {
						return err
					}
				}
				return nil
			})
			path := storyPath(story.ID) + "/history"
			if got := len(s.Owner.Want(t, 200, "GET", path, nil).List(t)); got != n {
				t.Fatalf("%d entries, want %d", got, n)
			}
			return queries(t, s, path)
		}
		if few, many := cost(10), cost(1000); few != many {
			t.Errorf("10 changes cost %d queries, 1,000 cost %d", few, many)
		}
	})
}
