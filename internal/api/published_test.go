package api_test

import (
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// A token that is written into any text is revoked at once, wherever it belongs; the write
// succeeds, and neither the log nor the audit log holds the token.
func TestPublishedTokens(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		mia := s.NewMember(t, s.Owner, "mia", "member")
		story := storyPath(s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Story"}`).ID(t))
		for _, c := range []struct {
			method, path string
			status       int
			body         func(token string) map[string]any
		}{
			{"POST", "/stories", 201, func(token string) map[string]any {
				return map[string]any{"name": "x", "description": "use " + token + "!"}
			}},
			{"PUT", story, 200, func(token string) map[string]any { return map[string]any{"name": token} }},
			{"POST", story + "/comments", 201, func(token string) map[string]any { return map[string]any{"text": "(" + token + ")"} }},
			{"POST", story + "/tasks", 201, func(token string) map[string]any { return map[string]any{"description": token} }},
			{"PUT", story, 200, func(token string) map[string]any {
				return map[string]any{"external_links": []string{"https://example.com/?token=" + token}}
			}},
			{"POST", "/labels", 201, func(token string) map[string]any { return map[string]any{"name": token} }},
			{"POST", "/documents", 201, func(token string) map[string]any {
				return map[string]any{"title": "x", "content": "<p>use " + strings.Replace(token, "_", "&#95;", 1) + "</p>"}
			}},
			{"POST", "/documents", 201, func(token string) map[string]any { return map[string]any{"title": token, "content": ""} }},
			{"POST", "/epics", 201, func(token string) map[string]any { return map[string]any{"name": token} }},
		} {
			token := s.NewToken(t, other)
			leaked := &testkit.Client{URL: s.URL, Token: token}
			leaked.Want(t, 200, "GET", "/member", nil)
			s.Owner.Want(t, c.status, c.method, c.path, c.body(token))
			leaked.Want(t, 401, "GET", "/member", nil)
			entry := other.Want(t, 200, "GET", "/api/app/audit?limit=1", nil)
			if entry.List(t)[0]["action"] != "token.published" || strings.Contains(entry.Text, token) {
				t.Errorf("%s %s is audited as %s", c.method, c.path, entry.Text)
			}
			if strings.Contains(s.Log.String(), token) {
				t.Errorf("%s %s: the log holds the token", c.method, c.path)
			}
		}
		other.Want(t, 200, "GET", "/member", nil)
		almost := mia.Token[:44] + "x"
		if almost == mia.Token {
			almost = mia.Token[:44] + "y"
		}
		s.Owner.Want(t, 201, "POST", "/labels", map[string]any{"name": almost})
		mia.Want(t, 200, "GET", "/member", nil)
		own := s.NewToken(t, s.Owner)
		publisher := &testkit.Client{URL: s.URL, Token: own}
		publisher.Want(t, 201, "POST", "/labels", map[string]any{"name": own})
		publisher.Want(t, 401, "GET", "/member", nil)
	})
}
