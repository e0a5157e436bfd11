package cli_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestKill ends the server in the middle of writes, several times: every write that was acknowledged is
// there, and the change log has no gap.
func TestKill(t *testing.T) {
	t.Parallel()
	program := filepath.Join(t.TempDir(), "milepost")
	cmd := exec.Command("go", "build", "-o", program, "milepost/cmd/milepost")
	cmd.Env = withoutSettings()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	testkit.OnEngines(t, func(t *testing.T, address string) {
		const rounds, writers, acknowledgedBefore = 4, 8, 60
		known := map[int64]string{}
		var token string
		for round := range rounds {
			p := serve(t, program, address, "--rate-limit", "0")
			if p.token != "" {
				token = p.token
			}
			checkLabels(t, p.url, token, known)
			writeUntilKilled(t, p, token, fmt.Sprintf("round %d", round), writers, acknowledgedBefore, known)
		}
		if len(known) < rounds*acknowledgedBefore {
			t.Errorf("only %d labels were acknowledged", len(known))
		}
		p := serve(t, program, address, "--rate-limit", "0")
		checkLabels(t, p.url, token, known)
		if err := p.stop(); err != nil {
			t.Fatal(err)
		}
		checkChanges(t, address, known)
	})
}

// writeUntilKilled lets writers create labels and kills the server when enough are acknowledged. It adds the
// acknowledged ones to known.
func writeUntilKilled(t *testing.T, p *process, token, prefix string, writers, enough int, known map[int64]string) {
	t.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	count, killed := 0, false
	for w := range writers {
		group.Go(func() {
			for i := 0; ; i++ {
				name := fmt.Sprintf("%s writer %d label %d", prefix, w, i)
				status, text, err := request(http.DefaultClient, "POST", p.url+"/api/v3/labels", token, `{"name":"`+name+`"}`)
				mu.Lock()
				dead := killed
				if err == nil {
					var label struct{ ID int64 }
					if err := json.Unmarshal([]byte(text), &label); err != nil || status != 201 || known[label.ID] != "" {
						t.Errorf("%s: %d %s (%v)", name, status, text, err)
					}
					known[label.ID] = name
					count++
				}
				if count >= enough && !killed {
					killed = true
					_ = p.cmd.Process.Kill()
				}
				mu.Unlock()
				if err != nil {
					if !dead {
						t.Errorf("%s: %v", name, err)
					}
					return
				}
			}
		})
	}
	group.Wait()
	_ = p.wait()
}

func checkLabels(t *testing.T, url, token string, known map[int64]string) {
	t.Helper()
	status, text, err := request(http.DefaultClient, "GET", url+"/api/v3/labels?slim=true", token, "")
	if err != nil || status != 200 {
		t.Fatal(status, text, err)
	}
	var list []struct {
		ID   int64
		Name string
	}
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	labels := map[int64]string{}
	for _, l := range list {
		if labels[l.ID] != "" {
			t.Errorf("the id %d is used twice", l.ID)
		}
		labels[l.ID] = l.Name
	}
	for id, name := range known {
		if labels[id] != name {
			t.Errorf("label %d is %q, was acknowledged as %q", id, labels[id], name)
		}
	}
}

func checkChanges(t *testing.T, address string, known map[int64]string) {
	t.Helper()
	st, err := store.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ws, err := st.WorkspaceBySlug(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	recorded := map[string]bool{}
	var changes []tracker.Change
	err = st.Read(t.Context(), ws.ID, func(tx *store.Tx) error {
		changes, err = tx.Changes(0, 1_000_000)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range changes {
		if c.Number != int64(i+1) || len(c.Items) == 0 {
			t.Errorf("change %d is %+v", i+1, c)
		}
		for _, item := range c.Items {
			recorded[item.EntityType+item.EntityID] = true
		}
	}
	for id := range known {
		if !recorded[fmt.Sprint("label", id)] {
			t.Errorf("label %d has no change record", id)
		}
	}
}
