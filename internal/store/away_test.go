package store_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"milepost/internal/testkit"
)

// A proxy stands between the server and its database and can be cut.
type proxy struct {
	t        *testing.T
	backend  string
	address  string
	mu       sync.Mutex
	listener net.Listener
	conns    []net.Conn
}

func newProxy(t *testing.T, backend string) *proxy {
	t.Helper()
	p := &proxy{t: t, backend: backend, address: "127.0.0.1:0"}
	p.restore()
	p.address = p.listener.Addr().String()
	t.Cleanup(p.cut)
	return p
}

func (p *proxy) restore() {
	p.t.Helper()
	l, err := net.Listen("tcp", p.address)
	if err != nil {
		p.t.Fatal(err)
	}
	p.listener = l
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			p.join(client)
		}
	}()
}

func (p *proxy) join(client net.Conn) {
	server, err := net.Dial("tcp", p.backend)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	p.mu.Unlock()
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		go func() {
			_, _ = io.Copy(way[0], way[1]) // ends with the connection
			way[0].Close()
		}()
	}
}

// cut breaks every connection and takes no new one.
func (p *proxy) cut() {
	p.listener.Close()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range p.conns {
		c.Close()
	}
	p.conns = nil
}

// cutter cuts the proxy when it is first read from, and then gives the text.
type cutter struct {
	io.Reader
	p *proxy
}

func (c *cutter) Read(b []byte) (int, error) {
	if c.p != nil {
		c.p.cut()
		c.p = nil
	}
	return c.Reader.Read(b)
}

// TestUploadWithoutDatabase cuts the database off when the token has been judged and the file arrives.
func TestUploadWithoutDatabase(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if !strings.HasPrefix(address, "postgres") {
			return // an embedded database cannot be away
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		p := newProxy(t, u.Host)
		u.Host = p.address
		s := testkit.New(t, u.String())
		body, contentType := testkit.Form(t, testkit.Part{Field: "file0", Name: "a.txt", Content: "content"})
		req, err := http.NewRequest("POST", s.URL+"/api/v3/files", &cutter{strings.NewReader(body), p})
		if err != nil {
			t.Fatal(err)
		}
		req.Header = http.Header{"Service-Token": {s.Owner.Token}, "Content-Type": {contentType}, "Expect": {"100-continue"}}
		transport := &http.Transport{ExpectContinueTimeout: time.Minute} // the body is asked for after the token has been judged
		defer transport.CloseIdleConnections()
		resp, err := transport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		left, err := filepath.Glob(s.Files + "/*/*")
		if resp.StatusCode != 503 || err != nil || len(left) > 0 {
			t.Errorf("status %d, left is %v (%v)", resp.StatusCode, left, err)
		}
		p.restore()
		if list := s.Owner.Want(t, 200, "GET", "/files", nil).List(t); len(list) > 0 {
			t.Errorf("there is %v", list)
		}
	})
}

// TestDatabaseAway cuts the database off and brings it back.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if !strings.HasPrefix(address, "postgres") {
			return // an embedded database cannot be away
		}
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		p := newProxy(t, u.Host)
		u.Host = p.address
		s := testkit.New(t, u.String())
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"before"}`)
		health := func(path string, status int) {
			t.Helper()
			resp, err := http.Get(s.URL + path)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != status {
				t.Errorf("%s: status %d, want %d", path, resp.StatusCode, status)
			}
		}
		health("/readyz", 200)

		p.cut()
		s.Clock.Advance(time.Second) // what the token opens must be asked again
		for _, request := range [][]string{{"GET", "/labels"}, {"POST", "/labels"}, {"GET", "/nothing"}} {
			a := s.Owner.Want(t, 503, request[0], request[1], `{"name":"during"}`)
			if o := a.Object(t); o["message"] != "The database cannot be reached right now; try again." || len(o) != 1 || a.Header.Get("Retry-After") == "" {
				t.Errorf("%v: %s %v", request, a.Text, a.Header)
			}
		}
		health("/readyz", 503)
		health("/healthz", 200)

		p.restore()
		s.Owner.Want(t, 201, "POST", "/labels", `{"name":"after"}`)
		health("/readyz", 200)
		list := s.Owner.Want(t, 200, "GET", "/labels", nil).List(t)
		if len(list) != 2 || list[0]["name"] != "before" || list[1]["name"] != "after" {
			t.Errorf("labels %v", list)
		}
	})
}
