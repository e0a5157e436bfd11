package service

import (
	"context"
	"errors"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) Workflows(ctx context.Context, by tracker.Actor) ([]tracker.Workflow, error) {
	return read(ctx, s, by, (*store.Tx).Workflows)
}

func (s *Service) Workflow(ctx context.Context, by tracker.Actor, id int64) (tracker.Workflow, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Workflow, error) { return tx.Workflow(id) })
}

// DefaultWorkflow is the one that new stories enter; v1 knows no other.
func (s *Service) DefaultWorkflow(ctx context.Context, by tracker.Actor) (tracker.Workflow, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Workflow, error) {
		ws, err := tx.Workspace()
		if err != nil {
			return tracker.Workflow{}, err
		}
		return tx.Workflow(ws.DefaultWorkflowID)
	})
}

// WorkflowOfTeam finds the workflow that a legacy team stands for.
func (s *Service) WorkflowOfTeam(ctx context.Context, by tracker.Actor, team int64) (tracker.Workflow, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.Workflow, error) { return tx.WorkflowOfTeam(team) })
}

// CreateWorkflow makes a workflow with the default states. It assigns owners unless told not to,
// as the first one of a workspace does.
func (s *Service) CreateWorkflow(ctx context.Context, by tracker.Actor, p tracker.WorkflowParams) (tracker.Workflow, error) {
	return write(ctx, s, by, func(w *work) (tracker.Workflow, error) {
		return w.createWorkflow(tracker.Workflow{
			Name: p.Name, Description: p.Description.Or(""), AutoAssignOwner: p.AutoAssignOwner.Or(true),
		})
	})
}

