package api_test

import (
	"context"
	"testing"
	"time"

	"milepost/internal/service"
	"milepost/internal/testkit"
)

// ask sends n requests and expects each to be answered with the status.
func ask(t *testing.T, as *testkit.Client, n, status int) (last testkit.Answer) {
	t.Helper()
	for i := range n {
		if last = as.Do(t, "GET", "/member", nil); last.Status != status {
			t.Fatalf("request %d of %d: status %d, want %d: %s", i+1, n, last.Status, status, last.Text)
		}
	}
	return last
}

func wantHeader(t *testing.T, a testkit.Answer, name, want string) {
	t.Helper()
	if got := a.Header.Get(name); got != want {
		t.Errorf("%s is %q, want %q", name, got, want)
	}
}

func TestRateLimit(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db", testkit.WithRateLimit(200))
	first := ask(t, s.Owner, 1, 200)
	wantHeader(t, first, "RateLimit-Policy", `"default";q=200;w=60`)
	wantHeader(t, first, "RateLimit", `"default";r=199;t=60`)
	s.Clock.Advance(10 * time.Second)
	last := ask(t, s.Owner, 199, 200)
	wantHeader(t, last, "RateLimit", `"default";r=0;t=50`)

	refused := ask(t, s.Owner, 1, 429)
	if o := refused.Object(t); o["tag"] != "rate_limited" || o["message"] == nil {
		t.Errorf("answer %s", refused.Text)
	}
	wantHeader(t, refused, "Retry-After", "50")
	wantHeader(t, refused, "RateLimit", `"default";r=0;t=50`)
	ask(t, s.Owner, 300, 429) // they do not count

	_, text, err := s.Service.CreateToken(context.Background(), testkit.Operator(s.Owner.Workspace), s.Owner.Member.ID, service.NewToken{Name: "other"})
	if err != nil {
		t.Fatal(err)
	}
	ask(t, sending(s, "Service-Token", text), 200, 200) // each token has a limit of its own

	s.Clock.Advance(50*time.Second - time.Nanosecond)
	wantHeader(t, ask(t, s.Owner, 1, 429), "Retry-After", "1")
	s.Clock.Advance(time.Nanosecond)
	ask(t, s.Owner, 1, 200) // the first request is a minute ago, the other 199 are not
	ask(t, s.Owner, 1, 429)
	s.Clock.Advance(10 * time.Second)
	ask(t, s.Owner, 199, 200)
	ask(t, s.Owner, 1, 429)
}

// TestGuessing limits the requests without a valid token that come from one address.
func TestGuessing(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db", testkit.WithRateLimit(5), testkit.TrustEverybody)
	from := func(address, token string) *testkit.Client {
		return sending(s, "X-Forwarded-Proto", "https", "X-Forwarded-For", address, "Service-Token", token)
	}
	// With everybody trusted, the client is the left-most address.
	guesser := from("192.0.2.1", "mp_guess")
	ask(t, guesser, 150, 401)
	s.Clock.Advance(time.Second)
	ask(t, from("192.0.2.1", ""), 150, 401)
	refused := ask(t, guesser, 1, 429)
	wantHeader(t, refused, "Retry-After", "59")
	if refused.Object(t)["tag"] != "rate_limited" {
		t.Error(refused.Text)
	}
	ask(t, from("192.0.2.1", s.Owner.Token), 5, 200) // who knows a token is no guesser
	ask(t, from("192.0.2.2", "mp_guess"), 1, 401)
	s.Clock.Advance(59 * time.Second)
	ask(t, guesser, 150, 401)
	ask(t, guesser, 1, 429)
}

func TestNoRateLimit(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db", testkit.WithRateLimit(0))
	last := ask(t, s.Owner, 201, 200)
	wantHeader(t, last, "RateLimit", "")
	wantHeader(t, last, "RateLimit-Policy", "")
	ask(t, sending(s, "Service-Token", "mp_guess"), 301, 401)
}
