package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"milepost/bench/floor"
)

// copyStories gives the floor every story as our server answers it.
func (fx *fixture) copyStories(ctx context.Context) error {
	return fx.eachStory(ctx, func(items []floor.Item) error { return fx.floor.AddItems(ctx, items) })
}

// readStories counts words only.
func (fx *fixture) readStories(ctx context.Context) error {
	return fx.eachStory(ctx, func([]floor.Item) error { return nil })
}

// eachStory reads all stories from our server, some at a time, and counts their words.
func (fx *fixture) eachStory(ctx context.Context, fn func([]floor.Item) error) error {
	for ids := range slices.Chunk(fx.stories, 500) {
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
		if err := fn(items); err != nil {
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
