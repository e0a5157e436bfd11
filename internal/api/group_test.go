package api_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const nobody = "00000000-0000-4000-8000-000000000000"

func TestGroupCreate(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, flow := s.Owner.Member.ID, defaultWorkflow(t, s)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		long := func(field string, n int) map[string]any {
			body := map[string]any{"name": "n", "mention_name": fmt.Sprintf("%s-%d", field, n)}
			body[strings.ReplaceAll(field, "-", "_")] = strings.Repeat("x", n)
			return body
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/groups", Status: 200, Want: `[]`},
			{Name: "everything", Method: "POST", Path: "/groups", Status: 201,
				Body: fmt.Sprintf(`{"name":"Kernel","mention_name":"kernel_1.a-b","color":"#AAbbcc","color_key":"midnight-blue","description":"d",
					"member_ids":["%s","%s"],"workflow_ids":[%d,%d]}`, me, me, flow.ID, flow.ID),
				Want: fmt.Sprintf(`{"name":"Kernel","mention_name":"kernel_1.a-b","color":"#AAbbcc","color_key":"midnight-blue","description":"d",
					"member_ids":["%s"],"workflow_ids":[%d],"default_workflow_id":null,"display_icon":null,"archived":false,"entity_type":"group",
					"num_stories":0,"num_stories_started":0,"num_stories_backlog":0,"num_epics_started":0,
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`, me, flow.ID)},
			{Name: "the least", As: member, Method: "POST", Path: "/groups", Body: `{"name":"Shell","mention_name":"shell","workflow_ids":[]}`, Status: 201,
				Want: fmt.Sprintf(`{"description":"","color":null,"color_key":null,"member_ids":[],"workflow_ids":[%d]}`, flow.ID)},
			{Name: "taken mention name", Method: "POST", Path: "/groups", Body: `{"name":"Kernel","mention_name":"kernel_1.a-b"}`, Status: 422,
				Want: `{"errors":{"mention_name":"already exists"}}`},
			{Name: "the mention name of a member", Method: "POST", Path: "/groups", Body: `{"name":"Kernel","mention_name":"olivia"}`, Status: 201},
			{Name: "nothing", Method: "POST", Path: "/groups", Status: 400,
				Want: `{"errors":{"name":"missing-required-key","mention_name":"missing-required-key"}}`},
			{Name: "every bad field", Method: "POST", Path: "/groups", Status: 400,
				Body: `{"name":" ","mention_name":"Kernel","color":"red","color_key":"beige","description":null,"display_icon_id":null,"member_ids":["x"],
					"workflow_ids":["1"],"archived":true}`,
				Want: `{"errors":{"name":"must not be blank","mention_name":"must hold only a-z, 0-9, '-', '_' and '.'",
					"color":"must be a colour of the form #rrggbb","description":"must not be null","display_icon_id":"must not be null",
					"member_ids":["must be a UUID"],"workflow_ids":["must be an integer"],"archived":"disallowed-key"}}`},
			{Name: "unknown member", Method: "POST", Path: "/groups", Body: `{"name":"n","mention_name":"n","member_ids":["` + nobody + `"]}`, Status: 422,
				Want: `{"errors":{"member_ids":"names no existing member: ` + nobody + `"}}`},
			{Name: "unknown workflow", Method: "POST", Path: "/groups", Body: `{"name":"n","mention_name":"n","workflow_ids":[7]}`, Status: 422,
				Want: `{"errors":{"workflow_ids":"names no existing workflow: 7"}}`},
			{Name: "unknown icon", Method: "POST", Path: "/groups", Body: `{"name":"n","mention_name":"n","display_icon_id":"` + nobody + `"}`, Status: 422,
				Want: `{"errors":{"display_icon_id":"names no existing icon: ` + nobody + `"}}`},
			{Method: "POST", Path: "/groups", Body: long("name", 63), Status: 201},
			{Method: "POST", Path: "/groups", Body: long("name", 64), Status: 400, Want: `{"errors":{"name":"must have at most 63 characters"}}`},
			{Method: "POST", Path: "/groups", Body: long("mention-name", 63), Status: 201},
			{Method: "POST", Path: "/groups", Body: long("mention-name", 64), Status: 400, Want: `{"errors":{"mention_name":"must have at most 63 characters"}}`},
			{Method: "POST", Path: "/groups", Body: long("description", 4096), Status: 201},
			{Method: "POST", Path: "/groups", Body: long("description", 4097), Status: 400, Want: `{"errors":{"description":"must have at most 4096 characters"}}`},
			{Name: "observer", As: observer, Method: "POST", Path: "/groups", Body: `{"name":"n","mention_name":"n"}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "no deletion", Method: "DELETE", Path: "/groups/" + nobody, Status: 405},
		})
		for _, key := range strings.Fields("black blue brass fuchsia gray green midnight-blue orange pink purple red sky-blue slate turquoise yellow yellow-green") {
			s.Owner.Want(t, 201, "POST", "/groups", map[string]any{"name": "n", "mention_name": "key-" + key, "color_key": key})
		}
	})
}

func TestGroupUpdate(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me, flow, other := s.Owner.Member.ID, defaultWorkflow(t, s), putWorkflow(t, s)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		icon, err := s.Service.CreateIcon(context.Background(), testkit.Operator(s.Owner.Workspace), "image/png", []byte("picture"))
		if err != nil {
			t.Fatal(err)
		}
		id := newGroup(t, s, "kernel")
		newGroup(t, s, "shell")
		path := "/groups/" + string(id)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: path, Status: 200,
				Body: fmt.Sprintf(`{"archived":true,"color":"#112233","color_key":"red","default_workflow_id":%d,"description":"d","display_icon_id":"%s",
					"member_ids":["%s","%s"],"mention_name":"core","name":"Core","workflow_ids":[%d,%d,%d]}`,
					other.ID, icon.ID, me, me, flow.ID, other.ID, flow.ID),
				Want: fmt.Sprintf(`{"id":"%s","archived":true,"color":"#112233","color_key":"red","default_workflow_id":%d,"description":"d",
					"display_icon":{"id":"%s","entity_type":"icon","url":"%s/api/app/icons/%s","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"},
					"member_ids":["%s"],"mention_name":"core","name":"Core","workflow_ids":[%d,%d],"app_url":"%s/first/group/%s"}`,
					id, other.ID, icon.ID, s.URL, icon.ID, me, flow.ID, other.ID, s.URL, id)},
			{Name: "nulls unset", Method: "PUT", Path: path, Body: `{"archived":null,"color":null,"default_workflow_id":null,"display_icon_id":null}`, Status: 200,
				Want: `{"archived":false,"color":null,"default_workflow_id":null,"display_icon":null,"color_key":"red","name":"Core"}`},
			{Name: "nulls elsewhere", Method: "PUT", Path: path, Status: 400,
				Body: `{"name":null,"mention_name":null,"description":null,"color_key":null,"member_ids":null,"workflow_ids":null}`,
				Want: `{"errors":{"name":"must not be null","mention_name":"must not be null","description":"must not be null",
					"color_key":"must not be null","member_ids":"must not be null","workflow_ids":"must not be null"}}`},
			{Name: "limits", Method: "PUT", Path: path, Status: 400,
				Body: map[string]any{"name": strings.Repeat("n", 64), "mention_name": strings.Repeat("n", 64), "description": strings.Repeat("n", 4097)},
				Want: `{"errors":{"name":"must have at most 63 characters","mention_name":"must have at most 63 characters",
					"description":"must have at most 4096 characters"}}`},
			{Name: "at the limits", Method: "PUT", Path: path, Status: 200,
				Body: map[string]any{"name": strings.Repeat("n", 63), "mention_name": strings.Repeat("n", 63), "description": strings.Repeat("n", 4096)}},
			{Name: "empty", Method: "PUT", Path: path, Body: `{"name":"","mention_name":""}`, Status: 400},
			{Name: "no members", Method: "PUT", Path: path, Body: `{"member_ids":[],"description":""}`, Status: 200, Want: `{"member_ids":[],"description":""}`},
			{Name: "no workflows", Method: "PUT", Path: path, Body: `{"workflow_ids":[]}`, Status: 422,
				Want: `{"errors":{"workflow_ids":"must name at least one workflow"}}`},
			{Name: "set the default", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"default_workflow_id":%d}`, flow.ID), Status: 200,
				Want: fmt.Sprintf(`{"default_workflow_id":%d}`, flow.ID)},
			{Name: "a default workflow that is left is given up", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"workflow_ids":[%d]}`, other.ID), Status: 200,
				Want: fmt.Sprintf(`{"default_workflow_id":null,"workflow_ids":[%d]}`, other.ID)},
			{Name: "a default workflow of others", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"default_workflow_id":%d}`, flow.ID), Status: 422,
				Want: `{"errors":{"default_workflow_id":"must be one of the group's workflows"}}`},
			{Name: "unknown icon", Method: "PUT", Path: path, Body: `{"display_icon_id":"` + nobody + `"}`, Status: 422},
			{Name: "unknown member", Method: "PUT", Path: path, Body: `{"member_ids":["` + nobody + `"]}`, Status: 422},
			{Name: "unknown workflow", Method: "PUT", Path: path, Body: `{"workflow_ids":[1]}`, Status: 422},
			{Name: "taken mention name", Method: "PUT", Path: path, Body: `{"mention_name":"shell"}`, Status: 422, Want: `{"errors":{"mention_name":"already exists"}}`},
			{Name: "observer", As: observer, Method: "PUT", Path: path, Body: `{"name":"x"}`, Status: 403},
			{Method: "PUT", Path: "/groups/" + nobody, Body: `{"name":"x"}`, Status: 404},
			{Method: "PUT", Path: "/groups/7", Body: `{"name":"x"}`, Status: 400, Want: `{"errors":{"group-public-id":"must be a UUID"}}`},
			{Method: "GET", Path: "/groups/7", Status: 400},
			{Method: "GET", Path: "/groups/" + nobody, Status: 404, Want: `{"message":"Resource not found."}`},
			{Name: "observer reads", As: observer, Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"id":"%s"}`, id)},
			{Name: "another workspace", As: s.NewWorkspace(t, "second"), Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestGroupsOffOrBeyondTheAllowance(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newGroup(t, s, "kernel")
		allow := func(n tracker.Opt[int64]) {
			t.Helper()
			_, err := s.Service.UpdateWorkspace(context.Background(), testkit.Operator(s.Owner.Workspace), tracker.WorkspaceChange{GroupAllowance: n})
			if err != nil {
				t.Fatal(err)
			}
		}
		const refused = `{"name":"UnusableEntitlementError","reason_tag":"entitlement-violation","entitlement_tag":"groups"}`
		path := "/groups/" + string(id)
		allow(tracker.Some[int64](2))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "the last allowed", Method: "POST", Path: "/groups", Body: `{"name":"a","mention_name":"a"}`, Status: 201},
			{Name: "one too many, judged before its content", Method: "POST", Path: "/groups", Body: `{"name":"b","mention_name":"a"}`, Status: 403, Want: refused},
			{Name: "changing is no new group", Method: "PUT", Path: path, Body: `{"name":"Core","archived":false}`, Status: 200},
			{Name: "the archive makes room", Method: "PUT", Path: path, Body: `{"archived":true}`, Status: 200},
			{Method: "POST", Path: "/groups", Body: `{"name":"b","mention_name":"b"}`, Status: 201},
			{Name: "no room to come back", Method: "PUT", Path: path, Body: `{"archived":null}`, Status: 403, Want: refused},
			{Name: "changing in the archive", Method: "PUT", Path: path, Body: `{"name":"Kernel","archived":true}`, Status: 200},
		})
		allow(tracker.Opt[int64]{State: tracker.Null})
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "no bound", Method: "PUT", Path: path, Body: `{"archived":false}`, Status: 200, Want: `{"archived":false}`},
			{Method: "PUT", Path: "/groups/disable", Status: 204},
			{Method: "POST", Path: "/groups", Body: `{"name":"c","mention_name":"c"}`, Status: 403, Want: refused},
			{Method: "PUT", Path: path, Body: `{"name":"c"}`, Status: 403, Want: refused},
			{Name: "403 before 404", Method: "PUT", Path: "/groups/" + nobody, Body: `{"name":"c"}`, Status: 403},
			{Name: "400 before 403", Method: "PUT", Path: path, Body: `{"name":7}`, Status: 400},
			{Method: "GET", Path: path, Status: 200},
			{Method: "GET", Path: path + "/stories", Status: 200},
			{Method: "PUT", Path: "/groups/enable", Status: 204},
			{Method: "POST", Path: "/groups", Body: `{"name":"c","mention_name":"c"}`, Status: 201},
		})
	})
}

func TestGroupLists(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := defaultWorkflow(t, s)
		kernel, shell := newGroup(t, s, "kernel"), newGroup(t, s, "shell")
		path := "/groups/" + string(kernel)
		backlog := putState(t, s, flow.ID, tracker.Backlog)
		for i, state := range []int64{flow.States[0].ID, flow.States[2].ID, flow.States[3].ID, flow.States[5].ID, backlog, flow.States[2].ID} {
			testkit.PutStory(t, s, s.Owner.Workspace, func(story *tracker.Story) {
				story.GroupID, story.StateID, story.Archived, story.Description = &kernel, state, i == 5, "text"
			})
		}
		testkit.PutStory(t, s, s.Owner.Workspace, func(*tracker.Story) {})
		putEpics(t, s, kernel)
		s.Owner.Want(t, 200, "PUT", "/groups/"+string(shell), `{"archived":true}`)

		counts := `"num_stories":5,"num_stories_started":2,"num_stories_backlog":1,"num_epics_started":2`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{` + counts + `}`},
			{Method: "PUT", Path: path, Body: `{}`, Status: 200, Want: `{` + counts + `}`},
			{Method: "GET", Path: "/groups?archived=false", Status: 200, Want: fmt.Sprintf(`[{"id":"%s",%s}]`, kernel, counts)},
			{Method: "GET", Path: "/groups?archived=true", Status: 200, Want: fmt.Sprintf(`[{"id":"%s","num_stories":0,"num_epics_started":0}]`, shell)},
			{Method: "GET", Path: "/groups?archived=maybe", Status: 400, Want: `{"errors":{"archived":"must be true or false"}}`},
			{Method: "GET", Path: "/groups?archive=true", Status: 400},
			{Name: "descriptions are shown", Method: "GET", Path: path + "/stories?limit=1", Status: 200,
				Want: fmt.Sprintf(`[{"group_id":"%s","description":"text"}]`, kernel)},
			{Method: "GET", Path: "/groups/" + string(shell) + "/stories", Status: 200, Want: `[]`},
			{Method: "GET", Path: "/groups/" + nobody + "/stories", Status: 404},
			{Method: "GET", Path: path + "/stories?limit=1001", Status: 400, Want: `{"errors":{"limit":"must be from 0 to 1000"}}`},
			{Method: "GET", Path: path + "/stories", Body: `{"limit":1001}`, Status: 400, Want: `{"errors":{"limit":"must be from 0 to 1000"}}`},
			{Method: "GET", Path: path + "/stories?limit=-1", Status: 400},
			{Method: "GET", Path: path + "/stories?offset=-1", Status: 400, Want: `{"errors":{"offset":"must be at least 0"}}`},
			{Method: "GET", Path: path + "/stories", Body: `{"offset":null}`, Status: 400},
		})
		if list := s.Owner.Want(t, 200, "GET", "/groups", nil).List(t); len(list) != 2 {
			t.Errorf("%d groups, want 2", len(list))
		}
		all := storyIDs(t, s, path+"/stories", nil)
		if len(all) != 6 || !slices.IsSorted(all) {
			t.Fatalf("stories %v", all)
		}
		for _, c := range []struct {
			query string
			body  any
			want  []float64
		}{
			{"?limit=0", nil, all[:0]},
			{"?limit=2", nil, all[:2]},
			{"?limit=2&offset=3", nil, all[3:5]},
			{"?offset=5", nil, all[5:]},
			{"?offset=6", nil, all[6:]},
			{"", `{"limit":2,"offset":1}`, all[1:3]},
			{"?limit=3", `{"limit":2,"offset":1}`, all[1:4]},
		} {
			if got := storyIDs(t, s, path+"/stories"+c.query, c.body); !slices.Equal(got, c.want) {
				t.Errorf("stories%s %v: %v, want %v", c.query, c.body, got, c.want)
			}
		}

		testkit.PutStories(t, s, s.Owner.Workspace, 995, func(story *tracker.Story) { story.GroupID = &kernel })
		for query, want := range map[string]int{"": 1000, "?limit=1000": 1000, "?offset=1": 1000, "?offset=2": 999} {
			if got := len(storyIDs(t, s, path+"/stories"+query, nil)); got != want {
				t.Errorf("stories%s: %d, want %d of 1001", query, got, want)
			}
		}
	})
}

func TestGroupChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		id := newGroup(t, s, "kernel")
		path := "/groups/" + string(id)
		body := fmt.Sprintf(`{"archived":true,"member_ids":["%s"]}`, s.Owner.Member.ID)
		s.Clock.Advance(60e9)
		s.Owner.Want(t, 200, "PUT", path, body)
		s.Clock.Advance(60e9)
		if at := s.Owner.Want(t, 200, "PUT", path, body).Object(t)["updated_at"]; at != "2026-01-05T10:01:00Z" {
			t.Errorf("an update that changes nothing leaves updated_at at %v", at)
		}
		s.Owner.Want(t, 422, "PUT", path, `{"name":"x","workflow_ids":[]}`)
		wantChanges(t, s, before, "create group name", "update group archived member_ids")
	})
}

func TestGroupIDsOfMembers(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID
		kernel := newGroup(t, s, "kernel", s.Owner.Member.ID, member)
		s.Clock.Advance(60e9)
		shell := newGroup(t, s, "shell", member)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/members/" + string(member), Status: 200, Want: fmt.Sprintf(`{"group_ids":["%s","%s"]}`, kernel, shell)},
			{Method: "GET", Path: "/members/" + string(s.Owner.Member.ID), Status: 200, Want: fmt.Sprintf(`{"group_ids":["%s"]}`, kernel)},
		})
		few := queries(t, s, "/members")
		for i := range 20 {
			s.NewMember(t, s.Owner, fmt.Sprintf("m%d", i), tracker.Regular)
		}
		if many := queries(t, s, "/members"); many != few {
			t.Errorf("a list of 22 members costs %d queries, of 2 members %d", many, few)
		}
		for _, m := range s.Owner.Want(t, 200, "GET", "/members", nil).List(t) {
			want := map[any]int{string(member): 2, string(s.Owner.Member.ID): 1}[m["id"]]
			if got := m["group_ids"].([]any); len(got) != want {
				t.Errorf("member %v is in groups %v, want %d", m["id"], got, want)
			}
		}
	})
}

func TestGroupListsCostAFixedNumberOfQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		icon, err := s.Service.CreateIcon(context.Background(), testkit.Operator(s.Owner.Workspace), "image/gif", []byte("picture"))
		if err != nil {
			t.Fatal(err)
		}
		kernel := newGroup(t, s, "kernel")
		fill := func(from, to int) {
			storeWrite(t, s, func(tx *store.Tx) error {
				for i := from; i < to; i++ {
					g := tracker.Group{ID: tracker.UUID(fmt.Sprintf("00000000-0000-4000-8000-%012d", i)), Name: "n", MentionName: fmt.Sprint("g", i), DisplayIconID: &icon.ID}
					if err := tx.InsertGroup(&g); err != nil {
						return err
					}
				}
				return nil
			})
			testkit.PutStories(t, s, s.Owner.Workspace, to-from, func(story *tracker.Story) { story.GroupID = &kernel })
		}
		fill(0, 10)
		groups, stories := queries(t, s, "/groups"), queries(t, s, "/groups/"+string(kernel)+"/stories")
		fill(10, 1000)
		if n := queries(t, s, "/groups"); n != groups {
			t.Errorf("a list of 1,000 groups costs %d queries, of 10 %d", n, groups)
		}
		if n := queries(t, s, "/groups/"+string(kernel)+"/stories"); n != stories {
			t.Errorf("a list of 1,000 stories costs %d queries, of 10 %d", n, stories)
		}
	})
}

