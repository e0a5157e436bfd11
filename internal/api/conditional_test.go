package api_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"milepost/internal/testkit"
)

// with gives a client that sends one more header.
func with(c *testkit.Client, name, value string) *testkit.Client {
	clone := *c
	clone.Header = http.Header{name: {value}}
	return &clone
}

func TestETags(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Story"}`).ID(t)
		path := storyPath(id)
		first := s.Owner.Want(t, 200, "GET", path, nil).Header.Get("ETag")
		list := s.Owner.Want(t, 200, "GET", "/labels", nil).Header.Get("ETag")
		if len(first) != 34 || list[:2] != "W/" {
			t.Fatalf("the tags are %q and %q", first, list)
		}
		for _, known := range []string{first, "W/" + first, `"x", ` + first, "*"} {
			if a := with(s.Owner, "If-None-Match", known).Want(t, 304, "GET", path, nil); a.Text != "" || a.Header.Get("ETag") != first {
				t.Errorf("%s is answered with %q", known, a.Text)
			}
		}
		with(s.Owner, "If-None-Match", list).Want(t, 304, "GET", "/labels", nil)
		with(s.Owner, "If-None-Match", `"other"`).Want(t, 200, "GET", path, nil)

		second := with(s.Owner, "If-Match", first).Want(t, 200, "PUT", path, `{"name":"Renamed"}`).Header.Get("ETag")
		if now := s.Owner.Want(t, 200, "GET", path, nil).Header.Get("ETag"); second == first || now != second {
			t.Errorf("the update is tagged %q, the resource %q", second, now)
		}
		changes := len(s.Changes(t, s.Owner.Workspace, 0))
		stale := with(s.Owner, "If-Match", first)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "stale update", As: stale, Method: "PUT", Path: path, Body: `{"name":"Lost"}`, Status: 412},
			{Name: "stale delete", As: stale, Method: "DELETE", Path: path, Status: 412},
			{Name: "a weak tag matches nothing", As: with(s.Owner, "If-Match", "W/"+second), Method: "PUT", Path: path, Body: `{"name":"Lost"}`, Status: 412},
			{Name: "what else is wrong comes first: schema", As: stale, Method: "PUT", Path: path, Body: `{"name":1}`, Status: 400},
			{Name: "existence", As: stale, Method: "PUT", Path: "/stories/99999", Body: `{"name":"x"}`, Status: 404},
			{Name: "content", As: stale, Method: "PUT", Path: path, Body: `{"epic_id":99999}`, Status: 422},
			{Name: "nothing was written", Method: "GET", Path: path, Status: 200, Want: `{"name":"Renamed"}`},
		})
		if now := len(s.Changes(t, s.Owner.Workspace, 0)); now != changes {
			t.Errorf("refused writes made %d changes", now-changes)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "bulk ignores If-Match", As: stale, Method: "PUT", Path: "/stories/bulk", Body: fmt.Sprintf(`{"story_ids":[%d],"estimate":1}`, id), Status: 200},
			{Name: "any", As: with(s.Owner, "If-Match", "*"), Method: "DELETE", Path: path, Status: 204},
		})
	})
}

func TestIdempotencyKeys(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewMember(t, s.Owner, "mia", "member")
		once := with(s.Owner, "Idempotency-Key", "key-1")
		const body = `{"name":"Once"}`
		first := once.Want(t, 201, "POST", "/stories", body)
		again := once.Want(t, 201, "POST", "/stories", body)
		if again.Text != first.Text || again.Header.Get("Idempotency-Replayed") != "true" || first.Header.Get("Idempotency-Replayed") != "" {
			t.Errorf("the repetition is answered with %q", again.Text)
		}
		path := storyPath(first.ID(t))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "another body", As: once, Method: "POST", Path: "/stories", Body: `{"name":"Other"}`, Status: 422, Want: `{"errors":{"Idempotency-Key":"was used before with another body"}}`},
			{Name: "another path", As: once, Method: "POST", Path: "/labels", Body: body, Status: 201},
			{Name: "another version", As: once, Method: "POST", Path: "/api/beta/labels", Body: `{"name":"Beta"}`, Status: 201},
			{Name: "another member", As: with(other, "Idempotency-Key", "key-1"), Method: "POST", Path: "/stories", Body: body, Status: 201},
			{Name: "a failure is not kept", As: with(s.Owner, "Idempotency-Key", "key-2"), Method: "POST", Path: "/labels", Body: body, Status: 422},
			{Name: "nor its body", As: with(s.Owner, "Idempotency-Key", "key-2"), Method: "POST", Path: "/labels", Body: `{"name":"Fresh"}`, Status: 201},
			{Name: "too long", As: with(s.Owner, "Idempotency-Key", string(make256())), Method: "POST", Path: "/labels", Body: `{"name":"Long"}`, Status: 400},
			{Name: "delete", As: with(s.Owner, "Idempotency-Key", "key-3"), Method: "DELETE", Path: path, Status: 204},
			{Name: "delete again", As: with(s.Owner, "Idempotency-Key", "key-3"), Method: "DELETE", Path: path, Status: 204},
			{Name: "delete without the key", Method: "DELETE", Path: path, Status: 404},
			{Name: "reads have no key", As: with(s.Owner, "Idempotency-Key", "key-4"), Method: "POST", Path: "/stories/search", Body: `{}`, Status: 201},
		})
		s.Clock.Advance(24*time.Hour + time.Second)
		if err := s.Service.ForgetAnswers(t.Context()); err != nil {
			t.Fatal(err)
		}
		if late := once.Want(t, 201, "POST", "/stories", body); late.ID(t) == first.ID(t) {
			t.Error("a key is remembered for more than 24 hours")
		}
	})
}

func make256() []byte {
	b := make([]byte, 256)
	for i := range b {
		b[i] = 'k'
	}
	return b
}

// Duplicates that come at the same time wait for the first and get its answer.
func TestConcurrentDuplicates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		once := with(s.Owner, "Idempotency-Key", "same")
		answers := make([]string, 20)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				if a := once.Do(t, "POST", "/stories", `{"name":"Once"}`); a.Status == 201 {
					answers[i] = a.Text
				}
			})
		}
		all.Wait()
		for i, text := range answers {
			if text == "" || text != answers[0] {
				t.Fatalf("answer %d is %q, the first %q", i, text, answers[0])
			}
		}
		if stories := s.Owner.Want(t, 201, "POST", "/stories/search", `{}`).List(t); len(stories) != 1 {
			t.Errorf("%d stories were made", len(stories))
		}
	})
}

// A token's text is shown once: it is not kept for repetitions.
func TestTokensAreNotKept(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	once := with(s.Owner, "Idempotency-Key", "token")
	first := once.Want(t, 201, "POST", "/api/app/tokens", `{"name":"a"}`)
	if second := once.Want(t, 201, "POST", "/api/app/tokens", `{"name":"a"}`); second.Text == first.Text {
		t.Error("the same token was answered twice")
	}
}
