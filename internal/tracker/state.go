package tracker

import (
	"slices"
	"strconv"
)

// State is what the states of stories and those of epics have in common.
type State struct {
	ID          int64
	Name        string
	Description string
	Color       *string
	Type        StateType
	Position    int64 // from 1, in the order of the types
	CreatedAt   Time
	UpdatedAt   Time
}

// DefaultState is a state that comes with a new workflow.
type DefaultState struct {
	Name string
	Type StateType
}

// StateParams is what a state is added with; epic states have no verb.
type StateParams struct {
	Name        string
	Type        StateType
	Description Opt[string]
	Color       Opt[string]
	Verb        Opt[string]
	Place       Place
}

// StateChange is what can be changed of a state. Its type stays: stories that were started would
// no longer be.
type StateChange struct {
	Name        Opt[string]
	Description Opt[string]
	Color       Opt[string]
	Verb        Opt[string]
	Place       Place
}

// MaxStates is how many states one workflow can have.
const MaxStates = 100

// NewState is the state that p asks for, not yet at its place.
func NewState(id int64, p StateParams, now Time) State {
	return State{
		ID: id, Name: p.Name, Description: p.Description.Or(""), Color: p.Color.Ptr(), Type: p.Type, CreatedAt: now, UpdatedAt: now,
	}
}

// Common gives the shared part of either kind of state.
func (s *State) Common() *State { return s }

// Apply makes the changes that ch asks for, but for the place.
func (s *State) Apply(ch StateChange) {
	ch.Name.Apply(&s.Name)
	ch.Description.Apply(&s.Description)
	ch.Color.ApplyPtr(&s.Color)
}

// Touch moves the time of the last update.
func (s *State) Touch(now Time) { s.UpdatedAt = now }

func (s State) EntityID() string { return strconv.FormatInt(s.ID, 10) }

// Positions numbers the states from 1: those of one type stand together, in the order of
// StateTypes. The state with the id goes to its place among those of its type; all others keep
// their order.
func Positions(states []State, id int64, place Place) (map[int64]int64, error) {
	byType := map[StateType][]int64{}
	for _, s := range states {
		byType[s.Type] = append(byType[s.Type], s.ID)
	}
	var order []int64
	for _, t := range StateTypes {
		ids := byType[t]
		if slices.Contains(ids, id) {
			var err error
			if ids, err = place.Arrange(ids, id, "another state of the same workflow and type"); err != nil {
				return nil, err
			}
		}
		order = append(order, ids...)
	}
	return Numbered(order), nil
}

// Removable fails for a state that a workflow cannot do without: its default, and the last one of
// each type but backlog, without which work could not begin, go on or end.
func Removable(states []State, gone State, defaultID int64) error {
	if gone.ID == defaultID {
		return Impossible("id", "names the default state: choose another default first")
	}
	for _, s := range states {
		if s.ID != gone.ID && s.Type == gone.Type {
			return nil
		}
	}
	if gone.Type == Backlog {
		return nil
	}
	return Impossible("id", "names the last state of type %s: add another one first", gone.Type)
}
