package api_test

import (
	"fmt"
	"sync"
	"testing"

	"milepost/internal/testkit"
)

// TestConcurrentWrites lets 50 clients create 2,000 labels at the same time.
func TestConcurrentWrites(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const clients, each = 50, 40
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		acknowledged := make([]map[int64]string, clients)
		var group sync.WaitGroup
		for c := range clients {
			group.Go(func() {
				acknowledged[c] = map[int64]string{}
				for i := range each {
					name := fmt.Sprintf("client %d label %d", c, i)
					a := s.Owner.Do(t, "POST", "/labels", map[string]string{"name": name})
					if a.Status != 201 {
						t.Errorf("%s: %d %s", name, a.Status, a.Text)
						continue
					}
					acknowledged[c][a.ID(t)] = name
				}
			})
		}
		group.Wait()

		labels := map[int64]string{}
		for _, l := range s.Owner.Want(t, 200, "GET", "/labels?slim=true", nil).List(t) {
			labels[int64(l["id"].(float64))] = l["name"].(string)
		}
		if len(labels) != clients*each {
			t.Errorf("%d labels, want %d", len(labels), clients*each)
		}
		for _, known := range acknowledged {
			for id, name := range known {
				if labels[id] != name {
					t.Errorf("label %d is %q, acknowledged as %q", id, labels[id], name)
				}
			}
		}
		changes := s.Changes(t, s.Owner.Workspace, 0)
		if len(changes) != before+clients*each {
			t.Errorf("%d changes, want %d", len(changes), before+clients*each)
		}
		recorded := map[string]bool{}
		for i, c := range changes {
			if c.Number != int64(i+1) {
				t.Fatalf("change %d has number %d", i+1, c.Number)
			}
			for _, item := range c.Items {
				if item.EntityType == "label" {
					recorded[item.EntityID] = true
				}
			}
		}
		for id := range labels {
			if !recorded[fmt.Sprint(id)] {
				t.Errorf("label %d has no change record", id)
			}
		}
	})
}
