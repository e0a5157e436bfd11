package api_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/vcs"
)

// What is not signed with the secret is refused, what cannot be read too, and nothing is ever our fault.
func TestVCSHook(t *testing.T) {
	t.Parallel()
	events := map[string]string{"github": "push", "gitlab": "Push Hook", "bitbucket": "repo:push"}
	onProviders(t, "[]", func(t *testing.T, s *testkit.Server, v *vcsSender) {
		event, payload := v.text(t, "branch")
		for name, c := range map[string]struct {
			event, signature, payload string
			status                    int
		}{
			"no signature":        {event, "", payload, 401},
			"other secret":        {event, strings.Repeat("0", len(v.sign(payload))), payload, 401},
			"other body":          {event, v.sign(payload + " "), payload + "  ", map[bool]int{true: 200, false: 401}[v.provider == "gitlab"]},
			"unknown event":       {"something", v.sign(payload), payload, 202},
			"no event":            {"", v.sign(payload), payload, 202},
			"not JSON":            {event, v.sign("{"), "{", 400},
			"unknown, not JSON":   {"something", v.sign("{"), "{", 400},
			"nothing":             {event, v.sign(""), "", 400},
			"trailing data":       {event, v.sign("{} {}"), "{} {}", 400},
			"a list":              {event, v.sign("[]"), "[]", 400},
			"null":                {event, v.sign("null"), "null", 202},
			"empty":               {events[v.provider], v.sign("{}"), "{}", 202},
			"numbers for strings": {events[v.provider], v.sign(`{"ref":1,"push":1}`), `{"ref":1,"push":1}`, 400},
		} {
			if a := v.sendSigned(t, c.event, "", c.signature, c.payload); a.Status != c.status {
				t.Errorf("%s, %s: %d, want %d: %s", v.provider, name, a.Status, c.status, a.Text)
			}
		}
		for _, path := range []string{"/api/hooks/vcs", "/api/hooks/vcs/1/2", v.path + "/x", v.path[:len(v.path)-1] + "x"} {
			other := *v
			other.path = path
			if a := other.send(t, event, "", payload); a.Status != 404 {
				t.Errorf("%s: %d %s", path, a.Status, a.Text)
			}
		}
		nobody := &testkit.Client{URL: s.URL}
		nobody.Want(t, 405, "GET", v.path, nil)

		s.Owner.Want(t, 200, "PUT", integrationPath(v), `{"disabled":true}`)
		v.want(t, 403, event, payload)
		s.Owner.Want(t, 200, "PUT", integrationPath(v), `{"disabled":false}`)
		old := v.secret
		v.secret = s.Owner.Want(t, 201, "POST", integrationPath(v)+"/secret", nil).Object(t)["secret"].(string)
		v.tell(t, "branch")
		v.secret, old = old, v.secret
		v.want(t, 401, event, payload)
		v.secret = old
		s.Owner.Want(t, 204, "DELETE", integrationPath(v), nil)
		v.want(t, 404, event, payload)
		v.shows(t, s.Owner, "after the integration", `{"branches":[{"deleted":false}]}`)
	})
}

func integrationPath(v *vcsSender) string {
	return fmt.Sprintf("/api/app/vcs-integrations/%d", v.integration)
}

// A payload of the largest size is read, one byte more is not.
func TestVCSBody(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		v := newVCSSender(t, s, s.Owner, "gitlab", "[]", 0)
		body := `{"x":"` + strings.Repeat("x", vcs.MaxBody-8) + `"}`
		v.want(t, 202, "Note Hook", body)
		v.want(t, 413, "Note Hook", body+" ")
	})
}

// GitHub can also send a form.
func TestVCSForm(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		v := newVCSSender(t, s, s.Owner, "github", "[]", s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t))
		event, payload := v.text(t, "branch")
		body := url.Values{"payload": {payload}}.Encode()
		c := &testkit.Client{URL: s.URL, Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "X-Github-Event": {event},
			"X-Hub-Signature-256": {v.sign(body)}}}
		c.Want(t, 200, "POST", v.path, body)
		v.shows(t, s.Owner, "form", `{"branches":[{"deleted":false}]}`)
	})
}

// Deliveries that arrive at the same time are all heard, once each.
func TestVCSAtOnce(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		v := newVCSSender(t, s, s.Owner, "github", "[]", s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t))
		var all sync.WaitGroup
		for i := range 20 {
			event, payload := v.text(t, "opened", `"number": 12`, fmt.Sprintf(`"number": %d`, i%10+1))
			all.Go(func() {
				if a := v.send(t, event, fmt.Sprintf("at-once-%d", i), payload); a.Status != 200 {
					t.Errorf("%d %s", a.Status, a.Text)
				}
			})
		}
		all.Wait()
		story := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Object(t)
		if n, b := len(story["pull_requests"].([]any)), len(story["branches"].([]any)); n != 10 || b != 1 {
			t.Errorf("there are %d pull requests and %d branches", n, b)
		}
	})
}

// A token of ours in a payload is revoked, also where the payload means nothing else.
func TestVCSTokens(t *testing.T) {
	t.Parallel()
	onProviders(t, "[]", func(t *testing.T, s *testkit.Server, v *vcsSender) {
		event, _ := v.text(t, "branch")
		for name, send := range map[string]func(token string){
			"a commit":         func(token string) { v.tell(t, "commit", "Tighten the bolts", token) },
			"a description":    func(token string) { v.tell(t, "opened", "See sc-", token+" ") },
			"an unknown event": func(token string) { v.want(t, 202, "something", `{"text":"`+token+`"}`) },
		} {
			token := s.NewToken(t, s.Owner)
			leaked := &testkit.Client{URL: s.URL, Token: token}
			leaked.Want(t, 200, "GET", "/member", nil)
			send(token)
			leaked.Want(t, 401, "GET", "/member", nil)
			entry := s.Owner.Want(t, 200, "GET", "/api/app/audit?limit=1", nil)
			if entry.List(t)[0]["action"] != "token.published" || entry.List(t)[0]["via"] != v.provider || strings.Contains(s.Log.String(), token) {
				t.Errorf("%s, %s is audited as %s", v.provider, name, entry.Text)
			}
		}
		token := s.NewToken(t, s.Owner)
		v.sendSigned(t, event, "", "sha256=00", `{"text":"`+token+`"}`)
		(&testkit.Client{URL: s.URL, Token: token}).Want(t, 200, "GET", "/member", nil)
	})
}
