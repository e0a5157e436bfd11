package webhook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
	"milepost/internal/webhook"
)

// receiver notes what it is sent and answers as it is told to.
type receiver struct {
	URL string

	mu       sync.Mutex
	answer   http.HandlerFunc
	requests []*http.Request
	bodies   []string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{answer: func(http.ResponseWriter, *http.Request) {}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		body, err := io.ReadAll(req.Body)
		if err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		r.requests, r.bodies = append(r.requests, req), append(r.bodies, string(body))
		answer := r.answer
		r.mu.Unlock()
		answer(w, req)
	}))
	t.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// answers sets the status of all further answers.
func (r *receiver) answers(status int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }
}

// names are those of the labels that the receiver was told of, in order; it forgets them.
func (r *receiver) names(t *testing.T) []string {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	names := []string{}
	for _, body := range r.bodies {
		names = append(names, labelOf(t, body))
	}
	r.requests, r.bodies = nil, nil
	return names
}

func labelOf(t *testing.T, body string) string {
	t.Helper()
	var payload struct{ Actions []struct{ Name string } }
	if err := json.Unmarshal([]byte(body), &payload); err != nil || len(payload.Actions) == 0 {
		t.Fatalf("%s: %v", body, err)
	}
	return payload.Actions[0].Name
}

func (r *receiver) wantNames(t *testing.T, names ...string) {
	t.Helper()
	if got := r.names(t); !slices.Equal(got, names) {
		t.Errorf("the receiver got %q, want %q", got, names)
	}
}

func createHook(t *testing.T, s *testkit.Server, url string) int64 {
	t.Helper()
	return s.Owner.Want(t, 201, "POST", "/integrations/webhook", map[string]any{"webhook_url": url, "secret": "s3cret"}).ID(t)
}

func createLabel(t *testing.T, s *testkit.Server, name string) {
	t.Helper()
	s.Owner.Want(t, 201, "POST", "/labels", map[string]any{"name": name})
}

// deliveries lists those of the webhook, newest first.
func deliveries(t *testing.T, s *testkit.Server, hook int64) []map[string]any {
	t.Helper()
	return s.Owner.Want(t, 200, "GET", fmt.Sprintf("/api/app/webhooks/%d/deliveries", hook), nil).List(t)
}

// TestPayload delivers a story: what is sent, how it is signed, and what does not leave the workspace.
func TestPayload(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r := testkit.New(t, address), newReceiver(t)
		createLabel(t, s, "before")
		hook := createHook(t, s, r.URL+"/in")
		story := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump","labels":[{"name":"warm"}]}`).Object(t)
		s.NewMember(t, s.Owner, "mia", tracker.Regular)
		s.Owner.Want(t, 201, "POST", "/api/app/tokens", `{"name":"token"}`)
		s.Owner.Want(t, 200, "PUT", "/api/app/workspace", `{"name":"Elsewhere"}`)
		s.Webhooks.Round(t.Context())

		if len(r.bodies) != 1 {
			t.Fatalf("the receiver got %q", r.bodies)
		}
		req, body := r.requests[0], r.bodies[0]
		id := int64(story["id"].(float64))
		change := s.Changes(t, s.Owner.Workspace, 2)[0]
		want := fmt.Sprintf(`{"id":"%[1]s","changed_at":"2026-01-05T10:00:00.000Z","version":"v1","primary_id":%[2]d,"member_id":"%[3]s","actor_name":"Olivia Owner",
			"actions":[{"action":"create","app_url":"%[4]s/first/story/%[2]d","entity_type":"story","follower_ids":["%[3]s"],"id":%[2]d,"label_ids":[4],"name":"Pump",
			"position":2147483648,"requested_by_id":"%[3]s","story_type":"feature","workflow_id":500000004,"workflow_state_id":500000005},
			{"action":"create","app_url":"%[4]s/first/label/4","entity_type":"label","id":4,"name":"warm"}],
			"references":[{"entity_type":"workflow-state","id":500000005,"name":"Unscheduled","type":"unstarted"}]}`, change.ID, id, s.Owner.Member.ID, s.URL)
		if got := sorted(t, body); got != sorted(t, want) {
			t.Errorf("the payload is\n%s, want\n%s", got, sorted(t, want))
		}
		if req.Method != "POST" || req.URL.Path != "/in" || req.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %v", req.Method, req.URL, req.Header)
		}
		for _, name := range []string{"Payload-Signature", "Clubhouse-Signature", "Shortcut-Signature"} {
			if got := req.Header.Get(name); got != webhook.Sign("s3cret", []byte(body)) {
				t.Errorf("%s is %q", name, got)
			}
		}
		list := deliveries(t, s, hook)
		if len(list) != 1 || list[0]["status"] != 200.0 || list[0]["problem"] != nil || list[0]["number"] != 3.0 || list[0]["attempt"] != 1.0 {
			t.Errorf("the deliveries are %v", list)
		}
		// What is not told is passed over all the same.
		last := s.Changes(t, s.Owner.Workspace, 0)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: fmt.Sprintf("/api/app/webhooks/%d", hook), Status: 200,
			Want: fmt.Sprintf(`{"delivered_up_to":%d}`, last[len(last)-1].Number)}})
	})
}

