package main

import (
	"context"
	"fmt"
	"strconv"
	"sync"
)

// written is what our server has acknowledged of one kind of write.
type written struct {
	mu    sync.Mutex
	first int              // what count gave at first
	total int              // acknowledged since
	last  map[int64]string // by story: what it was told last
}

func (w *written) note(id int64, value string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.total++
	if w.last == nil {
		w.last = map[int64]string{}
	}
	w.last[id] = value
}

// A check finds out whether acknowledged writes are all there: by their number, or by what the
// stories of the long list were told last.
type check struct {
	count func(context.Context, *fixture) (int, error)
	says  func(fx *fixture, worker, i int) string
	reads func(slimStory) string
}

type slimStory struct {
	ID         int64
	Name       string
	StateID    int64   `json:"workflow_state_id"`
	CommentIDs []int64 `json:"comment_ids"`
}

func (fx *fixture) longList(ctx context.Context) (stories []slimStory, err error) {
	return stories, fx.ours.get(ctx, fmt.Sprintf("/api/v3/labels/%d/stories", fx.lists["long"].id), &stories)
}

// lost says what is missing of the writes of an operation; empty when nothing is.
func (fx *fixture) lost(ctx context.Context, op operation) (string, error) {
	if n, err := fx.floor.Written(ctx); err != nil || n != int(fx.received.Load()) {
		return fmt.Sprintf("the floor acknowledged %d writes and has %d", fx.received.Load(), n), err
	}
	w := fx.written[op.name]
	if op.check.count != nil {
		n, err := op.check.count(ctx, fx)
		if err != nil || n == w.first+w.total {
			return "", err
		}
		return fmt.Sprintf("%d acknowledged, %d there", w.total, n-w.first), nil
	}
	stories, err := fx.longList(ctx)
	wrong := 0
	for _, s := range stories {
		if told, ok := w.last[s.ID]; ok && told != op.check.reads(s) {
			wrong++
		}
	}
	if err != nil || wrong == 0 {
		return "", err
	}
	return fmt.Sprintf("%d stories are not as they were told last", wrong), nil
}

var (
	checkCreated   = check{count: countCreated}
	checkCommented = check{count: countComments}
	checkUpdated   = check{
		says:  func(fx *fixture, _, i int) string { return fx.nameAt(i) },
		reads: func(s slimStory) string { return s.Name },
	}
	checkMoved = check{
		says:  func(fx *fixture, worker, i int) string { return strconv.FormatInt(fx.stateAt(worker, i), 10) },
		reads: func(s slimStory) string { return strconv.FormatInt(s.StateID, 10) },
	}
)

func countCreated(ctx context.Context, fx *fixture) (int, error) {
	var epic struct {
		Stats struct {
			Stories int `json:"num_stories_total"`
		}
	}
	err := fx.ours.get(ctx, fmt.Sprintf("/api/v3/epics/%d", fx.epic), &epic)
	return epic.Stats.Stories, err
}

func countComments(ctx context.Context, fx *fixture) (n int, err error) {
	stories, err := fx.longList(ctx)
	for _, s := range stories {
		n += len(s.CommentIDs)
	}
	return n, err
}
