package rest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"milepost/internal/api/rest"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// sink counts what it keeps; a file called full does not fit into it.
type sink struct {
	mu             sync.Mutex
	kept, released []string
	after          func() // called when a file is kept, if set
}

var errFull = &tracker.Error{Code: tracker.TooLarge, Message: "The file does not fit."}

func (s *sink) Keep(_ context.Context, _ tracker.Actor, f rest.File, r io.Reader) (any, error) {
	n, err := io.Copy(io.Discard, r)
	if err != nil {
		return nil, err
	}
	if f.Name == "full" {
		return nil, errFull
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ref := fmt.Sprintf("%s:%d", f.Name, n)
	s.kept = append(s.kept, ref)
	if s.after != nil {
		s.after()
	}
	return ref, nil
}

func (s *sink) MaxForm() int64 { return maxUpload }

func (s *sink) Release(ctx context.Context, _ tracker.Actor, ref any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() == nil {
		s.released = append(s.released, ref.(string))
	}
}

// take returns what was kept and not released, and forgets it.
func (s *sink) take() (left []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, ref := range s.kept {
		if i := slices.Index(s.released, ref); i >= 0 {
			s.released = slices.Delete(s.released, i, i+1)
		} else {
			left = append(left, ref)
		}
	}
	if len(s.released) > 0 {
		left = append(left, "released too much")
	}
	s.kept, s.released = nil, nil
	return left
}

type uploadFiles struct {
	StoryID tracker.Opt[int64] `form:"story_id" is:"least=1" doc:"The story they belong to."`
	Note    string             `form:"note" is:"max=5"`
	Files   []rest.File        `file:"file0|file,file1,file2" is:"required" doc:"A file."`
}

var files sink

const maxUpload = 8 << 20

var uploadRoute = rest.Post("/files", "Upload Files",
	func(_ context.Context, _ tracker.Actor, in uploadFiles) (echo, error) {
		switch in.Note {
		case "fail":
			return echo{}, errors.New("the use case fails")
		case "panic":
			panic("the use case panics")
		}
		return echo{fmt.Sprintf("%+v", in)}, nil
	}).Receives(&files)

// part is one part of a form: the header without its name, and the content.
func part(disposition, content string) string {
	return "--B\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + content + "\r\n"
}

func TestUploads(t *testing.T) {
	t.Parallel()
	web := serve(t, oddAPI)
	web.Header = http.Header{"Content-Type": {"multipart/form-data; boundary=B"}}
	file := func(field, name, content string) string {
		return part(`name="`+field+`"; filename="`+name+`"`, content)
	}
	text := func(field, content string) string { return part(`name="`+field+`"`, content) }
	const end = "--B--\r\n"
	rows := []struct {
		name, body string
		status     int
		want       string // of the answer
		kept       []string
	}{
		{"one file", file("file0", "a.txt", "abc") + end, 201,
			`{"got":"{StoryID:{Value:0 State:0} Note: Files:[{Name:a.txt ContentType:application/octet-stream Ref:a.txt:3}]}"}`, []string{"a.txt:3"}},
		{"text before and after", text("note", "hi") + file("file0", "a", "") + file("file2", "b", "xy") + text("story_id", "7") + end, 201,
			`{"got":"{StoryID:{Value:7 State:2} Note:hi Files:[{Name:a ContentType:application/octet-stream Ref:a:0} {Name:b ContentType:application/octet-stream Ref:b:2}]}"}`,
			[]string{"a:0", "b:2"}},
		{"the other name of the first", file("file", "a", "") + end, 201, ``, []string{"a:0"}},
		{"the first under both names", file("file", "a", "") + file("file0", "b", "") + end, 400, `{"errors":{"file0":"duplicate-key"}}`, nil},
		{"the type of the content", strings.Replace(file("file0", "a", "x"), "\r\n\r\n", "\r\nContent-Type: Text/HTML; charset=utf-8\r\n\r\n", 1) + end, 201,
			`{"got":"{StoryID:{Value:0 State:0} Note: Files:[{Name:a ContentType:text/html; charset=utf-8 Ref:a:1}]}"}`, []string{"a:1"}},
		{"no type of content", strings.Replace(file("file0", "a", "x"), "\r\n\r\n", "\r\nContent-Type: ;\r\n\r\n", 1) + end, 201,
			`{"got":"{StoryID:{Value:0 State:0} Note: Files:[{Name:a ContentType:application/octet-stream Ref:a:1}]}"}`, []string{"a:1"}},

		{"a path", file("file0", `../../etc/pass"+"wd`, "x") + end, 400, ``, nil},
		{"a path of unix", file("file0", `../../etc/passwd`, "x") + end, 201, ``, []string{"passwd:1"}},
		{"a path of windows", part(`name="file0"; filename*=UTF-8''C%3A%5Cx%5Cb.txt`, "x") + end, 201, ``, []string{"b.txt:1"}},
		{"characters that do not print", part(`name="file0"; filename*=UTF-8''a%00%0D%0Ab%1B%C2%85.txt`, "x") + end, 201, ``, []string{"ab.txt:1"}},
		{"Unicode", file("file0", "übersicht 日本.pdf", "x") + end, 201, ``, []string{"übersicht 日本.pdf:1"}},
		{"Unicode by its own rule", part(`name="file0"; filename="a"; filename*=UTF-8''%E2%82%AC.pdf`, "x") + end, 201, ``, []string{"€.pdf:1"}},
		{"no name at all", text("file0", "x") + end, 400, `{"errors":{"file0":"must be a file with a name"}}`, nil},
		{"only dots", file("file0", "a/..", "x") + end, 400, `{"errors":{"file0":"must be a file with a name"}}`, nil},

		{"nothing", end, 400, `{"errors":{"file0":"missing-required-key"}}`, nil},
		{"not the first", file("file1", "a", "x") + end, 400, `{"errors":{"file0":"missing-required-key"}}`, nil},
		{"every bad part", file("file0", "a", "x") + text("story_id", "0") + text("note", "123456") + text("other", "") + file("file9", "b", "") + end, 400,
			`{"errors":{"story_id":"must be at least 1","note":"must have at most 5 characters","other":"disallowed-key","file9":"disallowed-key"}}`, nil},
		{"a part without a name", file("file0", "a", "x") + part(`filename="b"`, "") + end, 400, `{"errors":{"body":"holds a part without a name"}}`, nil},
		{"a text twice", file("file0", "a", "x") + text("note", "1") + text("note", "2") + end, 400, `{"errors":{"note":"duplicate-key"}}`, nil},
		{"a long text", file("file0", "a", "x") + text("note", strings.Repeat("x", 64<<10+1)) + end, 400, `{"errors":{"note":"must not be longer than 64 KiB"}}`, nil},
		{"64 parts", file("file0", "a", "x") + strings.Repeat(text("no", ""), 63) + end, 400, `{"errors":{"no":"disallowed-key"}}`, nil},
		{"65 parts", file("file0", "a", "x") + strings.Repeat(text("no", ""), 64) + end, 400, `{"errors":{"body":"must hold fewer parts"}}`, nil},
		{"cut short in a file", file("file0", "a", "x") + strings.TrimSuffix(file("file1", "b", "xyz"), "\r\n"), 400, `{"errors":{"body":"could not be read to its end"}}`, nil},
		{"cut short between files", file("file0", "a", "x"), 400, `{"errors":{"body":"could not be read to its end"}}`, nil},
		{"no form", `{"name":"x"}`, 400, `{"errors":{"file0":"missing-required-key"}}`, nil},
		{"more than the sink takes", file("file0", "a", "x") + file("file1", "full", "x") + end, 413, `{"message":"The file does not fit."}`, nil},
		{"the use case fails", file("file0", "a", "x") + file("file1", "b", "x") + text("note", "fail") + end, 500, ``, nil},
		{"too large", file("file0", "a", strings.Repeat("x", maxUpload)) + end, 413, `{"message":"The request body is larger than 8 MiB."}`, nil},
	}
	for _, r := range rows {
		testkit.Run(t, web, []testkit.Case{{Name: r.name, Method: "POST", Path: "/api/odd/files", Body: r.body, Status: r.status, Want: r.want}})
		if left := files.take(); !slices.Equal(left, r.kept) {
			t.Errorf("%s: %q are kept, want %q", r.name, left, r.kept)
		}
	}

	web.Want(t, 400, "POST", "/api/odd/files", text("other", "")+file("file0", "a", "x")+end)
	if files.kept != nil {
		t.Errorf("after a mistake %q were kept", files.kept)
	}
	most := maxUpload - len(file("file0", "a", "")) - len(end)
	web.Want(t, 201, "POST", "/api/odd/files", file("file0", "a", strings.Repeat("x", most))+end)
	files.take()
	req, err := http.NewRequestWithContext(t.Context(), "POST", web.URL+"/api/odd/files",
		io.MultiReader(strings.NewReader(file("file0", "a", "x")+file("file1", "b", strings.Repeat("x", maxUpload)))))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = web.Header
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != 413 {
		t.Errorf("an upload of unknown length: status %d", resp.StatusCode)
	}
	if left := files.take(); left != nil {
		t.Errorf("of an upload that is too large %q are kept", left)
	}

	for _, c := range []testkit.Case{
		{Name: "a query", Path: "/api/odd/files?a=1", Body: file("file0", "a", "x") + end, Want: `{"errors":{"a":"disallowed-key"}}`},
		{Name: "another type", As: &testkit.Client{URL: web.URL}, Path: "/api/odd/files", Body: `{}`, Want: `{"errors":{"body":"must be multipart/form-data"}}`},
	} {
		c.Method, c.Status = "POST", 400
		testkit.Run(t, web, []testkit.Case{c})
		if left := files.take(); left != nil {
			t.Errorf("%s: %q are kept", c.Name, left)
		}
	}
}

// TestUploadPanics: what was kept is released even then, and when the client is gone.
func TestUploadPanics(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	own := sink{after: cancel}
	route := uploadRoute.Receives(&own)
	h := handler(rest.API{Version: "odd", Routes: []rest.Route{route}})
	req, err := http.NewRequestWithContext(ctx, "POST", "/api/odd/files", bytes.NewBufferString(
		part(`name="file0"; filename="a"`, "x")+part(`name="note"`, "panic")+"--B--\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "multipart/form-data; boundary=B")
	func() {
		defer func() {
			if got := recover(); got != "the use case panics" {
				t.Errorf("panic %v", got)
			}
		}()
		h.ServeHTTP(httptest.NewRecorder(), req)
	}()
	if len(own.kept) != 1 {
		t.Errorf("%q were kept", own.kept)
	}
	if left := own.take(); left != nil {
		t.Errorf("%q are kept", left)
	}
}
