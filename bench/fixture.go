package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"milepost/bench/floor"
)

// fixture is the data that both servers have, and what the operations need to know of it.
type fixture struct {
	ours, theirs client
	floor        *floor.Floor
	dir          string // for files that are not needed for long

	stories  []int64 // all of them
	spread   []int64 // the thousand of the long list, from all over the workspace
	lists    map[string]list
	epic     int64 // gets the stories that are created
	states   []int64
	words    vocabulary
	written  map[string]*written // by operation
	sequence int64               // of names: each run begins beyond the one before
}

// A list is a label with a known number of stories.
type list struct {
	id   int64
	name string
}

// The lists, by their names; the numbers are how many stories they have.
var listSizes = map[string]int{"short": 25, "long": 1000}

// prepare chooses stories and gives the floor the texts that our server answers with.
func prepare(ctx context.Context, ours client, f *floor.Floor) (*fixture, error) {
	fx := &fixture{ours: ours, floor: f, lists: map[string]list{}, written: map[string]*written{}}
	for _, step := range []func(context.Context) error{fx.findStories, fx.makeLists, fx.makeEpic, fx.copyAnswers, fx.copyStories, fx.copyLists} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return fx, nil
}

// findStories reads the ids while they arrive: the whole list may be large.
func (fx *fixture) findStories(ctx context.Context) error {
	stream, err := fx.ours.open(ctx, http.MethodPost, "/api/v3/stories/search", `{}`)
	if err != nil {
		return err
	}
	defer stream.Close()
	stories := json.NewDecoder(stream)
	if _, err := stories.Token(); err != nil {
		return err
	}
	for stories.More() {
		var story struct{ ID int64 }
		if err := stories.Decode(&story); err != nil {
			return err
		}
		fx.stories = append(fx.stories, story.ID)
	}
	return nil
}

// makeLists gives a label to every n-th story, so that a list is not a stretch of neighbours.
func (fx *fixture) makeLists(ctx context.Context) error {
	for name, size := range listSizes {
		if size > len(fx.stories) {
			return fmt.Errorf("%d stories are too few for a list of %d", len(fx.stories), size)
		}
		ids := make([]int64, size)
		for i := range ids {
			ids[i] = fx.stories[i*len(fx.stories)/size]
		}
		if name == "long" {
			fx.spread = ids
		}
		l := list{name: "bench-" + name}
		for start := 0; start < len(ids); start += 100 {
			change, err := json.Marshal(map[string]any{
				"story_ids": ids[start:min(start+100, len(ids))], "labels_add": []any{map[string]any{"name": l.name}},
			})
			if err != nil {
				return err
			}
			if _, err := fx.ours.call(ctx, http.MethodPut, "/api/v3/stories/bulk", string(change)); err != nil {
				return err
			}
		}
		var labels []struct {
			ID   int64
			Name string
		}
		if err := fx.ours.get(ctx, "/api/v3/labels?slim=true", &labels); err != nil {
			return err
		}
		for _, label := range labels {
			if label.Name == l.name {
				l.id = label.ID
			}
		}
		fx.lists[name] = l
	}
	return nil
}

func (fx *fixture) makeEpic(ctx context.Context) error {
	var epic struct{ ID int64 }
	if err := fx.ours.send(ctx, http.MethodPost, "/api/v3/epics", `{"name":"Created under load"}`, &epic); err != nil {
		return err
	}
	fx.epic = epic.ID
	var workflows []struct{ States []struct{ ID int64 } }
	if err := fx.ours.get(ctx, "/api/v3/workflows", &workflows); err != nil {
		return err
	}
	for _, s := range workflows[0].States {
		fx.states = append(fx.states, s.ID)
	}
	return nil
}

