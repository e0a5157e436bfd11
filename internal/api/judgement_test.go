package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestOrderOfJudgement puts neighbours in the order of judgement into conflict: plain HTTP 403, 401,
// 429, 404 and 405 of the route, 403 of the role, 413, 400, 403 of a feature, 404 and 422.
func TestOrderOfJudgement(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		member := s.NewMember(t, s.Owner, "mona", tracker.Regular)
		taken := s.Owner.Want(t, 201, "POST", "/categories", `{"name":"taken"}`).ID(t)
		other := s.Owner.Want(t, 201, "POST", "/categories", `{"name":"other"}`).ID(t)
		remote := []string{"X-Forwarded-For", "192.0.2.1"} // from a peer that is no trusted proxy: the client is elsewhere
		const limit = 16 << 20
		fits := func(n int) string { return `{"name":"padded"}` + strings.Repeat(" ", n-len(`{"name":"padded"}`)) }
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "plain HTTP before a missing token", As: sending(s, remote...), Method: "GET", Path: "/member", Status: 403,
				Want: `{"tag":"https_required"}`},
			{Name: "plain HTTP before a good token", As: sending(s, append(remote, "Service-Token", s.Owner.Token)...), Method: "GET", Path: "/member",
				Status: 403, Want: `{"tag":"https_required"}`},
			{Name: "plain HTTP before the route", As: sending(s, remote...), Method: "GET", Path: "/nothing", Status: 403},
			{Name: "401 before the route", As: sending(s), Method: "GET", Path: "/nothing", Status: 401},
			{Name: "401 before the method", As: sending(s), Method: "DELETE", Path: "/categories", Status: 401},
			{Name: "401 before the body", As: sending(s), Method: "POST", Path: "/categories", Body: `{`, Status: 401},
			{Name: "route before the role", As: observer, Method: "POST", Path: "/nothing", Status: 404, Want: `{"message":"Page not Found"}`},
			{Name: "method before the role", As: observer, Method: "DELETE", Path: "/categories", Status: 405},
			{Name: "role before the size", As: observer, Method: "POST", Path: "/categories", Body: fits(limit + 1), Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "role before the schema", As: observer, Method: "POST", Path: "/categories", Body: `{`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "role before the resource", As: observer, Method: "DELETE", Path: "/categories/99", Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "role before the form of the id", As: observer, Method: "DELETE", Path: "/categories/x", Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "administration before the schema", As: member, Method: "PUT", Path: "/api/app/workspace", Body: `{`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "size before the schema", Method: "POST", Path: "/categories", Body: `{"nme":1}` + strings.Repeat(" ", limit), Status: 413},
			{Name: "a body at the limit", Method: "POST", Path: "/categories", Body: fits(limit), Status: 201},
			{Name: "a body over the limit", Method: "POST", Path: "/categories", Body: fits(limit + 1), Status: 413},
			{Name: "schema before the resource", Method: "PUT", Path: "/categories/99", Body: `{"nme":1}`, Status: 400},
			{Name: "resource before the content", Method: "PUT", Path: "/categories/99", Body: `{"name":"taken"}`, Status: 404},
			{Name: "schema before the content", Method: "PUT", Path: fmt.Sprintf("/categories/%d", other), Body: `{"name":"taken","color":"red"}`, Status: 400},
			{Name: "content", Method: "PUT", Path: fmt.Sprintf("/categories/%d", other), Body: `{"name":"taken"}`, Status: 422},
			{Name: "nothing to object to", Method: "PUT", Path: fmt.Sprintf("/categories/%d", taken), Body: `{"name":"Taken"}`, Status: 200},
		})
	})
}

// TestJudgementOfTheRate has a limit of one request, used up, in conflict with the neighbours.
func TestJudgementOfTheRate(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db", testkit.WithRateLimit(1))
	testkit.Run(t, s.Owner, []testkit.Case{
		{Method: "GET", Path: "/member", Status: 200},
		{Name: "plain HTTP before the rate", As: sending(s, "X-Forwarded-For", "192.0.2.1", "Service-Token", s.Owner.Token), Method: "GET", Path: "/member", Status: 403},
		{Name: "401 before the rate", As: sending(s, "Service-Token", "mp_x"), Method: "GET", Path: "/member", Status: 401},
		{Name: "rate before the route", Method: "GET", Path: "/nothing", Status: 429, Want: `{"tag":"rate_limited"}`},
		{Name: "rate before the method", Method: "DELETE", Path: "/member", Status: 429},
		{Name: "rate before the size", Method: "POST", Path: "/categories", Body: strings.Repeat(" ", 16<<20+1), Status: 429},
		{Name: "rate before the schema", Method: "POST", Path: "/categories", Body: `{`, Status: 429},
	})
}
