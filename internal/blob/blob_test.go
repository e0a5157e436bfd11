package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"milepost/internal/blob"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// onStores runs fn on each kind of store, with a folder that nothing is in.
func onStores(t *testing.T, fn func(t *testing.T, s blob.Store, folder string)) {
	t.Helper()
	addresses := map[string]string{"disk": filepath.Join(t.TempDir(), "files")}
	if bucket := os.Getenv(testkit.S3Variable); bucket != "" {
		addresses["s3"] = bucket
	}
	for name, address := range addresses {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := blob.Open(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			fn(t, s, testkit.NewFolder())
		})
	}
}

// content is text that differs everywhere, so that a part in the wrong place shows.
func content(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "%d,", i)
	}
	return b.Bytes()[:size]
}

func write(t *testing.T, s blob.Store, key string, text []byte) {
	t.Helper()
	if err := s.Write(t.Context(), key, iotest.OneByteReader(bytes.NewReader(text[:min(len(text), 10)]))); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, s blob.Store, folder string) (keys []string) {
	t.Helper()
	for o, err := range s.List(t.Context(), folder) {
		if err != nil {
			t.Fatal(err)
		}
		key := strings.TrimPrefix(o.Key, folder+"/")
		if o.Partial {
			key += " (partial)"
		}
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func read(t *testing.T, s blob.Store, key string, size int) []byte {
	t.Helper()
	r, err := s.Open(t.Context(), key, int64(size))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestContents keeps contents around the sizes at which an upload to S3 gets one more part.
func TestContents(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s blob.Store, folder string) {
		const part = 5 << 20
		for _, size := range []int{0, 1, 512, part - 1, part, part + 1, 2*part + 3} {
			key, want := fmt.Sprintf("%s/%d", folder, size), content(size)
			if err := s.Write(t.Context(), key, io.MultiReader(bytes.NewReader(want))); err != nil {
				t.Fatalf("%d bytes: %v", size, err)
			}
			if !bytes.Equal(read(t, s, key, size), want) {
				t.Errorf("%d bytes come back otherwise", size)
			}
		}
		if got := list(t, s, folder); len(got) != 7 {
			t.Errorf("there is %v", got)
		}
	})
}

func TestSeek(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s blob.Store, folder string) {
		key, want := folder+"/a", content(100_000)
		if err := s.Write(t.Context(), key, bytes.NewReader(want)); err != nil {
			t.Fatal(err)
		}
		r, err := s.Open(t.Context(), key, int64(len(want)))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		for _, c := range []struct {
			offset int64
			whence int
			at     int64
		}{{0, io.SeekEnd, 100_000}, {0, io.SeekStart, 0}, {70_000, io.SeekStart, 70_000}, {-60_000, io.SeekCurrent, 10_100}, {-5, io.SeekEnd, 99_995}} {
			at, err := r.Seek(c.offset, c.whence)
			if err != nil || at != c.at {
				t.Fatalf("sought to %d (%v), want %d", at, err, c.at)
			}
			got := make([]byte, min(100, len(want)-int(at)))
			if _, err := io.ReadFull(r, got); err != nil || !bytes.Equal(got, want[at:int(at)+len(got)]) {
				t.Errorf("at %d stands %q (%v)", at, got, err)
			}
		}
		if _, err := r.Read(make([]byte, 1)); !errors.Is(err, io.EOF) {
			t.Errorf("after the end: %v", err)
		}
		if _, err := r.Seek(-1, io.SeekStart); err == nil {
			t.Error("one can seek to before the start")
		}
	})
}

// TestFailedWrite leaves nothing, wherever in the content it fails.
func TestFailedWrite(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s blob.Store, folder string) {
		broken := errors.New("broken")
		for _, size := range []int{0, 100, 11 << 20} {
			r := io.MultiReader(bytes.NewReader(content(size)), iotest.ErrReader(broken))
			if err := s.Write(t.Context(), folder+"/a", r); err == nil {
				t.Errorf("after %d bytes: no error", size)
			}
			if got := list(t, s, folder); len(got) > 0 {
				t.Errorf("after %d bytes there is %v", size, got)
			}
		}
		if _, err := s.Open(t.Context(), folder+"/a", 100); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("the content can be opened: %v", err)
		}
	})
}

