package httpd

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestCORS(t *testing.T) {
	t.Parallel()
	const page = "https://app.example.com"
	listed := CORS{Origins: []string{"http://localhost:3000", "HTTPS://App.example.com"}, MaxAge: time.Hour}
	credentials := CORS{Origins: listed.Origins, Credentials: true}
	all := CORS{Origins: []string{page, "*"}, Credentials: true}
	preflight := func(origin string) http.Header {
		return http.Header{"Origin": {origin}, "Access-Control-Request-Method": {"PUT"}}
	}
	for _, row := range []struct {
		name               string
		cors               CORS
		method             string
		header             http.Header
		inner              bool
		origin, credential string
		maxAge, vary       string
	}{
		{"off", CORS{}, "GET", http.Header{"Origin": {page}}, true, "", "", "", ""},
		{"off, preflight", CORS{}, "OPTIONS", preflight(page), true, "", "", "", ""},
		{"no origin", listed, "GET", nil, true, "", "", "", "Origin"},
		{"listed", listed, "GET", http.Header{"Origin": {page}}, true, page, "", "", "Origin"},
		{"listed, credentials", credentials, "GET", http.Header{"Origin": {page}}, true, page, "true", "", "Origin"},
		{"other", credentials, "GET", http.Header{"Origin": {"https://evil.example"}}, true, "", "", "", "Origin"},
		{"other that begins alike", listed, "GET", http.Header{"Origin": {page + ".evil.example"}}, true, "", "", "", "Origin"},
		{"other port", listed, "GET", http.Header{"Origin": {"http://localhost:3001"}}, true, "", "", "", "Origin"},
		{"null", all, "GET", http.Header{"Origin": {"null"}}, true, "*", "", "", "Origin"},
		{"all, never credentials", all, "GET", http.Header{"Origin": {page}}, true, "*", "", "", "Origin"},
		{"preflight", listed, "OPTIONS", preflight(page), false, page, "", "3600", "Origin"},
		{"preflight, credentials, default age", credentials, "OPTIONS", preflight(page), false, page, "true", "600", "Origin"},
		{"preflight, all", all, "OPTIONS", preflight("https://x.example"), false, "*", "", "600", "Origin"},
		{"preflight, other", listed, "OPTIONS", preflight("https://evil.example"), false, "", "", "", "Origin"},
		{"plain OPTIONS", listed, "OPTIONS", http.Header{"Origin": {page}}, true, page, "", "", "Origin"},
		{"OPTIONS of no browser", listed, "OPTIONS", nil, true, "", "", "", "Origin"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			wrap, err := row.cors.Middleware()
			if err != nil {
				t.Fatal(err)
			}
			reached := false
			h := wrap(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				reached = true
				w.WriteHeader(http.StatusUnauthorized)
			}))
			req := httptest.NewRequest(row.method, "/", nil)
			req.Header = row.header
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, req)

			status, methods, headers, exposed := http.StatusUnauthorized, "", "", ""
			if !row.inner {
				status = http.StatusNoContent
			}
			if row.maxAge != "" {
				methods = "GET, POST, PUT, DELETE"
				headers = "Content-Type, Service-Token, Shortcut-Token, Clubhouse-Token, Authorization, Idempotency-Key, " +
					"If-Match, If-None-Match, Request-Id, Last-Event-ID"
			} else if row.origin != "" {
				exposed = "Request-Id, ETag, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Link"
			}
			if reached != row.inner || rec.Code != status {
				t.Errorf("inner handler reached: %v, status %d; want %v, %d", reached, rec.Code, row.inner, status)
			}
			for name, want := range map[string]string{
				"Access-Control-Allow-Origin":      row.origin,
				"Access-Control-Allow-Credentials": row.credential,
				"Access-Control-Allow-Methods":     methods,
				"Access-Control-Allow-Headers":     headers,
				"Access-Control-Expose-Headers":    exposed,
				"Access-Control-Max-Age":           row.maxAge,
				"Vary":                             row.vary,
			} {
				if got := rec.Header().Get(name); got != want {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
			}
		})
	}
}

func TestCORSRefusesWhatIsNoOrigin(t *testing.T) {
	t.Parallel()
	for _, origin := range []string{"", "null", "app.example.com", "https://", "https://a.example/", "https://a.example/x", "https://me@a.example/", "ftp://a.example", "https://*.example?x"} {
		if _, err := (CORS{Origins: []string{origin}}).Middleware(); err == nil {
			t.Errorf("origin %q was accepted", origin)
		}
	}
}
