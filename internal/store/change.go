package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"milepost/internal/tracker"
)

const itemsPerInsert = 100

// AppendChange gives the change the workspace's next number and keeps it. The counter is
// written with the transaction, so numbers have no gaps.
func (tx *Tx) AppendChange(c *tracker.Change) error {
	tx.row.counters.change++
	c.Number = tx.row.counters.change
	_, err := tx.exec(`insert into change (workspace_id, number, member_id, actor_name, via, request_id, changed_at)
		values ($1, $2, $3, $4, $5, $6, $7)`, c.Number, c.Member, c.Actor, c.Via, c.RequestID, c.At)
	if err != nil {
		return err
	}
	for start := 0; start < len(c.Items); start += itemsPerInsert {
		if err := tx.insertItems(c, start, min(start+itemsPerInsert, len(c.Items))); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) insertItems(c *tracker.Change, start, end int) error {
	var rows []string
	args := []any{c.Number}
	for i, item := range c.Items[start:end] {
		data, err := json.Marshal(item.Data)
		if err != nil {
			return err
		}
		n := len(args) + 2
		rows = append(rows, fmt.Sprintf("($1, $2, $%d, $%d, $%d, $%d, $%d)", n, n+1, n+2, n+3, n+4))
		args = append(args, start+i, item.EntityType, item.EntityID, item.Action, string(data))
	}
	_, err := tx.exec(`insert into change_item (workspace_id, number, ordinal, entity_type, entity_id, action, data)
		values `+strings.Join(rows, ", "), args...)
	return err
}

// ChangeNumber is the number of the newest change.
func (tx *Tx) ChangeNumber() (n int64, err error) {
	if tx.row != nil {
		return tx.row.counters.change, nil
	}
	err = tx.one([]any{&n}, `select change_number from workspace where workspace_id = $1`)
	return n, err
}

// ChangeTotal is the sum of the change numbers of all workspaces, for the metrics.
func (s *Store) ChangeTotal(ctx context.Context) (n int64, err error) {
	err = s.engine.Reader().QueryRowContext(ctx, `select cast(coalesce(sum(change_number), 0) as bigint) from workspace`).Scan(&n)
	return n, err
}

// Changes reads the log on from the change after the given number, at most limit changes.
func (tx *Tx) Changes(after int64, limit int) ([]tracker.Change, error) {
	var out []tracker.Change
	err := tx.each(func(rows *sql.Rows) error {
		var c tracker.Change
		if err := rows.Scan(&c.Number, &c.Member, &c.Actor, &c.Via, &c.RequestID, &c.At); err != nil {
			return err
		}
		out = append(out, c)
		return nil
	}, `select number, member_id, actor_name, via, request_id, changed_at from change
		where workspace_id = $1 and number > $2 order by number limit $3`, after, limit)
	if err != nil || len(out) == 0 {
		return out, err
	}
	first := out[0].Number
	err = tx.each(func(rows *sql.Rows) error {
		var number int64
		var item tracker.ChangeItem
		if err := rows.Scan(&number, &item.EntityType, &item.EntityID, &item.Action, jsonText{&item.Data}); err != nil {
			return err
		}
		c := &out[number-first] // numbers have no gaps
		c.Items = append(c.Items, item)
		return nil
	}, `select number, entity_type, entity_id, action, data from change_item
		where workspace_id = $1 and number between $2 and $3 order by number, ordinal`, first, out[len(out)-1].Number)
	return out, err
}
