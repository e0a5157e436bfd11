package api_test

import (
	"context"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestMembers(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		owner := s.Owner.Member
		s.Clock.Advance(60e9)
		gone := s.NewMember(t, s.Owner, "gina", tracker.Regular)
		_, err := s.Service.UpdateMember(context.Background(), testkit.Operator(s.Owner.Workspace), gone.Member.ID,
			tracker.MemberChange{Disabled: tracker.Some(true)})
		if err != nil {
			t.Fatal(err)
		}
		ownerID, goneID := string(owner.ID), string(gone.Member.ID)
		stranger := s.NewWorkspace(t, "second").Member
		v3Owner := `{"id":"` + ownerID + `","disabled":false,"role":"owner","state":"full",
			"profile":{"id":"` + string(owner.UserID) + `","name":"Olivia Owner","mention_name":"olivia","is_owner":true,"deactivated":false}}`
		v3Gone := `{"id":"` + goneID + `","disabled":true,"role":"member","state":"disabled","profile":{"deactivated":true,"is_owner":false}}`
		v2Gone := `{"id":"` + goneID + `","disabled":true,"profile":{"id":"` + string(gone.Member.UserID) + `","deactivated":true}}`
		v1Gone := `{"id":"` + string(gone.Member.UserID) + `","username":"gina","deactivated":true,
			"permissions":[{"id":"` + goneID + `","disabled":true,"role":"member","initials":"G"}]}`
		cases := []testkit.Case{
			{Name: "disabled members have no access", As: gone, Method: "GET", Path: "/members", Status: 401},
			{Method: "GET", Path: "/members?disabled=perhaps", Status: 400, Want: `{"errors":{"disabled":"must be true or false"}}`},
			{Method: "GET", Path: "/members/7", Status: 400, Want: `{"errors":{"member-public-id":"must be a UUID"}}`},
			{Method: "GET", Path: "/api/v2/members", Status: 200, Want: `[{"id":"` + ownerID + `"},` + v2Gone + `]`},
			{Method: "GET", Path: "/api/v2/members/" + goneID, Status: 200, Want: v2Gone},
			{Method: "GET", Path: "/api/v1/users", Status: 200, Want: `[{"id":"` + string(owner.UserID) + `","name":"Olivia Owner"},` + v1Gone + `]`},
			{Method: "GET", Path: "/api/v1/users/" + string(gone.Member.UserID), Status: 200, Want: v1Gone},
			{Name: "requests take either id", Method: "GET", Path: "/api/v1/users/" + goneID, Status: 200, Want: v1Gone},
			{Name: "requests take either id", Method: "GET", Path: "/members/" + string(gone.Member.UserID), Status: 200, Want: v3Gone},
			{Name: "in any case", Method: "GET", Path: "/members/" + strings.ToUpper(goneID), Status: 200, Want: v3Gone},
			{Method: "GET", Path: "/api/v1/users/7", Status: 400, Want: `{"errors":{"user-public-id":"must be a UUID"}}`},
		}
		for _, version := range []string{"/api/v3", "/api/beta"} {
			cases = append(cases, []testkit.Case{
				{Method: "GET", Path: version + "/members", Status: 200, Want: `[` + v3Owner + `,` + v3Gone + `]`},
				{Method: "GET", Path: version + "/members?disabled=true", Status: 200, Want: `[` + v3Gone + `]`},
				{Method: "GET", Path: version + "/members?disabled=false", Status: 200, Want: `[` + v3Owner + `]`},
				{Method: "GET", Path: version + "/members/" + ownerID, Status: 200, Want: v3Owner},
			}...)
		}
		for _, unknown := range []tracker.UUID{"00000000-0000-0000-0000-000000000000", stranger.ID, stranger.UserID} {
			for _, path := range []string{"/api/v3/members/", "/api/v2/members/", "/api/v1/users/", "/api/beta/members/"} {
				cases = append(cases, testkit.Case{Name: "unknown", Method: "GET", Path: path + string(unknown), Status: 404,
					Want: `{"message":"Resource not found."}`})
			}
		}
		testkit.Run(t, s.Owner, cases)
	})
}

func TestCurrentMember(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		workspace := `"workspace2":{"id":"` + string(s.Owner.Workspace) + `","name":"Workspace first","url_slug":"first","utc_offset":"+00:00",
			"estimate_scale":[0,1,2,4,8],"created_at":"2026-01-05T10:00:00Z"}`
		var cases []testkit.Case
		for _, path := range []string{"/api/v3/member", "/api/v3/user", "/api/beta/member", "/api/beta/user"} {
			cases = append(cases,
				testkit.Case{Method: "GET", Path: path, Status: 200,
					Want: `{"id":"` + string(s.Owner.Member.ID) + `","name":"Olivia Owner","mention_name":"olivia","role":"owner","is_owner":true,` + workspace + `}`},
				testkit.Case{As: mia, Method: "GET", Path: path, Status: 200,
					Want: `{"id":"` + string(mia.Member.ID) + `","name":"mia","mention_name":"mia","role":"member","is_owner":false,` + workspace + `}`},
			)
		}
		testkit.Run(t, s.Owner, append(cases,
			testkit.Case{Name: "v2 has no such path", Method: "GET", Path: "/api/v2/member", Status: 404, Want: `{"message":"Page not Found"}`},
			testkit.Case{Name: "v1 has no such path", Method: "GET", Path: "/api/v1/user", Status: 404, Want: `{"message":"Page not Found"}`},
		))
	})
}
