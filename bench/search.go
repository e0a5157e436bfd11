package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"time"

	"milepost/bench/report"
)

type searchCommand struct {
	setup
	Sizes []int         `help:"Numbers of stories to compare." default:"1000,10000,100000"`
	For   time.Duration `help:"How long to measure each query." default:"2s"`
}

func (c searchCommand) Run(e env) error {
	run := c.describe(e)
	for _, engine := range c.Engines {
		for _, stories := range c.Sizes {
			series := report.Series{Engine: engine, Stories: stories}
			err := c.alone(e, engine, stories, func(fx *fixture) error {
				for _, q := range typicalQueries(fx) {
					timing, err := c.time(e, fx, q)
					if err != nil {
						return fmt.Errorf("%s: %w", q.text, err)
					}
					series.Queries = append(series.Queries, timing)
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("%s with %d stories: %w", engine, stories, err)
			}
			run.Series = append(run.Series, series)
		}
	}
	return c.finish(e, run, report.Run.Searches)
}

// A query is one that people type. Selective ones match no more stories in a large workspace than
// in a small one, so they should not cost much more there.
type query struct {
	kind, text string
	selective  bool
}

// typicalQueries are ten of them; those of one kind match about as many stories at every size, but
// for the broad ones.
func typicalQueries(fx *fixture) []query {
	rare, some := fx.words.around(3, 2), fx.words.around(40, 3)
	return []query{
		{"rare word", rare[0], true},
		{"word", some[0], true},
		{"two words", some[1] + " " + some[2], true},
		{"beginning of a word", rare[1][:len(rare[1])-1], true},
		{"label", "label:bench-short", true},
		{"label and type", "label:bench-short type:feature", true},
		{"word and state", some[0] + " is:done", true},
		{"one day", "created:" + dayWith(fx.days, 40), true},
		{"broad: type and state", "type:bug is:started", false},
		{"broad: frequent word", fx.words.around(len(fx.stories)/10, 1)[0], false},
	}
}

// dayWith is the day on which about n stories were created.
func dayWith(days map[string]int, n int) string {
	distance := func(day string) int { return max(days[day]-n, n-days[day]) }
	return slices.MinFunc(slices.Sorted(maps.Keys(days)), func(a, b string) int { return distance(a) - distance(b) })
}

// time measures one query on one connection.
func (c searchCommand) time(e env, fx *fixture, q query) (report.Timing, error) {
	timing := report.Timing{Kind: q.kind, Query: q.text, Selective: q.selective}
	path := "/api/v3/search/stories?page_size=25&detail=slim&query=" + url.QueryEscape(q.text)
	text, err := fx.ours.call(e.ctx, http.MethodGet, path, "")
	var refused *refusal
	if errors.As(err, &refused) {
		timing.Failure = fmt.Sprintf("status %d", refused.status)
		return timing, nil
	}
	if err != nil {
		return timing, err
	}
	var answer struct{ Total int64 }
	if err := json.Unmarshal(text, &answer); err != nil {
		return timing, err
	}
	timing.Total = answer.Total
	result, err := fx.once(e.ctx, fx.ours.address, 1, c.For, fx.ours.source(http.MethodGet, fixed(path)(fx)))
	timing.Millis, timing.Failure = millis(result.Percentile(0.5)), result.Failure
	return timing, err
}
