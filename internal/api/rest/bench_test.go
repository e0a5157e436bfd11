package rest_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// against measures ours beside encoding/json's way and reports the ratio of the times.
func against(b *testing.B, ours, standard func()) {
	var mine, theirs time.Duration
	b.ReportAllocs()
	for b.Loop() {
		start := time.Now()
		ours()
		middle := time.Now()
		standard()
		mine += middle.Sub(start)
		theirs += time.Since(middle)
	}
	b.ReportMetric(float64(mine)/float64(theirs), "×encoding/json")
}

func BenchmarkDecode(b *testing.B) {
	body := []byte(`{"name":"A story","text":"text","count":3,"done":true,"kind":"bug","grid":[[1,2,3],[4,5,6]],` +
		`"replies":[{"text":"one","replies":[{"text":"two","replies":[]}]},{"text":"three \u00e4"}]}`)
	decode := rest.NewDecoder(reflect.TypeFor[plain]())
	against(b, func() {
		if _, err := decode(body); err != nil {
			b.Fatal(err)
		}
	}, func() {
		var v plainAnswer
		if err := json.Unmarshal(body, &v); err != nil {
			b.Fatal(err)
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	list := make([]shown, 1000)
	for i := range list {
		text, at := fmt.Sprint("a text with some words ", i), tracker.Time(1_769_860_800+i)
		list[i] = shown{
			ID: int64(i), Name: text, Owner: "0198c8a6-0000-7000-8000-000000000000", At: at, Ended: &at, Text: &text,
			IDs: []int64{1, 2, 3}, Owners: []tracker.UUID{"0198c8a6-0000-7000-8000-000000000000"}, Grid: [][]string{{"x"}},
		}
	}
	var buf []byte
	against(b, func() { buf = appendShown(buf[:0], list) }, func() {
		if _, err := json.Marshal(list); err != nil {
			b.Fatal(err)
		}
	})
}
