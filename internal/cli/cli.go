// Package cli holds the commands of the milepost binary.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"milepost/internal/service"
	"milepost/internal/store"
	"milepost/internal/tracker"
)

// commands is the whole command line; every flag is also an environment variable MILEPOST_….
type commands struct {
	Serve     serveCommand     `cmd:"" help:"Run the server."`
	Token     tokenCommands    `cmd:"" help:"Create, list and revoke tokens."`
	Workspace workspaceCommand `cmd:"" help:"Create workspaces."`
	Member    memberCommand    `cmd:"" help:"Add members."`
	Demo      demoCommand      `cmd:"" help:"Fill a workspace with a year of made-up work."`
	Files     filesCommands    `cmd:"" help:"Look after the contents of files."`
	Search    searchCommands   `cmd:"" help:"Rebuild and check the search index."`
	Version   versionCommand   `cmd:"" help:"Print the version."`
}

// env is what every command may use.
type env struct {
	ctx      context.Context
	version  string
	out, err io.Writer
}

const (
	failed = 1
	misuse = 2
)

// Main runs the command line and returns the exit status: 1 for a failure, 2 for wrong usage.
func Main(version string, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	status := -1
	parser := newParser(stdout, stderr, func(code int) { status = code })
	parsed, err := parser.Parse(args)
	if status >= 0 { // --help has been answered
		return status
	}
	if err != nil {
		fmt.Fprintf(stderr, "milepost: %v\nRun milepost --help for the commands and their flags.\n", err)
		return misuse
	}
	if err := parsed.Run(env{ctx: ctx, version: version, out: stdout, err: stderr}); err != nil {
		fmt.Fprintf(stderr, "milepost: %s\n", sentence(err))
		var wrong usageError
		if errors.As(err, &wrong) {
			return misuse
		}
		return failed
	}
	return 0
}

func newParser(stdout, stderr io.Writer, exit func(int)) *kong.Kong {
	parser, err := kong.New(&commands{},
		kong.Name("milepost"),
		kong.Description("A self-hosted work-tracking server."),
		kong.DefaultEnvars("MILEPOST"),
		kong.Writers(stdout, stderr),
		kong.Exit(exit),
	)
	if err != nil {
		panic(err) // the commands struct is wrong
	}
	return parser
}

// sentence leaves out of an error what only the API has a use for.
func sentence(err error) string {
	var e *tracker.Error
	if errors.As(err, &e) && e.Code != tracker.Busy {
		return e.Message
	}
	return err.Error()
}

// usageError is a mistake in the flags that the parser cannot see.
type usageError string

func (e usageError) Error() string { return string(e) }

// where tells which database a command works on.
type where struct {
	Data     string `help:"Directory of the embedded database and of files; ${default} by default." default:"./milepost-data" placeholder:"DIR"`
	Database string `help:"PostgreSQL address, postgres://…; without it, SQLite in the data directory." placeholder:"URL"`
}

// openNew opens the database and makes what is missing of it.
func (w where) openNew(e env, files service.Files) (*service.Service, func(), error) {
	if w.Database == "" {
		if err := os.MkdirAll(w.Data, 0o700); err != nil {
			return nil, nil, fmt.Errorf("the data directory cannot be made: %w", err)
		}
	}
	st, err := store.Open(e.ctx, w.address())
	if err != nil {
		return nil, nil, err
	}
	return service.New(st, time.Now, files), func() {
		if err := st.Close(); err != nil {
			fmt.Fprintf(e.err, "milepost: closing the database: %v\n", err)
		}
	}, nil
}

// open opens a database that must be there: a mistyped --data should not make one.
func (w where) open(e env, files service.Files) (*service.Service, func(), error) {
	if w.Database == "" {
		if _, err := os.Stat(w.address()); err != nil {
			return nil, nil, fmt.Errorf("there is no database in %s: %w", w.Data, err)
		}
	}
	return w.openNew(e, files)
}

func (w where) address() string {
	if w.Database != "" {
		return w.Database
	}
	return filepath.Join(w.Data, "milepost.db")
}

// operator is the actor of the command line: nobody in particular, who may do anything.
func operator(workspace tracker.UUID) tracker.Actor {
	return tracker.Actor{Workspace: workspace, Name: "operator", Role: tracker.Owner, Via: "cli"}
}

// in runs fn on the named workspace, the first one when the name is empty.
func (w where) in(e env, slug string, fn func(*service.Service, tracker.Actor) error) error {
	svc, done, err := w.open(e, service.Files{})
	if err != nil {
		return err
	}
	defer done()
	ws, err := svc.Store().WorkspaceBySlug(e.ctx, slug)
	switch {
	case errors.Is(err, tracker.ErrNotFound) && slug == "":
		return errors.New("there is no workspace yet: run milepost serve once, or milepost workspace create")
	case errors.Is(err, tracker.ErrNotFound):
		return fmt.Errorf("there is no workspace %q", slug)
	case err != nil:
		return err
	}
	return fn(svc, operator(ws.ID))
}

type versionCommand struct{}

func (versionCommand) Run(e env) error {
	_, err := fmt.Fprintln(e.out, "milepost", e.version)
	return err
}
