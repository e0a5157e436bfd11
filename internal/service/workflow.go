package service

import (
	"context"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) Workflows(ctx context.Context, by tracker.Actor) ([]tracker.Workflow, error) {
	return read(ctx, s, by, (*store.Tx).Workflows)
}

func (s *Service) Workflow(ctx context.Context, by tracker.Actor, id int64) (tracker.Workflow, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Workflow, error) { return tx.Workflow(id) })
}

// WorkflowOfTeam finds the workflow that a legacy team stands for.
func (s *Service) WorkflowOfTeam(ctx context.Context, by tracker.Actor, team int64) (tracker.Workflow, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Workflow, error) { return tx.WorkflowOfTeam(team) })
}

func (s *Service) EpicWorkflow(ctx context.Context, by tracker.Actor) (tracker.EpicWorkflow, error) {
	return read(ctx, s, by, (*store.Tx).EpicWorkflow)
}

// createWorkflow saves the workflow with the default states, after the workspace's others.
func (w *work) createWorkflow(flow tracker.Workflow) (tracker.Workflow, error) {
	others, err := w.Workflows()
	if err != nil {
		return flow, err
	}
	flow.ID, flow.TeamID, flow.Position = w.NextHighID(), w.NextID(), int64(len(others)+1)
	flow.CreatedAt, flow.UpdatedAt = w.now, w.now
	for i, d := range tracker.DefaultStates {
		flow.States = append(flow.States, tracker.WorkflowState{
			ID: w.NextHighID(), WorkflowID: flow.ID, Name: d.Name, Type: d.Type, Position: int64(i + 1), CreatedAt: w.now, UpdatedAt: w.now,
		})
	}
	flow.DefaultStateID = flow.States[0].ID
	if flow, err = create(w, flow, w.InsertWorkflow); err != nil {
		return flow, err
	}
	for _, state := range flow.States {
		if _, err := create(w, state, w.InsertWorkflowState); err != nil {
			return flow, err
		}
	}
	return flow, nil
}

// createEpicWorkflow saves the one epic workflow of a new workspace.
func (w *work) createEpicWorkflow() error {
	flow := tracker.EpicWorkflow{ID: w.NextHighID(), CreatedAt: w.now, UpdatedAt: w.now}
	for i, d := range tracker.DefaultEpicStates {
		state := tracker.EpicState{ID: w.NextHighID(), Name: d.Name, Type: d.Type, Position: int64(i + 1), CreatedAt: w.now, UpdatedAt: w.now}
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
