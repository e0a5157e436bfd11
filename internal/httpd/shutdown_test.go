package httpd

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"
)

// blocking is a handler with one slow path, and the rest for health.
func blocking(s *Server) (h http.Handler, entered, release chan struct{}) {
	entered, release = make(chan struct{}), make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-release
		if r.Context().Err() != nil {
			w.WriteHeader(http.StatusTeapot)
		}
		_, _ = io.WriteString(w, "finished")
	})
	mux.Handle("/", s.Health(func(context.Context) error { return nil }))
	return mux, entered, release
}

func TestShutdownFinishesRequestsInFlight(t *testing.T) {
	t.Parallel()
	s := &Server{DrainDelay: 5 * time.Second, Grace: 7 * time.Second, Log: slog.New(slog.DiscardHandler)}
	h, entered, release := blocking(s)
	s.Handler = h
	r := start(t, s)
	if status, _, err := r.get("/readyz"); status != http.StatusOK {
		t.Fatalf("/readyz before the end: %d, %v", status, err)
	}
	slow := make(chan string, 1)
	go func() {
		status, body, err := r.get("/slow")
		if status != http.StatusOK || err != nil {
			body = "failed"
		}
		slow <- body
	}()
	<-entered

	r.cancel()
	delay := <-r.timers
	if delay.d != 5*time.Second {
		t.Errorf("the drain delay is %v", delay.d)
	}
	if status, body, err := r.get("/readyz"); status != http.StatusServiceUnavailable || !strings.Contains(body, "shutting down") {
		t.Errorf("/readyz in the drain delay: %d %s %v, want 503", status, body, err)
	}
	if status, _, err := r.get("/healthz"); status != http.StatusOK {
		t.Errorf("/healthz in the drain delay: %d %v, want 200", status, err)
	}
	select {
	case <-s.Stopping():
		t.Error("the server stops accepting before the drain delay is over")
	default:
	}

	delay.fire <- time.Time{}
	<-s.Stopping()
	if grace := <-r.timers; grace.d != 7*time.Second {
		t.Errorf("the grace period is %v", grace.d)
	}
	select {
	case err := <-r.ended:
		t.Fatalf("the server ended with a request in flight: %v", err)
	default:
	}
	close(release)
	if body := <-slow; body != "finished" {
		t.Errorf("the request in flight: %s", body)
	}
	if err := <-r.ended; err != nil {
		t.Errorf("Serve: %v, want nil after an orderly end", err)
	}
	if _, _, err := r.get("/healthz"); err == nil {
		t.Error("a connection was accepted after the end")
	}
}

func TestShutdownCutsOffAfterTheGracePeriod(t *testing.T) {
	t.Parallel()
	s := &Server{Log: slog.New(slog.DiscardHandler)}
	h, entered, release := blocking(s)
	s.Handler = h
	r := start(t, s)
	cut := make(chan error, 1)
	go func() {
		_, _, err := r.get("/slow")
		cut <- err
	}()
	<-entered
	r.cancel()
	grace := <-r.timers
	if grace.d != 30*time.Second {
		t.Errorf("the default grace period is %v", grace.d)
	}
	grace.fire <- time.Time{}
	if err := <-r.ended; err == nil || !strings.Contains(err.Error(), "grace period") {
		t.Errorf("Serve: %v, want an error that tells of the cut", err)
	}
	if err := <-cut; err == nil {
		t.Error("the request that hung was answered")
	}
	close(release)
}

func TestStreamsEndWithTheServer(t *testing.T) {
	t.Parallel()
	s := &Server{}
	entered := make(chan struct{})
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		close(entered)
		<-s.Stopping()
		_, _ = io.WriteString(w, "end of stream")
	})
	r := start(t, s)
	body := make(chan string, 1)
	go func() {
		_, text, _ := r.get("/")
		body <- text
	}()
	<-entered
	r.cancel()
	if err := <-r.ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if got := <-body; got != "end of stream" {
		t.Errorf("the stream gave %q", got)
	}
}
