package cli_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"milepost/internal/blob"
	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/testkit"
)

// endless gives the same byte for ever.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

// upload sends a file while it is made, so that the test does not hold it either.
func upload(p *process, token string, content io.Reader) (status int, text string, err error) {
	body := io.MultiReader(strings.NewReader("--B\r\nContent-Disposition: form-data; name=\"file0\"; filename=\"a.bin\"\r\n\r\n"),
		content, strings.NewReader("\r\n--B--\r\n"))
	req, err := http.NewRequest("POST", p.url+"/api/v3/files", body)
	if err != nil {
		return 0, "", err
	}
	req.Header.Set("Service-Token", token)
	req.Header.Set("Content-Type", "multipart/form-data; boundary=B")
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(answer), err
}

func mustUpload(t *testing.T, p *process, token string, content io.Reader) (address string) {
	t.Helper()
	status, text, err := upload(p, token, content)
	var list []struct{ URL string }
	if err != nil || status != 201 || json.Unmarshal([]byte(text), &list) != nil || len(list) != 1 {
		t.Fatal(status, text, err)
	}
	return list[0].URL
}

// TestLargeUpload watches the memory of the process while 200 MB arrive and are sent again.
func TestLargeUpload(t *testing.T) {
	t.Parallel()
	const size, growth = 200 << 20, 32 << 20
	places := map[string]string{"disk": ""}
	if bucket := os.Getenv(testkit.S3Variable); bucket != "" {
		places["s3"] = bucket
	}
	for name, place := range places {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			metrics := free.Addr().String()
			free.Close()
			flags := []string{"--metrics-listen", metrics, "--max-file-size", "200"}
			if place != "" {
				flags = append(flags, "--files", place)
			}
			p := serve(t, scriptProgram(t), filepath.Join(t.TempDir(), "milepost.db"), flags...)
			mustUpload(t, p, p.token, strings.NewReader("x"))
			before := memoryOf(t, metrics)
			address := mustUpload(t, p, p.token, io.LimitReader(endless(0), size))
			uploaded := memoryOf(t, metrics)
			status, sent, err := download(address, p.token)
			if err != nil || status != 200 || sent != size {
				t.Errorf("%d, %d bytes, %v", status, sent, err)
			}
			for when, after := range map[string]map[string]float64{"upload": uploaded, "download": memoryOf(t, metrics)} {
				for what, bytes := range after {
					if bytes-before[what] > growth {
						t.Errorf("by the %s, %s has grown from %.0f to %.0f", when, what, before[what], bytes)
					}
				}
			}
			if status, text, err := upload(p, p.token, io.LimitReader(endless(0), size+1)); err != nil || status != 413 {
				t.Errorf("a byte more: %d %s %v", status, text, err)
			}
		})
	}
}

func download(address, token string) (status int, bytes int64, err error) {
	resp, err := http.Get(address + "?token=" + token)
	if err != nil {
		return 0, 0, err
	}
	defer resp.Body.Close()
	bytes, err = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode, bytes, err
}

var memoryForm = regexp.MustCompile(`(?m)^(process_resident_memory_bytes|go_memstats_sys_bytes) (\S+)$`)

// memoryOf reads what the process has of the system's memory; the Go part of it never shrinks.
func memoryOf(t *testing.T, metrics string) map[string]float64 {
	t.Helper()
	_, text, err := request(http.DefaultClient, "GET", "http://"+metrics+"/metrics", "", "")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]float64{}
	for _, m := range memoryForm.FindAllStringSubmatch(text, -1) {
		if out[m[1]], err = strconv.ParseFloat(m[2], 64); err != nil {
			t.Fatal(err)
		}
	}
	if out["go_memstats_sys_bytes"] == 0 {
		t.Fatal("the metrics do not tell the memory")
	}
	return out
}

// TestKillDuringUpload ends the server while a file arrives. The files that were acknowledged are there;
// what is left of the other one is no file, and goes when it is an hour old.
func TestKillDuringUpload(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		dir := filepath.Join(t.TempDir(), "files")
		p := serve(t, scriptProgram(t), address, "--files", dir)
		token := p.token
		whole := mustUpload(t, p, token, strings.NewReader("whole"))
		// What the sockets between us hold is far less than this, so the server has stored some of it.
		arrived := io.MultiReader(io.LimitReader(endless(0), 20<<20), killer{p})
		if status, text, err := upload(p, token, arrived); err == nil {
			t.Fatal("the killed server answers: ", status, text)
		}
		_ = p.wait()
		if left := contentsIn(t, dir); len(left) != 2 {
			t.Fatalf("there is %v, want a content and a part of one", left)
		}
		p = serve(t, scriptProgram(t), address, "--files", dir)
		status, text, err := request(http.DefaultClient, "GET", p.url+"/api/v3/files", token, "")
		if err != nil || status != 200 || strings.Count(text, `"id"`) != 1 {
			t.Errorf("the files are %d %s %v", status, text, err)
		}
		_, path, _ := strings.Cut(whole, "/api/")
		if _, text, err := request(http.DefaultClient, "GET", p.url+"/api/"+path, token, ""); err != nil || text != "whole" {
			t.Errorf("the content is %q (%v)", text, err)
		}
		sweepLater(t, address, dir, time.Hour-time.Minute, 0)
		sweepLater(t, address, dir, time.Hour, 1)
		if left := contentsIn(t, dir); len(left) != 1 {
			t.Errorf("there is %v", left)
		}
		if _, text, err := request(http.DefaultClient, "GET", p.url+"/api/"+path, token, ""); err != nil || text != "whole" {
			t.Errorf("after the sweep the content is %q (%v)", text, err)
		}
	})
}

// killer ends the process when it is read from.
type killer struct{ p *process }

func (k killer) Read([]byte) (int, error) {
	_ = k.p.cmd.Process.Kill()
	<-k.p.ended
	return 0, io.ErrUnexpectedEOF
}

func contentsIn(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(dir + "/*/*")
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// sweepLater sweeps with a clock that goes ahead.
func sweepLater(t *testing.T, address, dir string, by time.Duration, want int) {
	t.Helper()
	st, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	contents, err := blob.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	svc := service.New(st, func() time.Time { return time.Now().Add(by) }, service.Files{Contents: contents})
	if n, err := svc.SweepFiles(t.Context()); err != nil || n != want {
		t.Errorf("after %v, %d contents were deleted (%v), want %d", by, n, err, want)
	}
}

// TestNoRoomForFiles bounds how large a file of the process may become, which the system tells like a disk
// that is full.
func TestNoRoomForFiles(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	bounded := filepath.Join(t.TempDir(), "bounded")
	script := fmt.Sprintf("#!/bin/sh\nulimit -f 8192\nexec %s \"$@\"\n", scriptProgram(t))
	if err := os.WriteFile(bounded, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	p := serve(t, bounded, data+"/milepost.db")
	mustUpload(t, p, p.token, strings.NewReader("small"))
	status, text, err := upload(p, p.token, io.LimitReader(endless(0), 20<<20))
	if err != nil || status != 503 || !strings.Contains(text, "The disk of the server is full; nothing was saved.") {
		t.Errorf("%d %s %v", status, text, err)
	}
	if left := contentsIn(t, data+"/files"); len(left) != 1 {
		t.Errorf("there is %v", left)
	}
	mustUpload(t, p, p.token, strings.NewReader("small again"))
	if status, text, err := request(http.DefaultClient, "GET", p.url+"/api/v3/files", p.token, ""); err != nil || status != 200 || strings.Count(text, `"id"`) != 2 {
		t.Errorf("the files are %s (%v)", text, err)
	}
}