// The known answer of RFC 4231, test case 2.
func TestSign(t *testing.T) {
	t.Parallel()
	if got := webhook.Sign("Jefe", []byte("what do ya want for nothing?")); got != "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" {
		t.Error(got)
	}
}

// sorted is the JSON text with its keys in order and the actions, whose order is that of the work, too.
func sorted(t *testing.T, text string) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	actions := v["actions"].([]any)
	slices.SortFunc(actions, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestRetries fails for a day: pauses grow, order stays, the webhook is given up and goes on when enabled.
func TestRetries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r, healthy := testkit.New(t, address), newReceiver(t), newReceiver(t)
		hook := createHook(t, s, r.URL)
		createHook(t, s, healthy.URL)
		r.answers(503)
		createLabel(t, s, "one")
		createLabel(t, s, "two")
		s.Webhooks.Round(t.Context())
		healthy.wantNames(t, "one", "two")
		r.wantNames(t, "one")
		for _, pause := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second} {
			s.Clock.Advance(pause - time.Millisecond)
			s.Webhooks.Round(t.Context())
			r.wantNames(t)
			s.Clock.Advance(time.Millisecond)
			s.Webhooks.Round(t.Context())
			r.wantNames(t, "one")
		}
		r.answers(200)
		s.Clock.Advance(4 * time.Second)
		s.Webhooks.Round(t.Context())
		r.wantNames(t, "one", "two")
		if list := deliveries(t, s, hook); len(list) != 7 || list[0]["attempt"] != 1.0 || list[1]["attempt"] != 6.0 ||
			list[6]["problem"] != "The receiver answered with 503." || list[6]["status"] != 503.0 {
			t.Errorf("the deliveries are %v", list)
		}

		r.answers(500)
		createLabel(t, s, "three")
		s.Webhooks.Round(t.Context())
		managed := fmt.Sprintf("/api/app/webhooks/%d", hook)
		attempts := 1
		for begin := s.Clock.Now(); s.Clock.Now().Sub(begin) < 24*time.Hour; attempts++ {
			testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: managed, Status: 200, Want: `{"disabled":false}`}})
			s.Clock.Advance(15 * time.Minute)
			s.Webhooks.Round(t.Context())
		}
		r.wantNames(t, slices.Repeat([]string{"three"}, attempts)...)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: managed, Status: 200, Want: `{"disabled":true,"delivered_up_to":3}`},
			{Method: "GET", Path: "/api/app/audit?limit=1", Status: 200, Want: `[{"action":"webhook.give-up"}]`},
		})
		r.answers(204)
		createLabel(t, s, "four")
		s.Clock.Advance(time.Hour)
		s.Webhooks.Round(t.Context())
		r.wantNames(t)
		s.Owner.Want(t, 200, "PUT", managed, `{"disabled":false}`)
		s.Webhooks.Round(t.Context())
		r.wantNames(t, "three", "four")

		// By hand, whatever the order; a failure does not disturb it.
		s.Owner.Want(t, 201, "POST", managed+"/deliveries", `{"number":2}`)
		r.wantNames(t, "one")
		r.answers(500)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: managed + "/deliveries", Body: `{"number":2}`, Status: 201, Want: `{"attempt":0,"status":500,"problem":"The receiver answered with 500."}`},
			{Method: "GET", Path: managed, Status: 200, Want: `{"delivered_up_to":5,"failing_since":null}`},
		})

		// After a week nothing is left of it.
		s.Clock.Advance(tracker.DeliveriesKept - time.Millisecond)
		s.Webhooks.Round(t.Context())
		if list := deliveries(t, s, hook); len(list) != 4 {
			t.Errorf("before the week is over there are %d deliveries", len(list))
		}
		s.Clock.Advance(time.Hour)
		s.Webhooks.Round(t.Context())
		if list := deliveries(t, s, hook); len(list) != 0 {
			t.Errorf("after a week there are %v", list)
		}
	})
}

