package httpd

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// running is a server under test with hands on its clock.
type running struct {
	*Server
	t      *testing.T
	cancel context.CancelFunc
	ended  chan error
	// timers gets each wait that the server begins; the test ends it.
	timers chan timer
	client *http.Client
}

type timer struct {
	d    time.Duration
	fire chan time.Time
}

func start(t *testing.T, s *Server) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := &running{Server: s, t: t, cancel: cancel, ended: make(chan error, 1), timers: make(chan timer, 8)}
	s.Addr = "127.0.0.1:0"
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	s.After = func(d time.Duration) <-chan time.Time {
		fire := make(chan time.Time, 1)
		r.timers <- timer{d, fire}
		return fire
	}
	if err := s.Listen(); err != nil {
		t.Fatal(err)
	}
	// Without keep-alive each request shows whether the server accepts connections.
	r.client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	go func() { r.ended <- s.Serve(ctx) }()
	return r
}

func (r *running) get(path string) (int, string, error) {
	scheme := "http://"
	if r.TLS != nil {
		scheme = "https://"
	}
	resp, err := r.client.Get(scheme + r.ListenAddr().String() + path)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

func TestMetricsListenerIsSeparate(t *testing.T) {
	t.Parallel()
	main, metrics := http.NewServeMux(), http.NewServeMux()
	main.HandleFunc("/main", func(http.ResponseWriter, *http.Request) {})
	metrics.HandleFunc("/metrics", func(http.ResponseWriter, *http.Request) {})
	s := &Server{Handler: main, MetricsAddr: "127.0.0.1:0", MetricsHandler: metrics}
	r := start(t, s)
	for target, want := range map[string]int{
		s.ListenAddr().String() + "/main": 200, s.ListenAddr().String() + "/metrics": 404,
		s.MetricsListenAddr().String() + "/metrics": 200, s.MetricsListenAddr().String() + "/main": 404,
	} {
		resp, err := r.client.Get("http://" + target)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", target, resp.StatusCode, want)
		}
	}
	r.cancel()
	if err := <-r.ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestServeTLS(t *testing.T) {
	t.Parallel()
	certPEM, keyPEM := selfSigned(t, "server")
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{TLS: &tls.Config{Certificates: []tls.Certificate{pair}}}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !(Rule{}).Secure(r) || r.TLS == nil {
			w.WriteHeader(http.StatusForbidden)
		}
		_, _ = io.WriteString(w, r.Proto)
	})
	r := start(t, s)
	r.client.Transport.(*http.Transport).ForceAttemptHTTP2 = true
	if status, body, err := r.get("/"); status != http.StatusOK || body != "HTTP/2.0" {
		t.Errorf("got %d %s %v, want HTTP/2 over TLS", status, body, err)
	}
	r.cancel()
	if err := <-r.ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

func TestHeaderBytesAreBounded(t *testing.T) {
	t.Parallel()
	r := start(t, &Server{Handler: http.NotFoundHandler()})
	for size, want := range map[int]int{32 << 10: http.StatusNotFound, 128 << 10: http.StatusRequestHeaderFieldsTooLarge} {
		req := httptest.NewRequest(http.MethodGet, "http://"+r.ListenAddr().String(), nil)
		req.RequestURI = ""
		req.Header.Set("X-Long", strings.Repeat("x", size))
		resp, err := r.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%d bytes of headers: %d, want %d", size, resp.StatusCode, want)
		}
	}
	r.cancel()
	<-r.ended
}

// Of two uploads that stall, the server's timeout ends only the one that did not move its deadlines.
func TestExtendDeadlines(t *testing.T) {
	t.Parallel()
	extended, expired := make(chan struct{}), make(chan struct{})
	s := &Server{ReadTimeout: 20 * time.Millisecond, WriteTimeout: 20 * time.Millisecond}
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/plain" {
			if _, err := io.ReadAll(r.Body); err == nil {
				t.Error("a body that never ended was read")
			}
			close(expired)
			return
		}
		if err := ExtendDeadlines(w, time.Time{}); err != nil {
			t.Error(err)
		}
		close(extended)
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	})
	r := start(t, s)
	post := func(path string, body io.Reader) string {
		resp, err := r.client.Post("http://"+r.ListenAddr().String()+path, "", body)
		if err != nil {
			return err.Error()
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return string(text)
	}
	upload, sender := io.Pipe()
	answer := make(chan string, 1)
	go func() { answer <- post("/extended", upload) }()
	<-extended
	stalled, stalledSender := io.Pipe()
	go post("/plain", stalled)
	<-expired
	stalledSender.Close()
	_, _ = io.WriteString(sender, "late, but whole")
	sender.Close()
	if got := <-answer; got != "late, but whole" {
		t.Errorf("the extended upload was answered %q", got)
	}
	r.cancel()
	<-r.ended
}

func TestListenRefuses(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	h := http.NotFoundHandler()
	for _, row := range []struct {
		name, says string
		server     *Server
	}{
		{"taken", taken.Addr().String(), &Server{Addr: taken.Addr().String(), Handler: h}},
		{"metrics taken", "metrics", &Server{Addr: "127.0.0.1:0", Handler: h, MetricsAddr: taken.Addr().String(), MetricsHandler: h}},
		{"no handler", "no handler", &Server{Addr: "127.0.0.1:0"}},
		{"no metrics handler", "no handler", &Server{Addr: "127.0.0.1:0", Handler: h, MetricsAddr: "127.0.0.1:0"}},
	} {
		if err := row.server.Listen(); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%s: %v, want an error that says %q", row.name, err, row.says)
		}
	}
	if err := (&Server{Handler: h}).Serve(t.Context()); err == nil {
		t.Error("a server that does not listen served")
	}
}

func TestServeEndsWhenAListenerFails(t *testing.T) {
	t.Parallel()
	s := &Server{Handler: http.NotFoundHandler()}
	r := start(t, s)
	s.main.Close()
	if err := <-r.ended; err == nil {
		t.Error("Serve gave no error although its listener is gone")
	}
	if !s.Draining() {
		t.Error("the server does not say that it ended")
	}
}
