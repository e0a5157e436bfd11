package api_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestUploadVersions sends each version the names of both.
func TestUploadVersions(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for version, status := range map[string]int{"v3": 201, "v2": 201, "beta": 200} {
			for _, fields := range [][]string{{"file0"}, {"file"}, {"file0", "file1", "file2", "file3"}, {"file", "file2", "file3", "file4"}} {
				var parts []testkit.Part
				for _, f := range fields {
					parts = append(parts, testkit.Part{Field: f, Name: f + ".txt", Content: f})
				}
				a := s.Owner.UploadForm(t, "/api/"+version+"/files", parts...)
				if a.Status != status {
					t.Fatalf("%s %v: %d %s", version, fields, a.Status, a.Text)
				}
				list := a.List(t)
				for i, f := range fields {
					if len(list) != len(fields) || list[i]["name"] != f+".txt" || contentOf(t, s.Owner, list[i]["url"]).Text != f {
						t.Errorf("%s %v: %s", version, fields, a.Text)
					}
				}
			}
			for _, fields := range [][]string{{"file1"}, {"file0", "file"}, {"file0", "file9"}} {
				var parts []testkit.Part
				for _, f := range fields {
					parts = append(parts, testkit.Part{Field: f, Name: f + ".txt", Content: f})
				}
				if a := s.Owner.UploadForm(t, "/api/"+version+"/files", parts...); a.Status != 400 {
					t.Errorf("%s %v: %d %s", version, fields, a.Status, a.Text)
				}
			}
		}
		s.Owner.Want(t, 405, "POST", "/api/v1/files", nil)
		if n := len(s.Owner.Want(t, 200, "GET", "/files", nil).List(t)); n != 30 || len(kept(t, s)) != 30 {
			t.Errorf("%d files and %d contents, want 30", n, len(kept(t, s)))
		}
	})
}

func TestUploadNames(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	for name, want := range map[string]string{
		"plain.txt": "plain.txt", "../../etc/passwd": "passwd", `C:\\temp\\a b.txt`: "a b.txt", "日本 é.txt": "日本 é.txt",
		"a\tb\u0085.txt": "ab.txt", " .hidden ": ".hidden", strings.Repeat("ü", 1024): strings.Repeat("ü", 1024),
	} {
		a := s.Owner.Upload(t, "/files", "file0", name, "x")
		if a.Status != 201 {
			t.Errorf("%q: %d %s", name, a.Status, a.Text)
			continue
		}
		f := a.List(t)[0]
		if f["name"] != want || f["filename"] != want {
			t.Errorf("%q is %q", name, f["name"])
		}
		if got := contentOf(t, s.Owner, f["url"]); got.Text != "x" {
			t.Errorf("%q: %v leads to %q", name, f["url"], got.Text)
		}
	}
	before := len(kept(t, s))
	for name, want := range map[string]string{
		"..": "must be a file with a name", "a/": "must be a file with a name", strings.Repeat("ü", 1025): "must have a name of at most 1024 characters",
	} {
		if a := s.Owner.Upload(t, "/files", "file0", name, "x"); a.Status != 400 || !strings.Contains(a.Text, want) {
			t.Errorf("%q: %d %s", name, a.Status, a.Text)
		}
	}
	if after := len(kept(t, s)); after != before {
		t.Errorf("%d contents, had %d", after, before)
	}
}

func TestUploadTypes(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	const page, zip = "<html><script>alert(1)</script>", "PK\x03\x04 and so on"
	for _, c := range []struct{ declared, content, want string }{
		{"", "words", "text/plain; charset=utf-8"},
		{"application/octet-stream", picture, "image/png"},
		{"application/octet-stream", "\x00\x01\x02", "application/octet-stream"},
		{"", "", "text/plain; charset=utf-8"},
		{"text/csv; charset=latin1", "a,b", "text/csv; charset=latin1"},
		{"application/json", "{}", "application/json"},
		{"image/png", page, "text/html; charset=utf-8"},
		{"image/png", "words", "text/plain; charset=utf-8"},
		{"text/plain", picture, "image/png"},
		{"text/plain", "\x00\x01\x02", "application/octet-stream"},
		{"text/plain", page, "text/plain"},
		{"image/svg+xml", "<?xml version='1.0'?><svg/>", "image/svg+xml"},
		{"application/vnd.openxmlformats-officedocument.wordprocessingml.document", zip, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"application/pdf", zip, "application/zip"},
		{"application/x-own", "\x00\x01", "application/x-own"},
		{"nonsense", "words", "text/plain; charset=utf-8"},
		{"a/" + strings.Repeat("b", 200), "words", "text/plain; charset=utf-8"},
	} {
		a := s.Owner.UploadForm(t, "/files", testkit.Part{Field: "file0", Name: "a", ContentType: c.declared, Content: c.content})
		if a.Status != 201 || a.List(t)[0]["content_type"] != c.want {
			t.Errorf("%.30q declared as %s: %d %s, want %s", c.content, c.declared, a.Status, a.Text, c.want)
			continue
		}
		got := contentOf(t, s.Owner, a.List(t)[0]["url"])
		if got.Header.Get("Content-Type") != c.want || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s is sent as %v", c.want, got.Header)
		}
	}
}

