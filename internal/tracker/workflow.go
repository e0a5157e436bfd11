package tracker

import "strconv"

// Workflow is the way of a story: an ordered list of states. Its id also names the legacy Team
// through TeamID, one for each workflow.
type Workflow struct {
	ID              int64
	TeamID          int64
	Name            string
	Description     string
	AutoAssignOwner bool // an unowned story that is started gets the mover as owner
	DefaultStateID  int64
	Position        int64
	CreatedAt       Time
	UpdatedAt       Time
	States          []WorkflowState
	ProjectIDs      []int64
}

// MaxWorkflows is how many workflows one workspace can have.
const MaxWorkflows = 100

// WorkflowParams is what a workflow is created with.
type WorkflowParams struct {
	Name            string
	Description     Opt[string]
	AutoAssignOwner Opt[bool]
}

// WorkflowChange is what can be changed of a workflow.
type WorkflowChange struct {
	Name            Opt[string]
	Description     Opt[string]
	AutoAssignOwner Opt[bool]
	DefaultStateID  Opt[int64]
	Default         Opt[bool] // whether it is the workspace's default workflow
	Place           Place
}

// Apply makes the changes that ch asks for, but for the place and the workspace's default.
func (w *Workflow) Apply(ch WorkflowChange) {
	ch.Name.Apply(&w.Name)
	ch.Description.Apply(&w.Description)
	ch.AutoAssignOwner.Apply(&w.AutoAssignOwner)
	ch.DefaultStateID.Apply(&w.DefaultStateID)
}

// WorkflowState is one column of a board.
type WorkflowState struct {
	State
	WorkflowID   int64
	Verb         *string // in a commit message it moves the story here
	NumStories   int64
	NumTemplates int64
}

// Apply makes the changes that ch asks for, but for the place.
func (s *WorkflowState) Apply(ch StateChange) {
	s.State.Apply(ch)
	ch.Verb.ApplyPtr(&s.Verb)
}

// EpicWorkflow is the one way of epics in a workspace.
type EpicWorkflow struct {
	ID             int64
	DefaultStateID int64
	CreatedAt      Time
	UpdatedAt      Time
	States         []EpicState
}

// EpicState is a station of epics.
type EpicState struct{ State }

// StateType says how far work in a state has come.
type StateType string

// The state types; epics know no backlog.
const (
	Backlog   StateType = "backlog"
	Unstarted StateType = "unstarted"
	Started   StateType = "started"
	Done      StateType = "done"
)

// StateTypes is the order of the types in a workflow.
var StateTypes = []StateType{Backlog, Unstarted, Started, Done}

// DefaultStates are the states of a new workflow; the first unstarted one is the default.
var DefaultStates = []DefaultState{
	{"Unscheduled", Unstarted}, {"Ready for Development", Unstarted}, {"In Development", Started},
	{"Ready for Review", Started}, {"Ready for Deploy", Started}, {"Completed", Done},
}

// DefaultEpicStates are the epic states of a new workspace; the first is the default.
var DefaultEpicStates = []DefaultState{{"to do", Unstarted}, {"in progress", Started}, {"done", Done}}

func (w *Workflow) Touch(now Time)     { w.UpdatedAt = now }
func (w *EpicWorkflow) Touch(now Time) { w.UpdatedAt = now }

func (w Workflow) EntityType() string      { return "workflow" }
func (w Workflow) EntityID() string        { return strconv.FormatInt(w.ID, 10) }
func (s WorkflowState) EntityType() string { return "workflow-state" }
func (s EpicState) EntityType() string     { return "epic-state" }
func (w EpicWorkflow) EntityType() string  { return "epic-workflow" }
func (w EpicWorkflow) EntityID() string    { return strconv.FormatInt(w.ID, 10) }

func (w Workflow) Fields() []Field {
	return []Field{
		{"name", w.Name}, {"description", w.Description}, {"auto_assign_owner", w.AutoAssignOwner},
		{"default_state_id", w.DefaultStateID}, {"team_id", w.TeamID}, {"position", w.Position},
	}
}

func (s WorkflowState) Fields() []Field {
	return []Field{
		{"name", s.Name}, {"description", s.Description}, {"color", s.Color}, {"type", s.Type}, {"verb", s.Verb},
		{"position", s.Position}, {"workflow_id", s.WorkflowID},
	}
}

func (s EpicState) Fields() []Field {
	return []Field{
		{"name", s.Name}, {"description", s.Description}, {"color", s.Color}, {"type", s.Type}, {"position", s.Position},
	}
}

func (w EpicWorkflow) Fields() []Field {
	return []Field{{"default_epic_state_id", w.DefaultStateID}}
}
