// Package cli holds the commands of the milepost binary.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"milepost/internal/httpd"
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
	Version   versionCommand   `cmd:"" help:"Print the version."`
}

// env is what every command may use.
type env struct {
	ctx     context.Context
	version string
	out     io.Writer
	log     *slog.Logger
}

const (
	failed = 1
	misuse = 2
)

// Main runs the command line and returns the exit status: 1 for a failure, 2 for wrong usage.
func Main(version string, args []string, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	status := 0
	exited := false
	parser, err := kong.New(&commands{},
		kong.Name("milepost"),
		kong.Description("A self-hosted work-tracking server."),
		kong.DefaultEnvars("MILEPOST"),
		kong.Writers(stdout, stderr),
		kong.Exit(func(code int) { status, exited = code, true }), // after --help
	)
	if err != nil {
		panic(err) // the commands struct is wrong
	}
	parsed, err := parser.Parse(args)
	if exited {
		return status
	}
	if err != nil {
		fmt.Fprintf(stderr, "milepost: %v\nRun milepost --help for the commands and their flags.\n", err)
		return misuse
	}
	log := slog.New(httpd.Redact(slog.NewTextHandler(stderr, nil)))
	if err := parsed.Run(env{ctx: ctx, version: version, out: stdout, log: log}); err != nil {
		fmt.Fprintf(stderr, "milepost: %v\n", err)
		var wrong usageError
		if errors.As(err, &wrong) {
			return misuse
		}
		return failed
	}
	return 0
}

// usageError is a mistake in the flags that the parser cannot see.
type usageError string

func (e usageError) Error() string { return string(e) }

// where tells which database a command works on.
type where struct {
	Data     string `help:"Directory of the embedded database and of files." default:"./milepost-data" placeholder:"DIR"`
	Database string `help:"PostgreSQL address, postgres://…; without it, SQLite in the data directory." placeholder:"URL"`
}

// open opens the database, making the data directory when it is missing.
func (w where) open(e env) (*service.Service, func(), error) {
	address := w.Database
	if address == "" {
		if err := os.MkdirAll(w.Data, 0o700); err != nil {
			return nil, nil, fmt.Errorf("the data directory: %w", err)
		}
		address = filepath.Join(w.Data, "milepost.db")
	}
	st, err := store.Open(e.ctx, address)
	if err != nil {
		return nil, nil, err
	}
	return service.New(st, time.Now), func() {
		if err := st.Close(); err != nil {
			e.log.Error("closing the database", "error", err)
		}
	}, nil
}

// operator is the actor of the command line: nobody in particular, who may do anything.
func operator(workspace tracker.UUID) tracker.Actor {
	return tracker.Actor{Workspace: workspace, Name: "operator", Role: tracker.Owner, Via: "cli"}
}

// in runs fn on the named workspace, the first one when the name is empty.
func (w where) in(e env, slug string, fn func(*service.Service, tracker.Actor) error) error {
	svc, done, err := w.open(e)
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
