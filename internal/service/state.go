package service

import (
	"context"
	"slices"

	"milepost/internal/tracker"
)

// A statePointer points to a state of either kind.
type statePointer[T any] interface {
	*T
	Common() *tracker.State
	Touch(now tracker.Time)
}

// lane is the ordered states of one workflow, or of all epics, in a use case that changes them.
type lane[T tracker.Entity, P statePointer[T]] struct {
	w         *work
	states    []T
	defaultID int64
	insert    func(*T) error
	save      func(*T) error
	delete    func(id int64) error
}

// find returns the state with the id.
func (l lane[T, P]) find(id int64) (state T, ok bool) {
	for _, s := range l.states {
		if P(&s).Common().ID == id {
			return s, true
		}
	}
	return state, false
}

func (l lane[T, P]) common() []tracker.State {
	out := make([]tracker.State, len(l.states))
	for i, s := range l.states {
		out[i] = *P(&s).Common()
	}
	return out
}

// add saves a new state at its place, the last of its type by default.
func (l lane[T, P]) add(state T, place tracker.Place) (T, error) {
	if len(l.states) >= tracker.MaxStates {
		return state, tracker.Impossible("workflow", "has %d states already, which is the most", tracker.MaxStates)
	}
	c := P(&state).Common()
	positions, err := tracker.Positions(append(l.common(), *c), c.ID, place)
	if err != nil {
		return state, err
	}
	c.Position = positions[c.ID]
	if state, err = create(l.w, state, l.insert); err != nil {
		return state, err
	}
	return state, l.number(positions, func(P) {})
}

// change edits one state and moves it to its place.
func (l lane[T, P]) change(id int64, place tracker.Place, edit func(P)) (T, error) {
	state, ok := l.find(id)
	if !ok {
		return state, tracker.ErrNotFound
	}
	positions, err := tracker.Positions(l.common(), id, place)
	if err != nil {
		return state, err
	}
	err = l.number(positions, func(p P) {
		if p.Common().ID == id {
			edit(p)
		}
	})
	state, _ = l.find(id)
	return state, err
}

// contents is what stands in the states of a lane.
type contents[T any] struct {
	name  string
	count func(state int64) (int64, error)
	move  func(from, to T) error // at most chunkSize of them
}

// dissolve moves a chunk of what is in a state to its replacement and, when that was the last,
// takes the state away.
func (l lane[T, P]) dissolve(id int64, replacement tracker.Opt[int64], in contents[T]) (done bool, err error) {
	state, ok := l.find(id)
	if !ok {
		return false, tracker.ErrNotFound
	}
	l.w.primary(state)
	if err := tracker.Removable(l.common(), *P(&state).Common(), l.defaultID); err != nil {
		return false, err
	}
	to, ok := l.find(replacement.Value)
	if replacement.State == tracker.Given && (!ok || replacement.Value == id) {
		return false, tracker.Impossible("replacement_state_id", "must name another state of the same workflow")
	}
	n, err := in.count(id)
	if err != nil {
		return false, err
	}
	if n > 0 {
		if replacement.State != tracker.Given {
			return false, needsReplacement(in.name)
		}
		if err := in.move(state, to); err != nil || n > chunkSize {
			return false, err
		}
	}
	return true, l.remove(state)
}

// remove takes a state away; the others close up.
func (l lane[T, P]) remove(state T) error {
	id := P(&state).Common().ID
	if err := remove(l.w, state, func() error { return l.delete(id) }); err != nil {
		return err
	}
	l.states = slices.DeleteFunc(slices.Clone(l.states), func(s T) bool { return P(&s).Common().ID == id })
	positions, err := tracker.Positions(l.common(), 0, tracker.Place{})
	if err != nil {
		return err
	}
	return l.number(positions, func(P) {})
}

// number gives the states their positions, edits them and saves those that changed.
func (l lane[T, P]) number(positions map[int64]int64, edit func(P)) (err error) {
	for i, s := range l.states {
		l.states[i], err = update(l.w, s, func(p P) {
			edit(p)
			p.Common().Position = positions[p.Common().ID]
		}, l.save)
		if err != nil {
			return err
		}
	}
	return nil
}

// chunkSize bounds how many entities one write of a cascade moves.
const chunkSize = 500

// inChunks runs step, one write and one change after the other, until it reports that nothing is
// left. Others write in between. Once begun it goes on although the client may leave: half of a
// cascade is of no use to anybody.
func (s *Service) inChunks(ctx context.Context, by tracker.Actor, step func(*work) (done bool, err error)) error {
	for {
		done, err := write(ctx, s, by, step)
		if err != nil || done {
			return err
		}
		ctx = context.WithoutCancel(ctx)
	}
}

// needsReplacement answers the deletion of something that is not empty and has no successor.
func needsReplacement(what string) error {
	return tracker.Impossible("replacement_state_id", "is needed to say where the %s go", what)
}
