package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/store/postgres"
	"milepost/internal/store/sqlite"
)

// Engine is everything in which the databases differ.
type Engine interface {
	// Name is the suffix of migrations that only this engine runs.
	Name() string
	// BeginRead starts a transaction that reads one consistent snapshot.
	BeginRead(ctx context.Context) (db.Tx, error)
	// BeginWrite starts a transaction that may write; it waits for its turn while ctx allows.
	BeginWrite(ctx context.Context) (db.Tx, error)
	// Each and Exec run one statement that is a transaction by itself; Each only reads.
	Each(ctx context.Context, fn func(db.Row) error, statement string, args ...any) error
	Exec(ctx context.Context, statement string, args ...any) (rows int64, err error)
	// Settle is the statement that brings the indexes in order after very much was written at once.
	Settle() string
	// Pools gives the statistics of the connection pools, by name.
	Pools() map[string]func() sql.DBStats
	// OneWriter reports whether the whole database takes one writer at a time,
	// rather than each workspace.
	OneWriter() bool
	// LockRow ends a SELECT of a row that the transaction is about to change.
	LockRow() string
	// LockMigrations makes a transaction the only one that migrates.
	LockMigrations(tx db.Tx) error
	// Among is the rest of a SELECT, from its FROM on, of the rows of a table in workspace $1 whose
	// column is in the list bound as $2, each value of which is in it once. It is for lists that
	// find their rows by an index; AnyOf is for conditions among others.
	Among(table, column string) string
	// AnyOf is the condition that a column is in the list bound as parameter; List makes
	// that list from ids or strings.
	AnyOf(column, parameter string) string
	List(values any) any
	// Violates tells which unique index or key an error comes from, in words that hold the
	// name of its last column. (The name of an index does: table_column.)
	Violates(err error) (index string, ok bool)
	// Away reports whether the error says that the database cannot be reached or take
	// anything more in, with a sentence for the client.
	Away(err error) (message string, ok bool)
	// Document is the value of the column search.words for the terms of a text in their order; an
	// empty term leaves a gap.
	Document(terms []string) string
	// AnyPhrase is the text query for one of the phrases; a last term that ends in * is a prefix.
	AnyPhrase(phrases [][]string) string
	// Matching is the SELECT of what a text query bound as parameter finds: id of the entity and
	// tier of the part, for each text with a hit. MatchingAmong looks only for the entities with the
	// ids, a SELECT of few. Further conditions on entity_id and part may follow both.
	// MatchingTexts is a SELECT of about as many rows that costs less.
	Matching(parameter string) string
	MatchingTexts(parameter string) string
	MatchingAmong(entity, ids, parameter string) string
	// Terms is the SELECT of all that the index holds of the workspace: entity, entity_id,
	// part, comment_id, term and its place from 0.
	Terms() string
	Close() error
}

// openEngine picks the engine by the form of the address: a postgres:// URL, or else the
// path of an SQLite file.
func openEngine(ctx context.Context, address string) (Engine, error) {
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		return postgres.Open(ctx, address)
	}
	if strings.Contains(address, "://") {
		return nil, fmt.Errorf("database %q: only postgres:// addresses are known; leave it out to use SQLite", strings.SplitN(address, "://", 2)[0]+"://…")
	}
	return sqlite.Open(ctx, address)
}
