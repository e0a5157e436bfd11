package tracker

import "strconv"

// Milestone is a goal that epics work towards; newer paths call it an objective.
type Milestone struct {
	ID          int64
	Name        string
	Description string
	State       MilestoneState
	Position    int64
	Archived    bool
	CategoryIDs []int64
	Progress
	CreatedAt Time
	UpdatedAt Time
}

// MilestoneState is how far a milestone has come; it is set by hand.
type MilestoneState string

// The states; a new milestone is to do unless said otherwise.
const (
	MilestoneToDo       MilestoneState = "to do"
	MilestoneInProgress MilestoneState = "in progress"
	MilestoneDone       MilestoneState = "done"
)

// Type is what the state means in terms of workflows.
func (s MilestoneState) Type() StateType {
	switch s {
	case MilestoneDone:
		return Done
	case MilestoneInProgress:
		return Started
	default:
		return Unstarted
	}
}

// MilestoneChange is what can be set of a milestone, on creation too; the categories are replaced
// as a whole.
type MilestoneChange struct {
	Name                Opt[string]
	Description         Opt[string]
	State               Opt[MilestoneState]
	Archived            Opt[bool]
	Categories          Opt[[]CategoryParams]
	StartedAtOverride   Opt[Time]
	CompletedAtOverride Opt[Time]
	BeforeID            Opt[int64] // the milestone to stand before, or after
	AfterID             Opt[int64]
}

// Apply makes those of the changes that concern the milestone alone.
func (m *Milestone) Apply(ch MilestoneChange, now Time) {
	ch.Name.Apply(&m.Name)
	ch.Description.Apply(&m.Description)
	ch.Archived.Apply(&m.Archived)
	ch.StartedAtOverride.ApplyPtr(&m.StartedAtOverride)
	ch.CompletedAtOverride.ApplyPtr(&m.CompletedAtOverride)
	if state, ok := ch.State.Get(); ok {
		m.State = state
		m.Enter(state.Type(), now)
	}
}

// Touch moves the time of the last update.
func (m *Milestone) Touch(now Time) { m.UpdatedAt = now }

func (m Milestone) EntityType() string { return "milestone" }
func (m Milestone) EntityID() string   { return strconv.FormatInt(m.ID, 10) }

func (m Milestone) Fields() []Field {
	return append([]Field{
		{"name", m.Name}, {"description", m.Description}, {"state", m.State}, {"position", m.Position}, {"archived", m.Archived},
		{"category_ids", m.CategoryIDs},
	}, m.fields()...)
}
