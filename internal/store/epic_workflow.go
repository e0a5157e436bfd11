package store

import (
	"milepost/internal/tracker"
)

var epicWorkflows = newTable("epic_workflow", "id", nil, func(w *tracker.EpicWorkflow) []column {
	return []column{{"id", &w.ID}, {"default_state_id", &w.DefaultStateID}, {"created_at", &w.CreatedAt}, {"updated_at", &w.UpdatedAt}}
})

var epicStates = newTable("epic_state", "position, id", nil, func(s *tracker.EpicState) []column {
	return []column{
		{"id", &s.ID}, {"name", &s.Name}, {"description", &s.Description}, {"color", &s.Color}, {"type", &s.Type},
		{"position", &s.Position}, {"created_at", &s.CreatedAt}, {"updated_at", &s.UpdatedAt},
	}
})

func (tx *Tx) InsertEpicWorkflow(w *tracker.EpicWorkflow) error { return epicWorkflows.insert(tx, w) }
func (tx *Tx) UpdateEpicWorkflow(w *tracker.EpicWorkflow) error { return epicWorkflows.update(tx, w) }
func (tx *Tx) InsertEpicState(s *tracker.EpicState) error       { return epicStates.insert(tx, s) }
func (tx *Tx) UpdateEpicState(s *tracker.EpicState) error       { return epicStates.update(tx, s) }
func (tx *Tx) DeleteEpicState(id int64) error                   { return epicStates.delete(tx, id) }

// EpicWorkflow returns the workspace's one epic workflow with its states.
func (tx *Tx) EpicWorkflow() (tracker.EpicWorkflow, error) {
	w, err := first(epicWorkflows.find(tx, ""))
	if err == nil {
		w.States, err = epicStates.find(tx, "")
	}
	return w, err
}

// CountEpicsIn counts the epics in a state, archived ones too.
func (tx *Tx) CountEpicsIn(state int64) (n int64, err error) {
	err = tx.one([]any{&n}, `select count(*) from epic where workspace_id = $1 and epic_state_id = $2`, state)
	return n, err
}

// SomeEpicsIn lists up to limit epics of a state.
func (tx *Tx) SomeEpicsIn(state, limit int64) ([]tracker.Epic, error) {
	return epics.scan(tx, epics.selectSQL+` and (epic_state_id = $2) order by id limit $3`, state, limit)
}
