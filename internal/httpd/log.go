package httpd

import (
	"log/slog"
	"net/http"
	"time"
	"unicode/utf8"
)

// maxLogged bounds what one client-made text may add to a log line.
const maxLogged = 512

// AccessLog writes one line for each request. The query string and headers never appear in it, since they may hold a
// token, and the line passes Redact whatever handler log has. Answers of 500 and above are errors,
// aborted ones warnings, all others information.
func AccessLog(log *slog.Logger, rule Rule, now func() time.Time) Middleware {
	log = slog.New(Redact(log.Handler()))
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			r, record := withRecord(r)
			answer := observe(w)
			method, path := r.Method, r.URL.Path
			begin := now()
			finished := false
			defer func() {
				level := slog.LevelInfo
				switch {
				case answer.code() >= 500:
					level = slog.LevelError
				case !finished:
					level = slog.LevelWarn
				case record.Quiet:
					level = slog.LevelDebug
				}
				if !log.Enabled(r.Context(), level) {
					return
				}
				attrs := []slog.Attr{
					slog.String("request_id", RequestID(r.Context())),
					slog.String("method", clip(method)),
					slog.String("path", clip(path)),
					slog.String("route", record.route(r)),
					slog.Int("status", answer.code()),
					slog.Int64("bytes", answer.bytes),
					slog.Float64("duration_ms", float64(now().Sub(begin).Microseconds())/1000),
					slog.String("client", rule.ClientAddr(r).String()),
				}
				if record.Workspace != "" {
					attrs = append(attrs, slog.String("workspace", record.Workspace))
				}
				if record.Member != "" {
					attrs = append(attrs, slog.String("member", record.Member))
				}
				if !finished {
					attrs = append(attrs, slog.Bool("aborted", true))
				}
				log.LogAttrs(r.Context(), level, "request", attrs...)
			}()
			next.ServeHTTP(answer, r)
			finished = true
		})
	}
}

// clip cuts after redacting, so that no cut turns a token into a part that no longer looks like one.
func clip(s string) string {
	s = redactText(s)
	if len(s) <= maxLogged {
		return s
	}
	cut := maxLogged
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