// TestFailedUploads leave neither a file nor a content.
func TestFailedUploads(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		foreign := s.NewWorkspace(t, "second").Want(t, 201, "POST", "/stories", `{"name":"theirs"}`).ID(t)
		changes := len(s.Changes(t, s.Owner.Workspace, 0))
		good := testkit.Part{Field: "file0", Name: "a.png", Content: picture}
		most := strings.Repeat("x", testkit.MaxFile)
		for _, c := range []struct {
			name   string
			parts  []testkit.Part
			status int
			want   string
		}{
			{"nothing", nil, 400, `"file0":"missing-required-key"`},
			{"no file", []testkit.Part{{Field: "story_id", Content: "1"}}, 400, `"file0":"missing-required-key"`},
			{"a bad second part", []testkit.Part{good, {Field: "story_id", Content: "x"}}, 400, `"story_id":`},
			{"an unknown part", []testkit.Part{good, {Field: "other", Content: "x"}}, 400, `"other":"disallowed-key"`},
			{"no name", []testkit.Part{good, {Field: "file1", Content: "x"}}, 400, `"file1":"must be a file with a name"`},
			{"an unknown story", []testkit.Part{good, {Field: "story_id", Content: "99"}}, 422, `"story_id":"names no existing story: 99"`},
			{"another workspace's story", []testkit.Part{good, {Field: "story_id", Content: fmt.Sprint(foreign)}}, 422, `"story_id"`},
			{"too large", []testkit.Part{{Field: "file0", Name: "a", Content: most + "x"}}, 413, "larger than 1048576 bytes"},
			{"the second too large", []testkit.Part{good, {Field: "file1", Name: "a", Content: most + "x"}}, 413, "larger than 1048576 bytes"},
			{"far too large", []testkit.Part{{Field: "file0", Name: "a", Content: strings.Repeat(most, 5)}}, 413, "larger than"},
		} {
			a := s.Owner.UploadForm(t, "/files", c.parts...)
			if a.Status != c.status || !strings.Contains(a.Text, c.want) {
				t.Errorf("%s: %d %s, want %d and %s", c.name, a.Status, a.Text, c.status, c.want)
			}
			if left := kept(t, s); len(left) > 0 {
				t.Fatalf("%s: there is %v", c.name, left)
			}
		}
		s.Owner.Want(t, 400, "POST", "/files", `{}`)
		if n := len(s.Owner.Want(t, 200, "GET", "/files", nil).List(t)); n > 0 || len(s.Changes(t, s.Owner.Workspace, 0)) != changes {
			t.Errorf("there are %d files", n)
		}
		four := make([]testkit.Part, 4)
		for i := range four {
			four[i] = testkit.Part{Field: fmt.Sprint("file", i), Name: "a", Content: most}
		}
		if a := s.Owner.UploadForm(t, "/files", four...); a.Status != 201 {
			t.Errorf("four of the largest: %d %s", a.Status, a.Text)
		}
	})
}

// TestUploadCutShort ends the connection in the middle of the second file.
func TestUploadCutShort(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		body, contentType := testkit.Form(t, testkit.Part{Field: "file0", Name: "a", Content: "whole"}, testkit.Part{Field: "file1", Name: "b", Content: strings.Repeat("x", 100_000)})
		req, err := http.NewRequest("POST", s.URL+"/api/v3/files", strings.NewReader(body[:80_000]))
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = -1 // in chunks, the last of which ends the form too early
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Service-Token", s.Owner.Token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != 400 || len(kept(t, s)) > 0 || len(s.Owner.Want(t, 200, "GET", "/files", nil).List(t)) > 0 {
			t.Errorf("status %d, left: %v", resp.StatusCode, kept(t, s))
		}
	})
}

