package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"milepost/internal/store/db"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// A migration is one step of the schema. Its file is NNNN_name.sql, or NNNN_name.<engine>.sql
// where the engines must differ. Landed migrations never change.
type migration struct {
	version int
	name    string
	sql     string
}

func migrationsFor(engine string) ([]migration, error) {
	files, err := fs.Glob(migrationFiles, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	slices.Sort(files)
	var out []migration
	for _, file := range files {
		name := strings.TrimSuffix(strings.TrimPrefix(file, "migrations/"), ".sql")
		if base, only, ok := strings.Cut(name, "."); ok {
			if only != engine {
				continue
			}
			name = base
		}
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		if err != nil || version != len(out)+1 {
			return nil, fmt.Errorf("migration %s: expected number %d", file, len(out)+1)
		}
		text, err := migrationFiles.ReadFile(file)
		if err != nil {
			return nil, err
		}
		out = append(out, migration{version, name, string(text)})
	}
	return out, nil
}

// migrate runs what is missing, each step in a transaction of its own under a lock, so that
// nodes that start together are safe. A database newer than the binary is refused.
func (s *Store) migrate(ctx context.Context) error {
	steps, err := migrationsFor(s.engine.Name())
	if err != nil {
		return err
	}
	version, err := s.schemaVersion(ctx, len(steps))
	if err != nil {
		return err
	}
	for version < len(steps) {
		if version, err = s.migrateOne(ctx, steps); err != nil {
			return err
		}
	}
	return nil
}

// schemaVersion looks without a lock, so that a start with nothing to do waits for nobody.
func (s *Store) schemaVersion(ctx context.Context, known int) (int, error) {
	var version int
	err := s.one(ctx, []any{&version}, `select coalesce(max(version), 0) from schema_version`)
	if err != nil {
		return 0, nil //nolint:nilerr // an empty database has no such table; migrateOne meets any other cause
	}
	return version, s.refuseNewer(version, known)
}

func (s *Store) refuseNewer(version, known int) error {
	if version > known {
		return fmt.Errorf("the database has schema version %d, but this milepost knows only up to %d: run a newer milepost", version, known)
	}
	return nil
}

// migrateOne runs the next step, if another node has not, and returns the version reached.
func (s *Store) migrateOne(ctx context.Context, steps []migration) (int, error) {
	tx, err := s.engine.BeginWrite(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback()
	if err := s.engine.LockMigrations(tx); err != nil {
		return 0, err
	}
	if _, err := tx.Exec(`create table if not exists schema_version (version bigint primary key, name text not null)`); err != nil {
		return 0, err
	}
	var version int
	read := func(row db.Row) error { return row.Scan(&version) }
	if err := tx.Each(read, `select coalesce(max(version), 0) from schema_version`); err != nil {
		return 0, err
	}
	if err := s.refuseNewer(version, len(steps)); err != nil {
		return 0, err
	}
	if version < len(steps) {
		step := steps[version]
		if _, err := tx.Exec(step.sql); err != nil {
			return 0, fmt.Errorf("migration %s: %w", step.name, err)
		}
		if _, err := tx.Exec(`insert into schema_version (version, name) values ($1, $2)`, step.version, step.name); err != nil {
			return 0, err
		}
		version++
	}
	return version, tx.Commit()
}
