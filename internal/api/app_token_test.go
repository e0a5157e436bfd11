package api_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestOwnTokens(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		changes := len(s.Changes(t, s.Owner.Workspace, 0))
		const path = "/api/app/tokens"
		testkit.Run(t, member, []testkit.Case{
			{Name: "an expiry in the past", Method: "POST", Path: path, Body: `{"name":"x","expires_at":"2026-01-05T09:59:59Z"}`, Status: 422,
				Want: `{"errors":{"expires_at":"must be in the future"}}`},
			{Name: "an expiry now", Method: "POST", Path: path, Body: `{"name":"x","expires_at":"2026-01-05T12:00:00+02:00"}`, Status: 422},
			{Name: "no timestamp", Method: "POST", Path: path, Body: `{"name":"x","expires_at":"tomorrow"}`, Status: 400},
			{Name: "no name", Method: "POST", Path: path, Body: `{"read_only":true}`, Status: 400, Want: `{"errors":{"name":"missing-required-key"}}`},
			{Name: "blank name", Method: "POST", Path: path, Body: `{"name":" "}`, Status: 400},
			{Name: "129 characters", Method: "POST", Path: path, Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400},
			{Name: "unknown field", Method: "POST", Path: path, Body: `{"name":"x","member_id":"x"}`, Status: 400, Want: `{"errors":{"member_id":"disallowed-key"}}`},
			{Method: "GET", Path: path, Status: 200, Want: `[{"name":"test","entity_type":"token","read_only":false,"expires_at":null,"last_used_at":null,
				"created_at":"2026-01-05T10:00:00Z"}]`},
		})

		s.Clock.Advance(time.Second)
		made := member.Want(t, 201, "POST", path, map[string]any{"name": strings.Repeat("ü", 128), "expires_at": "2026-01-05T10:00:02Z"}).Object(t)
		text := made["token"].(string)
		if !tracker.WellFormed(text) || made["member_id"] != string(member.Member.ID) || made["expires_at"] != "2026-01-05T10:00:02Z" {
			t.Errorf("the new token is %v", made)
		}
		list := member.Want(t, 200, "GET", path, nil)
		if got := list.List(t); len(got) != 2 || got[1]["id"] != made["id"] {
			t.Errorf("the tokens are %v", got)
		}
		if strings.Contains(list.Text, text) || strings.Contains(list.Text, tracker.HashToken(text)) {
			t.Error("the list shows the token or its hash")
		}
		if strings.Contains(s.Log.String(), text) {
			t.Error("the log shows the token")
		}
		brief := testkit.Client{URL: s.URL, Token: text}
		brief.Want(t, 200, "GET", "/member", nil)
		s.Clock.Advance(time.Second)
		testkit.Run(t, &brief, []testkit.Case{
			{Name: "expired", Method: "GET", Path: "/member", Status: 401, Want: `{"tag":"unauthorized"}`},
		})
		if got := s.Changes(t, s.Owner.Workspace, 0); len(got) != changes {
			t.Errorf("tokens are in the change log: %+v", got[changes:])
		}
	})
}

func TestReadOnlyToken(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		made := s.Owner.Want(t, 201, "POST", "/api/app/tokens", `{"name":"look","read_only":true}`).Object(t)
		id := made["id"].(string)
		testkit.Run(t, &testkit.Client{URL: s.URL, Token: made["token"].(string)}, []testkit.Case{
			{Method: "GET", Path: "/api/app/tokens", Status: 200},
			{Method: "GET", Path: "/api/app/audit", Status: 200},
			{Method: "POST", Path: "/api/app/tokens", Body: `{"name":"more"}`, Status: 403, Want: `{"tag":"forbidden","message":"This token may only read."}`},
			{Method: "DELETE", Path: "/api/app/tokens/" + id, Status: 403},
			{Method: "PUT", Path: "/api/app/member", Body: `{"name":"x"}`, Status: 403},
			{Method: "PUT", Path: "/api/app/workspace", Body: `{}`, Status: 403},
			{Method: "POST", Path: "/labels", Body: `{"name":"x"}`, Status: 403},
		})
	})
}

func TestRevokeToken(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		admin, member := s.NewMember(t, s.Owner, "ada", tracker.Admin), s.NewMember(t, s.Owner, "mia", tracker.Regular)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		other := s.NewWorkspace(t, "second")
		tokenOf := func(c *testkit.Client) string {
			return "/api/app/tokens/" + c.Want(t, 200, "GET", "/api/app/tokens", nil).List(t)[0]["id"].(string)
		}
		members, owners, others, observers := tokenOf(member), tokenOf(s.Owner), tokenOf(other), tokenOf(observer)
		testkit.Run(t, member, []testkit.Case{
			{Name: "another member's", Method: "DELETE", Path: owners, Status: 404, Want: `{"message":"Resource not found."}`},
			{Name: "another workspace's", As: s.Owner, Method: "DELETE", Path: others, Status: 404},
			{Name: "none", As: admin, Method: "DELETE", Path: "/api/app/tokens/00000000-0000-7000-8000-000000000000", Status: 404},
			{Name: "no UUID", Method: "DELETE", Path: "/api/app/tokens/7", Status: 400},
			{Name: "they all still work", As: other, Method: "GET", Path: "/member", Status: 200},
			{Name: "admins see a member's", As: admin, Method: "GET", Path: "/api/app/members/" + string(member.Member.ID) + "/tokens", Status: 200,
				Want: `[{"name":"test"}]`},
			{Name: "not one of another workspace", As: admin, Method: "GET", Path: "/api/app/members/" + string(other.Member.ID) + "/tokens", Status: 404},
			{Name: "admins revoke any", As: admin, Method: "DELETE", Path: members, Status: 204},
			{Name: "at once", Method: "GET", Path: "/member", Status: 401, Want: `{"tag":"unauthorized"}`},
			{Name: "again is no mistake", As: admin, Method: "DELETE", Path: members, Status: 204},
			{Name: "it is no longer listed", As: admin, Method: "GET", Path: "/api/app/members/" + string(member.Member.ID) + "/tokens", Status: 200, Want: `[]`},
			{Name: "observers make their own", As: observer, Method: "POST", Path: "/api/app/tokens", Body: `{"name":"mine"}`, Status: 201},
			{Name: "and revoke the one in use", As: observer, Method: "DELETE", Path: observers, Status: 204},
			{As: observer, Method: "GET", Path: "/member", Status: 401},
		})
	})
}