// copyStories gives the floor every story as our server answers it.
func (fx *fixture) copyStories(ctx context.Context) error {
	const step = 500
	for start := 0; start < len(fx.stories); start += step {
		ids := fx.stories[start:min(start+step, len(fx.stories))]
		items := make([]floor.Item, len(ids))
		err := parallel(len(ids), func(i int) error {
			body, err := fx.ours.call(ctx, http.MethodGet, fmt.Sprintf("/api/v3/stories/%d", ids[i]), "")
			if err != nil {
				return err
			}
			words, err := wordsOf(body)
			items[i] = floor.Item{ID: ids[i], Body: string(body), Words: words}
			return err
		})
		if err != nil {
			return err
		}
		for _, item := range items {
			fx.words.count(item.Words)
		}
		if err := fx.floor.AddItems(ctx, items); err != nil {
			return err
		}
	}
	return nil
}

// parallel calls fn for every index below n, a few at a time.
func parallel(n int, fn func(i int) error) error {
	const atOnce = 4
	errs := make([]error, atOnce)
	var all sync.WaitGroup
	for w := range atOnce {
		all.Go(func() {
			for i := w; i < n && errs[w] == nil; i += atOnce {
				errs[w] = fn(i)
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// wordsOf is the text that a story is found by. Labels and the type become words, too, by which the
// floor can answer what ours answers to operators.
func wordsOf(story []byte) (string, error) {
	var s struct {
		Name, Description string
		StoryType         string `json:"story_type"`
		Comments          []struct{ Text string }
		Labels            []struct{ Name string }
	}
	if err := json.Unmarshal(story, &s); err != nil {
		return "", err
	}
	words := []string{s.Name, s.Description, tagOf("type", s.StoryType)}
	for _, c := range s.Comments {
		words = append(words, c.Text)
	}
	for _, l := range s.Labels {
		words = append(words, tagOf("label", l.Name))
	}
	return strings.Join(words, " "), nil
}

// tagOf is an operator and its value as one word.
func tagOf(operator, value string) string {
	return "z" + operator + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(value))
}

func (fx *fixture) copyLists(ctx context.Context) error {
	for name, l := range fx.lists {
		var stories []json.RawMessage
		if err := fx.ours.get(ctx, fmt.Sprintf("/api/v3/labels/%d/stories", l.id), &stories); err != nil {
			return err
		}
		bodies := make([]string, len(stories))
		for i, s := range stories {
			bodies[i] = string(s)
		}
		if err := fx.floor.AddList(ctx, name, bodies); err != nil {
			return err
		}
	}
	return nil
}

// copyAnswers gives the floor what our server answers to each kind of write.
func (fx *fixture) copyAnswers(ctx context.Context) error {
	for _, op := range writes {
		answer, err := fx.typicalAnswer(ctx, op)
		if err != nil {
			return err
		}
		if err := fx.floor.SetAnswer(ctx, op.name, answer); err != nil {
			return err
		}
		w := &written{}
		if op.check.count != nil {
			if w.first, err = op.check.count(ctx, fx); err != nil {
				return err
			}
		}
		fx.written[op.name] = w
	}
	return nil
}

// typicalAnswer makes a write and returns the answer. Where that is a whole story, it tries the
// stories of the long list and picks an answer of about the mean length.
func (fx *fixture) typicalAnswer(ctx context.Context, op operation) (string, error) {
	tries := 1
	if op.check.reads != nil {
		tries = fx.share() * manyConnections
	}
	var answers []string
	total := 0
	for i := range tries {
		path, body := op.ours(fx)(i/fx.share(), i)
		answer, err := fx.ours.call(ctx, op.method, path, body)
		if err != nil {
			return "", err
		}
		answers, total = append(answers, string(answer)), total+len(answer)
	}
	mean := total / len(answers)
	distance := func(s string) int { return max(len(s)-mean, mean-len(s)) }
	return slices.MinFunc(answers, func(a, b string) int { return distance(a) - distance(b) }), nil
}

// scratch makes a folder that goes away with the command.
func scratch(parent string) (string, func(), error) {
	dir, err := os.MkdirTemp(parent, "milepost-bench-")
	return filepath.Clean(dir), func() { _ = os.RemoveAll(dir) }, err
}
