package activity_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"milepost/internal/activity"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// Every kind of entity is told: stories in the tests of their history, the others here.
func TestTell(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		group := fmt.Sprint(s.Owner.Want(t, 201, "POST", "/groups", `{"name":"Crew","mention_name":"crew"}`).Object(t)["id"])
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		words := strings.NewReplacer("GROUP", group, "ME", string(s.Owner.Member.ID), "URL", "https://m.example/first")
		reader := activity.Reader{
			Service: s.Service, By: tracker.Actor{Workspace: s.Owner.Workspace, Slug: "first"}, PublicURL: "https://m.example",
		}
		for _, c := range []struct{ method, path, body, want string }{
			{"POST", "/epics", `{"name":"Epic","group_ids":["GROUP"]}`, `[{"actions":[{"action":"create","app_url":"URL/epic/2","entity_type":"epic","epic_state_id":500000001,
				"group_ids":["GROUP"],"id":2,"name":"Epic","position":2147483648,"requested_by_id":"ME"}],
				"references":[{"entity_type":"epic-state","id":500000001,"name":"to do","type":"unstarted"},{"entity_type":"group","id":"GROUP","name":"Crew"}]}]`},
			{"PUT", "/epics/2", `{"name":"New","epic_state_id":500000002}`, `[{"actions":[{"action":"update","app_url":"URL/epic/2","changes":{
				"epic_state_id":{"new":500000002,"old":500000001},"name":{"new":"New","old":"Epic"},"started":{"new":true,"old":false},"started_at":{"new":"2026-01-05T10:00:00Z"}},
				"entity_type":"epic","id":2,"name":"New"}],
				"references":[{"entity_type":"epic-state","id":500000002,"name":"in progress","type":"started"},{"entity_type":"epic-state","id":500000001,"name":"to do","type":"unstarted"}]}]`},
			{"POST", "/epics/2/comments", `{"text":"c"}`, `[{"actions":[{"action":"create","app_url":"URL/epic/2#activity-3","author_id":"ME","entity_type":"epic-comment","epic_id":2,"id":3,"text":"c"}],
				"references":[{"app_url":"URL/epic/2","entity_type":"epic","id":2,"name":"New"}]}]`},
			{"PUT", "/groups/GROUP", `{"description":"d"}`, `[{"actions":[{"action":"update","app_url":"URL/group/GROUP","changes":{"description":{"new":"d","old":""}},
				"entity_type":"group","id":"GROUP","name":"Crew"}],"references":null}]`},
			{"PUT", "/entity-templates/disable", "", `[{"actions":[{"action":"update","changes":{"disabled_features":{"adds":["entity-templates"]}},
				"entity_type":"workspace2","id":"WORKSPACE","name":"Workspace first"}],"references":null}]`},
			{"DELETE", "/epics/2", "", `[{"actions":[{"action":"delete","author_id":"ME","entity_type":"epic-comment","epic_id":2,"id":3,"text":"c"},
				{"action":"delete","entity_type":"epic","id":2,"name":"New"}],"references":null}]`},
		} {
			if a := s.Owner.Do(t, c.method, words.Replace(c.path), words.Replace(c.body)); a.Status >= 300 {
				t.Fatalf("%s %s %s: %d %s", c.method, c.path, c.body, a.Status, a.Text)
			}
			changes := s.Changes(t, s.Owner.Workspace, number)
			number += int64(len(changes))
			events, err := reader.Tell(t.Context(), changes)
			if err != nil {
				t.Fatal(err)
			}
			got := plain(t, events)
			want := slices.Collect(strings.Lines(words.Replace(strings.ReplaceAll(c.want, "WORKSPACE", string(s.Owner.Workspace)))))
			for i := range want {
				want[i] = strings.TrimSpace(want[i])
			}
			if text := strings.Join(want, ""); got != text {
				t.Errorf("%s %s %s:\n got %s\nwant %s", c.method, c.path, c.body, got, text)
			}
		}
	})
}

// plain is what the events tell, as JSON.
func plain(t *testing.T, events []activity.Event) string {
	t.Helper()
	type told struct {
		Actions    []activity.Object `json:"actions"`
		References []activity.Object `json:"references"`
	}
	var list []told
	for _, e := range events {
		list = append(list, told{e.Actions, e.References})
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
