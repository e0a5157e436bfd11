package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver by which databases are made
)

// place is where a server keeps its data: a folder, or a database on a PostgreSQL server.
type place struct {
	folder   string
	postgres string // address; empty for SQLite
}

// newPlace makes an empty place on an engine; server is the address of PostgreSQL.
func newPlace(ctx context.Context, engine, server, folder, name string) (place, error) {
	p := place{folder: filepath.Join(folder, name)}
	switch {
	case engine == "sqlite":
		return p, nil
	case server == "":
		return p, errors.New("PostgreSQL is to be measured, but --postgres does not say where it is: try scripts/with-postgres.sh")
	}
	database := "milepost_bench_" + name
	if err := onPostgres(ctx, server, "drop database if exists "+database+" with (force)", "create database "+database); err != nil {
		return p, err
	}
	address, query, _ := strings.Cut(server, "?")
	p.postgres = address[:strings.LastIndex(address, "/")+1] + database + "?" + query
	return p, nil
}

// flags tell the commands of milepost where the data is.
func (p place) flags() []string {
	if p.postgres != "" {
		return []string{"--data", p.folder, "--database", p.postgres}
	}
	return []string{"--data", p.folder}
}

// address is where the floor keeps its data.
func (p place) address() string {
	if p.postgres != "" {
		return p.postgres
	}
	return p.folder + ".db"
}

// settle lets PostgreSQL do at once what it would do some time after so much was written.
func (p place) settle(ctx context.Context) error {
	if p.postgres == "" {
		return nil
	}
	return onPostgres(ctx, p.postgres, "vacuum analyze", "checkpoint")
}

func onPostgres(ctx context.Context, address string, statements ...string) error {
	db, err := sql.Open("pgx", address)
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing is left to write
	for _, s := range statements {
		if _, err := db.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}
