package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"milepost/bench/load"
)

type profileCommand struct {
	setup
	Op      string        `help:"The operation to profile." default:"get story"`
	Mode    string        `help:"cold or mixed." default:"cold"`
	Kind    string        `help:"cpu, or any other profile of net/http/pprof such as allocs, block or mutex." default:"cpu"`
	Stories int           `help:"How many stories there are." default:"10000"`
	For     time.Duration `help:"How long to look." default:"10s"`
	Lines   int           `help:"How many functions to show." default:"60"`
}

func (c profileCommand) Run(e env) error {
	metrics, err := freeAddress()
	if err != nil {
		return err
	}
	i := slices.IndexFunc(slices.Concat(reads, writes), func(op operation) bool { return op.name == c.Op })
	if i < 0 {
		return fmt.Errorf("there is no operation %q", c.Op)
	}
	op := slices.Concat(reads, writes)[i]
	c.Serve = append(c.Serve, "--metrics-listen", metrics)
	return c.with(e, c.Engines[0], c.Stories, func(fx *fixture) error {
		source := fx.sourceOf(op)
		if c.Mode == "mixed" {
			source = mixed(source, fx.sourceOf(updates))
		}
		file := c.Out
		if file == "" {
			file = filepath.Join(fx.dir, "profile.pb.gz")
		}
		taken := make(chan error, 1)
		go func() { taken <- c.take(e.ctx, metrics, file) }()
		result, err := fx.once(e.ctx, fx.ours.address, manyConnections, c.For, source)
		if err != nil {
			return err
		}
		if err := <-taken; err != nil {
			return err
		}
		return c.print(e, result, file)
	})
}

// take saves a profile of the server to a file.
func (c profileCommand) take(ctx context.Context, metrics, file string) error {
	path := "/debug/pprof/" + c.Kind
	if c.Kind == "cpu" {
		path = "/debug/pprof/profile"
	}
	text, err := client{process: &process{address: metrics}}.call(ctx, http.MethodGet, path+"?seconds="+strconv.Itoa(int(c.For.Seconds())), "")
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func (c profileCommand) print(e env, r load.Result, file string) error {
	fmt.Fprintf(e.out, "%s: %.0f a second over %d connections\n", c.Op, r.PerSecond(), manyConnections)
	for _, order := range []string{"-cum", "-flat"} {
		text, err := output(e.ctx, "go", "tool", "pprof", "-top", order, "-nodecount="+strconv.Itoa(c.Lines), c.Milepost, file)
		if err != nil {
			return err
		}
		fmt.Fprintf(e.out, "\n%s\n", text)
	}
	return nil
}
