package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"milepost/internal/demo"
	"milepost/internal/service"
)

type demoCommand struct {
	where
	Stories   int    `help:"How many stories to make; ${default} by default." default:"1000" placeholder:"N"`
	Seed      uint64 `help:"The same seed gives the same data; ${default} by default." default:"1" placeholder:"N"`
	Workspace string `help:"Slug of the workspace to fill; ${default} by default, made if it does not exist." default:"demo" placeholder:"SLUG"`
	Into      bool   `help:"Add to the workspace even if it has stories already."`
	Until     string `help:"Last day of the year of history; today by default." placeholder:"YYYY-MM-DD"`
}

const maxDemoStories = 1_000_000

func (c demoCommand) Run(e env) error {
	until, err := c.check()
	if err != nil {
		return err
	}
	svc, done, err := c.openNew(e, service.Files{})
	if err != nil {
		return err
	}
	defer done()
	bar := newProgress(e.err, c.Stories)
	made, err := demo.Fill(e.ctx, svc, demo.Config{
		Slug: c.Workspace, Stories: c.Stories, Seed: c.Seed, Until: until, Into: c.Into, Progress: bar.show,
	})
	bar.end()
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(e.out, `The workspace %q has a year of work in it:
  %d stories with %d tasks, %d comments, %d links and %d moves
  %d epics for %d objectives, %d iterations, %d labels, %d projects
  %d members in %d groups
For a token: milepost token create --workspace %s
`, c.Workspace, made.Stories, made.Tasks, made.Comments, made.Links, made.Moves,
		made.Epics, made.Objectives, made.Iterations, made.Labels, made.Projects, made.Members, made.Groups, c.Workspace)
	return err
}

func (c demoCommand) check() (until time.Time, err error) {
	if err := checkFlags(flag{"workspace", c.Workspace, slug}); err != nil {
		return until, err
	}
	if c.Stories < 1 || c.Stories > maxDemoStories {
		return until, usageError(fmt.Sprintf("--stories must be from 1 to %d", maxDemoStories))
	}
	if c.Until == "" {
		return time.Now().UTC().Truncate(24 * time.Hour), nil
	}
	if until, err = time.Parse(time.DateOnly, c.Until); err != nil {
		return until, usageError("--until must be a date such as 2026-01-31")
	}
	return until, nil
}

// progress tells how far a long command is: a bar on a terminal, a line for each tenth elsewhere.
type progress struct {
	out      io.Writer
	terminal bool
	total    int
	shown    int // tenths or, on a terminal, percent
}

func newProgress(out io.Writer, total int) *progress {
	p := &progress{out: out, total: total}
	if file, ok := out.(*os.File); ok {
		info, err := file.Stat()
		p.terminal = err == nil && info.Mode()&os.ModeCharDevice != 0
	}
	return p
}

func (p *progress) show(done int) {
	steps := 10
	if p.terminal {
		steps = 100
	}
	at := done * steps / p.total
	if at == p.shown {
		return
	}
	p.shown = at
	if !p.terminal {
		fmt.Fprintf(p.out, "%d of %d stories\n", done, p.total)
		return
	}
	const width = 40
	full := done * width / p.total
	fmt.Fprintf(p.out, "\r[%s%s] %3d%%", strings.Repeat("#", full), strings.Repeat(".", width-full), at)
}

func (p *progress) end() {
	if p.terminal && p.shown > 0 {
		fmt.Fprintln(p.out)
	}
}