// createWorkflow saves the workflow with the default states, after the workspace's others.
func (w *work) createWorkflow(flow tracker.Workflow) (tracker.Workflow, error) {
	others, err := w.Workflows()
	if err != nil {
		return flow, err
	}
	if len(others) >= tracker.MaxWorkflows {
		return flow, tracker.Impossible("workspace", "has %d workflows already, which is the most", tracker.MaxWorkflows)
	}
	flow.ID, flow.TeamID, flow.Position = w.NextHighID(), w.NextID(), int64(len(others)+1)
	flow.CreatedAt, flow.UpdatedAt = w.now, w.now
	for i, d := range tracker.DefaultStates {
		flow.States = append(flow.States, tracker.WorkflowState{State: w.defaultState(d, i), WorkflowID: flow.ID})
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

func (w *work) defaultState(d tracker.DefaultState, i int) tracker.State {
	return tracker.State{ID: w.NextHighID(), Name: d.Name, Type: d.Type, Position: int64(i + 1), CreatedAt: w.now, UpdatedAt: w.now}
}

// UpdateWorkflow changes a workflow and its place among the others, and can make it the
// workspace's default.
func (s *Service) UpdateWorkflow(ctx context.Context, by tracker.Actor, id int64, ch tracker.WorkflowChange) (tracker.Workflow, error) {
	return write(ctx, s, by, func(w *work) (flow tracker.Workflow, err error) {
		if flow, err = w.Workflow(id); err != nil {
			return flow, err
		}
		if state, given := ch.DefaultStateID.Get(); given {
			if _, ok := w.workflowLane(flow).find(state); !ok {
				return flow, tracker.Impossible("default_state_id", "must name a state of this workflow")
			}
		}
		if err := w.chooseDefault(id, ch.Default); err != nil {
			return flow, err
		}
		all, err := w.Workflows()
		if err != nil {
			return flow, err
		}
		if err := w.numberWorkflows(all, id, ch); err != nil {
			return flow, err
		}
		return w.Workflow(id)
	})
}

// chooseDefault makes the workflow the workspace's default, which another one then no longer is.
func (w *work) chooseDefault(id int64, choose tracker.Opt[bool]) error {
	ws, err := w.Workspace()
	if err != nil {
		return err
	}
	yes, given := choose.Get()
	switch {
	case !given:
		return nil
	case !yes && ws.DefaultWorkflowID == id:
		return tracker.Impossible("default", "cannot be taken away: make another workflow the default")
	case !yes:
		return nil
	}
	_, err = update(w, *ws, func(ws *tracker.Workspace) { ws.DefaultWorkflowID = id }, w.Tx.UpdateWorkspace)
	return err
}

// numberWorkflows changes the one with the id, moves it to its place and saves all that changed.
func (w *work) numberWorkflows(all []tracker.Workflow, id int64, ch tracker.WorkflowChange) error {
	ids := make([]int64, len(all))
	for i, f := range all {
		ids[i] = f.ID
	}
	ids, err := ch.Place.Arrange(ids, id, "another workflow")
	if err != nil {
		return err
	}
	positions := tracker.Numbered(ids)
	for _, flow := range all {
		_, err := update(w, flow, func(f *tracker.Workflow) {
			if f.ID == id {
				f.Apply(ch)
			}
			f.Position = positions[f.ID]
		}, w.Tx.UpdateWorkflow)
		if err != nil {
			return err
		}
	}
	return nil
}

// DeleteWorkflow deletes a workflow with its states; its stories go to the replacement, a state of
// another workflow.
func (s *Service) DeleteWorkflow(ctx context.Context, by tracker.Actor, id int64, replacement tracker.Opt[int64]) error {
	return s.inChunks(ctx, by, func(w *work) (bool, error) {
		flow, err := w.Workflow(id)
		if err != nil {
			return false, err
		}
		ws, err := w.Workspace()
		if err != nil {
			return false, err
		}
		w.primary(flow)
		if ws.DefaultWorkflowID == id {
			return false, tracker.Impossible("id", "names the default workflow: make another one the default first")
		}
		if len(flow.ProjectIDs) > 0 {
			return false, tracker.Impossible("id", "names a workflow that has projects: move %v to another team first", flow.ProjectIDs)
		}
		empty, err := w.emptyWorkflow(flow, replacement)
		if err != nil || !empty {
			return false, err
		}
		if err := w.leaveWorkflow(id, ws.DefaultWorkflowID); err != nil {
			return false, err
		}
		return true, w.removeWorkflow(flow)
	})
}

// emptyWorkflow moves a chunk of the workflow's stories to the replacement and reports whether
// none is left.
func (w *work) emptyWorkflow(flow tracker.Workflow, replacement tracker.Opt[int64]) (bool, error) {
	var to tracker.WorkflowState
	if id, given := replacement.Get(); given {
		var err error
		to, err = w.WorkflowState(id)
		if errors.Is(err, tracker.ErrNotFound) || err == nil && to.WorkflowID == flow.ID {
			return false, tracker.Impossible("replacement_state_id", "must name a state of another workflow")
		}
		if err != nil {
			return false, err
		}
	}
	room := int64(chunkSize)
	for _, from := range flow.States {
		n, err := w.CountStories(from.ID)
		if err != nil {
			return false, err
		}
		if n > 0 && replacement.State != tracker.Given {
			return false, needsReplacement("stories")
		}
		if err := w.moveStories(from, to, min(n, room)); err != nil || n > room {
			return false, err
		}
		room -= n
	}
	return true, nil
}

// moveStories moves the first stories of a state, at most limit, behind those of another, by the
// rules of any other move.
func (w *work) moveStories(from, to tracker.WorkflowState, limit int64) error {
	stories, err := w.SomeStoriesIn(from.ID, limit)
	if err != nil {
		return err
	}
	for _, story := range stories {
		position, err := w.StoryLast(story.ID, to.ID)
		if err != nil {
			return err
		}
		moved, err := w.updateStory(story, func(s *tracker.Story) {
			s.Move(to, w.now)
			s.Position = position
		})
		if err != nil {
			return err
		}
		if err := w.refreshBlocking(moved); err != nil {
			return err
		}
	}
	return nil
}

// leaveWorkflow takes the workflow from the groups that work in it. Those that work in no other
// go on in the fallback.
func (w *work) leaveWorkflow(id, fallback int64) error {
	groups, err := w.Groups()
	if err != nil {
		return err
	}
	for _, before := range groups {
		if !slices.Contains(before.WorkflowIDs, id) {
			continue
		}
		left := without(before.WorkflowIDs, id)
		if len(left) == 0 {
			left = []int64{fallback}
		}
		after := before
		if err := after.Apply(tracker.GroupChange{WorkflowIDs: tracker.Some(left)}); err != nil {
			return err
		}
		if _, err := update(w, before, func(g *tracker.Group) { *g = after }, w.Tx.UpdateGroup); err != nil {
			return err
		}
	}
	return nil
}

func (w *work) removeWorkflow(flow tracker.Workflow) error {
	for _, state := range flow.States {
		if err := remove(w, state, func() error { return w.Tx.DeleteWorkflowState(state.ID) }); err != nil {
			return err
		}
	}
	if err := remove(w, flow, func() error { return w.Tx.DeleteWorkflow(flow.ID) }); err != nil {
		return err
	}
	rest, err := w.Workflows()
	if err != nil {
		return err
	}
	return w.numberWorkflows(rest, 0, tracker.WorkflowChange{})
}
