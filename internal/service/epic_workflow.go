package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) EpicWorkflow(ctx context.Context, by tracker.Actor) (tracker.EpicWorkflow, error) {
	return read(ctx, s, by, (*store.Tx).EpicWorkflow)
}

// createEpicWorkflow saves the one epic workflow of a new workspace.
func (w *work) createEpicWorkflow() error {
	flow := tracker.EpicWorkflow{ID: w.NextHighID(), CreatedAt: w.now, UpdatedAt: w.now}
	for i, d := range tracker.DefaultEpicStates {
		state := tracker.EpicState{State: w.defaultState(d, i)}
		if i == 0 {
			flow.DefaultStateID = state.ID
		}
		if _, err := create(w, state, w.InsertEpicState); err != nil {
			return err
		}
	}
	_, err := create(w, flow, w.InsertEpicWorkflow)
	return err
}

// UpdateEpicWorkflow chooses the state that new epics enter.
func (s *Service) UpdateEpicWorkflow(ctx context.Context, by tracker.Actor, defaultState tracker.Opt[int64]) (tracker.EpicWorkflow, error) {
	return write(ctx, s, by, func(w *work) (tracker.EpicWorkflow, error) {
		flow, err := w.EpicWorkflow()
		if err != nil {
			return flow, err
		}
		if id, given := defaultState.Get(); given {
			if _, ok := w.epicLane(flow).find(id); !ok {
				return flow, tracker.Impossible("default_epic_state_id", "must name an epic state")
			}
		}
		return update(w, flow, func(f *tracker.EpicWorkflow) { defaultState.Apply(&f.DefaultStateID) }, w.Tx.UpdateEpicWorkflow)
	})
}

func (s *Service) CreateEpicState(ctx context.Context, by tracker.Actor, p tracker.StateParams) (tracker.EpicState, error) {
	return write(ctx, s, by, func(w *work) (tracker.EpicState, error) {
		flow, err := w.EpicWorkflow()
		if err != nil {
			return tracker.EpicState{}, err
		}
		return w.epicLane(flow).add(tracker.EpicState{State: tracker.NewState(w.NextHighID(), p, w.now)}, p.Place)
	})
}

func (s *Service) UpdateEpicState(ctx context.Context, by tracker.Actor, id int64, ch tracker.StateChange) (tracker.EpicState, error) {
	return write(ctx, s, by, func(w *work) (tracker.EpicState, error) {
		flow, err := w.EpicWorkflow()
		if err != nil {
			return tracker.EpicState{}, err
		}
		return w.epicLane(flow).change(id, ch.Place, func(e *tracker.EpicState) { e.Apply(ch) })
	})
}

// DeleteEpicState deletes a state; its epics go to the replacement.
func (s *Service) DeleteEpicState(ctx context.Context, by tracker.Actor, id int64, replacement tracker.Opt[int64]) error {
	return s.inChunks(ctx, by, func(w *work) (bool, error) {
		flow, err := w.EpicWorkflow()
		if err != nil {
			return false, err
		}
		return w.epicLane(flow).dissolve(id, replacement, contents[tracker.EpicState]{
			name: "epics", count: w.CountEpicsIn, move: w.moveEpics,
		})
	})
}

func (w *work) epicLane(flow tracker.EpicWorkflow) lane[tracker.EpicState, *tracker.EpicState] {
	return lane[tracker.EpicState, *tracker.EpicState]{
		w: w, states: flow.States, defaultID: flow.DefaultStateID,
		insert: w.InsertEpicState, save: w.Tx.UpdateEpicState, delete: w.Tx.DeleteEpicState,
	}
}

// moveEpics moves a chunk of epics to another state, by the rules of any other move.
func (w *work) moveEpics(from, to tracker.EpicState) error {
	epics, err := w.SomeEpicsIn(from.ID, chunkSize)
	if err != nil {
		return err
	}
	for _, epic := range epics {
		if _, err := w.updateEpic(epic, func(e *tracker.Epic) { e.Move(to, w.now) }); err != nil {
			return err
		}
	}
	return nil
}
