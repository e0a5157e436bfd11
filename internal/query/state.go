package query

import "milepost/internal/tracker"

// stateTypes are the words for how far something has come, in every kind of entity.
var stateTypes = map[string][]tracker.StateType{
	"unstarted": {tracker.Backlog, tracker.Unstarted},
	"started":   {tracker.Started},
	"done":      {tracker.Done},
}

// readState takes the name or id of a state. Beside its states' names an epic takes the words above,
// an iteration, whose state follows from its dates, has nothing else, and the few states of an objective are
// other words for the same.
func readState(v value) (Expr, error) {
	name := named(StateName, v.text)
	types := stateTypes[name.Key]
	switch {
	case v.scene.Entity == Stories || v.scene.Entity == Epics && types == nil:
		return name, nil
	case v.scene.Entity == Epics:
		return one([]Expr{name, State{types}}), nil
	case v.scene.Entity == Objectives && types == nil:
		switch s := tracker.MilestoneState(name.Key); s {
		case tracker.MilestoneToDo, tracker.MilestoneInProgress:
			return State{[]tracker.StateType{s.Type()}}, nil
		}
		return None(), nil
	case types == nil:
		return None(), nil
	default:
		return readStateType(types...)(v)
	}
}

func readStateType(types ...tracker.StateType) func(value) (Expr, error) {
	return func(v value) (Expr, error) {
		if v.scene.Entity != Iterations {
			return State{types}, nil
		}
		today := v.scene.today()
		switch types[len(types)-1] {
		case tracker.Unstarted:
			return Dates{StartDate, today + day, Never}, nil
		case tracker.Started:
			return And{Dates{StartDate, Ever, today + day}, Dates{EndDate, today, Never}}, nil
		default:
			return Dates{EndDate, Ever, today}, nil
		}
	}
}