func TestIcons(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ctx, by := context.Background(), testkit.Operator(s.Owner.Workspace)
		for _, c := range []struct {
			kind string
			size int
			ok   bool
		}{
			{"image/png", tracker.MaxIcon, true}, {"image/png", tracker.MaxIcon + 1, false}, {"image/png", 0, false}, {"image/gif", 1, true},
			{"image/jpeg", 1, true}, {"image/svg+xml", 1, false}, {"text/html", 1, false},
		} {
			content := slices.Repeat([]byte{0xff}, c.size)
			icon, err := s.Service.CreateIcon(ctx, by, c.kind, content)
			if (err == nil) != c.ok {
				t.Errorf("%s of %d bytes: %v", c.kind, c.size, err)
			}
			if err != nil {
				continue
			}
			kept, err := s.Service.Icon(ctx, by, icon.ID)
			if err != nil || kept.ContentType != c.kind || !slices.Equal(kept.Content, content) {
				t.Errorf("%s of %d bytes came back as %s of %d bytes: %v", c.kind, c.size, kept.ContentType, len(kept.Content), err)
			}
		}
	})
}

func newGroup(t *testing.T, s *testkit.Server, mention string, members ...tracker.UUID) tracker.UUID {
	t.Helper()
	body := map[string]any{"name": mention, "mention_name": mention, "member_ids": append([]tracker.UUID{}, members...)}
	return tracker.UUID(s.Owner.Want(t, 201, "POST", "/groups", body).Object(t)["id"].(string))
}

