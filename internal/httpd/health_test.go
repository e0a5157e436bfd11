package httpd

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	fine := func(context.Context) error { return nil }
	broken := func(context.Context) error { return errors.New("dial postgres://me:" + testSecret + "@db: refused") }
	slow := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for _, row := range []struct {
		name, method, path string
		ready              func(context.Context) error
		draining           bool
		status             int
		body, logged       string
		took               time.Duration
	}{
		{"alive", "GET", "/healthz", broken, false, 200, `{"status":"ok"}`, "", 0},
		{"alive while draining", "GET", "/healthz", broken, true, 200, `{"status":"ok"}`, "", 0},
		{"ready", "GET", "/readyz", fine, false, 200, `{"status":"ok"}`, "", 0},
		{"ready, HEAD", "HEAD", "/readyz", fine, false, 200, `{"status":"ok"}`, "", 0},
		{"draining", "GET", "/readyz", fine, true, 503,
			`{"status":"unavailable","reason":"the server is shutting down"}`, "", 0},
		{"not ready", "GET", "/readyz", broken, false, 503,
			`{"status":"unavailable","reason":"something that the server needs is away"}`, "refused", 0},
		{"panics", "GET", "/readyz", func(context.Context) error { panic("boom") }, false, 503,
			`{"status":"unavailable","reason":"something that the server needs is away"}`, "boom", 0},
		{"slow", "GET", "/readyz", slow, false, 503,
			`{"status":"unavailable","reason":"the check took too long"}`, "deadline", 2 * time.Second},
		{"hangs", "GET", "/readyz", nil, false, 503,
			`{"status":"unavailable","reason":"the check took too long"}`, "deadline", 2 * time.Second},
		{"other method", "POST", "/healthz", fine, false, 405, "Method Not Allowed", "", 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				release := make(chan struct{})
				defer close(release)
				ready := row.ready
				if ready == nil {
					// A check that does not listen to its context.
					ready = func(context.Context) error { <-release; return nil }
				}
				var out bytes.Buffer
				s := &Server{Log: jsonLog(&out, slog.LevelInfo)}
				s.init()
				if row.draining {
					close(s.draining)
				}
				rec := httptest.NewRecorder()
				begin := time.Now()
				s.Health(ready).ServeHTTP(rec, httptest.NewRequest(row.method, row.path, nil))
				if rec.Code != row.status || strings.TrimSpace(rec.Body.String()) != row.body {
					t.Errorf("got %d %s, want %d %s", rec.Code, rec.Body, row.status, row.body)
				}
				if took := time.Since(begin); took != row.took {
					t.Errorf("took %v, want %v", took, row.took)
				}
				if (row.logged == "") != (out.Len() == 0) || !strings.Contains(out.String(), row.logged) ||
					strings.Contains(out.String(), testSecret) {
					t.Errorf("logged %q, want %q in it", &out, row.logged)
				}
			})
		})
	}
}

// A check that hangs does not pile up goroutines however often it is asked for.
func TestHealthBoundsItsChecks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var begun atomic.Int64
		s := &Server{Log: slog.New(slog.DiscardHandler)}
		h := s.Health(func(context.Context) error {
			begun.Add(1)
			<-release
			return nil
		})
		for range 3 * readyChecks {
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/readyz", nil))
			if rec.Code != http.StatusServiceUnavailable {
				t.Fatalf("status %d, want 503", rec.Code)
			}
		}
		if begun.Load() != readyChecks {
			t.Errorf("%d checks hang, want at most %d", begun.Load(), readyChecks)
		}
		close(release)
	})
}
