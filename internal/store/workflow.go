package store

import (
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var workflows = newTable("workflow", "position, id", nil, func(w *tracker.Workflow) []column {
	return []column{
		{"id", &w.ID}, {"team_id", &w.TeamID}, {"name", &w.Name}, {"description", &w.Description},
		{"auto_assign_owner", &w.AutoAssignOwner}, {"default_state_id", &w.DefaultStateID}, {"position", &w.Position},
		{"created_at", &w.CreatedAt}, {"updated_at", &w.UpdatedAt},
	}
})

var workflowStates = newTable("workflow_state", "position, id", nil, func(s *tracker.WorkflowState) []column {
	return []column{
		{"id", &s.ID}, {"workflow_id", &s.WorkflowID}, {"name", &s.Name}, {"description", &s.Description}, {"color", &s.Color},
		{"type", &s.Type}, {"verb", &s.Verb}, {"position", &s.Position}, {"created_at", &s.CreatedAt}, {"updated_at", &s.UpdatedAt},
	}
})

func (tx *Tx) InsertWorkflow(w *tracker.Workflow) error { return workflows.insert(tx, w) }
func (tx *Tx) UpdateWorkflow(w *tracker.Workflow) error { return workflows.update(tx, w) }
func (tx *Tx) DeleteWorkflow(id int64) error            { return workflows.delete(tx, id) }
func (tx *Tx) InsertWorkflowState(s *tracker.WorkflowState) error {
	return workflowStates.insert(tx, s)
}
func (tx *Tx) UpdateWorkflowState(s *tracker.WorkflowState) error {
	return workflowStates.update(tx, s)
}
func (tx *Tx) DeleteWorkflowState(id int64) error { return workflowStates.delete(tx, id) }

// Workflows lists the workflows with their states and projects, in five queries.
func (tx *Tx) Workflows() ([]tracker.Workflow, error) {
	list, err := workflows.find(tx, "")
	if err != nil {
		return nil, err
	}
	states, err := workflowStates.find(tx, "")
	if err != nil {
		return nil, err
	}
	counts, err := tx.storiesByState()
	if err != nil {
		return nil, err
	}
	templates, err := tx.templatesByState()
	if err != nil {
		return nil, err
	}
	projects, err := tx.projectsByWorkflow()
	if err != nil {
		return nil, err
	}
	at := map[int64]int{}
	for i, w := range list {
		at[w.ID] = i
		list[i].ProjectIDs = projects[w.ID]
	}
	for _, s := range states {
		s.NumStories, s.NumTemplates = counts[s.ID], templates[s.ID]
		w := &list[at[s.WorkflowID]]
		w.States = append(w.States, s)
	}
	return list, nil
}

// Workflow returns one workflow with its states.
func (tx *Tx) Workflow(id int64) (tracker.Workflow, error) {
	return tx.oneWorkflow(func(w tracker.Workflow) bool { return w.ID == id })
}

// WorkflowOfTeam returns the workflow that a legacy team stands for.
func (tx *Tx) WorkflowOfTeam(team int64) (tracker.Workflow, error) {
	return tx.oneWorkflow(func(w tracker.Workflow) bool { return w.TeamID == team })
}

// oneWorkflow picks from the whole list: a workspace has few workflows.
func (tx *Tx) oneWorkflow(match func(tracker.Workflow) bool) (tracker.Workflow, error) {
	list, err := tx.Workflows()
	if err != nil {
		return tracker.Workflow{}, err
	}
	for _, w := range list {
		if match(w) {
			return w, nil
		}
	}
	return tracker.Workflow{}, tracker.ErrNotFound
}

// WorkflowState returns one state.
func (tx *Tx) WorkflowState(id int64) (tracker.WorkflowState, error) {
	return workflowStates.known(tx, id)
}

// DefaultState returns the state in which stories enter the workflow.
func (tx *Tx) DefaultState(workflow int64) (tracker.WorkflowState, error) {
	flow, err := workflows.known(tx, workflow)
	if err != nil {
		return tracker.WorkflowState{}, err
	}
	return tx.WorkflowState(flow.DefaultStateID)
}

// AutoAssignsOwner reports whether who starts an unowned story of the workflow becomes its owner.
func (tx *Tx) AutoAssignsOwner(workflow int64) (bool, error) {
	flow, err := workflows.known(tx, workflow)
	return flow.AutoAssignOwner, err
}

func (tx *Tx) storiesByState() (map[int64]int64, error) {
	counts := map[int64]int64{}
	err := tx.each(func(row db.Row) error {
		var state, n int64
		err := row.Scan(&state, &n)
		counts[state] = n
		return err
	}, `select workflow_state_id, count(*) from story where workspace_id = $1 and archived = false group by workflow_state_id`)
	return counts, err
}

// CountStories counts the stories in a state, archived ones too.
func (tx *Tx) CountStories(state int64) (n int64, err error) {
	err = tx.one([]any{&n}, `select count(*) from story where workspace_id = $1 and workflow_state_id = $2`, state)
	return n, err
}

// SomeStoriesIn lists the first stories of a state, at most limit, in their order.
func (tx *Tx) SomeStoriesIn(state, limit int64) ([]tracker.Story, error) {
	return stories.scan(tx, stories.selectSQL+` and (workflow_state_id = $2) order by position, id limit $3`, state, limit)
}
