package httpd

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
)

// Recover turns a panic into whatever answer writes, which should be a 500 that tells nothing of the cause; the log has
// the cause and the stack under the request's id. When the answer had already begun, the connection is cut instead, so
// that the client cannot take half an answer for a whole one. http.ErrAbortHandler passes through.
func Recover(log *slog.Logger, answer func(w http.ResponseWriter, r *http.Request, recovered any)) Middleware {
	log = slog.New(Redact(log.Handler()))
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			observed := observe(w)
			defer func() {
				recovered := recover()
				if recovered == nil {
					return
				}
				if err, ok := recovered.(error); ok && errors.Is(err, http.ErrAbortHandler) {
					panic(http.ErrAbortHandler)
				}
				log.LogAttrs(r.Context(), slog.LevelError, "panic while serving a request",
					slog.String("request_id", RequestID(r.Context())),
					slog.String("panic", fmt.Sprint(recovered)),
					slog.String("stack", string(debug.Stack())))
				if observed.started() {
					panic(http.ErrAbortHandler)
				}
				for _, name := range describesBody {
					observed.Header().Del(name)
				}
				answer(observed, r, recovered)
			}()
			next.ServeHTTP(observed, r)
		})
	}
}

// describesBody are the headers that a handler may have set for the answer that it did not give.
var describesBody = []string{
	"Cache-Control", "Content-Disposition", "Content-Encoding", "Content-Length", "Content-Type", "Etag", "Last-Modified",
	"Location", "Set-Cookie",
}
