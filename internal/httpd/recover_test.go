package httpd

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestRecover(t *testing.T) {
	t.Parallel()
	cause := errors.New("the cause")
	for _, row := range []struct {
		name   string
		inner  http.HandlerFunc
		status int
		body   string
		cut    bool
		logged string
	}{
		{"no panic", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") }, 200, "fine", false, ""},
		{"panic", func(http.ResponseWriter, *http.Request) { panic(cause) }, 500, "sorry rid", false, "the cause"},
		{"runtime error", func(_ http.ResponseWriter, r *http.Request) { _ = []int{}[len(r.URL.Path)] }, 500, "sorry rid", false, "out of range"},
		{"panic after headers were set", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			w.Header().Set("ETag", `"x"`)
			panic(cause)
		}, 500, "sorry rid", false, "the cause"},
		{"panic after the answer began", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "half")
			_ = http.NewResponseController(w).Flush()
			panic(cause)
		}, 200, "half", true, "the cause"},
		{"panic after a bare flush", func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).Flush()
			panic(cause)
		}, 200, "", true, "the cause"},
		{"abort", func(w http.ResponseWriter, _ *http.Request) {
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, 200, "", true, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			answer := func(w http.ResponseWriter, r *http.Request, recovered any) {
				if recovered == nil {
					t.Error("the panic's value is missing")
				}
				w.WriteHeader(500)
				_, _ = io.WriteString(w, "sorry "+RequestID(r.Context()))
			}
			h := Chain(row.inner, RequestIDs(func() string { return "rid" }), Recover(jsonLog(&out, slog.LevelInfo), answer))
			server := httptest.NewServer(h)
			resp, err := server.Client().Get(server.URL)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			server.Close()
			if resp.StatusCode != row.status || string(body) != row.body || (err != nil) != row.cut {
				t.Errorf("got %d %q %v, want %d %q, cut off: %v", resp.StatusCode, body, err, row.status, row.body, row.cut)
			}
			if resp.Header.Get("ETag") != "" || resp.Header.Get("Request-Id") != "rid" {
				t.Errorf("headers %v, want the request id and nothing of the lost answer", resp.Header)
			}

			logged := lines(t, &out)
			if row.logged == "" {
				if len(logged) != 0 {
					t.Errorf("logged %v, want nothing", logged)
				}
				return
			}
			if len(logged) != 1 || logged[0]["request_id"] != "rid" ||
				!strings.Contains(logged[0]["panic"].(string), row.logged) ||
				!strings.Contains(logged[0]["stack"].(string), "TestRecover") {
				t.Errorf("logged %v, want the cause and the stack under the request id", logged)
			}
		})
	}
}
