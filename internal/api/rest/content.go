package rest

import (
	"io"
	"mime"
	"net/http"
	"reflect"
	"time"

	"milepost/internal/httpd"
)

// Content is an answer that is sent while it is read, whole or by ranges: what a file holds.
type Content struct {
	Name        string // under which a browser saves it
	ContentType string
	Tag         string // tells it from every other content
	Size        int64
	Body        io.ReadSeekCloser
}

var contentsType = reflect.TypeFor[Content]()

// writeContent lets a browser save the content, never show it: it is a stranger's, and would run with our
// address. Whether one may have it is judged each time.
func writeContent(w http.ResponseWriter, req *http.Request, c Content) {
	defer c.Body.Close()
	h := w.Header()
	h.Set("Content-Type", c.ContentType)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": c.Name}))
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", `"`+c.Tag+`"`)
	extend(w, time.Now().Add(allowance(c.Size)))
	http.ServeContent(w, req, "", time.Time{}, c.Body)
}

// A transfer may take patience and as long as it takes at minRate, but no longer than maxTransfer.
const (
	patience    = 2 * time.Minute
	minRate     = 16 << 10 // bytes a second
	maxTransfer = 45 * time.Minute
)

func allowance(bytes int64) time.Duration {
	seconds := min(bytes/minRate, int64(maxTransfer/time.Second)) // or the product could be too large for a Duration
	return min(patience+time.Duration(seconds)*time.Second, maxTransfer)
}

// extend moves the deadlines of a request where the server has any.
func extend(w http.ResponseWriter, until time.Time) { _ = httpd.ExtendDeadlines(w, until) }

// pace lets a body be read for as long as it makes progress.
func pace(w http.ResponseWriter, body io.ReadCloser) io.ReadCloser {
	return &pacedBody{ReadCloser: body, w: w, start: time.Now()}
}

type pacedBody struct {
	io.ReadCloser
	w     http.ResponseWriter
	start time.Time
	read  int64
}

func (b *pacedBody) Read(p []byte) (int, error) {
	extend(b.w, b.start.Add(allowance(b.read)))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if err != nil { // what remains to be done may take its time as well
		extend(b.w, time.Now().Add(patience))
	}
	return n, err
}
