package cli_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"

	"milepost/internal/testkit"
)

// flakyReceiver refuses three of ten deliveries and keeps the names of the labels of the others.
type flakyReceiver struct {
	mu       sync.Mutex
	arrived  *sync.Cond
	seen     int
	accepted []string
}

func (r *flakyReceiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var payload struct{ Actions []struct{ Name string } }
	body, err := io.ReadAll(req.Body)
	if err == nil {
		err = json.Unmarshal(body, &payload)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen++; err != nil || slices.Contains([]int{1, 4, 7}, r.seen%10) {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	r.accepted = append(r.accepted, payload.Actions[0].Name)
	r.arrived.Broadcast()
}

func (r *flakyReceiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.accepted)
}

// waitFor waits until what the receiver has accepted is enough.
func (r *flakyReceiver) waitFor(enough func(accepted []string) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for !enough(r.accepted) {
		r.arrived.Wait()
	}
}

// TestKilledDeliveries ends the server twice in the middle of deliveries to a receiver that fails:
// every change arrives at least once, and in order.
func TestKilledDeliveries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		r := &flakyReceiver{}
		r.arrived = sync.NewCond(&r.mu)
		receiver := httptest.NewServer(r)
		defer receiver.Close()
		start := func() *process {
			return serve(t, scriptProgram(t), address, "--rate-limit", "0", "--webhook-allow", "127.0.0.0/8", "--webhook-timeout", "500ms")
		}
		p := start()
		token := p.token
		status, text, err := request(http.DefaultClient, "POST", p.url+"/api/v3/integrations/webhook", token, `{"webhook_url":"`+receiver.URL+`"}`)
		if err != nil || status != 201 {
			t.Fatal(status, text, err)
		}
		known := map[int64]string{}
		for round := range 2 {
			before := r.count()
			go func() {
				r.waitFor(func(accepted []string) bool { return len(accepted) >= before+3 })
				_ = p.cmd.Process.Kill()
			}()
			writeUntilDead(t, p, token, fmt.Sprint("round ", round), 20, known)
			p = start()
		}
		status, text, err = request(http.DefaultClient, "GET", p.url+"/api/app/changes?after=1&limit=1000", token, "")
		if err != nil || status != 200 {
			t.Fatal(status, text, err)
		}
		var log struct {
			Changes []struct{ Actions []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(text), &log); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, c := range log.Changes {
			want = append(want, c.Actions[0].Name)
		}
		r.waitFor(func(accepted []string) bool { return slices.Contains(accepted, want[len(want)-1]) })
		r.mu.Lock()
		defer r.mu.Unlock()
		if got := slices.Compact(slices.Clone(r.accepted)); !slices.Equal(got, want) {
			t.Errorf("the receiver accepted\n%q, want\n%q", got, want)
		}
		for _, name := range known {
			if !slices.Contains(r.accepted, name) {
				t.Errorf("%q was acknowledged and not delivered", name)
			}
		}
		if len(want) < 6 || len(known) == 0 {
			t.Errorf("only %d changes were made, %d of them acknowledged", len(want), len(known))
		}
	})
}

// TestShutdownEndsStreams asks the server to end while a stream is open: the stream ends in order, and
// so does the server, without using up its grace period.
func TestShutdownEndsStreams(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		p := serve(t, scriptProgram(t), address, "--shutdown-grace", "10m")
		req, err := http.NewRequest("GET", p.url+"/api/app/changes/stream?after=0", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Service-Token", p.token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != 200 {
			t.Errorf("%d %s, %v", resp.StatusCode, text, err)
		}
		if code := exitCode(p.wait()); code != 0 {
			t.Errorf("exit status %d: %s", code, p.log())
		}
	})
}

// TestFollow lets the command line change what a request to the server waits for, and revoke the token
// of a stream.
func TestFollow(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		p := serve(t, scriptProgram(t), address)
		command := func(args ...string) string {
			t.Helper()
			cmd := exec.Command(scriptProgram(t), append(args, databaseFlags(address)...)...)
			cmd.Env = withoutSettings()
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %v: %s", args, err, out)
			}
			return string(out)
		}
		req, err := http.NewRequest("GET", p.url+"/api/app/changes/stream?after=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Service-Token", p.token)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		command("member", "add", "--name", "Ada", "--email", "ada@example.com", "--mention-name", "ada", "--role", "member")
		events := bufio.NewReader(resp.Body)
		for line := ""; line != "id: 2\n"; {
			if line, err = events.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		command("token", "revoke", p.token)
		if _, err := io.ReadAll(events); err != nil { // until its end
			t.Error(err)
		}
	})
}

// writeUntilDead creates labels, so many at most, until the server is gone; then it waits for its end.
// It adds the acknowledged ones to known.
func writeUntilDead(t *testing.T, p *process, token, prefix string, most int, known map[int64]string) {
	t.Helper()
	for i := range most {
		name := fmt.Sprintf("%s label %d", prefix, i)
		status, text, err := request(http.DefaultClient, "POST", p.url+"/api/v3/labels", token, `{"name":"`+name+`"}`)
		if err != nil {
			break
		}
		var label struct{ ID int64 }
		if err := json.Unmarshal([]byte(text), &label); err != nil || status != 201 {
			t.Fatalf("%s: %d %s (%v)", name, status, text, err)
		}
		known[label.ID] = name
	}
	_ = p.wait()
}
