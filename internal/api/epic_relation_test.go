package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestEpicReferences(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		one := s.Owner.Want(t, 201, "POST", "/milestones", `{"name":"One"}`).ID(t)
		two := s.Owner.Want(t, 201, "POST", "/objectives", `{"name":"Two"}`).ID(t)
		kernel, shell := newGroup(t, s, "kernel"), newGroup(t, s, "shell")
		red := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"Rot"}`).ID(t)
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", fmt.Sprintf(`{"name":"Epic","milestone_id":%d,"group_id":%q}`, one, kernel)).ID(t))
		goals := func(name, body, want string, ids ...any) testkit.Case {
			return testkit.Case{Name: name, Method: "PUT", Path: path, Body: fmt.Sprintf(body, ids...), Status: 200, Want: want}
		}
		first := fmt.Sprintf(`{"milestone_id":%d,"objective_ids":[%d,%d]}`, two, two, one)
		teams := fmt.Sprintf(`{"group_id":%q,"group_ids":[%q,%q]}`, shell, shell, kernel)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "as created", Method: "GET", Path: path, Status: 200,
				Want: fmt.Sprintf(`{"milestone_id":%d,"objective_ids":[%d],"group_id":%q,"group_ids":[%q]}`, one, one, kernel, kernel)},
			goals("several", `{"objective_ids":[%d,%d,%d]}`, first, two, one, two),
			goals("the first of them again", `{"milestone_id":%d}`, first, two),
			goals("the new field wins", `{"milestone_id":99,"objective_ids":[%d,%d]}`, first, two, one),
			goals("another one takes the place of all", `{"milestone_id":%d}`, fmt.Sprintf(`{"milestone_id":%d,"objective_ids":[%d]}`, one, one), one),
			goals("null clears", `{"milestone_id":null}`, `{"milestone_id":null,"objective_ids":[]}`),
			goals("an empty list clears", `{"objective_ids":[]}`, `{"milestone_id":null,"objective_ids":[]}`),
			goals("groups", `{"group_ids":[%q,%q]}`, teams, shell, kernel),
			goals("the first group again", `{"group_id":%q}`, teams, shell),
			goals("the new field wins for groups", `{"group_id":"`+nobody+`","group_ids":[%q,%q]}`, teams, shell, kernel),
			goals("null clears the groups", `{"group_id":null}`, `{"group_id":null,"group_ids":[]}`),
			goals("labels are found or made", `{"labels":[{"name":"Blau","color":"#0000ff"},{"name":" ROT"}]}`,
				fmt.Sprintf(`{"labels":[{"name":"Blau","color":"#0000ff"},{"id":%d,"name":"Rot"}]}`, red)),
			goals("labels are replaced", `{"labels":[{"name":"rot"}]}`, fmt.Sprintf(`{"label_ids":[%d],"labels":[{"id":%d}]}`, red, red)),
			goals("labels stay", `{"name":"x"}`, fmt.Sprintf(`{"label_ids":[%d]}`, red)),
			{Method: "GET", Path: fmt.Sprintf("/labels/%d", red), Status: 200, Want: `{"stats":{"num_epics":1,"num_epics_unstarted":1}}`},
			{Method: "GET", Path: fmt.Sprintf("/labels/%d/epics", red), Status: 200, Want: `[{"name":"x","description":"","labels":[{"name":"Rot"}]}]`},
			{Method: "GET", Path: "/labels/99/epics", Status: 404},
			goals("labels are taken off", `{"labels":[]}`, `{"label_ids":[],"labels":[]}`),
			{Method: "GET", Path: fmt.Sprintf("/labels/%d/epics", red), Status: 200, Want: `[]`},
			{Name: "a label without a name", Method: "PUT", Path: path, Body: `{"labels":[{}]}`, Status: 400,
				Want: `{"errors":{"labels":[{"name":"missing-required-key"}]}}`},
		})
	})
}

func TestDeletingALabelTakesItOffEpics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic","labels":[{"name":"a"},{"name":"b"}]}`).ID(t))
		a := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Other","labels":[{"name":"a"}]}`).Object(t)["label_ids"].([]any)[0]
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/labels/%v", a), nil)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{"labels":[{"name":"b"}]}`},
			{Method: "GET", Path: "/epics", Status: 200, Want: `[{"labels":[{"name":"b"}]},{"labels":[]}]`},
		})
		if got := lastChange(t, s, after); got != "update epic, update epic, delete label" {
			t.Errorf("the change holds %s", got)
		}
	})
}

func TestEpicMentions(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, group := s.Owner.Member.ID, newGroup(t, s, "kernel")
		text := fmt.Sprintf("[@olivia](milepost://members/%s) [@kernel](shortcutapp://groups/%s) [@x](milepost://members/%s)", me, group, nobody)
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", map[string]any{"name": "Epic", "description": text}).ID(t))
		both := fmt.Sprintf(`{"member_mention_ids":[%q],"mention_ids":[%q],"group_mention_ids":[%q]}`, me, me, group)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: both},
			{Name: "kept", Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 200, Want: both},
			{Name: "gone", Method: "PUT", Path: path, Body: `{"description":"nobody"}`, Status: 200,
				Want: `{"member_mention_ids":[],"mention_ids":[],"group_mention_ids":[]}`},
		})
	})
}

func TestDeletingAnEpicKeepsItsStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic","description":"kept in the log","labels":[{"name":"a"}]}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Other"}`).ID(t)
		path := epicPath(epic)
		gone := s.Owner.Want(t, 201, "POST", path+"/comments", `{"text":"deleted before"}`).ID(t)
		s.Owner.Want(t, 201, "POST", fmt.Sprintf("%s/comments/%d", path, gone), `{"text":"answer"}`)
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("%s/comments/%d", path, gone), nil)
		s.Owner.Want(t, 201, "POST", path+"/health", `{"status":"At Risk"}`)
		kept := s.Owner.Want(t, 201, "POST", epicPath(other)+"/comments", `{"text":"kept"}`).ID(t)
		stories := testkit.PutStories(t, s, s.Owner.Workspace, 501, func(story *tracker.Story) { story.EpicID = &epic })
		testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) { story.EpicID = &other })
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Owner.Want(t, 204, "DELETE", path, nil)

		changes := s.Changes(t, s.Owner.Workspace, after)
		if got := lastChange(t, s, after+1); len(changes[0].Items) != 500 || got != "update story, delete epic-comment, delete health, delete epic" {
			t.Fatalf("the first change has %d items, the second holds %s", len(changes[0].Items), got)
		}
		items := changes[1].Items
		if items[1].Data["text"] != "answer" || items[2].Data["status"] != "At Risk" || items[3].Data["description"] != "kept in the log" {
			t.Errorf("the log keeps %v", items[1:])
		}
		for _, id := range []int64{stories[0].ID, stories[500].ID} {
			if epic := s.Owner.Want(t, 200, "GET", fmt.Sprintf("/stories/%d", id), nil).Object(t)["epic_id"]; epic != nil {
				t.Errorf("story %d still has the epic %v", id, epic)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: epicPath(other) + "/stories", Status: 200, Want: fmt.Sprintf(`[{"epic_id":%d}]`, other)},
			{Method: "GET", Path: fmt.Sprintf("%s/comments/%d", epicPath(other), kept), Status: 200, Want: `{"text":"kept"}`},
			{Method: "GET", Path: "/labels", Status: 200, Want: `[{"stats":{"num_epics":0}}]`},
		})
	})
}

func TestConvertingAStoryToAnEpic(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow, me, group := defaultWorkflow(t, s), s.Owner.Member.ID, newGroup(t, s, "kernel")
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		project, long := newProject(t, s, flow.TeamID), strings.Repeat("ü", 513)
		story := s.Owner.Want(t, 201, "POST", "/stories", map[string]any{
			"name": "Grown too big", "group_id": group, "owner_ids": []any{me}, "labels": []any{map[string]any{"name": "a"}}, "project_id": project,
			"deadline": "2026-03-03T00:00:00Z", "tasks": []any{
				map[string]any{"description": "open", "owner_ids": []any{me}}, map[string]any{"description": long, "complete": true},
			},
		}).ID(t)
		plain := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Plain"}`).ID(t)
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		epic := mia.Want(t, 201, "POST", "/epics", fmt.Sprintf(`{"name":"Epic","converted_from_story_id":%d}`, story)).ID(t)
		if got := lastChange(t, s, after); got != "create epic, create story, create story, update story, create epic-comment" {
			t.Errorf("the change holds %s", got)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: epicPath(epic), Status: 200, Want: fmt.Sprintf(`{"name":"Epic","group_ids":[%q],"owner_ids":[%q],"follower_ids":[%q],
				"labels":[{"name":"a"}],"deadline":"2026-03-03T00:00:00Z","requested_by_id":%q,"stats":{"num_stories_total":2,"num_stories_done":1},
				"comments":[{"text":"Converted from story sc-%d: Grown too big","author_id":%q}]}`, group, me, me, mia.Member.ID, story, mia.Member.ID)},
			{Method: "GET", Path: epicPath(epic) + "/stories?includes_description=true", Status: 200, Want: fmt.Sprintf(`[
				{"name":"open","description":"","owner_ids":[%q],"requested_by_id":%q,"project_id":%d,"workflow_state_id":%d},
				{"name":%q,"description":%q,"owner_ids":[],"project_id":%d,"completed":true}]`,
				me, mia.Member.ID, project, flow.DefaultStateID, long[:1024], long, project)},
			{Method: "GET", Path: fmt.Sprintf("/stories/%d", story), Status: 200, Want: `{"archived":true,"epic_id":null,"tasks":[{},{}]}`},
			{Name: "given values win", Method: "POST", Path: "/epics", Status: 201,
				Body: fmt.Sprintf(`{"name":"Other","converted_from_story_id":%d,"owner_ids":[],"group_id":null,"labels":[],"deadline":null}`, story),
				Want: `{"owner_ids":[],"group_ids":[],"labels":[],"deadline":null}`},
			{Name: "nothing to inherit", Method: "POST", Path: "/epics", Status: 201, Body: fmt.Sprintf(`{"name":"n","converted_from_story_id":%d}`, plain),
				Want: `{"owner_ids":[],"group_ids":[],"labels":[],"deadline":null,"stats":{"num_stories_total":0}}`},
		})
	})
}

// lastChange lists what the single change after the number did, such as "update story, delete epic".
func lastChange(t *testing.T, s *testkit.Server, after int64) string {
	t.Helper()
	changes := s.Changes(t, s.Owner.Workspace, after)
	if len(changes) != 1 {
		t.Fatalf("%d changes, want 1", len(changes))
	}
	return itemsOf(changes)
}

// itemsOf lists what the changes did, such as "update story, delete epic".
func itemsOf(changes []tracker.Change) string {
	var out []string
	for _, c := range changes {
		for _, item := range c.Items {
			out = append(out, item.Action+" "+item.EntityType)
		}
	}
	return strings.Join(out, ", ")
}
