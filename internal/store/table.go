package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// A table describes how an entity is kept: the SQL of its plain operations follows from the
// list of columns, the first of which is the key inside the workspace.
type table[T any] struct {
	name    string
	key     string
	order   string
	columns func(*T) []column
	unique  map[string]string // column of a unique index → field that the client knows

	selectSQL, wantedSQL, insertSQL, updateSQL, deleteSQL string
}

// A column is one value of a row: a pointer that is read and written, or a derived value that
// is only written.
type column struct {
	name string
	at   any
}

type derived struct{ value any }

func newTable[T any](name, order string, unique map[string]string, columns func(*T) []column) *table[T] {
	t := &table[T]{name: name, order: order, columns: columns, unique: unique}
	var names, marks, sets []string
	for i, c := range columns(new(T)) {
		names = append(names, c.name)
		marks = append(marks, fmt.Sprintf("$%d", i+2))
		if i > 0 {
			sets = append(sets, fmt.Sprintf("%s = $%d", c.name, i+2))
		}
	}
	t.key = names[0]
	t.selectSQL = "select " + t.readable("") + " from " + name + " where workspace_id = $1"
	t.wantedSQL = "select " + t.readable(name+".")
	t.insertSQL = "insert into " + name + " (workspace_id, " + strings.Join(names, ", ") + ") values ($1, " + strings.Join(marks, ", ") + ")"
	t.updateSQL = "update " + name + " set " + strings.Join(sets, ", ") + " where workspace_id = $1 and " + t.key + " = $2"
	t.deleteSQL = "delete from " + name + " where workspace_id = $1 and " + t.key + " = $2"
	return t
}

// readable lists the columns that a SELECT reads, each with the prefix.
func (t *table[T]) readable(prefix string) string {
	var names []string
	for _, c := range t.columns(new(T)) {
		if _, ok := c.at.(derived); !ok {
			names = append(names, prefix+c.name)
		}
	}
	return strings.Join(names, ", ")
}

func (t *table[T]) dest(v *T) []any {
	var dest []any
	for _, c := range t.columns(v) {
		if _, ok := c.at.(derived); !ok {
			dest = append(dest, c.at)
		}
	}
	return dest
}

func (t *table[T]) args(v *T) []any {
	var args []any
	for _, c := range t.columns(v) {
		if d, ok := c.at.(derived); ok {
			c.at = d.value
		}
		args = append(args, c.at)
	}
	return args
}

func (t *table[T]) get(tx *Tx, key any) (v T, err error) {
	err = tx.one(t.dest(&v), t.selectSQL+" and "+t.key+" = $2", key)
	return v, err
}

// byID lists the rows with the ids, each once, in the order of the ids; those that do not exist are
// left out.
func (t *table[T]) byID(tx *Tx, ids []int64, id func(*T) int64) ([]T, error) {
	if len(ids) == 0 {
		return []T{}, nil
	}
	place := make(map[int64]int, len(ids))
	for i, id := range slices.Backward(ids) {
		place[id] = i
	}
	list, err := t.among(tx, t.key, slices.Collect(maps.Keys(place)))
	slices.SortFunc(list, func(a, b T) int { return place[id(&a)] - place[id(&b)] })
	return list, err
}

// find lists the rows for which the condition holds; its parameters start at $2.
func (t *table[T]) find(tx *Tx, condition string, args ...any) ([]T, error) {
	if condition != "" {
		condition = " and (" + condition + ")"
	}
	return t.scan(tx, t.selectSQL+condition+" order by "+t.order, args...)
}

// among lists the rows whose column is one of the distinct values, in no particular order.
func (t *table[T]) among(tx *Tx, column string, values any) ([]T, error) {
	return t.scan(tx, t.wantedSQL+" "+tx.store.engine.Among(t.name, column), tx.list(values))
}

// scan lists the rows of a statement that selects the readable columns.
func (t *table[T]) scan(tx *Tx, statement string, args ...any) ([]T, error) {
	out := []T{}
	var v, empty T
	dest := t.dest(&v)
	err := tx.each(func(row db.Row) error {
		v = empty // or what one row points to would be shared with the next
		if err := row.Scan(dest...); err != nil {
			return err
		}
		out = append(out, v)
		return nil
	}, statement, args...)
	return out, err
}

func (t *table[T]) insert(tx *Tx, v *T) error {
	_, err := tx.exec(t.insertSQL, t.args(v)...)
	return tx.duplicate(err, t.unique)
}

func (t *table[T]) update(tx *Tx, v *T) error {
	rows, err := tx.exec(t.updateSQL, t.args(v)...)
	return tx.duplicate(found(rows, err), t.unique)
}

func (t *table[T]) delete(tx *Tx, key any) error {
	return found(tx.exec(t.deleteSQL, key))
}

// found is ErrNotFound when a statement that should change a row met none.
func found(rows int64, err error) error {
	if err == nil && rows == 0 {
		return tracker.ErrNotFound
	}
	return err
}
