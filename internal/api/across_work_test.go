package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestWorkAcrossVersions writes projects, epics, stories and linked files through each version and reads them
// through all of them: the same everywhere, except that v1 shows people by the ids of their users.
func TestWorkAcrossVersions(t *testing.T) {
	t.Parallel()
	versions := []string{"v3", "v2", "v1", "beta"}
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member
		team := fmt.Sprintf(`,"team_id":%d`, defaultWorkflow(t, s).TeamID)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"e"}`).ID(t)
		done := stateIDs(t, s)["Completed"]
		for _, r := range []struct {
			collection, create string
			more               map[string]string // what a version needs beside
			change, shown      string            // PERSON stands for an id
		}{
			{
				"/projects", `"name":"p","abbreviation":"a","color":"#112233","follower_ids":["PERSON"]`, map[string]string{"v3": team, "beta": team},
				`{"name":"q","description":"d","archived":true}`,
				`{"name":"q","description":"d","archived":true,"abbreviation":"a","color":"#112233","follower_ids":["PERSON"]}`,
			},
			{
				"/epics", `"name":"e","owner_ids":["PERSON"],"follower_ids":["PERSON"],"deadline":"2026-03-01T00:00:00Z"`, nil,
				`{"name":"f","description":"d","state":"in progress"}`,
				`{"name":"f","description":"d","state":"in progress","deadline":"2026-03-01T00:00:00Z","owner_ids":["PERSON"],"follower_ids":["PERSON"],"comments":[]}`,
			},
			{
				"/stories", fmt.Sprintf(`"name":"s","epic_id":%d,"story_type":"bug","labels":[{"name":"warm"}],"owner_ids":["PERSON"],"requested_by_id":"PERSON",
					"tasks":[{"description":"t","complete":true,"owner_ids":["PERSON"]}],"comments":[{"text":"c","author_id":"PERSON"}]`, epic), nil,
				fmt.Sprintf(`{"name":"z","description":"d","estimate":2,"deadline":"2026-03-01T00:00:00Z","workflow_state_id":%d}`, done),
				fmt.Sprintf(`{"name":"z","description":"d","estimate":2,"deadline":"2026-03-01T00:00:00Z","workflow_state_id":%d,"epic_id":%d,"story_type":"bug",
					"labels":[{"name":"warm"}],"owner_ids":["PERSON"],"requested_by_id":"PERSON","follower_ids":["PERSON"],
					"tasks":[{"description":"t","complete":true,"position":1,"owner_ids":["PERSON"]}],"comments":[{"text":"c","position":1,"author_id":"PERSON"}]}`, done, epic),
			},
			{
				"/linked-files", `"name":"l","type":"google","url":"https://example.com/1","content_type":"text/html","size":5,"uploader_id":"PERSON"`, nil,
				`{"name":"m","description":"d","url":"https://example.com/2"}`,
				`{"name":"m","description":"d","type":"google","url":"https://example.com/2","content_type":"text/html","size":5,"uploader_id":"PERSON","story_ids":[]}`,
			},
		} {
			for _, writer := range versions {
				at := "/api/" + writer + r.collection
				create := strings.ReplaceAll(`{`+r.create+r.more[writer]+`}`, "PERSON", string(mia.ID))
				id := s.Owner.Want(t, 201, "POST", at, create).ID(t)
				s.Owner.Want(t, 200, "PUT", fmt.Sprintf("%s/%d", at, id), r.change)
				for _, reader := range versions {
					person := mia.ID
					if reader == "v1" {
						person = mia.UserID
					}
					testkit.Run(t, s.Owner, []testkit.Case{{
						Name: fmt.Sprintf("%s written by %s, read by %s", r.collection, writer, reader), Method: "GET",
						Path: fmt.Sprintf("/api/%s%s/%d", reader, r.collection, id), Status: 200, Want: strings.ReplaceAll(r.shown, "PERSON", string(person)),
					}})
				}
				s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("%s/%d", at, id), nil)
				for _, reader := range versions {
					s.Owner.Want(t, 404, "GET", fmt.Sprintf("/api/%s%s/%d", reader, r.collection, id), nil)
				}
			}
		}
	})
}
