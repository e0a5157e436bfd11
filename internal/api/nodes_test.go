package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"milepost/internal/testkit"
)

// TestTwoNodes has two servers on one database and writers on both, in two workspaces whose ids are the
// same. The node that acknowledged a write reads it at once, the other within a second, no node ever goes
// back, and neither shows a workspace anything of the other.
func TestTwoNodes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		first := testkit.New(t, address)
		nodes := []*testkit.Server{first, testkit.NewNode(t, address)}
		owners := map[string]*testkit.Client{"red": first.Owner, "blue": first.NewWorkspace(t, "second")}
		const writers, writes = 2, 6
		var all []*nodeWriter
		for color, owner := range owners {
			for n, node := range nodes {
				for range writers {
					all = append(all, newNodeWriter(t, color, owner.At(node), owner.At(nodes[1-n])))
				}
			}
		}
		var writing, reading sync.WaitGroup
		done := make(chan struct{})
		for _, w := range all {
			writing.Go(func() {
				for i := range writes {
					w.write(i)
				}
			})
		}
		for color, owner := range owners {
			for _, node := range nodes {
				reading.Go(func() { readWhile(t, color, owner.At(node), len(nodes)*writers, done) })
			}
		}
		writing.Wait()
		close(done)
		reading.Wait()
	})
}

// nodeWriter renames a story of its own on one node and looks at it on both.
type nodeWriter struct {
	t           *testing.T
	color       string
	here, there *testkit.Client
	path        string
}

func newNodeWriter(t *testing.T, color string, here, there *testkit.Client) *nodeWriter {
	t.Helper()
	id := here.Want(t, 201, "POST", "/stories", map[string]any{"name": color + " 0"}).ID(t)
	return &nodeWriter{t: t, color: color, here: here, there: there, path: fmt.Sprintf("/stories/%d", id)}
}

func (w *nodeWriter) write(i int) {
	name := fmt.Sprintf("%s %d", w.color, i+1)
	label := fmt.Sprintf("%s%s/%d", w.color, w.path, i) // of no other story
	change := map[string]any{"name": name, "labels": []map[string]string{{"name": label}}, "description": name}
	want := name + " [" + label + "]"
	if got := shown(w.t, w.here.Do(w.t, "PUT", w.path, change)); got != want {
		w.t.Errorf("a write is answered with %q, want %q", got, want)
	}
	acknowledged := time.Now()
	if got := shown(w.t, w.here.Do(w.t, "GET", w.path, nil)); got != want {
		w.t.Errorf("the node that acknowledged %q reads %q", want, got)
	}
	for {
		late := time.Since(acknowledged) > time.Second
		got := shown(w.t, w.there.Do(w.t, "GET", w.path, nil))
		if got == want {
			return
		}
		if late {
			w.t.Errorf("the other node reads %q a second after %q was acknowledged", got, want)
			return
		}
	}
}

// shown is the name of a story and those of its labels.
func shown(t *testing.T, a testkit.Answer) string {
	story := a.Object(t)
	labels, _ := story["labels"].([]any)
	var names []any
	for _, l := range labels {
		names = append(names, l.(map[string]any)["name"])
	}
	return fmt.Sprint(story["name"], " ", names)
}

// readWhile looks at everything of a workspace on one node, over and over, until done is closed.
func readWhile(t *testing.T, color string, as *testkit.Client, stories int, done <-chan struct{}) {
	newest := map[any]string{}
	for over := false; !over; {
		select {
		case <-done:
			over = true
		default:
		}
		for _, l := range as.Do(t, "GET", "/labels", nil).List(t) {
			if name := l["name"].(string); !strings.HasPrefix(name, color+"/") {
				t.Errorf("the workspace %s shows the label %q", color, name)
			}
		}
		found := as.Do(t, "GET", "/search/stories?page_size=25&query="+url.QueryEscape(color), nil).Object(t)
		hits, _ := found["data"].([]any)
		if len(hits) != stories {
			t.Errorf("a search finds %d stories, want the %d of the workspace", len(hits), stories)
		}
		for _, s := range hits {
			id, name := s.(map[string]any)["id"], s.(map[string]any)["name"].(string)
			if !strings.HasPrefix(name, color+" ") || name < newest[id] {
				t.Errorf("%s: story %v is %q after %q", color, id, name, newest[id])
			}
			newest[id] = name
		}
	}
}
