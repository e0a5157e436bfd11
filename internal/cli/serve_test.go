package cli_test

import (
	"bufio"
	"database/sql"
	"fmt"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"milepost/internal/testkit"
)

// serve starts a server on the database at the address and ends it with the test.
func serve(t *testing.T, program, address string, args ...string) *process {
	t.Helper()
	p, err := startServe(program, t.TempDir(), withoutSettings(), append(databaseFlags(address), args...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.kill)
	return p
}

// databaseFlags points a command at a test database; SQLite files are always called milepost.db.
func databaseFlags(address string) []string {
	if dir, ok := strings.CutSuffix(address, "/milepost.db"); ok {
		return []string{"--data", dir}
	}
	return []string{"--database", address}
}

func scriptProgram(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("milepost")
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// TestShutdown asks the server to end while it reads a request: the request is finished first.
func TestShutdown(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		p := serve(t, scriptProgram(t), address)
		conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		body := `{"name":"in flight"}`
		fmt.Fprintf(conn, "POST /api/v3/labels HTTP/1.1\r\nHost: x\r\nService-Token: %s\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n", p.token, len(body))
		answers := bufio.NewReader(conn)
		line, err := answers.ReadString('\n')
		if err != nil || !strings.Contains(line, "100 Continue") {
			t.Fatalf("%q, %v", line, err)
		}
		if _, err := answers.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		for { // until nobody else is let in
			other, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
			if err != nil {
				break
			}
			other.Close()
		}
		fmt.Fprint(conn, body)
		resp, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusCreated {
			t.Errorf("the request in flight was answered with %d", resp.StatusCode)
		}
		if code := exitCode(p.wait()); code != 0 {
			t.Errorf("exit status %d: %s", code, p.log())
		}
		again := serve(t, scriptProgram(t), address)
		if _, labels, err := request(http.DefaultClient, "GET", again.url+"/api/v3/labels", p.token, ""); err != nil || !strings.Contains(labels, "in flight") {
			t.Errorf("labels %s, %v", labels, err)
		}
	})
}

// TestMetrics reads the second listener.
func TestMetrics(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		free, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		free.Close()
		p := serve(t, scriptProgram(t), address, "--metrics-listen", free.Addr().String())
		for _, name := range []string{"a", "b"} {
			if status, text, err := request(http.DefaultClient, "POST", p.url+"/api/v3/labels", p.token, `{"name":"`+name+`"}`); err != nil || status != 201 {
				t.Fatal(status, text, err)
			}
		}
		if status, _, err := request(http.DefaultClient, "GET", p.url+"/api/v3/labels/7777", p.token, ""); err != nil || status != 404 {
			t.Fatal(status, err)
		}
		_, text, err := request(http.DefaultClient, "GET", "http://"+free.Addr().String()+"/metrics", "", "")
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{
			`milepost_http_requests_total{code="201",method="POST",route="/api/v3/labels"} 2`,
			`milepost_http_requests_total{code="404",method="GET",route="/api/v3/labels/{label-public-id}"} 1`,
			`milepost_change_number 3`, // the workspace itself and two labels
			`milepost_webhook_lag_changes 0`,
			`milepost_db_max_open_connections{pool="writer"}`,
			`milepost_http_request_duration_seconds_count{class="2xx",method="POST",route="/api/v3/labels"} 2`,
		} {
			if !strings.Contains(text, line) {
				t.Errorf("the metrics do not hold %s", line)
			}
		}
		for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/profile", "/debug/pprof/goroutine"} {
			if status, _, err := request(http.DefaultClient, "GET", p.url+path, p.token, ""); err != nil || status != 404 {
				t.Errorf("the main listener answers %s with %d (%v)", path, status, err)
			}
		}
		if status, _, err := request(http.DefaultClient, "GET", "http://"+free.Addr().String()+"/debug/pprof/goroutine?debug=1", "", ""); err != nil || status != 200 {
			t.Errorf("the metrics listener answers a profile with %d (%v)", status, err)
		}
	})
}

// TestNewerDatabase: an older binary leaves a newer database alone.
func TestNewerDatabase(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		if err := serve(t, scriptProgram(t), address).stop(); err != nil {
			t.Fatal(err)
		}
		driver := "sqlite"
		if strings.HasPrefix(address, "postgres") {
			driver = "pgx"
		}
		db, err := sql.Open(driver, address)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if _, err := db.ExecContext(t.Context(), `insert into schema_version (version, name) values (9999, 'future')`); err != nil {
			t.Fatal(err)
		}
		for _, command := range []string{"serve --listen 127.0.0.1:0", "token list"} {
			cmd := exec.Command(scriptProgram(t), append(strings.Fields(command), databaseFlags(address)...)...)
			cmd.Env = withoutSettings()
			out, err := cmd.CombinedOutput()
			if exitCode(err) != 1 || !strings.HasPrefix(string(out), "milepost: the database has schema version 9999") {
				t.Errorf("milepost %s: %v: %s", command, err, out)
			}
		}
	})
}
