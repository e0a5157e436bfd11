package httpd

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	rule := proxies(t, "10.0.0.1")
	for _, row := range []struct {
		name, remote, proto string
		tls, hsts           bool
	}{
		{"TLS", "203.0.113.9:1", "", true, true},
		{"proxy with TLS", "10.0.0.1:1", "https", false, true},
		{"proxy without TLS", "10.0.0.1:1", "http", false, false},
		{"forged", "203.0.113.9:1", "https", false, false},
		{"plain loopback", "127.0.0.1:1", "", false, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			req := requestFrom(row.remote, nil)
			if row.proto != "" {
				req.Header.Set("X-Forwarded-Proto", row.proto)
			}
			if row.tls {
				req.TLS = &tls.ConnectionState{}
			}
			page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Security-Policy", "default-src 'self'")
			})
			for policy, handler := range map[string]http.Handler{
				"default-src 'none'; frame-ancestors 'none'": http.NotFoundHandler(),
				"default-src 'self'":                         page,
			} {
				rec := httptest.NewRecorder()
				SecurityHeaders(rule)(handler).ServeHTTP(rec, req)
				h := rec.Header()
				if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "no-referrer" ||
					h.Get("X-Frame-Options") != "DENY" || h.Get("Content-Security-Policy") != policy {
					t.Errorf("headers %v, want the policy %q among them", h, policy)
				}
				if got := h.Get("Strict-Transport-Security") != ""; got != row.hsts {
					t.Errorf("Strict-Transport-Security sent: %v, want %v", got, row.hsts)
				}
			}
		})
	}
}
