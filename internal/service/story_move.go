package service

import (
	"milepost/internal/tracker"
)

// move puts the story into the state and the place that the change asks for. A project decides
// the workflow: a story that changes to a project of another one enters its default state.
func (e *storyEdit) move(s *tracker.Story) error {
	moved := false
	if s.StateID == 0 || e.state != nil || e.project != nil {
		target, err := e.target(s)
		if err != nil {
			return err
		}
		if moved = target.ID != s.StateID; moved {
			if err := e.autoAssign(s, target); err != nil {
				return err
			}
			s.Move(target, e.at)
		}
	}
	if moved || e.Place.Given() {
		return e.place(s)
	}
	return nil
}

// target is the state that the story is to be in after the change.
func (e *storyEdit) target(s *tracker.Story) (tracker.WorkflowState, error) {
	workflow := s.WorkflowID
	if s.ProjectID != nil {
		project, err := e.projectOf(s)
		if err != nil {
			return tracker.WorkflowState{}, err
		}
		workflow = project.WorkflowID
		if e.state != nil && e.state.WorkflowID != workflow {
			return tracker.WorkflowState{}, tracker.Impossible("workflow_state_id", "belongs to another workflow than the project")
		}
	}
	switch {
	case e.state != nil:
		return *e.state, nil
	case workflow == s.WorkflowID && s.StateID != 0:
		return tracker.WorkflowState{State: tracker.State{ID: s.StateID}}, nil
	}
	if workflow == 0 {
		ws, err := e.w.Workspace()
		if err != nil {
			return tracker.WorkflowState{}, err
		}
		workflow = ws.DefaultWorkflowID
	}
	return e.w.DefaultState(workflow)
}

func (e *storyEdit) projectOf(s *tracker.Story) (tracker.Project, error) {
	if e.project != nil {
		return *e.project, nil
	}
	return e.w.Project(*s.ProjectID)
}

// autoAssign makes who starts an unowned story its owner, where the workflow wants that.
func (e *storyEdit) autoAssign(s *tracker.Story, to tracker.WorkflowState) error {
	if len(s.OwnerIDs) > 0 || s.Started() || to.Type != tracker.Started || e.w.by.Member == "" {
		return nil
	}
	wanted, err := e.w.AutoAssignsOwner(to.WorkflowID)
	if err != nil || !wanted {
		return err
	}
	s.OwnerIDs = []tracker.UUID{e.w.by.Member}
	s.Follow(e.w.by.Member)
	return nil
}

// place finds the story's position in its state: where it is asked for, or last. Stories that one
// change places in the same state stand one behind the other.
func (e *storyEdit) place(s *tracker.Story) (err error) {
	first := e.Place.MoveTo.Or("") == "first"
	before, isBefore := e.Place.BeforeID.Get()
	after, isAfter := e.Place.AfterID.Get()
	previous := e.previous[s.StateID]
	switch {
	case previous != 0 && (first || isBefore || isAfter):
		s.Position, err = e.w.storyBeside(s, previous, true)
	case isBefore:
		s.Position, err = e.beside(s, "before_id", before, false)
	case isAfter:
		s.Position, err = e.beside(s, "after_id", after, true)
	case first:
		s.Position, err = e.w.StoryFirst(s.ID, s.StateID)
	default:
		s.Position, err = e.w.StoryLast(s.ID, s.StateID)
	}
	e.previous[s.StateID] = s.ID
	return err
}

func (e *storyEdit) beside(s *tracker.Story, field string, neighbour int64, after bool) (int64, error) {
	if neighbour == s.ID {
		return 0, tracker.Impossible(field, "names the story itself")
	}
	position, err := e.w.storyBeside(s, neighbour, after)
	return position, absent(err, field, "names a story that is not in the same state")
}

// storyBeside is a position for the story beside another. That others had to make room is
// recorded, but is no update of theirs.
func (w *work) storyBeside(s *tracker.Story, neighbour int64, after bool) (int64, error) {
	position, shifted, err := w.StoryBeside(s.ID, s.StateID, neighbour, after)
	if err != nil || len(shifted) == 0 {
		return position, err
	}
	ids := make([]int64, 0, len(shifted))
	for id := range shifted {
		ids = append(ids, id)
	}
	stories, err := w.StoriesByID(ids)
	for _, now := range stories {
		was := now
		was.Position = shifted[now.ID]
		w.recordUpdate(was, now, tracker.Diff(was, now))
	}
	return position, err
}
