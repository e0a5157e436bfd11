package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync/atomic"
	"time"

	"milepost/bench/floor"
)

// fixture is the data that both servers have, and what the operations need to know of it.
type fixture struct {
	ours, theirs client
	place        place // where ours keeps its data
	cached       bool  // ours runs with its caches
	floor        *floor.Floor
	dir          string // for files that are not needed for long

	stories  []int64        // all of them
	days     map[string]int // how many of them were created on each day
	spread   []int64        // the thousand of the long list, from all over the workspace
	lists    map[string]list
	epic     int64 // gets the stories that are created
	states   []int64
	words    vocabulary
	written  map[string]*written // by operation
	received atomic.Int64        // writes that the floor has acknowledged
	sequence int64               // of names: each run begins beyond the one before
}

// A list is a label with a known number of stories.
type list struct {
	id   int64
	name string
}

// listSizes tells how many stories the lists have.
var listSizes = []struct {
	name string
	size int
}{{"short", 25}, {"long", 1000}}

// prepare chooses stories and gives the floor the texts that our server answers with.
func prepare(ctx context.Context, ours client, f *floor.Floor) (*fixture, error) {
	fx := &fixture{ours: ours, floor: f, lists: map[string]list{}, days: map[string]int{}, written: map[string]*written{}}
	return fx, fx.steps(ctx, fx.findStories, fx.makeLists, fx.makeEpic, fx.copyAnswers, fx.copyStories, fx.copyLists)
}

// survey is prepare where there is no floor: only the words of the stories are read.
func survey(ctx context.Context, ours client) (*fixture, error) {
	fx := &fixture{ours: ours, lists: map[string]list{}, days: map[string]int{}}
	return fx, fx.steps(ctx, fx.findStories, fx.makeLists, fx.readStories)
}

func (fx *fixture) steps(ctx context.Context, steps ...func(context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
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
		var story struct {
			ID        int64
			CreatedAt string `json:"created_at"`
		}
		if err := stories.Decode(&story); err != nil {
			return err
		}
		fx.stories = append(fx.stories, story.ID)
		fx.days[story.CreatedAt[:len(time.DateOnly)]]++
	}
	return nil
}

// makeLists gives a label to every n-th story, so that a list is not a stretch of neighbours.
func (fx *fixture) makeLists(ctx context.Context) error {
	for _, wanted := range listSizes {
		name, size := wanted.name, wanted.size
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
		for some := range slices.Chunk(ids, 100) {
			change, err := json.Marshal(map[string]any{
				"story_ids": some, "labels_add": []any{map[string]any{"name": l.name}},
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
