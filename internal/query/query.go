// Package query is the language of search: it turns what a user types into a condition that knows
// nothing of how it is looked up. Its grammar is in docs/search.md.
package query

import (
	"fmt"

	"milepost/internal/tracker"
)

// Entity is what is searched for.
type Entity uint8

// The entities; operators.go says which operator applies to which of them.
const (
	Stories Entity = 1 << iota
	Epics
	Iterations
	Objectives
)

// Scene is what a query's meaning depends on besides its text.
type Scene struct {
	Entity Entity
	Member tracker.UUID // who asks, for owner:me
	Now    tracker.Time
	Offset func() tracker.Time // seconds by which the workspace's clocks are ahead of UTC; asked for days only
}

// Error says what of a query is malformed and where.
type Error struct {
	At      int    // the character at which it begins, from 1
	Term    string // as written, shortened; empty where it is no single term
	Message string
}

func (e *Error) Error() string {
	where := fmt.Sprintf("at character %d: %s", e.At, e.Message)
	if e.Term != "" {
		return e.Term + " " + where
	}
	return where
}
