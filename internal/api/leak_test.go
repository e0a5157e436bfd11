package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"milepost/internal/api"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
	"milepost/internal/webhook"
)

const leakedTokens = "/api/hooks/leaked-tokens"

// reporter signs what it sends with the secret.
func reporter(s *testkit.Server, secret, body string) *testkit.Client {
	return &testkit.Client{URL: s.URL, Header: http.Header{"Payload-Signature": {webhook.Sign(secret, []byte(body))}}}
}

func TestLeakedTokens(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address, func(c *api.Config) { c.LeakSecret = "between us" })
		other := s.NewWorkspace(t, "second")
		live, revoked := s.NewToken(t, other), s.NewToken(t, s.Owner)
		_, id, err := s.Service.FindToken(t.Context(), revoked)
		if err != nil {
			t.Fatal(err)
		}
		s.Owner.Want(t, 204, "DELETE", "/api/app/tokens/"+string(id), nil)
		unknown, err := tracker.NewToken(strings.NewReader(strings.Repeat("a", 1000)))
		if err != nil {
			t.Fatal(err)
		}
		var report []map[string]string
		var want []string
		for _, c := range []struct{ token, label string }{
			{live, "true_positive"}, {revoked, "true_positive"}, {unknown, "false_positive"}, {"ghp_0123", "false_positive"}, {"", "false_positive"},
			{live, "true_positive"},
		} {
			report = append(report, map[string]string{"token": c.token, "type": "milepost", "url": "https://example.org/leak", "source": "content"})
			want = append(want, fmt.Sprintf(`{"token_hash":%q,"token_type":"milepost","label":%q}`, tracker.HashToken(c.token), c.label))
		}
		body, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		leaked := &testkit.Client{URL: s.URL, Token: live}
		leaked.Want(t, 200, "GET", "/member", nil)
		a := reporter(s, "between us", string(body)).Want(t, 200, "POST", leakedTokens, string(body))
		if got := strings.TrimSpace(a.Text); got != "["+strings.Join(want, ",")+"]" {
			t.Errorf("the answer is %s, want %s", got, want)
		}
		leaked.Want(t, 401, "GET", "/member", nil)
		audit := other.Want(t, 200, "GET", "/api/app/audit", nil)
		if first := audit.List(t)[0]; first["action"] != "token.published" || first["via"] != "hooks" || first["address"] != "127.0.0.1" {
			t.Errorf("the audit log begins with %v", first)
		}
		if strings.Count(audit.Text, "token.published") != 1 || strings.Contains(audit.Text+s.Log.String(), live) {
			t.Errorf("the audit log is %s", audit.Text)
		}

		many := func(n int) string { return "[" + strings.Repeat(`{"token":"x"},`, n-1) + `{"token":"x"}]` }
		for _, c := range []struct {
			name, method, body string
			status             int
		}{
			{"nothing", "POST", "[]", 200},
			{"more than is read", "POST", `[{"token":"x","type":"t","url":"u","source":"s","more":1}]`, 200},
			{"most", "POST", many(1000), 200},
			{"too many", "POST", many(1001), 400},
			{"no array", "POST", `{"token":"x"}`, 400},
			{"no JSON", "POST", `[`, 400},
			{"largest", "POST", "[]" + strings.Repeat(" ", 1<<20-2), 200},
			{"too large", "POST", "[]" + strings.Repeat(" ", 1<<20-1), 413},
			{"another method", "GET", "", 405},
		} {
			if a := reporter(s, "between us", c.body).Do(t, c.method, leakedTokens, c.body); a.Status != c.status {
				t.Errorf("%s: %d %s, want %d", c.name, a.Status, a.Text, c.status)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "no signature", Method: "POST", Path: leakedTokens, Body: "[]", Status: 401, Want: `{"tag":"unauthorized"}`},
			{Name: "signed by others", As: reporter(s, "guess", "[]"), Method: "POST", Path: leakedTokens, Body: "[]", Status: 401},
			{Name: "another body", As: reporter(s, "between us", "[]"), Method: "POST", Path: leakedTokens, Body: "[ ]", Status: 401},
			{Name: "another hook", Method: "POST", Path: "/api/hooks/other", Status: 404},
		})
	})
}

// TestLeakReportsAreOff: without a secret there is nothing at the address.
func TestLeakReportsAreOff(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		reporter(s, "", "[]").Want(t, 404, "POST", leakedTokens, "[]")
	})
}

// TestLeakGuesses: who guesses signatures is told to wait, as who guesses tokens is.
func TestLeakGuesses(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address, testkit.WithRateLimit(200), func(c *api.Config) { c.LeakSecret = "between us" })
		guess := reporter(s, "guess", "[]")
		for range 300 {
			guess.Want(t, 401, "POST", leakedTokens, "[]")
		}
		if a := guess.Want(t, 429, "POST", leakedTokens, "[]"); a.Header.Get("Retry-After") == "" {
			t.Error("there is no Retry-After")
		}
		reporter(s, "between us", "[]").Want(t, 200, "POST", leakedTokens, "[]")
	})
}
