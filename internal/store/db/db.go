// Package db is what the store asks of the connections of an engine. It is narrower than
// database/sql, so that an engine can read values straight into their places.
package db

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

// Query is a statement whose rows Row is called for, in a group of several.
type Query struct {
	Statement string
	Args      []any
	Row       func(Row) error
}

// Tx is a transaction. It belongs to one goroutine.
type Tx interface {
	// Exec runs a statement and counts the rows that it changed. A text with semicolons is a script:
	// several statements, without arguments and a count.
	Exec(statement string, args ...any) (rows int64, err error)
	// Each calls fn for every row of the statement, until it fails; fn must not keep the Row.
	Each(fn func(Row) error, statement string, args ...any) error
	// Together is Each for several queries, which an engine may run without waiting in between. The
	// first failure is that of all.
	Together(queries ...Query) error
	Commit() error
	// Rollback ends the transaction; after Commit it does nothing.
	Rollback()
}
