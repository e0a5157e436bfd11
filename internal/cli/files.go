package cli

import (
	"context"
	"fmt"
	"log/slog"
	"path/filepath"
	"time"

	"milepost/internal/blob"
	"milepost/internal/service"
)

// contents tells where the contents of files are kept.
type contents struct {
	Files string `help:"Where the contents of files are kept: s3://bucket?region=…&endpoint=…, or a directory; by default files in the data directory." placeholder:"URL"`
}

func (c contents) openContents(e env, w where) (blob.Store, error) {
	address := c.Files
	if address == "" {
		address = filepath.Join(w.Data, "files")
	}
	return blob.Open(e.ctx, address)
}

// maxFileSize bounds --max-file-size: in MiB, what an upload to S3 in parts of ours can have.
const maxFileSize = 48 << 10

type filesCommands struct {
	Sweep filesSweep `cmd:"" help:"Delete contents that belong to no file and are more than an hour old, which a crash may have left; the server does it every hour."`
}

type filesSweep struct {
	where
	contents
}

func (c filesSweep) Run(e env) error {
	contents, err := c.openContents(e, c.where)
	if err != nil {
		return err
	}
	svc, done, err := c.open(e, service.Files{Contents: contents})
	if err != nil {
		return err
	}
	defer done()
	deleted, err := svc.SweepFiles(e.ctx)
	fmt.Fprintf(e.out, "%d contents without a file deleted\n", deleted)
	return err
}

// sweepEvery is how often the server looks for contents without a file.
const sweepEvery = time.Hour

// sweeping deletes what crashes have left, at the start and then from time to time.
func sweeping(ctx context.Context, log *slog.Logger, svc *service.Service) {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		deleted, err := svc.SweepFiles(ctx)
		if deleted > 0 {
			log.Info("contents without a file were deleted", "number", deleted)
		}
		if err != nil && ctx.Err() == nil {
			log.Warn("contents without a file could not all be deleted", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}
