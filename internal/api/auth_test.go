package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"milepost/internal/service"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const (
	missingToken = `{"tag":"organization2_missing"}`
	badToken     = `{"message":"Unauthorized","tag":"unauthorized"}`
)

// sending is a client without a token of its own that sends the headers with every request.
func sending(s *testkit.Server, headers ...string) *testkit.Client {
	c := &testkit.Client{URL: s.URL, Header: http.Header{}}
	for i := 0; i < len(headers); i += 2 {
		c.Header.Add(headers[i], headers[i+1])
	}
	return c
}

// mistype changes the last character of a token.
func mistype(token string) string {
	head, last := token[:len(token)-1], "0"
	if strings.HasSuffix(token, last) {
		last = "1"
	}
	return head + last
}

func TestTokens(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		good := s.Owner.Token
		unknown, err := tracker.NewToken(strings.NewReader(strings.Repeat("milepost", 64)))
		if err != nil {
			t.Fatal(err)
		}
		mistyped := mistype(good)
		first := `{"mention_name":"olivia","workspace2":{"url_slug":"first"}}`
		second := s.NewWorkspace(t, "second").Token
		testkit.Run(t, sending(s), []testkit.Case{
			{Name: "none", Method: "GET", Path: "/member", Status: 401, Want: missingToken},
			{Name: "an unknown path", Method: "GET", Path: "/nothing", Status: 401, Want: missingToken},
			{Name: "an unknown version", Method: "GET", Path: "/api/v9/member", Status: 401, Want: missingToken},
			{Name: "a method not served", Method: "DELETE", Path: "/member", Status: 401, Want: missingToken},
			{Name: "in the query", Method: "GET", Path: "/member?token=" + good, Status: 200, Want: first},
			{Name: "in the query of v1", Method: "GET", Path: "/api/v1/labels?token=" + good, Status: 200},
			{Name: "mistyped in the query", Method: "GET", Path: "/member?token=" + mistyped, Status: 401, Want: badToken},
			{Name: "empty in the query", Method: "GET", Path: "/member?token=", Status: 401, Want: missingToken},
			{Name: "in the body", Method: "POST", Path: "/labels", Body: `{"name":"x","token":"` + good + `"}`, Status: 401, Want: missingToken},

			{As: sending(s, "Service-Token", good), Method: "GET", Path: "/member", Status: 200, Want: first},
			{As: sending(s, "Shortcut-Token", good), Method: "GET", Path: "/member", Status: 200, Want: first},
			{As: sending(s, "Clubhouse-Token", good), Method: "GET", Path: "/member", Status: 200, Want: first},
			{As: sending(s, "Authorization", "Bearer "+good), Method: "GET", Path: "/member", Status: 200, Want: first},
			{As: sending(s, "Authorization", "bearer  "+good), Method: "GET", Path: "/member", Status: 200, Want: first},
			{As: sending(s, "service-token", good), Method: "GET", Path: "/api/app/workspace", Status: 200},
			{As: sending(s, "Service-Token", mistyped), Method: "GET", Path: "/member", Status: 401, Want: badToken},
			{As: sending(s, "Service-Token", unknown), Method: "GET", Path: "/member", Status: 401, Want: badToken},
			{As: sending(s, "Service-Token", strings.Repeat("x", 10_000)), Method: "GET", Path: "/member", Status: 401, Want: badToken},
			{As: sending(s, "Authorization", "Basic "+good), Method: "GET", Path: "/member", Status: 401, Want: missingToken},

			{Name: "header beats query", As: sending(s, "Service-Token", good), Method: "GET", Path: "/member?token=" + second, Status: 200, Want: first},
			{Name: "header beats query", As: sending(s, "Clubhouse-Token", good), Method: "GET", Path: "/member?token=" + second, Status: 200, Want: first},
			{Name: "header beats query", As: sending(s, "Authorization", "Bearer "+good), Method: "GET", Path: "/member?token=" + second, Status: 200, Want: first},
			{Name: "also when it is bad", As: sending(s, "Service-Token", mistyped), Method: "GET", Path: "/member?token=" + good, Status: 401, Want: badToken},
			{Name: "an empty header is none", As: sending(s, "Service-Token", ""), Method: "GET", Path: "/member?token=" + good, Status: 200, Want: first},
			{Name: "the newest header first", As: sending(s, "Clubhouse-Token", second, "Service-Token", good), Method: "GET", Path: "/member", Status: 200, Want: first},
		})
	})
}

