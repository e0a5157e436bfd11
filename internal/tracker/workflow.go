package tracker

import (
	"slices"
	"strconv"
)

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
}

// WorkflowState is one column of a board.
type WorkflowState struct {
	ID          int64
	WorkflowID  int64
	Name        string
	Description string
	Color       *string
	Type        StateType
	Verb        *string // in a commit message it moves the story here
	Position    int64
	NumStories  int64
	CreatedAt   Time
	UpdatedAt   Time
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
type EpicState struct {
	ID          int64
	Name        string
	Description string
	Color       *string
	Type        StateType
	Position    int64
	CreatedAt   Time
	UpdatedAt   Time
}

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

// Rank is the place of the type in StateTypes.
func (t StateType) Rank() int { return slices.Index(StateTypes, t) }

// DefaultStates are the states of a new workflow; the first unstarted one is the default.
var DefaultStates = []struct {
	Name string
	Type StateType
}{
	{"Unscheduled", Unstarted}, {"Ready for Development", Unstarted}, {"In Development", Started},
	{"Ready for Review", Started}, {"Ready for Deploy", Started}, {"Completed", Done},
}

// DefaultEpicStates are the epic states of a new workspace; the first is the default.
var DefaultEpicStates = []struct {
	Name string
	Type StateType
}{{"to do", Unstarted}, {"in progress", Started}, {"done", Done}}

func (w *Workflow) Touch(now Time)      { w.UpdatedAt = now }
func (s *WorkflowState) Touch(now Time) { s.UpdatedAt = now }
func (s *EpicState) Touch(now Time)     { s.UpdatedAt = now }
func (w *EpicWorkflow) Touch(now Time)  { w.UpdatedAt = now }

func (w Workflow) EntityType() string      { return "workflow" }
func (w Workflow) EntityID() string        { return strconv.FormatInt(w.ID, 10) }
func (s WorkflowState) EntityType() string { return "workflow-state" }
func (s WorkflowState) EntityID() string   { return strconv.FormatInt(s.ID, 10) }
func (s EpicState) EntityType() string     { return "epic-state" }
func (s EpicState) EntityID() string       { return strconv.FormatInt(s.ID, 10) }
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
