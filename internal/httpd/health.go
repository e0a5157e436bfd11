package httpd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"
)

const (
	readyTimeout = 2 * time.Second
	// readyChecks bounds how many checks run at once: anybody may ask, and a check may hang.
	readyChecks = 8
)

// Health serves /healthz, 200 as long as the process serves at all, and /readyz, 503 with a reason while the server
// drains or ready fails. ready has two seconds. Its error goes to the log and not to the client, who need not be known.
func (s *Server) Health(ready func(context.Context) error) http.Handler {
	log := slog.New(Redact(s.Log.Handler()))
	slots := make(chan struct{}, readyChecks)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, r *http.Request) {
		writeHealth(w, r, "")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if s.Draining() {
			writeHealth(w, r, "the server is shutting down")
			return
		}
		err := bounded(r.Context(), slots, ready)
		switch {
		case err == nil:
			writeHealth(w, r, "")
			return
		case errors.Is(err, context.DeadlineExceeded):
			writeHealth(w, r, "the check took too long")
		default:
			writeHealth(w, r, "something that the server needs is away")
		}
		log.WarnContext(r.Context(), "the server is not ready", "request_id", RequestID(r.Context()), "error", err)
	})
	return mux
}

// bounded runs check and stops waiting, if not the check itself, after readyTimeout.
func bounded(ctx context.Context, slots chan struct{}, check func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	select {
	case slots <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		defer func() {
			<-slots
			if p := recover(); p != nil {
				done <- fmt.Errorf("the check panicked: %v", p)
			}
		}()
		done <- check(ctx)
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func writeHealth(w http.ResponseWriter, r *http.Request, reason string) {
	body := struct {
		Status string `json:"status"`
		Reason string `json:"reason,omitempty"`
	}{"ok", reason}
	status := http.StatusOK
	if reason != "" {
		body.Status, status = "unavailable", http.StatusServiceUnavailable
	}
	Note(r.Context()).Quiet = reason == ""
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
