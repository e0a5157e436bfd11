// Command bench measures Milepost against the least a server can do on the same engine.
//
//	bench run      ratios of every operation
//	bench growth   how costs grow with the number of stories
//	bench search   how long typical searches take as the number of stories grows
//	bench profile  where the time of a request goes
//	bench publish  the tables and the plot of the documentation
//	bench floor    the server that is compared with; the others start it
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
)

type commands struct {
	Run     runCommand     `cmd:"" help:"Compare every operation with the floor."`
	Growth  growthCommand  `cmd:"" help:"Compare costs at several numbers of stories."`
	Search  searchCommand  `cmd:"" help:"Compare typical searches at several numbers of stories."`
	Profile profileCommand `cmd:"" help:"Show where the time of a request goes."`
	Publish publishCommand `cmd:"" help:"Put tables and a plot of what was measured into a document."`
	Floor   floorCommand   `cmd:"" help:"Serve the floor."`
}

type env struct {
	ctx      context.Context
	out, err io.Writer
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	parsed := kong.Parse(&commands{}, kong.Name("bench"), kong.DefaultEnvars("BENCH"))
	if err := parsed.Run(env{ctx: ctx, out: os.Stdout, err: os.Stderr}); err != nil {
		fmt.Fprintf(os.Stderr, "bench: %v\n", err)
		stop()
		os.Exit(1)
	}
}
