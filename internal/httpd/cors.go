package httpd

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// CORS says which web pages of other origins may read answers. The zero value lets none.
type CORS struct {
	// Origins are scheme://host[:port], or "*" for all.
	Origins []string
	// Credentials lets listed origins send cookies; it has no effect beside "*".
	Credentials bool
	// MaxAge is how long a browser may remember a preflight; 0 stands for ten minutes.
	MaxAge time.Duration
}

const (
	corsMethods = "GET, POST, PUT, DELETE"
	corsHeaders = "Content-Type, Service-Token, Shortcut-Token, Clubhouse-Token, Authorization, Idempotency-Key, " +
		"If-Match, If-None-Match, Request-Id, Last-Event-ID"
	corsExposed = "Request-Id, ETag, RateLimit, RateLimit-Policy, Retry-After, Deprecation, Link"
)

// Middleware answers preflights itself, with 204, so it belongs outside of authentication. An origin that is not listed
// gets the answer without permission to read it, which browsers enforce.
func (c CORS) Middleware() (Middleware, error) {
	if len(c.Origins) == 0 {
		return func(next http.Handler) http.Handler { return next }, nil
	}
	origins := make([]string, 0, len(c.Origins))
	for _, text := range c.Origins {
		origin, err := parseOrigin(text)
		if err != nil {
			return nil, err
		}
		origins = append(origins, origin)
	}
	all := slices.Contains(origins, "*")
	if c.MaxAge <= 0 {
		c.MaxAge = 10 * time.Minute
	}
	maxAge := strconv.Itoa(int(c.MaxAge / time.Second))

	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Add("Vary", "Origin")
			origin := r.Header.Get("Origin")
			allowed := origin != "" && (all || slices.Contains(origins, strings.ToLower(origin)))
			preflight := r.Method == http.MethodOptions && origin != "" && r.Header.Get("Access-Control-Request-Method") != ""
			if allowed {
				if all {
					h.Set("Access-Control-Allow-Origin", "*")
				} else {
					h.Set("Access-Control-Allow-Origin", origin)
					if c.Credentials {
						h.Set("Access-Control-Allow-Credentials", "true")
					}
				}
			}
			if !preflight {
				if allowed {
					h.Set("Access-Control-Expose-Headers", corsExposed)
				}
				next.ServeHTTP(w, r)
				return
			}
			if allowed {
				h.Set("Access-Control-Allow-Methods", corsMethods)
				h.Set("Access-Control-Allow-Headers", corsHeaders)
				h.Set("Access-Control-Max-Age", maxAge)
			}
			w.WriteHeader(http.StatusNoContent)
		})
	}, nil
}

// parseOrigin refuses what no browser would ever send as an origin, and "null", which any sandboxed page sends.
func parseOrigin(text string) (string, error) {
	if text == "*" {
		return text, nil
	}
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" ||
		!strings.EqualFold(text, u.Scheme+"://"+u.Host) {
		return "", fmt.Errorf("%q is not an origin such as https://app.example.com", text)
	}
	return strings.ToLower(text), nil
}
