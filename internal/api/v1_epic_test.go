package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestV1Epics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		const list = "/api/v1/epics"
		me := string(s.Owner.Member.UserID)
		first := s.Owner.Want(t, 201, "POST", list, `{"name":"First","state":"in progress","deadline":"2026-03-01T00:00:00Z","description":"d",
			"external_id":"e-1","owner_ids":["`+me+`"],"follower_ids":["`+me+`"],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`).ID(t)
		second := s.Owner.Want(t, 201, "POST", list, map[string]any{"name": strings.Repeat("ü", 256), "description": strings.Repeat("ü", 100_000)}).ID(t)
		path := fmt.Sprintf("%s/%d", list, first)
		whole := fmt.Sprintf(`{"id":%d,"name":"First","state":"in progress","deadline":"2026-03-01T00:00:00Z","description":"d","archived":false,
			"comments":[],"owner_ids":[%[2]q],"follower_ids":[%[2]q],"created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-02T00:00:00Z"}`, first, me)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole},
			{Name: "v3 shows the rest", Method: "GET", Path: fmt.Sprintf("/epics/%d", first), Status: 200, Want: `{"external_id":"e-1","state":"in progress"}`},
			{Method: "GET", Path: list, Status: 200, Want: fmt.Sprintf(`[%s,{"id":%d,"state":"to do","deadline":null}]`, whole, second)},
			{Name: "every bad field", Method: "POST", Path: list, Body: `{"epic_state_id":1,"state":"never","labels":[]}`, Status: 400,
				Want: `{"errors":{"name":"missing-required-key","epic_state_id":"disallowed-key","labels":"disallowed-key","state":"must be one of: to do, in progress, done"}}`},
			{Name: "long name", Method: "POST", Path: list, Body: map[string]any{"name": strings.Repeat("ü", 257)}, Status: 400},
			{Name: "long description", Method: "PUT", Path: path, Body: map[string]any{"description": strings.Repeat("ü", 100_001)}, Status: 400},
			{Name: "observer", As: observer, Method: "POST", Path: list, Body: `{"name":"x"}`, Status: 403},
			{Name: "observer reads", As: observer, Method: "GET", Path: path, Status: 200},
			{Method: "PUT", Path: path, Body: `{"state":"done","deadline":null,"archived":true,"name":"Over","description":"","owner_ids":[],"follower_ids":[]}`, Status: 200,
				Want: `{"state":"done","deadline":null,"archived":true,"name":"Over","description":"","owner_ids":[],"follower_ids":[]}`},
			{Name: "v3 completes it", Method: "GET", Path: fmt.Sprintf("/epics/%d", first), Status: 200, Want: `{"completed":true}`},
			{Name: "move", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"after_id":%d}`, second), Status: 200},
			{Name: "moved", Method: "GET", Path: list, Status: 200, Want: fmt.Sprintf(`[{"id":%d},{"id":%d}]`, second, first)},
			{Name: "move beside none", Method: "PUT", Path: path, Body: `{"before_id":99}`, Status: 422, Want: `{"errors":{"before_id":"names no existing epic"}}`},
			{Name: "null name", Method: "PUT", Path: path, Body: `{"name":null}`, Status: 400, Want: `{"errors":{"name":"must not be null"}}`},
			{Name: "no external id", Method: "PUT", Path: path, Body: `{"external_id":"x"}`, Status: 400, Want: `{"errors":{"external_id":"disallowed-key"}}`},
			{Method: "PUT", Path: list + "/99", Body: `{}`, Status: 404},
			{Method: "GET", Path: list + "/99", Status: 404},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "DELETE", Path: path, Status: 404},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

// The discussion of an epic stands in it, answers within answers; v1 has no operation on it.
func TestV1EpicComments(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		var epics [2]int64
		for i := range epics {
			epics[i] = s.Owner.Want(t, 201, "POST", "/api/v1/epics", `{"name":"Talk"}`).ID(t)
		}
		on := fmt.Sprintf("/epics/%d/comments", epics[0])
		top := s.Owner.Want(t, 201, "POST", on, `{"text":"gone"}`).ID(t)
		answer := mia.Want(t, 201, "POST", fmt.Sprintf("%s/%d", on, top), `{"text":"answer"}`).ID(t)
		deep := s.Owner.Want(t, 201, "POST", fmt.Sprintf("%s/%d", on, answer), `{"text":"deep"}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", fmt.Sprintf("/epics/%d/comments", epics[1]), `{"text":"other"}`).ID(t)
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("%s/%d", on, top), nil)
		me, she := s.Owner.Member.UserID, mia.Member.UserID
		talk := fmt.Sprintf(`{"comments":[{"id":%d,"author_id":%q,"deleted":true,"text":"","comments":[
			{"id":%d,"author_id":%q,"deleted":false,"text":"answer","comments":[{"id":%d,"author_id":%q,"text":"deep","comments":[]}]}]}]}`,
			top, me, answer, she, deep, me)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: fmt.Sprintf("/api/v1/epics/%d", epics[0]), Status: 200, Want: talk},
			{Method: "GET", Path: "/api/v1/epics", Status: 200, Want: fmt.Sprintf(`[%s,{"comments":[{"id":%d,"text":"other"}]}]`, talk, other)},
			{Method: "PUT", Path: fmt.Sprintf("/api/v1/epics/%d", epics[0]), Body: `{"name":"Talks"}`, Status: 200, Want: talk},
			{Method: "GET", Path: "/api/v1" + on, Status: 404},
		})
	})
}
