package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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
	places  sync.Pool         // of *place[T]
	many    atomic.Int64      // how long the last long list was

	selectSQL, getSQL, wantedSQL, insertSQL, updateSQL, deleteSQL string
}

// A column is one value of a row: a pointer that is read and written, a derived value that is only
// written, or a pointer to what is looked up elsewhere by a subquery and only read.
type column struct {
	name string
	at   any
}

type (
	derived  struct{ value any }
	lookedUp struct {
		at       any
		subquery string
	}
)

func newTable[T any](name, order string, unique map[string]string, columns func(*T) []column) *table[T] {
	t := &table[T]{name: name, order: order, columns: columns, unique: unique}
	var names, marks, sets []string
	for _, c := range columns(new(T)) {
		if _, ok := c.at.(lookedUp); ok {
			continue
		}
		mark := fmt.Sprintf("$%d", len(names)+2)
		if len(names) > 0 {
			sets = append(sets, c.name+" = "+mark)
		}
		names, marks = append(names, c.name), append(marks, mark)
	}
	t.key = names[0]
	t.selectSQL = "select " + t.readable("") + " from " + name + " where workspace_id = $1"
	t.getSQL = t.selectSQL + " and " + t.key + " = $2"
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
		switch at := c.at.(type) {
		case derived:
		case lookedUp:
			names = append(names, "("+at.subquery+") as "+c.name)
		default:
			names = append(names, prefix+c.name)
		}
	}
	return strings.Join(names, ", ")
}

// A place is what rows are read into, one after another. To make one costs as much as to read a row, so
// they are used again.
type place[T any] struct {
	row  T
	dest []any // the columns of row
	rows []T   // all that were read
	many *atomic.Int64
}

// fewRows is how many rows a place keeps room for. The rows of a longer list get memory of their own, which goes
// with them: they are most of what a busy server has in memory.
const fewRows = 64

func (t *table[T]) place() *place[T] {
	if p, ok := t.places.Get().(*place[T]); ok {
		return p
	}
	p := &place[T]{many: &t.many}
	p.dest = t.dest(&p.row)
	return p
}

func (t *table[T]) dest(v *T) []any {
	var dest []any
	for _, c := range t.columns(v) {
		switch at := c.at.(type) {
		case derived:
		case lookedUp:
			dest = append(dest, at.at)
		default:
			dest = append(dest, at)
		}
	}
	return dest
}

// read adds a row.
func (p *place[T]) read(row db.Row) error {
	var empty T
	p.row = empty // or what one row points to would be shared with the next
	if err := row.Scan(p.dest...); err != nil {
		return err
	}
	if len(p.rows) >= fewRows && len(p.rows) == cap(p.rows) {
		p.rows = append(make([]T, 0, p.larger()), p.rows...)
	}
	p.rows = append(p.rows, p.row)
	return nil
}

// larger is how many rows a long list gets room for when it has no more: four times as many, or as many as
// the last one had, if that may be enough.
func (p *place[T]) larger() int {
	n := len(p.rows)
	if last := int(p.many.Load()); last > n {
		return min(4*n, last)
	}
	return 4 * n
}

// take gives the rows away.
func (p *place[T]) take() []T {
	if len(p.rows) <= fewRows {
		return append(make([]T, 0, len(p.rows)), p.rows...)
	}
	rows := p.rows
	p.rows = nil
	p.many.Store(int64(len(rows)))
	return rows
}

// leave gives the place back; it keeps nothing of what was read.
func (t *table[T]) leave(p *place[T]) {
	var empty T
	p.row = empty
	clear(p.rows)
	p.rows = p.rows[:0]
	t.places.Put(p)
}

func (t *table[T]) args(v *T) []any {
	var args []any
	for _, c := range t.columns(v) {
		switch at := c.at.(type) {
		case derived:
			args = append(args, at.value)
		case lookedUp:
		default:
			args = append(args, at)
		}
	}
	return args
}

func (t *table[T]) get(tx *Tx, key any) (v T, err error) {
	p := t.place()
	defer t.leave(p)
	err = tx.each(p.read, t.getSQL, key)
	if err == nil && len(p.rows) == 0 {
		err = tracker.ErrNotFound
	}
	if err != nil {
		return v, err
	}
	return p.rows[0], nil
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
	inOrder := make([]*T, len(ids)) // rows are large: each is moved once
	for i := range list {
		inOrder[place[id(&list[i])]] = &list[i]
	}
	out := make([]T, 0, len(list))
	for _, row := range inOrder {
		if row != nil {
			out = append(out, *row)
		}
	}
	return out, err
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
	p := t.place()
	defer t.leave(p)
	err := tx.each(p.read, statement, args...)
	return p.take(), err
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
