package demo

import (
	"container/heap"
	"context"
	"time"
)

// An event is one use case at its time.
type event struct {
	at    time.Time
	order int // events of the same time happen in the order they were planned in
	do    func(context.Context) error
}

// events is a queue of what is still to happen, the earliest first.
type events struct {
	waiting eventHeap
	planned int
}

func (q *events) plan(at time.Time, do func(context.Context) error) {
	q.planned++
	heap.Push(&q.waiting, event{at: at, order: q.planned, do: do})
}

// next takes the earliest event; it reports false when there is none up to the end.
func (q *events) next(end time.Time) (event, bool) {
	if len(q.waiting) == 0 || q.waiting[0].at.After(end) {
		return event{}, false
	}
	return heap.Pop(&q.waiting).(event), true
}

type eventHeap []event

func (h eventHeap) Len() int      { return len(h) }
func (h eventHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *eventHeap) Push(e any)   { *h = append(*h, e.(event)) }

func (h eventHeap) Less(i, j int) bool {
	if !h[i].at.Equal(h[j].at) {
		return h[i].at.Before(h[j].at)
	}
	return h[i].order < h[j].order
}

func (h *eventHeap) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = event{}
	*h = (*h)[:len(*h)-1]
	return last
}
