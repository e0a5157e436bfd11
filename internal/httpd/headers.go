package httpd

import "net/http"

// SecurityHeaders sets what a browser should be told with every answer. The content policy is the one for data; a
// handler that serves a page sets its own. Strict-Transport-Security goes out only where the client used TLS: plain
// loopback must stay usable.
func SecurityHeaders(rule Rule) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("X-Content-Type-Options", "nosniff")
			h.Set("Referrer-Policy", "no-referrer")
			h.Set("X-Frame-Options", "DENY")
			h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
			if rule.encrypted(r) {
				h.Set("Strict-Transport-Security", "max-age=31536000")
			}
			next.ServeHTTP(w, r)
		})
	}
}