// putEpics stores two started epics of the group, and ones that do not count: not started, done,
// archived, of no group.
func putEpics(t *testing.T, s *testkit.Server, group tracker.UUID) {
	t.Helper()
	storeWrite(t, s, func(tx *store.Tx) error {
		flow, err := tx.EpicWorkflow()
		if err != nil {
			return err
		}
		for i, state := range []int{1, 1, 0, 2, 1, 1} {
			e := tracker.Epic{ID: tx.NextID(), Name: "e", StateID: flow.States[state].ID, GroupIDs: []tracker.UUID{group}, Archived: i == 4}
			if i == 5 {
				e.GroupIDs = nil
			}
			if err := tx.InsertEpic(&e); err != nil {
				return err
			}
		}
		return nil
	})
}

func storeWrite(t *testing.T, s *testkit.Server, fn func(*store.Tx) error) {
	t.Helper()
	if err := s.Store.Write(context.Background(), s.Owner.Workspace, fn); err != nil {
		t.Fatal(err)
	}
}

// queries counts the statements that reading the path costs.
func queries(t *testing.T, s *testkit.Server, path string) int64 {
	t.Helper()
	before := s.Store.Queries()
	s.Owner.Want(t, 200, "GET", path, nil)
	return s.Store.Queries() - before
}

func storyIDs(t *testing.T, s *testkit.Server, path string, body any) []float64 {
	t.Helper()
	ids := []float64{}
	for _, story := range s.Owner.Want(t, 200, "GET", path, body).List(t) {
		ids = append(ids, story["id"].(float64))
	}
	return ids
}

// wantChanges compares the changes after a number, each with a single item, with lines such as
// "update group name": the action, the entity and fields that the item must hold.
func wantChanges(t *testing.T, s *testkit.Server, after int64, want ...string) {
	t.Helper()
	changes := s.Changes(t, s.Owner.Workspace, after)
	if len(changes) != len(want) {
		t.Fatalf("%d changes, want %d", len(changes), len(want))
	}
	for i, line := range want {
		words, c := strings.Fields(line), changes[i]
		if len(c.Items) != 1 || c.Items[0].Action != words[0] || c.Items[0].EntityType != words[1] || c.Member != s.Owner.Member.ID {
			t.Errorf("change %d is %+v, want %s", i, c, line)
			continue
		}
		if words[0] == "update" && len(c.Items[0].Data) != len(words)-2 {
			t.Errorf("change %d holds %v, want %s", i, c.Items[0].Data, line)
		}
		for _, field := range words[2:] {
			if c.Items[0].Data[field] == nil {
				t.Errorf("change %d lacks %s: %v", i, field, c.Items[0].Data)
			}
		}
	}
}
