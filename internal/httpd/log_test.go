package httpd

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// ticker is a clock that moves by a step at every look.
func ticker(step time.Duration) func() time.Time {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	return func() time.Time {
		now = now.Add(step)
		return now
	}
}

func jsonLog(w io.Writer, level slog.Level) *slog.Logger {
	return slog.New(slog.NewJSONHandler(w, &slog.HandlerOptions{Level: level}))
}

func lines(t *testing.T, out *bytes.Buffer) []map[string]any {
	t.Helper()
	var all []map[string]any
	for decoder := json.NewDecoder(bytes.NewReader(out.Bytes())); ; {
		line := map[string]any{}
		if err := decoder.Decode(&line); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		delete(line, "time")
		all = append(all, line)
	}
}

func TestAccessLogLine(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	mux := http.NewServeMux()
	mux.HandleFunc("POST /things/{id}", func(w http.ResponseWriter, r *http.Request) {
		Note(r.Context()).Workspace = "acme"
		Note(r.Context()).Member = "m-1"
		w.WriteHeader(http.StatusCreated)
		_, _ = io.WriteString(w, "12345")
		_, _ = io.Copy(w, strings.NewReader("678"))
	})
	h := Chain(mux, RequestIDs(func() string { return "rid" }),
		AccessLog(jsonLog(&out, slog.LevelInfo), proxies(t, "10.0.0.1"), ticker(1500*time.Microsecond)))
	req := httptest.NewRequest(http.MethodPost, "/things/7?token=abc", nil)
	req.RemoteAddr = "10.0.0.1:1"
	req.Header.Set("X-Forwarded-For", "198.51.100.1")
	h.ServeHTTP(httptest.NewRecorder(), req)

	want := map[string]any{
		"level": "INFO", "msg": "request", "request_id": "rid", "method": "POST", "path": "/things/7",
		"route": "POST /things/{id}", "status": 201.0, "bytes": 8.0, "duration_ms": 1.5, "client": "198.51.100.1",
		"workspace": "acme", "member": "m-1",
	}
	got := lines(t, &out)
	if len(got) != 1 {
		t.Fatalf("%d lines, want 1", len(got))
	}
	gotText, _ := json.Marshal(got[0])
	wantText, _ := json.Marshal(want)
	if string(gotText) != string(wantText) {
		t.Errorf("got  %s\nwant %s", gotText, wantText)
	}
}

func TestAccessLogLevels(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name, level string
		status      float64
		aborted     any
		handler     http.HandlerFunc
	}{
		{"silent handler", "INFO", 200, nil, func(http.ResponseWriter, *http.Request) {}},
		{"client's fault", "INFO", 404, nil, http.NotFound},
		{"our fault", "ERROR", 500, nil, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) }},
		{"quiet", "DEBUG", 200, nil, func(_ http.ResponseWriter, r *http.Request) { Note(r.Context()).Quiet = true }},
		{"quiet, our fault", "ERROR", 503, nil, func(w http.ResponseWriter, r *http.Request) {
			Note(r.Context()).Quiet = true
			w.WriteHeader(503)
		}},
		{"aborted", "WARN", 200, true, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }},
		{"early hints", "INFO", 204, nil, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusEarlyHints)
			w.WriteHeader(http.StatusNoContent)
		}},
		{"second status", "INFO", 202, nil, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(202)
			w.WriteHeader(500)
		}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			h := AccessLog(jsonLog(&out, slog.LevelDebug), Rule{}, ticker(0))(row.handler)
			func() {
				defer func() {
					if aborted := recover() != nil; aborted != (row.aborted != nil) {
						t.Errorf("a panic came through: %v", aborted)
					}
				}()
				h.ServeHTTP(httptest.NewRecorder(), requestFrom("127.0.0.1:1", nil))
			}()
			got := lines(t, &out)
			if len(got) != 1 || got[0]["level"] != row.level || got[0]["status"] != row.status || got[0]["aborted"] != row.aborted {
				t.Errorf("lines %v, want one of level %s, status %v", got, row.level, row.status)
			}
		})
	}
}

// Every place of a request in which a client may put a token, through a real server, to a handler that does everything
// wrong that a handler can do with it.
func TestNoTokenGetsOut(t *testing.T) {
	t.Parallel()
	for kind, handler := range handlers {
		for _, way := range []string{"echo", "panic", "error"} {
			t.Run(kind+" "+way, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				log := slog.New(handler(&out))
				careless := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, _ := io.ReadAll(r.Body)
					Note(r.Context()).Route = r.URL.String()
					Note(r.Context()).Workspace = r.Header.Get("Service-Token")
					Note(r.Context()).Member = string(body)
					switch way {
					case "panic":
						panic("cannot read " + r.URL.String() + string(body))
					case "error":
						panic(io.MultiWriter()) // a panic with a value that is neither text nor error
					}
					_, _ = w.Write(body)
				})
				h := Chain(careless, RequestIDs(nil), AccessLog(log, Rule{}, ticker(0)),
					Recover(log, func(w http.ResponseWriter, _ *http.Request, _ any) { w.WriteHeader(500) }))
				server := httptest.NewServer(h)

				// The third token of the path lies across the place where the path is cut.
				path := "/" + testToken + "/mp%5F" + testToken[3:] + "/" + strings.Repeat("x", maxLogged-120) + testToken
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
					server.URL+path+"?token="+testToken+"&a="+testSecret, strings.NewReader(testToken))
				if err != nil {
					t.Fatal(err)
				}
				for _, name := range []string{"Service-Token", "Shortcut-Token", "Clubhouse-Token", "Request-Id", "X-Request-Id", "User-Agent", "Referer"} {
					req.Header.Set(name, testToken)
				}
				req.Header.Set("Authorization", "Bearer "+testToken)
				req.Header.Set("Cookie", "sid="+testToken)
				resp, err := server.Client().Do(req)
				if err != nil {
					t.Fatal(err)
				}
				resp.Body.Close()
				server.Close() // waits for the handler, so the log is complete

				if id := resp.Header.Get("Request-Id"); id == "" || !strings.Contains(out.String(), id) {
					t.Errorf("request id %q is not in the log: %s", id, &out)
				}
				if strings.Contains(out.String(), testToken[3:23]) {
					t.Errorf("a token got out: %s", &out)
				}
			})
		}
	}
}

func TestObservedResponseCanFlushAndMoveDeadlines(t *testing.T) {
	t.Parallel()
	flushed := make(chan struct{})
	h := AccessLog(slog.New(slog.DiscardHandler), Rule{}, ticker(0))(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if err := ExtendDeadlines(w, time.Time{}); err != nil {
			t.Error(err)
		}
		_, _ = io.WriteString(w, "part")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		if _, ok := w.(http.Flusher); !ok {
			t.Error("the writer is no http.Flusher")
		}
		<-flushed
	}))
	server := httptest.NewServer(h)
	defer server.Close()
	resp, err := server.Client().Get(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	part := make([]byte, 4)
	if _, err := io.ReadFull(resp.Body, part); err != nil || string(part) != "part" {
		t.Errorf("read %q, %v before the handler ended", part, err)
	}
	close(flushed)
}

func TestNoteOutsideARequest(t *testing.T) {
	t.Parallel()
	Note(t.Context()).Route = "x"
	if Note(t.Context()).Route != "" {
		t.Error("two callers without a request share a record")
	}
}