// TestTokensInFiles revokes those in a name, and in a content up to a mebibyte.
func TestTokensInFiles(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		for where, part := range map[string]func(token string) testkit.Part{
			"name":    func(token string) testkit.Part { return testkit.Part{Name: token + ".txt", Content: "x"} },
			"content": func(token string) testkit.Part { return testkit.Part{Name: "a", Content: "TOKEN=" + token + "\n"} },
			"end": func(token string) testkit.Part {
				return testkit.Part{Name: "a", Content: strings.Repeat(" ", testkit.MaxFile-len(token)) + token}
			},
		} {
			leaked := &testkit.Client{URL: s.URL, Token: s.NewToken(t, other)}
			leaked.Want(t, 200, "GET", "/member", nil)
			p := part(leaked.Token)
			p.Field = "file0"
			if a := s.Owner.UploadForm(t, "/files", p); a.Status != 201 {
				t.Fatal(a.Status, a.Text)
			}
			leaked.Want(t, 401, "GET", "/member", nil)
			if strings.Contains(s.Log.String(), leaked.Token) {
				t.Errorf("%s: the log holds the token", where)
			}
		}
		refused := &testkit.Client{URL: s.URL, Token: s.NewToken(t, other)}
		s.Owner.UploadForm(t, "/files", testkit.Part{Field: "file0", Name: "a", Content: refused.Token}, testkit.Part{Field: "story_id", Content: "99"})
		refused.Want(t, 200, "GET", "/member", nil)
		s.Owner.Want(t, 200, "PUT", "/files/2", map[string]any{"description": refused.Token})
		refused.Want(t, 401, "GET", "/member", nil)
	})
}

// TestSweep deletes what belongs to no file, once it is an hour old.
func TestSweep(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		newFile(t, s, "dot.png", picture)
		content := s.Files + "/" + string(s.Owner.Workspace) + "/"
		before := kept(t, s)
		id := before[0][:36]
		young := "019b8d99-6900-7000-8000-000000000001" // an id of the moment at which the clock stands
		for _, name := range []string{young, young + ".thumbnail", young + ".part", id + ".part", id + ".thumbnail.part", "of somebody else"} {
			if err := os.WriteFile(content+name, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		strange := s.Files + "/" + missingUUID
		if err := os.MkdirAll(strange, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(strange+"/"+young, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		underWay, err := s.Service.KeepContent(t.Context(), testkit.Operator(s.Owner.Workspace), "b", "", strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		sweep := func(want int) {
			t.Helper()
			if n, err := s.Service.SweepFiles(t.Context()); err != nil || n != want {
				t.Errorf("%d were deleted (%v), want %d; there is %v", n, err, want, kept(t, s))
			}
		}
		s.Clock.Advance(time.Hour - time.Millisecond)
		sweep(0)
		s.Clock.Advance(time.Millisecond)
		sweep(5)
		sweep(0)
		if got := kept(t, s); len(got) != 5 { // the file, its thumbnail, what is under way, what is strange
			t.Errorf("there is %v", got)
		}
		if _, err := s.Service.CreateFiles(t.Context(), testkit.Operator(s.Owner.Workspace), nil, tracker.Opt[int64]{}); err != nil {
			t.Error(err)
		}
		s.Service.ReleaseContent(t.Context(), testkit.Operator(s.Owner.Workspace), underWay)
		if got := kept(t, s); len(got) != 4 {
			t.Errorf("there is %v", got)
		}
		if got := s.Owner.Want(t, 200, "GET", "/api/app/files/2/content/a", nil); got.Text != picture {
			t.Errorf("the content is %q", got.Text)
		}
	})
}

// TestConcurrentUploads lets only so many contents arrive at the same time.
func TestConcurrentUploads(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	by := testkit.Operator(s.Owner.Workspace)
	var group sync.WaitGroup
	var ends []*io.PipeWriter
	for range 16 {
		r, w := io.Pipe()
		ends = append(ends, w)
		group.Go(func() {
			if _, err := s.Service.KeepContent(t.Context(), by, "a", "", r); err != nil {
				t.Error(err)
			}
		})
		if _, err := w.Write([]byte("x")); err != nil { // it has its place when this is read
			t.Fatal(err)
		}
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	var e *tracker.Error
	if _, err := s.Service.KeepContent(impatient, by, "a", "", strings.NewReader("x")); !errors.As(err, &e) || e.Code != tracker.Busy {
		t.Errorf("one more: %v", err)
	}
	if n := len(kept(t, s)); n != 16 {
		t.Errorf("%d contents are there", n)
	}
	for _, w := range ends {
		w.Close()
	}
	group.Wait()
	if _, err := s.Service.KeepContent(t.Context(), by, "a", "", strings.NewReader("x")); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}
