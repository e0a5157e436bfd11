package tracker

import (
	"reflect"
	"testing"
)

func TestStoryLinks(t *testing.T) {
	t.Parallel()
	links := NewStoryLinks("https://track.example.com/base", "acme")
	for text, want := range map[string][]int64{
		"":                               nil,
		"nothing 12 #12":                 nil,
		"sc-12":                          {12},
		"SC-12 and Ch13, [sc-14] sc-12":  {12, 13, 14},
		"feature/sc-2355/s3-upload":      {2355},
		"feature_sc-7_x chore/ch8-stuff": {7, 8},
		"misc-12 branch13 asch14 sc-15a": nil,
		"sc12 ch-12":                     nil,
		"sc-0 sc-9999999999999999999":    nil,
		"https://track.example.com/base/acme/story/5/some-name":                                  {5},
		"HTTPS://app.shortcut.com/ACME/story/6 https://app.clubhouse.io/acme/story/7":            {6, 7},
		"https://track.example.com/base/other/story/5 https://example.com/acme/story/5 /story/5": nil,
	} {
		if got := links.In(text); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("%q names %v, want %v", text, got, want)
		}
	}
	if got := links.In("sc-1", "sc-2 https://app.shortcut.com/acme/story/1"); !reflect.DeepEqual(got, []int64{1, 2}) {
		t.Errorf("several texts name %v", got)
	}
}

func TestCommitMoves(t *testing.T) {
	t.Parallel()
	links := NewStoryLinks("https://track.example.com", "acme")
	for text, want := range map[string][]CommitMove{
		"[sc-1] start sc-2":            nil,
		"[start sc-1]":                 {{"start", 1}},
		"x [Finish: ch1] [go on sc-2]": {{"Finish", 1}, {"go on", 2}},
		"[start sc-1, sc-2]":           {{"start", 1}, {"start", 2}},
		"[start [sc-1]] [nothing]":     nil,
	} {
		if got := links.Moves(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q asks for %v, want %v", text, got, want)
		}
	}
}
