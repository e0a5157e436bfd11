package service

import (
	"context"

	"milepost/internal/tracker"
)

func (s *Service) CreateWorkflowState(ctx context.Context, by tracker.Actor, workflow int64, p tracker.StateParams) (tracker.WorkflowState, error) {
	return write(ctx, s, by, func(w *work) (tracker.WorkflowState, error) {
		flow, err := w.Workflow(workflow)
		if err != nil {
			return tracker.WorkflowState{}, err
		}
		return w.workflowLane(flow).add(tracker.WorkflowState{
			State: tracker.NewState(w.NextHighID(), p, w.now), WorkflowID: flow.ID, Verb: p.Verb.Ptr(),
		}, p.Place)
	})
}

func (s *Service) UpdateWorkflowState(ctx context.Context, by tracker.Actor, id int64, ch tracker.StateChange) (tracker.WorkflowState, error) {
	return write(ctx, s, by, func(w *work) (tracker.WorkflowState, error) {
		flow, err := w.workflowOf(id)
		if err != nil {
			return tracker.WorkflowState{}, err
		}
		return w.workflowLane(flow).change(id, ch.Place, func(s *tracker.WorkflowState) { s.Apply(ch) })
	})
}

// DeleteWorkflowState deletes a state; its stories go to the replacement, another state of the
// same workflow.
func (s *Service) DeleteWorkflowState(ctx context.Context, by tracker.Actor, id int64, replacement tracker.Opt[int64]) error {
	return s.inChunks(ctx, by, func(w *work) (bool, error) {
		flow, err := w.workflowOf(id)
		if err != nil {
			return false, err
		}
		return w.workflowLane(flow).dissolve(id, replacement, contents[tracker.WorkflowState]{
			name: "stories", count: w.CountStories,
			move: func(from, to tracker.WorkflowState) error { return w.moveStories(from, to, chunkSize) },
		})
	})
}

// workflowOf is the workflow that a state belongs to.
func (w *work) workflowOf(state int64) (tracker.Workflow, error) {
	s, err := w.WorkflowState(state)
	if err != nil {
		return tracker.Workflow{}, err
	}
	return w.Workflow(s.WorkflowID)
}

func (w *work) workflowLane(flow tracker.Workflow) lane[tracker.WorkflowState, *tracker.WorkflowState] {
	return lane[tracker.WorkflowState, *tracker.WorkflowState]{
		w: w, states: flow.States, defaultID: flow.DefaultStateID,
		insert: w.InsertWorkflowState, save: w.Tx.UpdateWorkflowState, delete: w.Tx.DeleteWorkflowState,
	}
}
