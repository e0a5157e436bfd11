// Package db is what the store asks of the connections of an engine. It is narrower than
// database/sql, so that an engine can read values straight into their places.
package db

import "errors"

// Row is the row that a statement is at.
type Row interface {
	// Scan reads the columns into the places that dest points to: all that Rows.Put knows.
	Scan(dest ...any) error
}

// TextScanner is a place that reads a text column by itself. It must not keep the text, but what it
// takes from the rows may be kept.
type TextScanner interface {
	ScanText(text string, from *Rows) error
}

// ErrStopped is the error of the statements of a part that ends because another one has failed.
var ErrStopped = errors.New("another part has failed")

// Tx is a transaction. It belongs to one goroutine.
type Tx interface {
	// Exec runs a statement and counts the rows that it changed. A text with semicolons is a script:
	// several statements, without arguments and a count.
	Exec(statement string, args ...any) (rows int64, err error)
	// Each calls fn for every row of the statement, until it fails; fn must not keep the Row.
	Each(fn func(Row) error, statement string, args ...any) error
	// Together runs parts that only read and do not depend on each other. An engine may run them by
	// turns, each to its next statement, so that they wait for the database together. A part uses
	// the Tx that it is given; the first error ends all.
	Together(parts ...func(Tx) error) error
	Commit() error
	// Rollback ends the transaction; after Commit it does nothing.
	Rollback()
}