// audited gives the newest n entries of the audit log, oldest first.
func audited(t *testing.T, c *testkit.Client, n int) []map[string]any {
	t.Helper()
	list := c.Want(t, 200, "GET", "/api/app/audit", nil).List(t)
	if len(list) < n {
		t.Fatalf("the audit log has %d entries, want %d", len(list), n)
	}
	list = list[:n]
	slices.Reverse(list)
	return list
}

func TestTokensAreAudited(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		s.Clock.Advance(time.Second)
		made := member.Want(t, 201, "POST", "/api/app/tokens", `{"name":"ci","read_only":true,"expires_at":"2027-01-01T00:00:00Z"}`).Object(t)
		s.Clock.Advance(time.Second)
		s.Owner.Want(t, 204, "DELETE", "/api/app/tokens/"+made["id"].(string), nil)
		s.Owner.Want(t, 204, "DELETE", "/api/app/tokens/"+made["id"].(string), nil)

		text := s.Owner.Want(t, 200, "GET", "/api/app/audit", nil).Text
		if token := made["token"].(string); strings.Contains(text, token) || strings.Contains(text, tracker.HashToken(token)) {
			t.Error("the audit log shows a token or its hash")
		}
		rows := audited(t, s.Owner, 2)
		for i, want := range []struct{ action, by, at string }{
			{"token.create", string(member.Member.ID), "2026-01-05T10:00:01Z"}, {"token.revoke", string(s.Owner.Member.ID), "2026-01-05T10:00:02Z"},
		} {
			e := rows[i]
			if e["action"] != want.action || e["member_id"] != want.by || e["at"] != want.at || e["subject"] != made["id"] ||
				e["via"] != "app" || e["address"] != "127.0.0.1" {
				t.Errorf("entry %d is %v, want %v", i, e, want)
			}
		}
		detail := rows[0]["detail"].(map[string]any)
		if len(detail) != 4 || detail["member_id"] != string(member.Member.ID) || detail["name"] != "ci" || detail["read_only"] != true ||
			detail["expires_at"] != "2027-01-01T00:00:00Z" {
			t.Errorf("the detail is %v", detail)
		}
	})
}

func TestTokenLastUsed(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		lastUsed := func() any {
			t.Helper()
			used := s.Owner.Want(t, 200, "GET", "/api/app/tokens", nil).List(t)[0]["last_used_at"]
			if err := s.Service.SaveUsage(t.Context()); err != nil {
				t.Fatal(err)
			}
			return used
		}
		for _, step := range []struct {
			after time.Duration
			want  any // what the request itself sees: its own use is saved after it
		}{
			{0, nil}, {0, "2026-01-05T10:00:00Z"}, {59 * time.Second, "2026-01-05T10:00:00Z"}, {0, "2026-01-05T10:00:00Z"},
			{time.Second, "2026-01-05T10:00:00Z"}, {0, "2026-01-05T10:01:00Z"}, {59 * time.Second, "2026-01-05T10:01:00Z"},
			{0, "2026-01-05T10:01:00Z"},
		} {
			s.Clock.Advance(step.after)
			if got := lastUsed(); got != step.want {
				t.Errorf("at %v last used %v, want %v", s.Clock.Now(), got, step.want)
			}
		}
	})
}

// TestTokenLastUsedOnTwoNodes lets two nodes see a token before either has written that down.
func TestTokenLastUsedOnTwoNodes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		second := service.New(s.Store, s.Clock.Now, service.Files{})
		s.Owner.Want(t, 200, "GET", "/member", nil)
		s.Clock.Advance(59 * time.Second)
		if _, err := second.Authenticate(t.Context(), s.Owner.Token); err != nil {
			t.Fatal(err)
		}
		for _, node := range []*service.Service{s.Service, second} {
			if err := node.SaveUsage(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.Owner.Want(t, 200, "GET", "/api/app/tokens", nil).List(t)[0]["last_used_at"]; got != "2026-01-05T10:00:00Z" {
			t.Errorf("last used %v, moved within a minute", got)
		}
	})
}

// TestRevocationOnTwoNodes: the node that revokes a token refuses it at once, another one within 50 ms.
func TestRevocationOnTwoNodes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		st, err := store.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer st.Close()
		second := service.New(st, s.Clock.Now, service.Files{})
		token := s.NewToken(t, s.Owner)
		for _, node := range []*service.Service{s.Service, second} {
			if _, err := node.Authenticate(t.Context(), token); err != nil {
				t.Fatal(err)
			}
		}
		_, id, err := s.Service.FindToken(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Service.RevokeToken(t.Context(), testkit.Operator(s.Owner.Workspace), id); err != nil {
			t.Fatal(err)
		}
		(&testkit.Client{URL: s.URL, Token: token}).Want(t, 401, "GET", "/member", nil)
		s.Clock.Advance(50 * time.Millisecond)
		if _, err := second.Authenticate(t.Context(), token); !errors.Is(err, service.ErrBadToken) {
			t.Errorf("the other node still takes the token: %v", err)
		}
	})
}
