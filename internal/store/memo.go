package store

import "strings"

// A memo keeps, by table, what the use cases of a transaction have read of what many entities refer to:
// each of them would ask for the same again. The workspace is locked, so only the transaction's own
// statements change a table; one that does makes the memo forget it.
type memo map[string]map[any]any

// remember is load, once for all who ask for the same part of a table in a write.
func remember[V any](tx *Tx, table string, part any, load func() (V, error)) (V, error) {
	if v, known := tx.recall(table, part).(V); known {
		return v, nil
	}
	v, err := load()
	if err == nil {
		tx.keep(table, part, v)
	}
	return v, err
}

func (tx *Tx) recall(table string, part any) any {
	if tx.row == nil {
		return nil
	}
	return tx.row.memo[table][part]
}

func (tx *Tx) keep(table string, part, v any) {
	if tx.row == nil {
		return
	}
	if tx.row.memo == nil {
		tx.row.memo = memo{}
	}
	if tx.row.memo[table] == nil {
		tx.row.memo[table] = map[any]any{}
	}
	tx.row.memo[table][part] = v
}

// forget drops what is kept of the table that a statement is about to change.
func (m memo) forget(statement string) {
	if len(m) > 0 {
		delete(m, changedTable(statement))
	}
}

// known is get, once for all who ask for the same row in a write.
func (t *table[T]) known(tx *Tx, key any) (T, error) {
	return remember(tx, t.name, key, func() (T, error) { return t.get(tx, key) })
}

func changedTable(statement string) string {
	words := strings.Fields(statement[:min(len(statement), 80)])
	switch {
	case len(words) > 1 && words[0] == "update":
		return words[1]
	case len(words) > 2:
		return words[2]
	}
	return ""
}
