package store

import (
	"reflect"
	"slices"
	"strconv"

	"milepost/internal/tracker"
)

// change saves an entity that was loaded as before: the columns that differ, since every index of a
// column that a statement sets has to be brought up to date.
func (t *table[T]) change(tx *Tx, before, after *T) error {
	was, is := t.columns(before), t.columns(after)
	sets := make([]byte, 0, 256)
	args := []any{is[0].at}
	for i := 1; i < len(is); i++ {
		value := is[i].at
		if _, elsewhere := value.(lookedUp); elsewhere || same(was[i].at, value) {
			continue
		}
		if d, ok := value.(derived); ok {
			value = d.value
		}
		if len(args) > 1 {
			sets = append(sets, ", "...)
		}
		args = append(args, value)
		sets = append(sets, is[i].name+" = $"...)
		sets = strconv.AppendInt(sets, int64(len(args)+1), 10)
	}
	if len(args) == 1 {
		return nil
	}
	rows, err := tx.exec("update "+t.name+" set "+string(sets)+" where workspace_id = $1 and "+t.key+" = $2", args...)
	return tx.duplicate(found(rows, err), t.unique)
}

// same compares two places of a column by what they hold.
func same(a, b any) bool {
	switch a := a.(type) {
	case *int64:
		return *a == *b.(*int64)
	case *string:
		return *a == *b.(*string)
	case *bool:
		return *a == *b.(*bool)
	case *tracker.Time:
		return *a == *b.(*tracker.Time)
	case **int64:
		return samePointer(*a, *b.(**int64))
	case **tracker.Time:
		return samePointer(*a, *b.(**tracker.Time))
	case **tracker.UUID:
		return samePointer(*a, *b.(**tracker.UUID))
	case ints:
		return slices.Equal(*a.list, *b.(ints).list)
	case uuids:
		return slices.Equal(*a.list, *b.(uuids).list)
	}
	return reflect.DeepEqual(a, b)
}

func samePointer[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }
