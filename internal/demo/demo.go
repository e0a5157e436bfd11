// Package demo fills a workspace with a year of work that looks like a real one: a few large epics
// and many small ones, threads of comments, moves over time. All of it goes through the use cases,
// and the same seed gives the same data.
package demo

import (
	"context"
	"math/rand/v2"
	"time"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Config says what to make.
type Config struct {
	Slug    string // of the workspace to fill, which is made if it does not exist
	Stories int
	Seed    uint64
	Until   time.Time // the day on which the year of history ends
	// Into allows a workspace that has stories already.
	Into bool
	// Progress, if set, hears after each commit how many stories have been made.
	Progress func(stories int)
}

// Made counts what there is now.
type Made struct {
	Members, Groups, Projects, Objectives, Epics, Iterations, Labels int
	Stories, Tasks, Comments, Links, Moves                           int
}

// history is how long the work has been going on.
const history = 365 * 24 * time.Hour

// perCommit is how many use cases share one commit.
const perCommit = 250

// filler is a filling under way. Its clock stands at the event that happens.
type filler struct {
	Config
	*service.Service
	writer
	events
	setting
	by   tracker.Actor // the owner of the workspace, who sets things up
	now  time.Time
	made Made
}

// Fill makes the workspace and everything in it.
func Fill(ctx context.Context, svc *service.Service, c Config) (Made, error) {
	c.Until = c.Until.UTC().Truncate(time.Second)
	var key [32]byte // ids of two workspaces differ even where their seeds are the same
	copy(key[:], c.Slug)
	for i := range 8 {
		key[31-i] ^= byte(c.Seed >> (8 * i))
	}
	r := rand.New(rand.NewPCG(c.Seed, 0)) //nolint:gosec // made-up work is no secret and must be repeatable
	f := &filler{Config: c, writer: *newWriter(r), now: c.Until.Add(-history)}
	f.Service = svc.Replayed(func() time.Time { return f.now }, rand.NewChaCha8(key))
	if err := f.enter(ctx); err != nil {
		return f.made, err
	}
	if err := f.Atomically(ctx, f.by, f.setUp); err != nil {
		return f.made, err
	}
	f.planWork()
	if err := f.run(ctx); err != nil {
		return f.made, err
	}
	return f.made, svc.Store().Settle(ctx)
}

// run lets everything happen that is planned up to the end, many events in a commit.
func (f *filler) run(ctx context.Context) error {
	for more := true; more; {
		err := f.Atomically(ctx, f.by, func(ctx context.Context) error {
			for range perCommit {
				var e event
				if e, more = f.next(f.Until); !more {
					return nil
				}
				f.now = e.at
				if err := e.do(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if f.Progress != nil {
			f.Progress(f.made.Stories)
		}
	}
	return nil
}
