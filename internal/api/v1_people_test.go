package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// personRequest names a person in every way that an operation of v1 takes; %[1]q stands for the id.
type personRequest struct{ method, path, body, wantV1, readV3, wantV3 string }

// TestV1People: v1 takes the id of the user and that of the member, alone or both at once, and
// shows the user; v3 shows the member.
func TestV1People(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member
		stranger := s.NewWorkspace(t, "zebra").Member
		story := s.Owner.Want(t, 201, "POST", "/api/v1/stories", `{"name":"n"}`).ID(t)
		epic := s.Owner.Want(t, 201, "POST", "/api/v1/epics", `{"name":"n"}`).ID(t)
		project := s.Owner.Want(t, 201, "POST", "/api/v1/projects", `{"name":"n"}`).ID(t)
		task := s.Owner.Want(t, 201, "POST", fmt.Sprintf("/api/v1/stories/%d/tasks", story), `{"description":"d"}`).ID(t)
		onStory := fmt.Sprintf("/stories/%d", story)
		owners := `{"owner_ids":[%[1]q]}`
		both := `{"owner_ids":[%[1]q],"follower_ids":[%[1]q]}`
		requests := []personRequest{
			{"POST", "/epics", `{"name":"n","owner_ids":[%[1]q],"follower_ids":[%[1]q]}`, both, "/epics/%d", both},
			{"PUT", fmt.Sprintf("/epics/%d", epic), both, both, "/epics/%d", both},
			{"POST", "/projects", `{"name":"n","follower_ids":[%[1]q]}`, `{"follower_ids":[%[1]q]}`, "/projects/%d", `{"follower_ids":[%[1]q]}`},
			{"PUT", fmt.Sprintf("/projects/%d", project), `{"follower_ids":[%[1]q]}`, `{"follower_ids":[%[1]q]}`, "/projects/%d", `{"follower_ids":[%[1]q]}`},
			{"POST", "/stories", `{"name":"n","requested_by_id":%[1]q,"owner_ids":[%[1]q],"follower_ids":[%[1]q],
				"tasks":[{"description":"d","owner_ids":[%[1]q]}],"comments":[{"text":"t","author_id":%[1]q}]}`,
				`{"requested_by_id":%[1]q,"owner_ids":[%[1]q],"follower_ids":[%[1]q],"tasks":[{"owner_ids":[%[1]q]}],"comments":[{"author_id":%[1]q}]}`,
				"/stories/%d", `{"requested_by_id":%[1]q,"owner_ids":[%[1]q],"follower_ids":[%[1]q],"tasks":[{"owner_ids":[%[1]q]}],"comments":[{"author_id":%[1]q}]}`},
			{"PUT", onStory, `{"requested_by_id":%[1]q,"owner_ids":[%[1]q],"follower_ids":[%[1]q]}`,
				`{"requested_by_id":%[1]q,"owner_ids":[%[1]q],"follower_ids":[%[1]q]}`, "/stories/%d", `{"requested_by_id":%[1]q,"owner_ids":[%[1]q]}`},
			{"POST", onStory + "/tasks", `{"description":"d","owner_ids":[%[1]q]}`, owners, onStory + "/tasks/%d", owners},
			{"PUT", fmt.Sprintf("%s/tasks/%d", onStory, task), owners, owners, onStory + "/tasks/%d", owners},
			{"POST", onStory + "/comments", `{"text":"t","author_id":%[1]q}`, `{"author_id":%[1]q}`, onStory + "/comments/%d", `{"author_id":%[1]q}`},
			{"POST", onStory + "/comments", `{"text":"Ask [@mia](milepost://members/` + string(mia.ID) + `)","author_id":%[1]q}`, `{"mention_ids":[%[1]q]}`,
				onStory + "/comments/%d", `{"mention_ids":[%[1]q]}`},
			{"POST", onStory + "/tasks", `{"description":"Ask [@mia](milepost://members/` + string(mia.ID) + `)","owner_ids":[%[1]q]}`, `{"mention_ids":[%[1]q]}`,
				onStory + "/tasks/%d", `{"mention_ids":[%[1]q]}`},
		}
		for _, r := range requests {
			for _, sent := range []string{string(mia.UserID), string(mia.ID)} {
				body := fmt.Sprintf(r.body, sent)
				testkit.Run(t, s.Owner, []testkit.Case{{Name: r.method + " " + r.path + body, Method: r.method, Path: "/api/v1" + r.path, Body: body,
					Status: map[string]int{"POST": 201, "PUT": 200}[r.method], Want: fmt.Sprintf(r.wantV1, mia.UserID)}})
				if r.method == "PUT" {
					testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: r.path, Status: 200, Want: fmt.Sprintf(r.wantV3, mia.ID)}})
					continue
				}
				id := s.Owner.Want(t, 201, "POST", "/api/v1"+r.path, body).ID(t)
				testkit.Run(t, s.Owner, []testkit.Case{
					{Name: "v1 reads " + body, Method: "GET", Path: "/api/v1" + fmt.Sprintf(r.readV3, id), Status: 200, Want: fmt.Sprintf(r.wantV1, mia.UserID)},
					{Name: "v3 reads " + body, Method: "GET", Path: fmt.Sprintf(r.readV3, id), Status: 200, Want: fmt.Sprintf(r.wantV3, mia.ID)},
				})
			}
			for _, unknown := range []tracker.UUID{stranger.UserID, stranger.ID, "00000000-0000-4000-8000-000000000000"} {
				a := s.Owner.Want(t, 422, r.method, "/api/v1"+r.path, fmt.Sprintf(r.body, unknown))
				if field := fmt.Sprint(a.Object(t)["errors"]); !strings.Contains(field, "_id") || !strings.Contains(field, string(unknown)) {
					t.Errorf("%s %s: %s", r.method, r.path, a.Text)
				}
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "both ids are one person", Method: "PUT", Path: "/api/v1" + onStory, Body: fmt.Sprintf(`{"owner_ids":[%q,%q]}`, mia.UserID, mia.ID), Status: 200,
				Want: fmt.Sprintf(`{"owner_ids":[%q]}`, mia.UserID)},
			{Name: "bulk takes away", Method: "PUT", Path: "/api/v1/stories/bulk", Status: 200, Want: `[{"owner_ids":[],"follower_ids":[]}]`,
				Body: fmt.Sprintf(`{"story_ids":[%d],"owner_ids_remove":[%q],"follower_ids_remove":[%q]}`, story, mia.UserID, mia.ID)},
			{Name: "bulk adds", Method: "PUT", Path: "/api/v1/stories/bulk", Status: 200,
				Body: fmt.Sprintf(`{"story_ids":[%d],"owner_ids_add":[%q],"follower_ids_add":[%q]}`, story, mia.UserID, mia.UserID),
				Want: fmt.Sprintf(`[{"owner_ids":[%[1]q],"follower_ids":[%[1]q]}]`, mia.UserID)},
			{Name: "bulk names nobody", Method: "PUT", Path: "/api/v1/stories/bulk", Status: 422,
				Body: fmt.Sprintf(`{"story_ids":[%d],"owner_ids_add":[%q]}`, story, stranger.UserID)},
		})
		alone := s.Owner.Want(t, 201, "POST", "/api/v1/stories", fmt.Sprintf(`{"name":"hers","requested_by_id":%[1]q,"owner_ids":[%[1]q],"estimate":99}`, mia.ID)).ID(t)
		for _, id := range []tracker.UUID{mia.UserID, mia.ID, stranger.UserID} {
			want := fmt.Sprintf(`[{"id":%d}]`, alone)
			if id == stranger.UserID {
				want = `[]`
			}
			for _, filter := range []string{`"owner_id":%q`, `"owner_ids":[%q]`, `"requested_by_id":%q`} {
				body := fmt.Sprintf(`{"estimate":99,`+filter+`}`, id)
				testkit.Run(t, s.Owner, []testkit.Case{{Name: body, Method: "POST", Path: "/api/v1/stories/search", Body: body, Status: 201, Want: want}})
			}
		}
	})
}