// TestTwoNodes lets two nodes deliver at the same time: each change arrives once, in order, and when
// one node dies the other takes over.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r := testkit.New(t, address), newReceiver(t)
		beside, err := store.Open(t.Context(), address)
		if err != nil {
			t.Fatal(err)
		}
		defer beside.Close()
		twin := &testkit.Server{URL: s.URL, Clock: s.Clock, Log: s.Log, Service: service.New(beside, s.Clock.Now, service.Files{})}
		other := twin.NewDispatcher("other node", testkit.NewSender("127.0.0.0/8"))
		createHook(t, s, r.URL)

		var want []string
		for i := range 30 {
			name := fmt.Sprint("label ", i)
			want = append(want, name)
			createLabel(t, s, name)
			if i%3 == 0 {
				var both sync.WaitGroup
				both.Go(func() { s.Webhooks.Round(t.Context()) })
				both.Go(func() { other.Round(t.Context()) })
				both.Wait()
			}
		}
		s.Webhooks.Round(t.Context())
		other.Round(t.Context())
		r.wantNames(t, want...)

		// One of them holds the lease. Whichever it is dies: the other waits until the lease is over.
		createLabel(t, s, "next")
		holder, heir := s.Webhooks, other
		holder.Round(t.Context())
		if got := r.names(t); len(got) == 0 {
			holder, heir = heir, holder
			holder.Round(t.Context())
			r.wantNames(t, "next")
		}
		createLabel(t, s, "orphan")
		heir.Round(t.Context())
		r.wantNames(t)
		s.Clock.Advance(22*time.Second - time.Millisecond)
		heir.Round(t.Context())
		r.wantNames(t)
		s.Clock.Advance(time.Millisecond)
		heir.Round(t.Context())
		r.wantNames(t, "orphan")
		createLabel(t, s, "more")
		holder.Round(t.Context()) // it was not dead after all
		r.wantNames(t)
		heir.Round(t.Context())
		r.wantNames(t, "more")
	})
}

// TestLostLease: a node that was away for too long does not move the cursor that another one moved.
func TestLostLease(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r := testkit.New(t, address), newReceiver(t)
		other := s.NewDispatcher("other node", testkit.NewSender("127.0.0.0/8"))
		hook := createHook(t, s, r.URL)
		createLabel(t, s, "one")
		createLabel(t, s, "two")
		once := sync.OnceFunc(func() { // while the first delivery is under way
			r.answers(200)
			s.Clock.Advance(time.Minute)
			other.Round(t.Context())
		})
		r.answer = func(http.ResponseWriter, *http.Request) { once() }
		s.Webhooks.Round(t.Context())
		r.wantNames(t, "one", "one", "two")
		if list := deliveries(t, s, hook); len(list) != 2 {
			t.Errorf("the deliveries are %v", list)
		}
	})
}
