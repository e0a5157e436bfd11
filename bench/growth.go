package main

import (
	"fmt"
	"time"

	"milepost/bench/report"
)

type growthCommand struct {
	setup
	Sizes  []int         `help:"Numbers of stories to compare." default:"1000,10000,100000"`
	Ops    []string      `help:"Only operations whose names begin so." placeholder:"NAME"`
	Rounds int           `help:"Rounds of each measurement." default:"3"`
	Round  time.Duration `help:"How long one round of one server takes." default:"700ms"`
}

func (c growthCommand) Run(e env) error {
	run := c.describe(e)
	run.Rounds = c.Rounds
	compare := runCommand{setup: c.setup, Modes: []string{"cold"}, Ops: c.Ops, Rounds: c.Rounds, Round: c.Round}
	for _, engine := range c.Engines {
		for _, stories := range c.Sizes {
			series, err := compare.measure(e, engine, stories)
			if err != nil {
				return fmt.Errorf("%s with %d stories: %w", engine, stories, err)
			}
			run.Series = append(run.Series, series)
		}
	}
	return c.finish(e, run, report.Run.Growth)
}
