package webhook_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"milepost/internal/testkit"
	"milepost/internal/webhook"
)

// nameserver answers every question with this machine's address.
func nameserver(t *testing.T) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		for buf := make([]byte, 512); ; {
			n, from, err := conn.ReadFrom(buf)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if err := m.Unpack(buf[:n]); err != nil {
				t.Error(err)
				return
			}
			m.Response, m.Additionals = true, nil
			if q := m.Questions[0]; q.Type == dnsmessage.TypeA {
				m.Answers = []dnsmessage.Resource{{
					Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1}, Body: &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
				}}
			}
			answer, err := m.Pack()
			if err != nil {
				t.Error(err)
				return
			}
			_, _ = conn.WriteTo(answer, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// TestAddresses: nothing is sent into a private network unless the operator allows it, whatever the way
// there, and the delivery says why.
func TestAddresses(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r := testkit.New(t, address), newReceiver(t)
		port := r.URL[strings.LastIndex(r.URL, ":"):]
		const refused = "The address is in a private or reserved network, which the operator has not allowed (--webhook-allow)."
		strict := s.NewDispatcher("strict", webhook.NewSender(10*time.Second, nil, nameserver(t)))
		hooks := map[int64]string{}
		for _, url := range []string{
			r.URL, "http://localhost" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port, "http://0.0.0.0" + port,
			"http://innocent.example" + port,
		} {
			hooks[createHook(t, s, url)] = url
		}
		createLabel(t, s, "one")
		strict.Round(t.Context())
		for hook, url := range hooks {
			list := deliveries(t, s, hook)
			if len(list) != 1 || list[0]["problem"] != refused || list[0]["status"] != nil {
				t.Errorf("%s: %v", url, list)
			}
			s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/integrations/webhook/%d", hook), nil)
		}
		r.wantNames(t)

		// With the network allowed, the same name leads somewhere.
		open := s.NewDispatcher("open", webhook.NewSender(10*time.Second, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, nameserver(t)))
		createHook(t, s, "http://innocent.example"+port)
		createLabel(t, s, "two")
		open.Round(t.Context())
		r.wantNames(t, "two")
	})
}

// TestGuard judges addresses of other machines without going there.
func TestGuard(t *testing.T) {
	t.Parallel()
	allow := []netip.Prefix{netip.MustParsePrefix("10.1.0.0/16"), netip.MustParsePrefix("fd00:1::/32")}
	for address, want := range map[string]bool{
		"10.0.0.1:443": false, "10.1.0.1:443": true, "172.16.0.1:80": false, "192.168.1.1:80": false, "169.254.169.254:80": false, "100.64.0.1:80": false,
		"[fd00::1]:80": false, "[fd00:1::1]:80": true, "[fe80::1]:80": false, "[64:ff9b::7f00:1]:80": false, "[::ffff:10.0.0.1]:80": false,
		"8.8.8.8:8443": true, "[2606:4700::1111]:443": true,
	} {
		if got := webhook.Allowed(allow, address); got != want {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
}

// TestRedirects: they are not followed, be they to a private address or elsewhere.
func TestRedirects(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r, target := testkit.New(t, address), newReceiver(t), newReceiver(t)
		for _, status := range []int{301, 302, 303, 307, 308} {
			r.answer = func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", target.URL)
				w.WriteHeader(status)
			}
			hook := createHook(t, s, r.URL)
			createLabel(t, s, fmt.Sprint(status))
			s.Webhooks.Round(t.Context())
			list := deliveries(t, s, hook)
			if want := fmt.Sprintf("The receiver answered with %d; redirects are not followed.", status); len(list) != 1 || list[0]["problem"] != want {
				t.Errorf("%d: %v", status, list)
			}
			s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/integrations/webhook/%d", hook), nil)
		}
		target.wantNames(t)
	})
}

// TestAnswers: what a receiver answers is kept as far as it is sane, and what goes wrong is told.
func TestAnswers(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, r := testkit.New(t, address), newReceiver(t)
		hook := createHook(t, s, r.URL)
		const kept = 4096
		for i, c := range []struct {
			answer          http.HandlerFunc
			status, problem any
			text            string
		}{
			{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "thanks") }, 200.0, nil, "thanks"},
			{func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(299) }, 299.0, nil, ""},
			{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, strings.Repeat("x", kept+1)) }, 200.0, nil, strings.Repeat("x", kept)},
			{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "a\x00b\xffc") }, 200.0, nil, "a\uFFFDb\uFFFDc"},
			{func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(404)
				fmt.Fprint(w, "who?")
			}, 404.0, "The receiver answered with 404.", "who?"},
			{func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, nil,
				"The receiver could not be reached, or ended the connection without an answer.", ""},
		} {
			r.answer = c.answer
			createLabel(t, s, fmt.Sprint("label ", i))
			s.Webhooks.Round(t.Context())
			d := deliveries(t, s, hook)[0]
			if d["status"] != c.status || d["problem"] != c.problem || d["answer"] != c.text {
				t.Errorf("case %d: %v", i, d)
			}
			if c.problem != nil {
				r.answers(200)
				s.Clock.Advance(time.Second)
				s.Webhooks.Round(t.Context())
			}
		}
		unknown := createHook(t, s, "http://no-such-name.example")
		closed := createHook(t, s, "http://127.0.0.1:1")
		createLabel(t, s, "last")
		s.Webhooks.Round(t.Context())
		for id, want := range map[int64]string{
			unknown: "The name of the receiver could not be resolved.",
			closed:  "The receiver could not be reached, or ended the connection without an answer.",
		} {
			if d := deliveries(t, s, id)[0]; d["problem"] != want {
				t.Errorf("%v, want %s", d, want)
			}
		}
	})
}

// TestSlowReceiver: one that does not answer delays neither writers nor another webhook, and is not
// waited for without end.
func TestSlowReceiver(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, slow, healthy := testkit.New(t, address), newReceiver(t), newReceiver(t)
		release, entered, heard := make(chan struct{}), make(chan struct{}, 1), make(chan struct{}, 3)
		slow.answer = func(http.ResponseWriter, *http.Request) {
			entered <- struct{}{}
			<-release
		}
		healthy.answer = func(http.ResponseWriter, *http.Request) { heard <- struct{}{} }
		createHook(t, s, slow.URL)
		createHook(t, s, healthy.URL)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { s.Webhooks.Run(ctx) })
		createLabel(t, s, "one")
		<-entered
		for _, name := range []string{"two", "three"} {
			createLabel(t, s, name)
		}
		for range 3 {
			<-heard
		}
		healthy.wantNames(t, "one", "two", "three")
		slow.wantNames(t, "one")
		// The end of the server waits for what is under way, and begins nothing more.
		stop()
		close(release)
		running.Wait()
		slow.wantNames(t)

		late := s.NewDispatcher("late", webhook.NewSender(time.Millisecond, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, nil))
		block := make(chan struct{})
		defer close(block)
		slow.answer = func(http.ResponseWriter, *http.Request) { <-block }
		hook := createHook(t, s, slow.URL)
		createLabel(t, s, "four")
		late.Round(t.Context())
		if d := deliveries(t, s, hook)[0]; d["problem"] != "The receiver did not answer within 1ms." {
			t.Errorf("%v", d)
		}
	})
}
