package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"milepost/bench/report"
)

type runCommand struct {
	setup
	Stories int           `help:"How many stories there are." default:"10000"`
	Modes   []string      `help:"cold (without caches), warm (with them) and mixed (one request in twenty writes)." enum:"cold,warm,mixed" default:"cold,mixed"`
	Ops     []string      `help:"Only operations whose names begin so." placeholder:"NAME"`
	Rounds  int           `help:"Rounds of each measurement." default:"3"`
	Round   time.Duration `help:"How long one round of one server takes." default:"700ms"`
}

func (c runCommand) Run(e env) error {
	run := c.describe(e)
	run.Rounds = c.Rounds
	for _, engine := range c.Engines {
		series, err := c.measure(e, engine, c.Stories)
		if err != nil {
			return fmt.Errorf("%s: %w", engine, err)
		}
		run.Series = append(run.Series, series)
	}
	return c.finish(e, run, report.Run.Table)
}

// measure compares all operations on one engine with one number of stories.
func (c runCommand) measure(e env, engine string, stories int) (report.Series, error) {
	series := report.Series{Engine: engine, Stories: stories, Weight: &report.Weight{}}
	err := c.with(e, engine, stories, func(fx *fixture) error {
		w := series.Weight
		w.StartMillis, w.IdleBytes, w.FloorIdle = millis(fx.ours.started), fx.ours.resident(), fx.theirs.resident()
		for _, m := range c.plan() {
			if err := c.turnCaches(e, fx, m.mode != "cold"); err != nil {
				return err
			}
			row, err := fx.compare(e.ctx, m.operation, m.mode, pace{c.Rounds, c.Round})
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			w.LoadedBytes = max(w.LoadedBytes, fx.ours.resident())
			w.FloorLoaded = max(w.FloorLoaded, fx.theirs.resident())
			fmt.Fprintf(e.err, "%s, %d stories, %s, %s: %.2f\n", engine, stories, row.Operation, row.Mode, row.Ratio())
			series.Rows = append(series.Rows, row)
		}
		return nil
	})
	return series, err
}

type measurement struct {
	operation
	mode string
}

// plan lists what is to be measured: reads in each mode, then writes, which change the data.
func (c runCommand) plan() []measurement {
	var out []measurement
	for _, mode := range c.Modes {
		for _, op := range reads {
			out = append(out, measurement{op, mode})
		}
	}
	for _, op := range writes {
		out = append(out, measurement{op, c.Modes[0]})
	}
	return slices.DeleteFunc(out, func(m measurement) bool { return !c.wants(m.name) })
}

func (c runCommand) wants(name string) bool {
	return len(c.Ops) == 0 || slices.ContainsFunc(c.Ops, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}
