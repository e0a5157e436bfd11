package api_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// fewChecks makes property tests draw little in an ordinary run; -rapid.checks asks for more.
func fewChecks(t *testing.T) {
	t.Helper()
	setChecks.Do(func() {
		asked := false
		flag.Visit(func(f *flag.Flag) { asked = asked || f.Name == "rapid.checks" })
		if !asked {
			if err := flag.Set("rapid.checks", "12"); err != nil {
				t.Error(err)
			}
		}
	})
}

var setChecks sync.Once

// TestStoriesAgainstAModel applies random operations to each engine and to a model and finds them
// equal after each step.
func TestStoriesAgainstAModel(t *testing.T) {
	t.Parallel()
	fewChecks(t)
	var servers []*testkit.Server
	for _, address := range testkit.Addresses(t) {
		servers = append(servers, testkit.New(t, address))
	}
	round := 0
	rapid.Check(t, func(rt *rapid.T) {
		round++
		r := &storyRun{t: t, T: rt, model: &storyModel{stories: map[int64]*modelStory{}, columns: map[int64][]int64{}}}
		for _, s := range servers {
			r.servers = append(r.servers, s)
			r.clients = append(r.clients, s.NewWorkspace(t, fmt.Sprintf("w%d", round)))
		}
		for _, name := range []string{"a", "b", "c"} {
			r.labels = append(r.labels, r.send("POST", "/labels", map[string]any{"name": name}, 201))
		}
		for range 2 {
			r.epics = append(r.epics, r.send("POST", "/epics", map[string]any{"name": "E"}, 201))
		}
		r.model.now = tracker.TimeOf(servers[0].Clock.Now())
		for range 6 {
			r.create()
		}
		rt.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { r.compare() }, "create": r.on(r.create), "createMany": r.on(r.createMany), "update": r.on(r.update),
			"move": r.on(r.move), "moveAgain": r.on(r.move), "updateAgain": r.on(r.update), "answer": r.on(r.comment),
			"place": r.on(r.place), "placeAgain": r.on(r.place), "bulk": r.on(r.bulk),
			"bulkPlace": r.on(r.bulkPlace), "link": r.on(r.link), "linkMore": r.on(r.link), "relink": r.on(r.relink), "unlink": r.on(r.unlink),
			"task": r.on(r.task), "comment": r.on(r.comment), "uncomment": r.on(r.uncomment), "parent": r.on(r.parent),
			"delete": r.on(r.delete), "bulkDelete": r.on(r.bulkDelete),
		})
	})
}

// storyRun is one sequence of operations.
type storyRun struct {
	*rapid.T
	t       *testing.T
	servers []*testkit.Server
	clients []*testkit.Client
	model   *storyModel
	labels  []int64
	epics   []int64
}

// on lets some time pass before the step.
func (r *storyRun) on(step func()) func(*rapid.T) {
	return func(rt *rapid.T) {
		r.T = rt
		pass := time.Duration(rapid.IntRange(0, 5000).Draw(rt, "seconds")) * time.Second
		for _, s := range r.servers {
			s.Clock.Advance(pass)
		}
		r.model.now = tracker.TimeOf(r.servers[0].Clock.Now())
		step()
	}
}

// send sends the same request to each engine and returns the id that all of them answer with.
func (r *storyRun) send(method, path string, body any, status int) (id int64) {
	for i, c := range r.clients {
		a := c.Do(r.t, method, path, body)
		if a.Status != status {
			r.Fatalf("engine %d: %s %s %v: status %d, want %d: %s", i, method, path, body, a.Status, status, a.Text)
		}
		var answer struct{ ID int64 }
		if status < 300 && status != 204 && a.Text[0] == '{' {
			if err := json.Unmarshal([]byte(a.Text), &answer); err != nil {
				r.Fatalf("%s: %v", a.Text, err)
			}
		}
		if i > 0 && answer.ID != id {
			r.Fatalf("%s %s: the engines answer with the ids %d and %d", method, path, id, answer.ID)
		}
		id = answer.ID
	}
	return id
}

// any draws one of the stories, or skips the step where there is none.
func (r *storyRun) any(name string) *modelStory {
	ids := r.model.ids()
	if len(ids) == 0 {
		r.Skip("no story")
	}
	return r.model.stories[rapid.SampledFrom(ids).Draw(r.T, name)]
}

func (r *storyRun) some() []int64 {
	return rapid.SliceOfNDistinct(rapid.SampledFrom([]int64{r.any("one").id, r.any("two").id, r.any("three").id}), 1, -1, rapid.ID).Draw(r.T, "stories")
}

func (r *storyRun) yes(name string) bool { return rapid.Bool().Draw(r.T, name) }

func (r *storyRun) state() int64 {
	return rapid.SampledFrom([]int64{unscheduled, ready, developing, completed, completed}).Draw(r.T, "state")
}

// fields draws a change of plain fields and lists, as a body and for the model.
func (r *storyRun) fields() (body map[string]any, apply func(*modelStory)) {
	body = map[string]any{}
	var steps []func(*modelStory)
	if r.yes("estimate?") {
		n := rapid.Int64Range(0, 8).Draw(r.T, "estimate")
		body["estimate"] = n
		steps = append(steps, func(s *modelStory) { s.estimate = &n })
	} else if r.yes("no estimate?") {
		body["estimate"] = nil
		steps = append(steps, func(s *modelStory) { s.estimate = nil })
	}
	if r.yes("epic?") {
		epic := rapid.SampledFrom(r.epics).Draw(r.T, "epic")
		body["epic_id"] = epic
		steps = append(steps, func(s *modelStory) { s.epic = &epic })
	} else if r.yes("no epic?") {
		body["epic_id"] = nil
		steps = append(steps, func(s *modelStory) { s.epic = nil })
	}
	if r.yes("archived?") {
		archived := r.yes("archived")
		body["archived"] = archived
		steps = append(steps, func(s *modelStory) { s.archived = archived })
	}
	return body, func(s *modelStory) {
		for _, step := range steps {
			step(s)
		}
	}
}

func (r *storyRun) drawLabels() (names []any, ids []int64) {
	for _, i := range rapid.SliceOfDistinct(rapid.IntRange(0, len(r.labels)-1), rapid.ID).Draw(r.T, "labels") {
		names = append(names, map[string]any{"name": []string{"a", "b", "c"}[i]})
		ids = append(ids, r.labels[i])
	}
	return names, ids
}

func (r *storyRun) newStory() (body map[string]any, add func(id int64)) {
	body, apply := r.fields()
	state, first := r.state(), r.yes("first")
	names, labels := r.drawLabels()
	body["name"], body["workflow_state_id"] = "Story", state
	if first {
		body["move_to"] = "first"
	}
	if names != nil {
		body["labels"] = names
	}
	return body, func(id int64) {
		s := &modelStory{id: id, labels: labels, created: r.model.now, updated: r.model.now}
		apply(s)
		r.model.stories[id] = s
		r.model.enter(s, state)
		r.model.put(s, where{first: first})
	}
}
