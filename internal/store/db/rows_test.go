package db

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"milepost/internal/tracker"
)

// TestRows takes many values of all sizes; none may change another, not even by append.
func TestRows(t *testing.T) {
	t.Parallel()
	var rows Rows
	var texts, wantTexts []string
	var lists, wantLists [][]int64
	var numbers []*int64
	for i := range 3 * lastPart {
		want := strings.Repeat(fmt.Sprint(i, "ä"), i%50*(i%7))
		texts, wantTexts = append(texts, rows.Text(want)), append(wantTexts, want)
		list := rows.Ints(i % 200)
		for j := range i % 200 {
			list = append(list, int64(i*j))
		}
		lists, wantLists = append(lists, list), append(wantLists, slices.Clone(list))
		_ = append(list, -1)
		var number *int64
		if err := rows.Put(&number, &Value{Kind: Integer, Int: int64(i)}); err != nil {
			t.Fatal(err)
		}
		numbers = append(numbers, number)
	}
	for i, want := range wantTexts {
		if texts[i] != want || !slices.Equal(lists[i], wantLists[i]) || *numbers[i] != int64(i) {
			t.Fatalf("%d: %q, %v, %d", i, texts[i], lists[i], *numbers[i])
		}
	}
	if rows.Ints(0) == nil || rows.IDs(0) == nil {
		t.Error("an empty list is nil")
	}
}

// TestPut reads values into places that do not fit.
func TestPut(t *testing.T) {
	t.Parallel()
	var rows Rows
	for _, c := range []struct {
		dest any
		v    Value
	}{
		{new(int64), Value{Kind: Text, Text: "1"}},
		{new(int64), Value{Kind: Real, Real: 1}},
		{new(string), Value{Kind: Integer, Int: 1}},
		{new(tracker.UUID), Value{Kind: Bytes, Text: "1"}},
		{new(bool), Value{Kind: Null}},
		{new(*chan int), Value{Kind: Integer}},
	} {
		if err := rows.Put(c.dest, &c.v); err == nil {
			t.Errorf("a value of kind %d was read into a %T", c.v.Kind, c.dest)
		}
	}
	var real float64
	if err := rows.Put(&real, &Value{Kind: Integer, Int: 3}); err != nil || real != 3 {
		t.Error(real, err)
	}
}
