package load_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"milepost/bench/load"
)

// count serves /plain, /chunked and /echo and remembers what was asked.
type server struct {
	mu    sync.Mutex
	seen  map[string]int
	peers map[string]bool
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.seen[r.Method+" "+r.URL.Path+" "+string(body)]++
	s.peers[r.RemoteAddr] = true
	s.mu.Unlock()
	switch r.URL.Path {
	case "/chunked":
		for range 3 {
			fmt.Fprint(w, strings.Repeat("x", 1000))
			w.(http.Flusher).Flush()
		}
	case "/refused":
		http.Error(w, "no", http.StatusUnprocessableEntity)
	case "/broken":
		panic(http.ErrAbortHandler)
	default:
		fmt.Fprint(w, "0123456789")
	}
}

func start(t *testing.T) (*server, string) {
	t.Helper()
	s := &server{seen: map[string]int{}, peers: map[string]bool{}}
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	return s, web.Listener.Addr().String()
}

func get(path string) load.Source {
	return load.Source{Append: func(buf []byte, _, _ int) []byte {
		return append(buf, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"...)
	}}
}

const short = 50 * time.Millisecond

func TestRun(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path    string
		bytes   int64 // of one answer
		failure string
	}{
		{"/plain", 10, ""},
		{"/chunked", 3000, ""},
		{"/refused", 0, "status 422"},
		{"/broken", 0, "EOF"},
	} {
		t.Run(c.path, func(t *testing.T) {
			t.Parallel()
			s, address := start(t)
			r, err := load.Run(t.Context(), address, 4, short, get(c.path))
			if err != nil {
				t.Fatal(err)
			}
			answered := s.seen["GET "+c.path+" "]
			if r.Requests+r.Failures != answered || answered == 0 || r.Failure != c.failure || r.Bytes != c.bytes*int64(r.Requests) {
				t.Errorf("%d requests and %d failures (%s) of %d, %d bytes", r.Requests, r.Failures, r.Failure, answered, r.Bytes)
			}
			if (r.Failures > 0) != (c.failure != "") || (r.Requests > 0) == (c.failure != "") {
				t.Errorf("%d requests and %d failures", r.Requests, r.Failures)
			}
			if len(s.peers) != 4 {
				t.Errorf("%d connections, want 4", len(s.peers))
			}
			if low, high := r.Percentile(0), r.Percentile(1); low > high || (c.failure == "" && low <= 0) {
				t.Errorf("latencies from %v to %v", low, high)
			}
		})
	}
}

// Every request of every worker is sent once, and told once it is answered.
func TestRequestsAreTold(t *testing.T) {
	t.Parallel()
	s, address := start(t)
	told := make([]int, 3) // by worker: the next request expected
	source := load.Source{
		Append: func(buf []byte, worker, i int) []byte {
			body := fmt.Sprintf("%d/%d", worker, i)
			return append(buf, fmt.Sprintf("POST /plain HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s", len(body), body)...)
		},
		Answered: func(worker, i int) {
			if told[worker] != i {
				t.Errorf("worker %d told of request %d, not %d", worker, i, told[worker])
			}
			told[worker]++
		},
	}
	r, err := load.Run(t.Context(), address, len(told), short, source)
	if err != nil {
		t.Fatal(err)
	}
	if sum := told[0] + told[1] + told[2]; sum != r.Requests {
		t.Errorf("told of %d of %d requests", sum, r.Requests)
	}
	for worker, n := range told {
		for i := range n {
			if got := s.seen[fmt.Sprintf("POST /plain %d/%d", worker, i)]; got != 1 {
				t.Errorf("request %d of worker %d arrived %d times", i, worker, got)
			}
		}
	}
}
