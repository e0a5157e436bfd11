package rest_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// slowSink tells when the content has begun.
type slowSink struct{ begun chan struct{} }

func (s slowSink) Keep(_ context.Context, _ tracker.Actor, _ rest.File, r io.Reader) (any, error) {
	if _, err := io.ReadFull(r, make([]byte, 1)); err != nil {
		return nil, err
	}
	close(s.begun)
	rest, err := io.ReadAll(r)
	return string(rest), err
}

func (slowSink) Release(context.Context, tracker.Actor, any) {}
func (slowSink) MaxForm() int64                              { return maxUpload }

// TestSlowUpload stalls two requests for longer than the server waits for a request: the upload goes on.
func TestSlowUpload(t *testing.T) {
	t.Parallel()
	sink := slowSink{begun: make(chan struct{})}
	h := handler(rest.API{Version: "odd", Routes: []rest.Route{
		rest.Post("/files", "Upload Files", func(_ context.Context, _ tracker.Actor, in uploadFiles) (echo, error) {
			return echo{in.Files[0].Ref.(string)}, nil
		}).Receives(sink),
		rest.Post("/echo", "Echo", func(context.Context, tracker.Actor, rest.None) (echo, error) { return echo{}, nil }),
	}})
	server := httptest.NewUnstartedServer(h)
	server.Config.ReadTimeout, server.Config.WriteTimeout = 500*time.Millisecond, time.Minute // a busy machine is not slow to begin
	server.Start()
	defer server.Close()
	post := func(path string, body io.Reader) (int, string) {
		resp, err := http.Post(server.URL+"/api/odd"+path, "multipart/form-data; boundary=B", body)
		if err != nil {
			return 0, err.Error()
		}
		defer resp.Body.Close()
		text, _ := io.ReadAll(resp.Body)
		return resp.StatusCode, string(text)
	}
	upload, sender := io.Pipe()
	answer := make(chan string, 1)
	go func() {
		_, text := post("/files", upload)
		answer <- text
	}()
	if _, err := io.WriteString(sender, "--B\r\nContent-Disposition: form-data; name=\"file0\"; filename=\"a\"\r\n\r\nlate"); err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(sender, ", but"); err != nil {
		t.Fatal(err)
	}
	<-sink.begun
	stalled, stalledSender := io.Pipe()
	if status, text := post("/echo", stalled); status != 400 {
		t.Errorf("the stalled request: %d %s", status, text)
	}
	stalledSender.Close()
	if _, err := io.WriteString(sender, " whole\r\n--B--\r\n"); err != nil {
		t.Fatal(err)
	}
	sender.Close()
	if got := <-answer; !strings.Contains(got, "ate, but whole") {
		t.Errorf("the upload was answered %s", got)
	}
}
