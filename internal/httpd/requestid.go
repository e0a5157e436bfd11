package httpd

import (
	"context"
	"crypto/rand"
	"net/http"
)

type requestIDKey struct{}

// RequestIDs gives every request an id and every answer a Request-Id header with it. An id that the client sends in
// Request-Id or X-Request-Id is kept when it is safe to log and to send back. newID makes the others; nil stands for
// 128 random bits.
func RequestIDs(newID func() string) Middleware {
	if newID == nil {
		newID = rand.Text
	}
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := r.Header.Get("Request-Id")
			if !validRequestID(id) {
				id = r.Header.Get("X-Request-Id")
			}
			if !validRequestID(id) {
				id = newID()
			}
			w.Header().Set("Request-Id", id)
			next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestIDKey{}, id)))
		})
	}
}

// RequestID is the id that RequestIDs gave the request, or "".
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// validRequestID refuses a token too, which has the same letters: an id travels to logs and error bodies.
func validRequestID(id string) bool {
	if len(id) < 1 || len(id) > 64 {
		return false
	}
	for _, c := range []byte(id) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return redactText(id) == id
}
