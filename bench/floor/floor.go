// Package floor is the least a server can do with the same data on the same engine, to measure ours
// by: texts that are ready to send, found by one prepared statement, and writes of one commit each.
package floor

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"runtime"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite" // the driver of the embedded engine
)

// Floor is an open database of the floor.
type Floor struct {
	reader, writer *sql.DB
	dialect
}

// A dialect is what differs between the engines.
type dialect struct {
	tables     []string
	insertText string // $1 id, $2 words
	match      string // $1 words, all of which must occur: the 25 newest
	count      string // of the same
	and        string // what stands between two words of a query
}

var shared = []string{
	`create table floor_counter (name text primary key, n bigint not null)`,
	`create table floor_slim (list text not null, id bigint not null, body text not null, primary key (list, id))`,
	`create table floor_answer (operation text primary key, body text not null)`,
	`insert into floor_counter values ('item', 1000000000)`,
}

var sqliteDialect = dialect{
	tables: []string{
		`create table floor_item (id integer primary key, body text not null)`,
		`create table floor_history (id integer primary key, item_id bigint not null, body text not null)`,
		`create virtual table floor_text using fts5(words, content='')`,
	},
	insertText: `insert into floor_text (rowid, words) values ($1, $2)`,
	match: `select floor_item.body from floor_text join floor_item on floor_item.id = floor_text.rowid
		where floor_text match $1 order by floor_text.rowid desc limit 25`,
	count: `select count(*) from floor_text where floor_text match $1`,
	and:   " ",
}

var postgresDialect = dialect{
	tables: []string{
		`create table floor_item (id bigint primary key, body text not null)`,
		`create table floor_history (id bigint primary key, item_id bigint not null, body text not null)`,
		`create table floor_text (id bigint primary key, words tsvector not null)`,
		`create index floor_text_words on floor_text using gin (words)`,
	},
	insertText: `insert into floor_text (id, words) values ($1, to_tsvector('simple', $2))`,
	match: `select floor_item.body from floor_text join floor_item on floor_item.id = floor_text.id
		where floor_text.words @@ to_tsquery('simple', $1) order by floor_text.id desc limit 25`,
	count: `select count(*) from floor_text where words @@ to_tsquery('simple', $1)`,
	and:   " & ",
}

// Open opens the database with the settings that Milepost uses: WAL and synced commits on SQLite.
func Open(address string) (*Floor, error) {
	if strings.Contains(address, "://") {
		config, err := pgx.ParseConfig(address)
		if err != nil {
			return nil, err
		}
		db := stdlib.OpenDB(*config)
		db.SetMaxOpenConns(32)
		db.SetMaxIdleConns(32)
		return &Floor{reader: db, writer: db, dialect: postgresDialect}, nil
	}
	writer, err := openSQLite(address, 1, url.Values{"_txlock": {"immediate"}, "_pragma": {
		"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "temp_store(MEMORY)",
	}})
	if err != nil {
		return nil, err
	}
	reader, err := openSQLite(address, max(4, 2*runtime.NumCPU()), url.Values{"_pragma": {"busy_timeout(10000)", "query_only(1)", "temp_store(MEMORY)"}})
	return &Floor{reader: reader, writer: writer, dialect: sqliteDialect}, err
}

func openSQLite(path string, conns int, options url.Values) (*sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+path+"?"+options.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

// Close closes the database.
func (f *Floor) Close() error {
	err := f.writer.Close()
	if f.reader != f.writer {
		if closing := f.reader.Close(); err == nil {
			err = closing
		}
	}
	return err
}

// Create makes the tables.
func (f *Floor) Create(ctx context.Context) error {
	for _, statement := range append(f.tables, shared...) {
		if _, err := f.writer.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}

// An Item is one text to be found by its key and by words.
type Item struct {
	ID          int64
	Body, Words string
}

// AddItems keeps items, in one commit.
func (f *Floor) AddItems(ctx context.Context, items []Item) error {
	return f.fill(ctx, func(run func(string, ...any) error) error {
		for _, i := range items {
			if err := run(`insert into floor_item (id, body) values ($1, $2)`, i.ID, i.Body); err != nil {
				return err
			}
			if err := run(f.insertText, i.ID, i.Words); err != nil {
				return err
			}
		}
		return nil
	})
}

// AddList keeps the texts of a list.
func (f *Floor) AddList(ctx context.Context, name string, bodies []string) error {
	return f.fill(ctx, func(run func(string, ...any) error) error {
		for i, body := range bodies {
			if err := run(`insert into floor_slim (list, id, body) values ($1, $2, $3)`, name, i, body); err != nil {
				return err
			}
		}
		return nil
	})
}

// SetAnswer says what a writing operation stores and answers.
func (f *Floor) SetAnswer(ctx context.Context, operation, body string) error {
	return f.fill(ctx, func(run func(string, ...any) error) error {
		return run(`insert into floor_answer (operation, body) values ($1, $2)`, operation, body)
	})
}

func (f *Floor) fill(ctx context.Context, fn func(run func(string, ...any) error) error) error {
	tx, err := f.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	err = fn(func(statement string, args ...any) error {
		_, err := tx.ExecContext(ctx, statement, args...)
		return err
	})
	if err != nil {
		return err
	}
	return tx.Commit()
}

// Written counts the writes of the server, all of which are in the history.
func (f *Floor) Written(ctx context.Context) (n int, err error) {
	err = f.reader.QueryRowContext(ctx, `select count(*) from floor_history`).Scan(&n)
	return n, err
}