// TestEndOfTokens ends tokens in every way; each answers 401 at once.
func TestEndOfTokens(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		operator := testkit.Operator(s.Owner.Workspace)
		newToken := func(n service.NewToken) (tracker.UUID, *testkit.Client) {
			t.Helper()
			token, text, err := s.Service.CreateToken(context.Background(), operator, s.Owner.Member.ID, n)
			if err != nil {
				t.Fatal(err)
			}
			return token.ID, sending(s, "Service-Token", text)
		}
		works := func(c *testkit.Client) { t.Helper(); c.Want(t, 200, "GET", "/member", nil) }
		ended := func(c *testkit.Client) {
			t.Helper()
			if a := c.Want(t, 401, "GET", "/member", nil); a.Object(t)["tag"] != "unauthorized" {
				t.Error(a.Text)
			}
		}

		id, revoked := newToken(service.NewToken{Name: "to revoke"})
		works(revoked)
		if err := s.Service.RevokeToken(context.Background(), operator, id); err != nil {
			t.Fatal(err)
		}
		ended(revoked)

		end := tracker.TimeOf(s.Clock.Now()) + 60
		_, expiring := newToken(service.NewToken{Name: "to expire", ExpiresAt: &end})
		s.Clock.Advance(59 * time.Second)
		works(expiring)
		s.Clock.Advance(time.Second)
		ended(expiring)

		mona := s.NewMember(t, s.Owner, "mona", tracker.Regular)
		disable := func(v bool) {
			t.Helper()
			_, err := s.Service.UpdateMember(context.Background(), operator, mona.Member.ID, tracker.MemberChange{Disabled: tracker.Some(v)})
			if err != nil {
				t.Fatal(err)
			}
		}
		works(mona)
		disable(true)
		ended(mona)
		disable(false)
		works(mona)
		works(s.Owner)
	})
}

// TestReadOnlyTokens read everything that their member may read and write nothing.
func TestReadOnlyTokens(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		_, text, err := s.Service.CreateToken(context.Background(), testkit.Operator(s.Owner.Workspace), s.Owner.Member.ID,
			service.NewToken{Name: "reader", ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		id := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"x"}`).ID(t)
		path := "/labels/" + tracker.Label{ID: id}.EntityID()
		denied := `{"message":"This token may only read.","tag":"forbidden"}`
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		testkit.Run(t, sending(s, "Service-Token", text), []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{"name":"x"}`},
			{Method: "GET", Path: "/api/app/audit", Status: 200},
			{Method: "PUT", Path: path, Body: `{"name":"y"}`, Status: 403, Want: denied},
			{Method: "DELETE", Path: path, Status: 403, Want: denied},
			{Method: "POST", Path: "/labels", Body: `{"name":"z"}`, Status: 403, Want: denied},
			{Method: "PUT", Path: "/groups/disable", Status: 403, Want: denied},
			{Name: "it cannot make itself a better one", Method: "POST", Path: "/api/app/tokens", Body: `{"name":"z"}`, Status: 403, Want: denied},
		})
		if after := len(s.Changes(t, s.Owner.Workspace, 0)); after != before {
			t.Errorf("%d changes were made", after-before)
		}
	})
}

// TestLogHoldsNoSecret sends secrets in every place a request has.
func TestLogHoldsNoSecret(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	token := s.Owner.Token
	mistyped := mistype(token)
	const password, cookie = "hunter2hunter2", "cookievalue"
	for _, secret := range []string{token, mistyped} {
		for _, c := range []*testkit.Client{
			sending(s), sending(s, "Service-Token", secret), sending(s, "Authorization", "Bearer "+secret),
			sending(s, "Service-Token", secret, "Cookie", "session="+cookie, "Referer", "http://x/?token="+secret, "User-Agent", secret,
				"Request-Id", secret, "X-Request-Id", secret, "X-Forwarded-For", secret),
		} {
			for _, path := range []string{"/labels", "/labels?token=" + secret, "/labels/" + secret, "/" + secret, "/api/" + secret + "/labels",
				"/labels?" + secret + "=1", "/labels?password=" + password, "/labels/mp%5F" + secret[3:]} {
				for _, method := range []string{"GET", "POST", "X" + secret} {
					c.Do(t, method, path, map[string]string{"name": secret, "password": password, secret: "x"})
				}
			}
		}
	}
	log := s.Log.String()
	if strings.Count(log, "msg=request") < 100 {
		t.Fatalf("the log has too few lines: %s", log)
	}
	for _, secret := range []string{token[3:], mistyped[3:], password, cookie} {
		if i := strings.Index(log, secret); i >= 0 {
			t.Errorf("the log holds %q: %s", secret, log[max(0, i-300):min(len(log), i+100)])
		}
	}
}

// A browser asks without the token whether it may; while CORS is off it hears that it may not.
func TestPreflightNeedsNoToken(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	preflight := sending(s, "Origin", "https://web.example", "Access-Control-Request-Method", "POST")
	a := preflight.Want(t, 405, "OPTIONS", "/labels", nil)
	if a.Header.Get("Access-Control-Allow-Origin") != "" || a.Header.Get("Allow") == "" {
		t.Errorf("the preflight is answered with %v", a.Header)
	}
	preflight.Want(t, 401, "GET", "/labels", nil)
	sending(s, "Origin", "https://web.example").Want(t, 401, "OPTIONS", "/labels", nil)
}
