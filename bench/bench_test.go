package main

import (
	"slices"
	"testing"
	"time"

	"milepost/bench/load"
)

func TestVocabulary(t *testing.T) {
	t.Parallel()
	var v vocabulary
	for _, text := range []string{"The export, export!", "the exporter fails", "the queue fails", "the rare"} {
		v.count(text)
	}
	// "export" begins "exporter", which a search for it would find as well; short words are left out.
	if got := v.around(2, 2); !slices.Equal(got, []string{"fails", "exporter"}) {
		t.Errorf("around 2: %v", got)
	}
	if got := v.around(1, 10); !slices.Equal(got, []string{"exporter", "queue", "rare", "fails"}) {
		t.Errorf("around 1: %v", got)
	}
}

func TestWordsOfAStory(t *testing.T) {
	t.Parallel()
	got, err := wordsOf([]byte(`{"name":"Fix","description":"it","story_type":"bug","labels":[{"name":"Bench-Short 2"}],"comments":[{"text":"soon"}]}`))
	if want := "Fix it ztypebug soon zlabelbenchshort2"; err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}

// One request in twenty is a write, on every worker, and only writes are noted as such.
func TestMixed(t *testing.T) {
	t.Parallel()
	named := func(name string) load.Source {
		return load.Source{Append: func(buf []byte, _, _ int) []byte { return append(buf, name...) }}
	}
	noted := 0
	writes := named("w")
	writes.Answered = func(int, int) { noted++ }
	m := mixed(named("r"), writes)
	for worker := range 3 {
		sent := ""
		for i := range 200 {
			sent = string(m.Append([]byte(sent), worker, i))
			m.Answered(worker, i)
		}
		n := 0
		for _, c := range sent {
			if c == 'w' {
				n++
			}
		}
		if n != 10 {
			t.Errorf("worker %d: %d writes in 200 requests", worker, n)
		}
	}
	if noted != 30 {
		t.Errorf("%d writes noted", noted)
	}
}

// No two workers write to the same story, or the last write would not be known.
func TestOwnStories(t *testing.T) {
	t.Parallel()
	fx := &fixture{spread: make([]int64, 1000), states: []int64{1, 2, 3}}
	for i := range fx.spread {
		fx.spread[i] = int64(i)
	}
	owner := map[int64]int{}
	for worker := range manyConnections {
		for i := range 500 {
			id := fx.own(worker, i)
			if other, taken := owner[id]; taken && other != worker {
				t.Fatalf("story %d is written by workers %d and %d", id, other, worker)
			}
			owner[id] = worker
		}
		if fx.stateAt(worker, 0) == fx.stateAt(worker, fx.share()) {
			t.Errorf("worker %d moves a story to where it is", worker)
		}
	}
}

func TestMedian(t *testing.T) {
	t.Parallel()
	values := []float64{9, 1, 5}
	if median(values) != 5 || values[0] != 9 {
		t.Errorf("median of %v", values)
	}
	if median([]float64{4, 2}) != 3 {
		t.Error("the median of two is between them")
	}
	if millis(1500*time.Microsecond) != 1.5 {
		t.Error("millis")
	}
}
