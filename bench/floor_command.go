package main

import (
	"context"
	"errors"
	"net/http"
	"time"

	"milepost/bench/floor"
)

type floorCommand struct {
	Database string `required:"" help:"Path of an SQLite file or address of a PostgreSQL database."`
	Listen   string `required:"" help:"Address to listen on."`
}

func (c floorCommand) Run(e env) error {
	f, err := floor.Open(c.Database)
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // the process ends
	handler, err := f.Handler(e.ctx)
	if err != nil {
		return err
	}
	server := &http.Server{Addr: c.Listen, Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(e.ctx, func() { _ = server.Shutdown(context.Background()) })
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
