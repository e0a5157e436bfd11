package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"milepost/internal/api"
	"milepost/internal/testkit"
)

// eventStream is an open stream of Server-Sent Events.
type eventStream struct {
	t     *testing.T
	lines *bufio.Reader
	body  io.Closer
	close context.CancelFunc
}

// openStream opens a stream and waits for its beginning.
func openStream(t *testing.T, as *testkit.Client, path string, header http.Header) *eventStream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", as.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	req.Header.Set("Service-Token", as.Token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { resp.Body.Close() })
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("Cache-Control") != "no-store" {
		t.Fatalf("GET %s: %d %v", path, resp.StatusCode, resp.Header)
	}
	return &eventStream{t: t, lines: bufio.NewReader(resp.Body), body: resp.Body, close: cancel}
}

// next is the text of the next event; "" when the stream has ended in order.
func (s *eventStream) next() string {
	s.t.Helper()
	var event strings.Builder
	for {
		line, err := s.lines.ReadString('\n')
		if err == io.EOF && event.Len() == 0 {
			return ""
		}
		if err != nil {
			s.t.Fatalf("after %q: %v", event.String(), err)
		}
		if line == "\n" {
			return event.String()
		}
		event.WriteString(line)
	}
}

// want fails unless the next event begins with the head and holds the text.
func (s *eventStream) want(head, text string) {
	s.t.Helper()
	if event := s.next(); !strings.HasPrefix(event, head) || !strings.Contains(event, text) {
		s.t.Errorf("the event is %q, want %q with %q", event, head, text)
	}
}

func TestChangeStream(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		stopping := make(chan struct{})
		s := testkit.New(t, address, func(c *api.Config) { c.Stopping = stopping })
		other := s.NewWorkspace(t, "second")
		label := func(as *testkit.Client, name string) { as.Want(t, 201, "POST", "/labels", `{"name":"`+name+`"}`) }
		label(s.Owner, "early")

		now := openStream(t, s.Owner, changeStream, nil)
		now.want("id: 2\n", "")
		all := openStream(t, s.Owner, changeStream+"?after=0", nil)
		all.want(":\n", "")
		all.want("id: 1\nevent: change\ndata: {", `"entity_type":"member"`)
		all.want("id: 2\nevent: change\ndata: {", `"name":"early"`)
		// A browser that comes back asks at the same address and says how far it was.
		back := openStream(t, s.Owner, changeStream+"?after=0", http.Header{"Last-Event-Id": {"1"}})
		back.want(":\n", "")
		back.want("id: 2\nevent: change\n", `"name":"early"`)

		label(other, "elsewhere")
		label(s.Owner, "late")
		page := s.Owner.Want(t, 200, "GET", changesPath+"?after=2", nil)
		data := strings.TrimSuffix(strings.TrimPrefix(page.Text, `{"changes":[`), `],"last":3}`)
		for _, stream := range []*eventStream{now, all, back} {
			if event := stream.next(); event != "id: 3\nevent: change\ndata: "+data+"\n" {
				t.Errorf("the event is %q, the page holds %s", event, data)
			}
		}
		if a := s.Owner.Do(t, "HEAD", changeStream, nil); a.Status != 200 {
			t.Errorf("HEAD is answered with %d", a.Status)
		}
		close(stopping)
		for _, stream := range []*eventStream{now, all, back} {
			if event := stream.next(); event != "" {
				t.Errorf("after the end came %q", event)
			}
		}
	})
}

// TestChangeStreamReset: a client whose number the log does not have is told to begin anew.
func TestChangeStreamReset(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		var streams []*eventStream
		for _, query := range []string{"?after=2", "?after=-1", "?after=9223372036854775807"} {
			streams = append(streams, openStream(t, s.Owner, changeStream+query, nil))
		}
		for _, id := range []string{"2", "-1", "x", "99999999999999999999"} {
			streams = append(streams, openStream(t, s.Owner, changeStream+"?after=0", http.Header{"Last-Event-Id": {id}}))
		}
		for _, stream := range streams {
			stream.want(":\n", "")
			stream.want("id: 1\nevent: reset\ndata: {\"last\":1}\n", "")
		}
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"next"}`)
		for _, stream := range streams {
			stream.want("id: 2\nevent: change\n", `"name":"next"`)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: changeStream + "?after=x", Status: 400, Want: `{"errors":{"after":"must be an integer"}}`},
			{As: &testkit.Client{URL: s.URL}, Method: "GET", Path: changeStream, Status: 401},
		})
	})
}

// TestChangeStreamLives: it gives signs of life, and ends when its token no longer opens anything.
func TestChangeStreamLives(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address, func(c *api.Config) { c.Heartbeat = time.Millisecond })
		mia := s.NewMember(t, s.Owner, "mia", "member")
		expiring := s.Owner.Want(t, 201, "POST", "/api/app/tokens", `{"name":"short","expires_at":"2026-01-05T10:01:00Z"}`).Object(t)["token"].(string)
		end := func(stream *eventStream) {
			t.Helper()
			if err := s.Service.Follow(t.Context()); err != nil {
				t.Fatal(err)
			}
			for event := ":\n"; event != ""; event = stream.next() {
				if event != ":\n" {
					t.Errorf("the event is %q", event)
				}
			}
		}
		short := openStream(t, &testkit.Client{URL: s.URL, Token: expiring}, changeStream+"?after=2", nil)
		long := openStream(t, s.Owner, changeStream+"?after=2", nil)
		before := s.Store.Queries()
		for range 3 {
			short.want(":\n", "")
			long.want(":\n", "")
		}
		if cost := s.Store.Queries() - before; cost > 2 {
			t.Errorf("waiting costs %d queries", cost)
		}
		s.Clock.Advance(60e9)
		end(short)

		leaving := openStream(t, mia, changeStream+"?after=2", nil)
		s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/api/app/members/%s", mia.Member.ID), `{"disabled":true}`)
		leaving.want(":\n", "")
		if err := s.Service.Follow(t.Context()); err != nil {
			t.Fatal(err)
		}
		for event := leaving.next(); event != ""; event = leaving.next() {
			if event != ":\n" && !strings.HasPrefix(event, "id: 3\n") {
				t.Errorf("the event is %q", event)
			}
		}
		if n := s.Service.Waiting(); n != 1 {
			t.Errorf("%d wait, want the one whose token is good", n)
		}
	})
}
