package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"milepost/bench/floor"
	"milepost/bench/report"
)

// setup is how the servers are started and filled; all measuring commands share it.
type setup struct {
	Milepost string   `required:"" help:"The binary to measure." placeholder:"FILE"`
	Engines  []string `help:"sqlite, postgres or both." default:"sqlite,postgres"`
	Postgres string   `help:"Address of a PostgreSQL server on which databases may be made." env:"MILEPOST_TEST_POSTGRES" placeholder:"URL"`
	Dir      string   `help:"Where to keep data while measuring; the system's temporary folder by default." placeholder:"DIR"`
	Seed     int      `help:"Seed of the data." default:"1"`
	Out      string   `help:"Also write the numbers to this file, as JSON." placeholder:"FILE"`
}

type runCommand struct {
	setup
	Stories int           `help:"How many stories there are." default:"10000"`
	Modes   []string      `help:"cold and mixed." default:"cold,mixed"`
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
	if err := run.Table(e.out); err != nil || c.Out == "" {
		return err
	}
	return run.Write(c.Out)
}

// measure compares all operations on one engine with one number of stories.
func (c runCommand) measure(e env, engine string, stories int) (report.Series, error) {
	series := report.Series{Engine: engine, Stories: stories, Weight: &report.Weight{}}
	err := c.with(e, engine, stories, func(pair *pair) error {
		fx := pair.fixture
		w := series.Weight
		w.StartMillis, w.IdleBytes, w.FloorIdle = millis(pair.ours.started), pair.ours.resident(), pair.floor.resident()
		for _, m := range c.plan() {
			row, err := fx.compare(e.ctx, m.operation, m.mode, pace{c.Rounds, c.Round})
			if err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			w.LoadedBytes = max(w.LoadedBytes, pair.ours.resident())
			w.FloorLoaded = max(w.FloorLoaded, pair.floor.resident())
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

// plan lists what is to be measured: reads in each mode, then writes.
func (c runCommand) plan() []measurement {
	var out []measurement
	for _, op := range slices.Concat(reads, writes) {
		if !c.wants(op.name) {
			continue
		}
		for _, mode := range c.Modes {
			if isWrite := op.floor == nil; !isWrite || mode == c.Modes[0] {
				out = append(out, measurement{op, mode})
			}
		}
	}
	return out
}

func (c runCommand) wants(name string) bool {
	return len(c.Ops) == 0 || slices.ContainsFunc(c.Ops, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// pair is both servers with the same data.
type pair struct {
	ours, floor *process
	fixture     *fixture
}

// with fills a database of the engine, starts both servers on it and stops them after fn.
func (s setup) with(e env, engine string, stories int, fn func(*pair) error) (err error) {
	dir, remove, err := scratch(s.Dir)
	if err != nil {
		return err
	}
	defer remove()
	var p pair
	ours, token, err := s.fill(e, engine, stories, dir)
	if err != nil {
		return err
	}
	if p.ours, err = s.serve(e.ctx, ours); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.ours.stop()) }()
	theirs, err := newPlace(e.ctx, engine, s.Postgres, dir, "floor")
	if err != nil {
		return err
	}
	f, err := floor.Open(theirs.address())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := f.Create(e.ctx); err != nil {
		return err
	}
	if p.fixture, err = prepare(e.ctx, client{p.ours.address, token}, f); err != nil {
		return err
	}
	if err := errors.Join(ours.settle(e.ctx), theirs.settle(e.ctx)); err != nil {
		return err
	}
	// Started anew, so that its memory is that of a server which has done nothing yet.
	if err := p.ours.stop(); err != nil {
		return err
	}
	if p.ours, err = s.serve(e.ctx, ours); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if p.floor, err = start(e.ctx, self, "floor", "--database", theirs.address(), "--listen", "%s"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.floor.stop()) }()
	p.fixture.ours.address, p.fixture.theirs = p.ours.address, client{address: p.floor.address}
	return fn(&p)
}

// fill makes a workspace with that many stories and a token for it.
func (s setup) fill(e env, engine string, stories int, dir string) (ours place, token string, err error) {
	if ours, err = newPlace(e.ctx, engine, s.Postgres, dir, "ours"); err != nil {
		return ours, "", err
	}
	begin := time.Now()
	arguments := append([]string{"demo", "--stories", strconv.Itoa(stories), "--seed", strconv.Itoa(s.Seed)}, ours.flags()...)
	if _, err = output(e.ctx, s.Milepost, arguments...); err != nil {
		return ours, "", err
	}
	fmt.Fprintf(e.err, "%s: %d stories made in %.0f s\n", engine, stories, time.Since(begin).Seconds())
	token, err = output(e.ctx, s.Milepost, append([]string{"token", "create", "--workspace", "demo"}, ours.flags()...)...)
	return ours, token, err
}

// serve starts our server, without its limit of requests and its log of them.
func (s setup) serve(ctx context.Context, p place) (*process, error) {
	return start(ctx, s.Milepost, append([]string{"serve", "--listen", "%s", "--rate-limit", "0", "--log-level", "warn"}, p.flags()...)...)
}
