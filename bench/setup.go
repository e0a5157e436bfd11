package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
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
	Serve    []string `help:"More arguments for milepost serve." placeholder:"ARG" sep:"none"`
	Uncached []string `help:"Arguments that make milepost serve go without caches, in the cold mode." placeholder:"ARG" sep:"none"`
	Out      string   `help:"Also write the result to this file." placeholder:"FILE"`
}

// with fills a database of the engine, starts both servers on the same data and stops them after fn.
func (s setup) with(e env, engine string, stories int, fn func(*fixture) error) (err error) {
	dir, remove, err := scratch(s.Dir)
	if err != nil {
		return err
	}
	defer remove()
	ours, token, err := s.fill(e, engine, stories, dir)
	if err != nil {
		return err
	}
	theirs, err := newPlace(e.ctx, engine, s.Postgres, dir, "floor")
	if err != nil {
		return err
	}
	f, err := floor.Open(theirs.address())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	fx, err := s.copyTo(e, ours, token, f)
	if err != nil {
		return err
	}
	if err := errors.Join(ours.settle(e.ctx), theirs.settle(e.ctx)); err != nil {
		return err
	}
	// Not the one that served the copying: its memory should be that of a server which has done nothing yet.
	if fx.ours.process, err = s.serveOften(e.ctx, ours); err != nil {
		return err
	}
	fx.place = ours
	defer func() { err = errors.Join(err, fx.ours.stop()) }()
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if fx.theirs.process, err = start(e.ctx, self, "floor", "--database", theirs.address(), "--listen", "%s"); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fx.theirs.stop()) }()
	fx.dir = dir
	return fn(fx)
}

// copyTo gives the floor what our server answers.
func (s setup) copyTo(e env, ours place, token string, f *floor.Floor) (fx *fixture, err error) {
	server, err := s.serve(e.ctx, ours)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	if err := f.Create(e.ctx); err != nil {
		return nil, err
	}
	return prepare(e.ctx, client{server, token}, f)
}

// alone fills a database of the engine and starts our server only.
func (s setup) alone(e env, engine string, stories int, fn func(*fixture) error) (err error) {
	dir, remove, err := scratch(s.Dir)
	if err != nil {
		return err
	}
	defer remove()
	ours, token, err := s.fill(e, engine, stories, dir)
	if err != nil {
		return err
	}
	server, err := s.serve(e.ctx, ours)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	fx, err := survey(e.ctx, client{server, token})
	if err == nil {
		err = ours.settle(e.ctx)
	}
	if err != nil {
		return err
	}
	return fn(fx)
}

// finish prints the numbers and keeps them, if that is asked for.
func (s setup) finish(e env, run report.Run, print func(report.Run, io.Writer) error) error {
	if err := print(run, e.out); err != nil || s.Out == "" {
		return err
	}
	return run.Write(s.Out)
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
func (s setup) serve(ctx context.Context, p place, more ...string) (*process, error) {
	arguments := append([]string{"serve", "--listen", "%s", "--rate-limit", "0", "--log-level", "warn"}, p.flags()...)
	return start(ctx, s.Milepost, slices.Concat(arguments, s.Serve, more)...)
}

// serveOften starts our server a few times and keeps the last, with the time of the quickest start.
func (s setup) serveOften(ctx context.Context, p place) (*process, error) {
	quickest := time.Duration(math.MaxInt64)
	for range 2 {
		server, err := s.serve(ctx, p, s.Uncached...)
		if err != nil {
			return nil, err
		}
		quickest = min(quickest, server.started)
		if err := server.stop(); err != nil {
			return nil, err
		}
	}
	server, err := s.serve(ctx, p, s.Uncached...)
	if err == nil {
		server.started = min(quickest, server.started)
	}
	return server, err
}

// turnCaches starts our server anew where a mode wants its caches otherwise than the one before. A
// server without caches is the same in all modes.
func (s setup) turnCaches(e env, fx *fixture, on bool) (err error) {
	if len(s.Uncached) == 0 || fx.cached == on {
		return nil
	}
	if err := fx.ours.stop(); err != nil {
		return err
	}
	more := s.Uncached
	if on {
		more = nil
	}
	fx.cached = on
	fx.ours.process, err = s.serve(e.ctx, fx.place, more...)
	return err
}

// scratch makes a folder that goes away with the command.
func scratch(parent string) (string, func(), error) {
	dir, err := os.MkdirTemp(parent, "milepost-bench-")
	return dir, func() { _ = os.RemoveAll(dir) }, err
}
