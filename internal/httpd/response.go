package httpd

import (
	"context"
	"io"
	"net/http"
)

// Record is what the inner layers learn about a request and the log and the metrics want to know. It belongs to the
// goroutine that serves the request.
type Record struct {
	// Route is the pattern that matched, never the path: it is a metrics label, so its values must be few.
	Route     string
	Workspace string
	Member    string
	// Quiet lowers the access-log line to debug level, unless the answer is an error of ours.
	Quiet bool
}

type recordKey struct{}

// Note is the record of the request being served. Outside of AccessLog and Metrics it is one that nobody reads, so
// callers need not check.
func Note(ctx context.Context) *Record {
	if record, ok := ctx.Value(recordKey{}).(*Record); ok {
		return record
	}
	return new(Record)
}

func withRecord(r *http.Request) (*http.Request, *Record) {
	if record, ok := r.Context().Value(recordKey{}).(*Record); ok {
		return r, record
	}
	record := new(Record)
	return r.WithContext(context.WithValue(r.Context(), recordKey{}, record)), record
}

// route falls back to the pattern of http.ServeMux, which writes it into the request that it was given.
func (n *Record) route(r *http.Request) string {
	if n.Route != "" {
		return n.Route
	}
	return r.Pattern
}

// response remembers what was answered.
type response struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// observe gives w as a response, so that stacked middlewares share one.
func observe(w http.ResponseWriter) *response {
	if r, ok := w.(*response); ok {
		return r
	}
	return &response{ResponseWriter: w}
}

func (r *response) started() bool { return r.status != 0 }

// code is the status that the client sees: net/http sends 200 for a handler that says nothing.
func (r *response) code() int {
	if r.status == 0 {
		return http.StatusOK
	}
	return r.status
}

func (r *response) start() {
	if r.status == 0 {
		r.status = http.StatusOK
	}
}

func (r *response) WriteHeader(status int) {
	informational := status < 200 && status != http.StatusSwitchingProtocols
	if r.status == 0 && !informational {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *response) Write(p []byte) (int, error) {
	r.start()
	n, err := r.ResponseWriter.Write(p)
	r.bytes += int64(n)
	return n, err
}

// ReadFrom keeps the kernel's file-to-socket copy of the writer underneath.
func (r *response) ReadFrom(src io.Reader) (int64, error) {
	r.start()
	n, err := io.Copy(r.ResponseWriter, src)
	r.bytes += n
	return n, err
}

func (r *response) FlushError() error {
	r.start()
	return http.NewResponseController(r.ResponseWriter).Flush()
}

func (r *response) Flush() { _ = r.FlushError() }

// Unwrap lets http.ResponseController reach deadlines and full duplex.
func (r *response) Unwrap() http.ResponseWriter { return r.ResponseWriter }
