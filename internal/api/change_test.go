package api_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"milepost/internal/api"
	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const (
	changesPath  = "/api/app/changes"
	changeStream = "/api/app/changes/stream"
)

// numbersOf are the numbers of a page of changes, and the last one there is.
func numbersOf(t *testing.T, a testkit.Answer) (numbers []int, last int) {
	t.Helper()
	page := a.Object(t)
	for _, c := range page["changes"].([]any) {
		numbers = append(numbers, int(c.(map[string]any)["number"].(float64)))
	}
	return numbers, int(page["last"].(float64))
}

func TestChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		other.Want(t, 201, "POST", "/labels", `{"name":"elsewhere"}`)
		observer := s.NewMember(t, s.Owner, "olga", tracker.Observer)
		label := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"red"}`).ID(t)
		s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/labels/%d", label), `{"name":"blue"}`)
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/labels/%d", label), nil)

		a := observer.Want(t, 200, "GET", changesPath, nil)
		if numbers, last := numbersOf(t, a); fmt.Sprint(numbers) != "[1 2 3 4 5]" || last != 5 {
			t.Errorf("changes %v, last %d", numbers, last)
		}
		if strings.Contains(a.Text, "elsewhere") {
			t.Errorf("shows another workspace: %s", a.Text)
		}
		owner := string(s.Owner.Member.ID)
		testkit.Run(t, observer, []testkit.Case{
			{Method: "GET", Path: changesPath + "?after=2", Status: 200, Want: `{"last":5,"changes":[
				{"number":3,"changed_at":"2026-01-05T10:00:00.000Z","member_id":"` + owner + `","actor_name":"Olivia Owner","references":[],
				 "actions":[{"action":"create","entity_type":"label","name":"red"}]},
				{"number":4,"actions":[{"action":"update","entity_type":"label","name":"blue","changes":{"name":{"old":"red","new":"blue"}}}]},
				{"number":5,"actions":[{"action":"delete","entity_type":"label","name":"blue"}]}]}`},
			{Name: "the operator is no member", Method: "GET", Path: changesPath + "?limit=1", Status: 200,
				Want: `{"changes":[{"number":1,"member_id":null,"actor_name":"operator"}],"last":5}`},
			{Name: "a page", Method: "GET", Path: changesPath + "?after=1&limit=2", Status: 200, Want: `{"changes":[{"number":2},{"number":3}],"last":5}`},
			{Name: "the end", Method: "GET", Path: changesPath + "?after=5", Status: 200, Want: `{"changes":[],"last":5}`},
			{Name: "beyond the end", Method: "GET", Path: changesPath + "?after=6", Status: 422, Want: `{"errors":{"after":"is beyond the last change, 5: what you know is not of this workspace's past"}}`},
			{Name: "beyond the end, waiting", Method: "GET", Path: changesPath + "?after=6&wait=30", Status: 422},
			{Method: "GET", Path: changesPath + "?after=-1", Status: 400},
			{Method: "GET", Path: changesPath + "?limit=0", Status: 400},
			{Method: "GET", Path: changesPath + "?limit=1000", Status: 200},
			{Method: "GET", Path: changesPath + "?limit=1001", Status: 400},
			{Method: "GET", Path: changesPath + "?wait=-1", Status: 400},
			{Name: "no need to wait", Method: "GET", Path: changesPath + "?wait=30", Status: 200},
			{Method: "GET", Path: changesPath + "?wait=31", Status: 400},
			{Name: "nothing comes", Method: "GET", Path: changesPath + "?after=5&wait=1", Status: 200, Want: `{"changes":[],"last":5}`},
			{As: &testkit.Client{URL: s.URL}, Method: "GET", Path: changesPath, Status: 401},
		})
	})
}

// TestChangesInPages reads a log page by page: nothing is missing, nothing comes twice, and a page of
// many changes costs as many queries as one of few.
func TestChangesInPages(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for i := range 120 {
			s.Owner.Want(t, 201, "POST", "/labels", fmt.Sprintf(`{"name":"label %d"}`, i))
		}
		cost := func(limit int) int64 {
			before := s.Store.Queries()
			s.Owner.Want(t, 200, "GET", fmt.Sprintf("%s?after=1&limit=%d", changesPath, limit), nil)
			return s.Store.Queries() - before
		}
		if few, many := cost(10), cost(110); few != many {
			t.Errorf("10 changes cost %d queries, 110 cost %d", few, many)
		}
		after, last := 0, 121
		for after < last {
			numbers, newest := numbersOf(t, s.Owner.Want(t, 200, "GET", fmt.Sprintf("%s?after=%d&limit=7", changesPath, after), nil))
			if newest != last || len(numbers) == 0 {
				t.Fatalf("after %d: %v, last %d", after, numbers, newest)
			}
			for _, n := range numbers {
				if after++; n != after {
					t.Fatalf("change %d where %d was to be", n, after)
				}
			}
		}
	})
}

// TestLargeChanges: a page ends before it takes too much memory, but makes progress.
func TestLargeChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		text := strings.Repeat("x", 100_000)
		var stories []string
		for range 100 {
			stories = append(stories, `{"name":"large","description":"`+text+`"}`)
		}
		body := `{"stories":[` + strings.Join(stories, ",") + `]}`
		for range 3 { // 10 MB each
			s.Owner.Want(t, 201, "POST", "/stories/bulk", body)
		}
		for after, want := range map[int]string{0: "[1 2]", 1: "[2]", 2: "[3]", 3: "[4]"} {
			if numbers, _ := numbersOf(t, s.Owner.Want(t, 200, "GET", fmt.Sprintf("%s?after=%d", changesPath, after), nil)); fmt.Sprint(numbers) != want {
				t.Errorf("after %d: %v, want %s", after, numbers, want)
			}
		}
	})
}

// waitFor sends a request that waits and gives its answer once it has come. It returns when the
// request waits.
func waitFor(t *testing.T, s *testkit.Server, as *testkit.Client, path string) <-chan testkit.Answer {
	t.Helper()
	before := s.Service.Waiting()
	answer := make(chan testkit.Answer, 1)
	go func() { answer <- as.Do(t, "GET", path, nil) }()
	for s.Service.Waiting() == before {
		runtime.Gosched()
	}
	return answer
}

func TestChangesAreWaitedFor(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		stopping := make(chan struct{})
		s := testkit.New(t, address, func(c *api.Config) { c.Stopping = stopping })
		other := s.NewWorkspace(t, "second")
		queries := func(wait func()) int64 {
			before := s.Store.Queries()
			wait()
			return s.Store.Queries() - before
		}

		answer := waitFor(t, s, s.Owner, changesPath+"?after=1&wait=30")
		other.Want(t, 201, "POST", "/labels", `{"name":"elsewhere"}`)
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"one"}`)
		if numbers, last := numbersOf(t, <-answer); fmt.Sprint(numbers) != "[2]" || last != 2 {
			t.Errorf("changes %v, last %d", numbers, last)
		}

		// Another process writes, as another node or the command line does.
		beside, err := store.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer beside.Close()
		answer = waitFor(t, s, s.Owner, changesPath+"?after=2&wait=30")
		_, err = service.New(beside, s.Clock.Now, service.Files{}).AddMember(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.MemberParams{
			Name: "New", Email: "new@example.org", MentionName: "new", Role: tracker.Regular,
		})
		if err != nil {
			t.Fatal(err)
		}
		cost := queries(func() {
			if err := s.Service.Follow(t.Context()); err != nil {
				t.Fatal(err)
			}
		})
		if numbers, _ := numbersOf(t, <-answer); fmt.Sprint(numbers) != "[3]" {
			t.Errorf("changes of another process: %v", numbers)
		}
		if cost < 2 {
			t.Errorf("following cost %d queries", cost)
		}
		if idle := queries(func() { _ = s.Service.Follow(t.Context()) }); idle != 0 {
			t.Errorf("with nobody waiting, following costs %d queries", idle)
		}

		token := s.NewToken(t, s.Owner)
		answer = waitFor(t, s, &testkit.Client{URL: s.URL, Token: token}, changesPath+"?after=3&wait=30")
		s.Owner.Want(t, 201, "POST", "/api/app/tokens", `{"name":"x"}`)
		_, id, err := s.Service.FindToken(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		s.Owner.Want(t, 204, "DELETE", "/api/app/tokens/"+string(id), nil)
		if err := s.Service.Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		if a := <-answer; a.Status != 401 {
			t.Errorf("a revoked token is answered with %d %s", a.Status, a.Text)
		}

		answer = waitFor(t, s, s.Owner, changesPath+"?after=3&wait=30")
		close(stopping)
		if numbers, last := numbersOf(t, <-answer); len(numbers) > 0 || last != 3 {
			t.Errorf("at the end: %v, %d", numbers, last)
		}
		if n := s.Service.Waiting(); n != 0 {
			t.Errorf("%d still wait", n)
		}
	})
}

// TestTooManyWait holds a token to its bound, which is free again when a request ends.
func TestTooManyWait(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		var open []*eventStream
		for range service.WatchesOfToken {
			open = append(open, openStream(t, s.Owner, changeStream, nil))
		}
		for _, path := range []string{changeStream, changesPath + "?after=1&wait=1"} {
			if a := s.Owner.Do(t, "GET", path, nil); a.Status != http.StatusTooManyRequests {
				t.Errorf("GET %s: %d %s", path, a.Status, a.Text)
			}
		}
		s.Owner.Want(t, 200, "GET", changesPath, nil)
		second := &testkit.Client{URL: s.URL, Token: s.NewToken(t, s.Owner)}
		openStream(t, second, changeStream, nil)
		open[0].close()
		for s.Service.Waiting() > service.WatchesOfToken {
			runtime.Gosched()
		}
		openStream(t, s.Owner, changeStream, nil)
	})
}