// TestUnfinishedWrite is seen while it goes on, and apart from what is whole.
func TestUnfinishedWrite(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s blob.Store, folder string) {
		write(t, s, folder+"/whole", []byte("x"))
		r, w := io.Pipe()
		done := make(chan error)
		go func() { done <- s.Write(t.Context(), folder+"/a", r) }()
		if _, err := w.Write(content(26 << 20)); err != nil { // when this much has been read, some has been sent
			t.Fatal(err)
		}
		if got := list(t, s, folder); !slices.Equal(got, []string{"a (partial)", "whole"}) {
			t.Errorf("there is %v", got)
		}
		if _, err := s.Open(t.Context(), folder+"/a", 1); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("half a content can be opened: %v", err)
		}
		for o, err := range s.List(t.Context(), folder) {
			if err != nil {
				t.Fatal(err)
			}
			if o.Partial {
				if err := s.Remove(t.Context(), o); err != nil {
					t.Error(err)
				}
			}
		}
		if got := list(t, s, folder); !slices.Equal(got, []string{"whole"}) {
			t.Errorf("there is %v", got)
		}
		w.Close()
		if err := <-done; err == nil {
			t.Error("what was removed while it was written is acknowledged")
		}
	})
}

func TestRemove(t *testing.T) {
	t.Parallel()
	onStores(t, func(t *testing.T, s blob.Store, folder string) {
		if got := list(t, s, folder); got != nil {
			t.Errorf("a new folder holds %v", got)
		}
		for i := range 3 {
			write(t, s, fmt.Sprintf("%s/%d", folder, i), []byte("x"))
		}
		write(t, s, folder+"x/other", []byte("x"))
		before := list(t, s, folder)
		if err := s.Remove(t.Context(), blob.Object{Key: folder + "/1"}); err != nil {
			t.Fatal(err)
		}
		if err := s.Remove(t.Context(), blob.Object{Key: folder + "/1"}); err != nil {
			t.Errorf("what is not there: %v", err)
		}
		if after := list(t, s, folder); len(after) != len(before)-1 || slices.Contains(after, "1") {
			t.Errorf("of %d there are %d", len(before), len(after))
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for _, err := range s.List(ctx, folder) {
			if err != nil {
				return
			}
		}
		t.Error("a list goes on without its context")
	})
}

// TestLargeFolder lists more names than are read at once.
func TestLargeFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, err := blob.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, "folder/a", []byte("x"))
	for i := range 2001 {
		if err := os.WriteFile(fmt.Sprintf("%s/folder/%d", dir, i), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := list(t, s, "folder"); len(got) != 2002 {
		t.Errorf("%d are listed", len(got))
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	away := httptest.NewServer(http.NotFoundHandler())
	for address, want := range map[string]string{
		"gs://bucket":                 "files cannot be kept at gs://",
		"s3://":                       "must have the form s3://bucket",
		"s3://bucket/folder":          "must have the form s3://bucket",
		"s3://bucket?colour=red":      `unknown query parameter "colour"`,
		"s3://b?use_path_style=maybe": "use_path_style must be true or false",
		"s3://%zz":                    "cannot be read",
		file:                          "the directory of files cannot be made",
		"s3://bucket?region=x&anonymous=true&endpoint=" + away.URL: "the bucket bucket cannot be used",
	} {
		if _, err := blob.Open(t.Context(), address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", address, err, want)
		}
	}
}

// TestBucketAway asks a bucket that answered once and answers no more.
func TestBucketAway(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	s, err := blob.Open(t.Context(), "s3://bucket?region=x&anonymous=true&endpoint="+server.URL)
	if err != nil {
		t.Fatal(err)
	}
	server.Close()
	_, opened := s.Open(t.Context(), "folder/a", 1)
	for name, err := range map[string]error{
		"write": s.Write(t.Context(), "folder/a", strings.NewReader("x")), "open": opened, "remove": s.Remove(t.Context(), blob.Object{Key: "folder/a"}),
	} {
		var e *tracker.Error
		if !errors.As(err, &e) || e.Code != tracker.Busy || !strings.Contains(e.Message, "cannot be reached") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
