// Package httpd is everything about serving HTTP that knows nothing of work tracking: the HTTPS rule, certificates,
// request ids, the access log and its redaction, panics, CORS, metrics, the rate limiter and the server's life.
//
// The middlewares are meant to be stacked in this order, outermost first:
//
//	RequestIDs, Metrics.Middleware, AccessLog, SecurityHeaders, Recover, CORS, then the application
package httpd

import "net/http"

// Middleware wraps a handler with one concern.
type Middleware func(http.Handler) http.Handler

// Chain wraps h so that the first middleware sees a request first.
func Chain(h http.Handler, outermostFirst ...Middleware) http.Handler {
	for i := len(outermostFirst) - 1; i >= 0; i-- {
		h = outermostFirst[i](h)
	}
	return h
}
