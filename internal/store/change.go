package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math/bits"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

const changeColumns = `number, change_id, primary_id, member_id, actor_name, via, request_id, webhook_id, external_id, changed_at`

// changeLog is what the use cases of a transaction have to say in the change log, as arguments of
// its rows. It is written once for all of them, or when one of them reads the log.
type changeLog struct {
	changes, items [][]any
}

// AppendChange gives the change the workspace's next number and keeps it. The counter is
// written with the transaction, so numbers have no gaps.
func (tx *Tx) AppendChange(c *tracker.Change) error {
	tx.row.counters.change++
	c.Number = tx.row.counters.change
	log := &tx.row.log
	log.changes = append(log.changes, []any{c.Number, c.ID, c.PrimaryID, c.Member, c.Actor, c.Via, c.RequestID, c.WebhookID, c.ExternalID, c.At})
	for i, item := range c.Items {
		about, err := json.Marshal(item.About)
		if err != nil {
			return err
		}
		data, err := json.Marshal(item.Data)
		if err != nil {
			return err
		}
		log.items = append(log.items, []any{c.Number, i, item.EntityType, item.EntityID, item.Action, storyAt(item, 0), storyAt(item, 1), string(about), string(data)})
	}
	return nil
}

// writeLog writes what was appended to the log so far.
func (tx *Tx) writeLog() error {
	if tx.row == nil || len(tx.row.log.changes) == 0 {
		return nil
	}
	log := tx.row.log
	tx.row.log = changeLog{} // not cut to nothing: a use case that fails gets back what was there before it
	if err := tx.insertRows(`insert into change (workspace_id, `+changeColumns+`) values `, log.changes); err != nil {
		return err
	}
	return tx.insertRows(`insert into change_item
		(workspace_id, number, ordinal, entity_type, entity_id, action, story_id, other_story_id, about, data) values `, log.items)
}

// maxRowsPerInsert keeps the number of parameters far below the limits of the engines.
const maxRowsPerInsert = 64

// insertRows inserts rows by as few statements as it can with a power of two of them in each: few
// different texts, so that the engines have them prepared.
func (tx *Tx) insertRows(insertInto string, rows [][]any) error {
	for len(rows) > 0 {
		n := min(1<<(bits.Len(uint(len(rows)))-1), maxRowsPerInsert)
		var values strings.Builder
		var args []any
		for i, row := range rows[:n] {
			if i > 0 {
				values.WriteString(", ")
			}
			values.WriteString("($1")
			for _, value := range row {
				args = append(args, value)
				fmt.Fprintf(&values, ", $%d", len(args)+1)
			}
			values.WriteByte(')')
		}
		if _, err := tx.exec(insertInto+values.String(), args...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// storyAt is the id of the item's story at the index, or null.
func storyAt(item tracker.ChangeItem, i int) *int64 {
	if i >= len(item.StoryIDs) {
		return nil
	}
	return &item.StoryIDs[i]
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
	err = s.one(ctx, []any{&n}, `select cast(coalesce(sum(change_number), 0) as bigint) from workspace`)
	return n, err
}

// ChangeNumbers tells the number of the newest change of each of the workspaces.
func (s *Store) ChangeNumbers(ctx context.Context, workspaces []tracker.UUID) (map[tracker.UUID]int64, error) {
	numbers := make(map[tracker.UUID]int64, len(workspaces))
	err := s.each(ctx, func(row db.Row) error {
		var id tracker.UUID
		var number int64
		err := row.Scan(&id, &number)
		numbers[id] = number
		return err
	}, `select workspace_id, change_number from workspace where `+s.engine.AnyOf("workspace_id", "$1"), s.engine.List(workspaces))
	return numbers, err
}

// LastWithin is the number of the last of at most limit changes after the given one whose items have
// no more than the bytes together, or the given one itself. (Numbers have no gaps.)
func (tx *Tx) LastWithin(after, limit, bytes int64) (last int64, err error) {
	if err := tx.writeLog(); err != nil {
		return 0, err
	}
	err = tx.one([]any{&last}, `select coalesce(max(number), cast($2 as bigint)) from (
		select number, sum(size) over (order by number) as total from (
			select number, sum(length(about) + length(data)) as size from change_item
			where workspace_id = $1 and (number > $2 and number <= $3) group by number) as sized) as summed
		where total <= cast($4 as bigint)`, after, after+limit, bytes)
	return last, err
}

// Changes reads the log on from the change after the given number, at most limit changes.
func (tx *Tx) Changes(after int64, limit int) ([]tracker.Change, error) {
	out, err := tx.scanChanges(`number > $2 order by number limit $3`, after, limit)
	if err != nil || len(out) == 0 {
		return out, err
	}
	return out, tx.scanItems(out, `select `+itemColumns+` from change_item
		where workspace_id = $1 and number between $2 and $3 order by number, ordinal`, out[0].Number, out[len(out)-1].Number)
}

func (tx *Tx) scanChanges(condition string, args ...any) ([]tracker.Change, error) {
	var out []tracker.Change
	if err := tx.writeLog(); err != nil {
		return nil, err
	}
	err := tx.each(func(row db.Row) error {
		var c tracker.Change
		err := row.Scan(&c.Number, &c.ID, &c.PrimaryID, &c.Member, &c.Actor, &c.Via, &c.RequestID, &c.WebhookID, &c.ExternalID, &c.At)
		out = append(out, c)
		return err
	}, `select `+changeColumns+` from change where workspace_id = $1 and `+condition, args...)
	return out, err
}

const itemColumns = `number, ordinal, entity_type, entity_id, action, story_id, other_story_id, about, data`

// scanItems gives the changes the items that the statement finds; both are in order.
func (tx *Tx) scanItems(changes []tracker.Change, statement string, args ...any) error {
	at := 0
	return tx.each(func(row db.Row) error {
		var number, ordinal int64
		var story, other *int64
		var item tracker.ChangeItem
		err := row.Scan(&number, &ordinal, &item.EntityType, &item.EntityID, &item.Action, &story, &other, jsonText{&item.About}, jsonText{&item.Data})
		if err != nil {
			return err
		}
		for _, id := range []*int64{story, other} {
			if id != nil {
				item.StoryIDs = append(item.StoryIDs, *id)
			}
		}
		for changes[at].Number < number {
			at++
		}
		changes[at].Items = append(changes[at].Items, item)
		return nil
	}, statement, args...)
}

// changesOfStory are the numbers of the changes that stand in the history of story $2.
const changesOfStory = `select number from change_item where workspace_id = $1 and story_id = $2
	union select number from change_item where workspace_id = $1 and other_story_id = $2`

// StoryChanges reads the changes that stand in the history of a story, oldest first, with those of
// their items that are about the story or about no story at all.
func (tx *Tx) StoryChanges(story int64) ([]tracker.Change, error) {
	out, err := tx.scanChanges(`number in (`+changesOfStory+`) order by number`, story)
	if err != nil || len(out) == 0 {
		return out, err
	}
	return out, tx.scanItems(out, `select `+itemColumns+` from change_item where workspace_id = $1 and story_id = $2
		union all select `+itemColumns+` from change_item where workspace_id = $1 and other_story_id = $2
		union all select `+itemColumns+` from change_item where workspace_id = $1 and (story_id is null and number in (`+changesOfStory+`))
		order by number, ordinal`, story)
}
