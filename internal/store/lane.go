package store

import (
	"errors"
	"fmt"
	"slices"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// A lane is a set of rows that stand in an order: the stories of a state, all epics, all
// milestones. Positions leave gaps, so that a move writes one row; a spent gap spreads its
// neighbours. They stay far below 2^53, since clients read them as floating-point numbers.
type lane struct {
	table string
	key   string // column of the id
	scope string // condition that picks the rows, with its parameters from $2 on
	args  []any
}

const (
	laneGap    = 65536
	laneOrigin = 1 << 31
	// laneSpread is how many neighbours a spent gap moves, unless even those stand too close.
	laneSpread = 64
)

func storyLane(state int64) lane { return lane{"story", "id", "workflow_state_id = $2", []any{state}} }

var (
	epicLane        = lane{table: "epic", key: "id", scope: "true"}
	milestoneLane   = lane{table: "milestone", key: "id", scope: "true"}
	customFieldLane = lane{table: "custom_field", key: "field_id", scope: "true"}
)

// StoryLast is the position of a story behind all others of the state, StoryFirst the one before
// them: its own if it stands there already.
func (tx *Tx) StoryLast(moved, state int64) (int64, error) {
	return tx.laneEnd(storyLane(state), moved, "desc", laneGap)
}
func (tx *Tx) StoryFirst(moved, state int64) (int64, error) {
	return tx.laneEnd(storyLane(state), moved, "asc", -laneGap)
}
func (tx *Tx) EpicLast() (int64, error)      { return tx.laneEnd(epicLane, nil, "desc", laneGap) }
func (tx *Tx) MilestoneLast() (int64, error) { return tx.laneEnd(milestoneLane, nil, "desc", laneGap) }

// StoryBeside is a position for the moved story directly before or after another one of the state:
// its own if it stands there already. Stories that had to make room are listed with the position
// they had before.
func (tx *Tx) StoryBeside(moved, state, neighbour int64, after bool) (position int64, shifted map[int64]int64, err error) {
	position, rows, err := tx.placeBeside(storyLane(state), moved, neighbour, after)
	for _, r := range rows {
		if shifted == nil {
			shifted = make(map[int64]int64, len(rows))
		}
		shifted[r.id.(int64)] = r.position
	}
	return position, shifted, err
}

// EpicBeside is a position for the moved epic directly before or after another: its own if it
// stands there already.
func (tx *Tx) EpicBeside(moved, neighbour int64, after bool) (int64, error) {
	return tx.moveBeside(epicLane, moved, neighbour, after)
}

// MilestoneBeside is a position for the moved milestone directly before or after another: its own
// if it stands there already.
func (tx *Tx) MilestoneBeside(moved, neighbour int64, after bool) (int64, error) {
	return tx.moveBeside(milestoneLane, moved, neighbour, after)
}

// without is the lane less one row, which is about to go elsewhere.
func (l lane) without(id any) lane {
	l.scope = fmt.Sprintf("(%s) and %s <> $%d", l.scope, l.key, len(l.args)+2)
	l.args = append(l.args[:len(l.args):len(l.args)], id)
	return l
}

func (tx *Tx) laneEnd(l lane, moved any, direction string, step int64) (int64, error) {
	var id any
	var end int64
	err := tx.one([]any{&id, &end}, fmt.Sprintf(`select %[1]s, position from %[2]s where workspace_id = $1 and (%[3]s)
		order by position %[4]s limit 1`, l.key, l.table, l.scope, direction), l.args...)
	switch {
	case errors.Is(err, tracker.ErrNotFound):
		return laneOrigin, nil
	case err != nil || id == moved:
		return end, err
	}
	return end + step, nil
}

// moveBeside is placeBeside where nobody asks who had to make room.
func (tx *Tx) moveBeside(l lane, moved, neighbour any, after bool) (int64, error) {
	position, _, err := tx.placeBeside(l, moved, neighbour, after)
	return position, err
}

// placeBeside finds a position for a row directly before or after another. One that stands there
// already keeps its position: asking for the same place twice changes nothing. ErrNotFound says
// that the neighbour is not in the lane. The rows that had to make room are listed as they were.
func (tx *Tx) placeBeside(l lane, moved, neighbour any, after bool) (int64, []laneRow, error) {
	compare, direction := "<", "desc"
	if after {
		compare, direction = ">", "asc"
	}
	nearest, err := tx.laneRows(l, neighbour, compare, direction, 1)
	if err != nil {
		return 0, nil, err
	}
	if len(nearest) == 1 && nearest[0].id == moved {
		return nearest[0].position, nil, nil
	}
	l = l.without(moved)
	position, free, err := tx.gapBeside(l, neighbour, after)
	if err != nil || free {
		return position, nil, err
	}
	shifted, err := tx.spread(l, neighbour)
	if err != nil {
		return 0, nil, err
	}
	position, free, err = tx.gapBeside(l, neighbour, after)
	if err == nil && !free {
		err = errors.New("a lane was spread and still has no room")
	}
	return position, shifted, err
}

func (tx *Tx) gapBeside(l lane, neighbour any, after bool) (position int64, free bool, err error) {
	extreme, compare, step := "max", "<", int64(-laneGap)
	if after {
		extreme, compare, step = "min", ">", laneGap
	}
	n := len(l.args) + 2
	var here int64
	if err := tx.one([]any{&here}, fmt.Sprintf(`select position from %s where workspace_id = $1 and (%s) and %s = $%d`, l.table, l.scope, l.key, n),
		append(l.args[:len(l.args):len(l.args)], neighbour)...); err != nil {
		return 0, false, err
	}
	var next *int64
	if err := tx.one([]any{&next}, fmt.Sprintf(`select %s(position) from %s where workspace_id = $1 and (%s) and position %s $%d`, extreme, l.table, l.scope, compare, n),
		append(l.args[:len(l.args):len(l.args)], here)...); err != nil {
		return 0, false, err
	}
	if next == nil {
		return here + step, true, nil
	}
	middle := here + (*next-here)/2
	return middle, middle != here && middle != *next, nil
}

// spread gives the rows around the neighbour even gaps again: a few of them if their ends stand
// far enough apart, otherwise laneSpread, and more only where even those stand too close. It lists
// the rows as they were.
func (tx *Tx) spread(l lane, neighbour any) ([]laneRow, error) {
	for half := 4; ; half *= 2 {
		before, err := tx.laneRows(l, neighbour, "<=", "desc", half)
		if err != nil {
			return nil, err
		}
		after, err := tx.laneRows(l, neighbour, ">", "asc", half)
		if err != nil {
			return nil, err
		}
		slices.Reverse(before)
		rows := append(before, after...)
		from, to, steps := rows[0].position, rows[len(rows)-1].position, int64(len(rows)-1)
		switch { // beyond an end of the lane there is room without limit
		case len(after) < half:
			to = from + steps*laneGap
		case len(before) < half:
			from = to - steps*laneGap
		}
		step := (to - from) / steps
		if step >= 16 || step >= 2 && 2*half >= laneSpread {
			return rows, tx.relabel(l, rows, from, step)
		}
	}
}

type laneRow struct {
	id       any
	position int64
}

// laneRows lists up to limit rows on one side of the neighbour, the nearest first.
func (tx *Tx) laneRows(l lane, neighbour any, compare, direction string, limit int) ([]laneRow, error) {
	var out []laneRow
	n := len(l.args) + 2
	err := tx.each(func(row db.Row) error {
		var r laneRow
		err := row.Scan(&r.id, &r.position)
		out = append(out, r)
		return err
	}, fmt.Sprintf(`select %[7]s, position from %[1]s where workspace_id = $1 and (%[2]s)
			and (position, %[7]s) %[3]s (select position, %[7]s from %[1]s where workspace_id = $1 and (%[2]s) and %[7]s = $%[5]d)
			order by position %[4]s, %[7]s %[4]s limit $%[6]d`, l.table, l.scope, compare, direction, n, n+1, l.key),
		append(l.args[:len(l.args):len(l.args)], neighbour, limit)...)
	return out, err
}

func (tx *Tx) relabel(l lane, rows []laneRow, from, step int64) error {
	for i, r := range rows {
		if _, err := tx.exec(fmt.Sprintf(`update %s set position = $3 where workspace_id = $1 and %s = $2`, l.table, l.key), r.id, from+int64(i)*step); err != nil {
			return err
		}
	}
	return nil
}
