package api_test

import (
	"fmt"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		me := s.Owner.Member.ID
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		elsewhere := s.NewWorkspace(t, "second")
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t)
		path := epicPath(epic)
		never := s.Owner.Want(t, 200, "GET", path+"/health", nil).Text
		if want := fmt.Sprintf(`{"entity_type":"health","epic_id":%d,"id":null,"status":"No Health"}`, epic); never != want {
			t.Errorf("the health of an epic that nobody judged is %s, want %s", never, want)
		}
		if h, ok := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["health"]; ok {
			t.Errorf("an epic that nobody judged shows the health %v", h)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path + "/health-history", Status: 200, Want: `[]`},
			{Method: "POST", Path: path + "/health", Body: `{"status":"On Track"}`, Status: 201,
				Want: fmt.Sprintf(`{"status":"On Track","text":"","author_id":%q,"epic_id":%d,"entity_type":"health",
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`, me, epic)},
			{Method: "POST", Path: path + "/health", Status: 400, Want: `{"errors":{"status":"missing-required-key"}}`},
			{Name: "every bad field", Method: "POST", Path: path + "/health", Body: `{"status":"on track","text":null,"author_id":"x"}`, Status: 400,
				Want: `{"errors":{"status":"must be one of: At Risk, On Track, Off Track, No Health","text":"must not be null","author_id":"disallowed-key"}}`},
			{Method: "POST", Path: "/epics/99/health", Body: `{"status":"On Track"}`, Status: 404},
			{Method: "GET", Path: "/epics/99/health", Status: 404},
			{Method: "GET", Path: "/epics/99/health-history", Status: 404},
			{Method: "GET", Path: "/epics/x/health", Status: 400},
			{Name: "observer", As: observer, Method: "POST", Path: path + "/health", Body: `{"status":"On Track"}`, Status: 403},
			{Name: "another workspace", As: elsewhere, Method: "GET", Path: path + "/health", Status: 404},
		})
		for _, status := range []string{"At Risk", "Off Track", "No Health"} {
			s.Clock.Advance(time.Second)
			mia.Want(t, 201, "POST", path+"/health", map[string]any{"status": status, "text": "because"})
		}
		first := s.Owner.Want(t, 200, "GET", path+"/health-history", nil).List(t)[3]["id"].(string)
		one := "/health/" + first
		s.Clock.Advance(time.Minute)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "newest first", Method: "GET", Path: path + "/health-history", Status: 200,
				Want: `[{"status":"No Health"},{"status":"Off Track"},{"status":"At Risk"},{"status":"On Track"}]`},
			{Method: "GET", Path: path + "/health", Status: 200,
				Want: fmt.Sprintf(`{"status":"No Health","text":"because","author_id":%q,"created_at":"2026-01-05T10:00:03Z"}`, mia.Member.ID)},
			{Name: "in the epic", As: observer, Method: "GET", Path: path, Status: 200, Want: `{"health":{"status":"No Health","text":"because"}}`},
			{Name: "everybody may update", As: mia, Method: "PUT", Path: one, Body: `{"status":"Off Track","text":"in the end"}`, Status: 200,
				Want: fmt.Sprintf(`{"id":%q,"status":"Off Track","text":"in the end","author_id":%q,"epic_id":%d,
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:01:03Z"}`, first, me, epic)},
			{Name: "the text alone", Method: "PUT", Path: one, Body: `{"text":""}`, Status: 200, Want: `{"status":"Off Track","text":""}`},
			{Name: "an update moves nothing up", Method: "GET", Path: path + "/health", Status: 200, Want: `{"status":"No Health"}`},
			{Method: "PUT", Path: one, Body: `{"status":null,"text":null}`, Status: 400, Want: `{"errors":{"status":"must not be null","text":"must not be null"}}`},
			{Method: "PUT", Path: one, Body: `{"status":"x"}`, Status: 400},
			{Method: "PUT", Path: "/health/" + nobody, Body: `{"text":"x"}`, Status: 404},
			{Method: "PUT", Path: "/health/1", Body: `{"text":"x"}`, Status: 400, Want: `{"errors":{"health-public-id":"must be a UUID"}}`},
			{Name: "observer updates", As: observer, Method: "PUT", Path: one, Body: `{"text":"x"}`, Status: 403},
			{Name: "another workspace updates", As: elsewhere, Method: "PUT", Path: one, Body: `{"text":"x"}`, Status: 404},
		})
	})
}

func TestHealthChangesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		path := epicPath(s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Epic"}`).ID(t)) + "/health"
		after := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		one := "/health/" + s.Owner.Want(t, 201, "POST", path, `{"status":"At Risk","text":"t"}`).Object(t)["id"].(string)
		s.Clock.Advance(time.Minute)
		if same := s.Owner.Want(t, 200, "PUT", one, `{"status":"At Risk"}`).Object(t); same["updated_at"] != "2026-01-05T10:00:00Z" {
			t.Errorf("an update that changes nothing gives %v", same)
		}
		s.Owner.Want(t, 200, "PUT", one, `{"status":"On Track"}`)
		wantChanges(t, s, after, "create health status text epic_id", "update health status")
	})
}
