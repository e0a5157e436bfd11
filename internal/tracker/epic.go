package tracker

import (
	"slices"
	"strconv"
)

// Epic is a body of work made of stories. It stands in one state of the epic workflow and has a
// position among all epics of the workspace.
type Epic struct {
	ID               int64
	Name             string
	Description      string
	StateID          int64
	Position         int64
	Archived         bool
	Deadline         *Time
	PlannedStartDate *Time
	ExternalID       *string
	ExternalTickets  []ExternalTicket
	RequestedBy      UUID

	OwnerIDs       []UUID
	FollowerIDs    []UUID
	LabelIDs       []int64
	GroupIDs       []UUID
	ObjectiveIDs   []int64
	DocumentIDs    []UUID
	MemberMentions []UUID
	GroupMentions  []UUID

	Progress
	CreatedAt Time
	UpdatedAt Time
}

// ExternalTicket is a ticket of another tool that an imported epic stands for.
type ExternalTicket struct {
	ID          UUID    `json:"id"`
	ExternalID  string  `json:"external_id"`
	ExternalURL string  `json:"external_url"`
	StoryIDs    []int64 `json:"story_ids"`
}

// EpicStats counts the unarchived stories of an epic.
type EpicStats struct {
	StoryStats
	Groups          []GroupStories
	ProjectIDs      []int64
	WithoutProjects int64
	LastUpdate      *Time // of any of the stories
}

// GroupStories is how many stories a group has.
type GroupStories struct {
	GroupID UUID
	Stories int64
}

// EpicChange is what can be set of an epic, on creation too. Of an old field and the one that
// replaces it (State and StateID, MilestoneID and ObjectiveIDs, GroupID and GroupIDs) the old one
// is ignored where both are given.
type EpicChange struct {
	Name                Opt[string]
	Description         Opt[string]
	StateID             Opt[int64]
	State               Opt[string]
	Archived            Opt[bool]
	Deadline            Opt[Time]
	PlannedStartDate    Opt[Time]
	ExternalID          Opt[string]
	RequestedBy         Opt[UUID]
	OwnerIDs            Opt[[]UUID]
	FollowerIDs         Opt[[]UUID]
	Labels              Opt[[]LabelParams]
	GroupIDs            Opt[[]UUID]
	GroupID             Opt[UUID]
	ObjectiveIDs        Opt[[]int64]
	MilestoneID         Opt[int64]
	StartedAtOverride   Opt[Time]
	CompletedAtOverride Opt[Time]
	BeforeID            Opt[int64]
	AfterID             Opt[int64]
}

// EpicParams is what an epic is created with.
type EpicParams struct {
	EpicChange
	ConvertedFrom Opt[int64] // the story that the epic takes the place of
	CreatedAt     Opt[Time]
	UpdatedAt     Opt[Time]
}

// Inherit takes over what an epic has of the story that is converted to it.
func (e *Epic) Inherit(s Story) {
	e.OwnerIDs, e.FollowerIDs, e.LabelIDs, e.Deadline = s.OwnerIDs, s.FollowerIDs, s.LabelIDs, s.Deadline
	if s.GroupID != nil {
		e.GroupIDs = []UUID{*s.GroupID}
	}
}

// Apply makes those of the changes that concern the epic alone.
func (e *Epic) Apply(ch EpicChange) {
	ch.Name.Apply(&e.Name)
	ch.Description.Apply(&e.Description)
	ch.Archived.Apply(&e.Archived)
	ch.Deadline.ApplyPtr(&e.Deadline)
	ch.PlannedStartDate.ApplyPtr(&e.PlannedStartDate)
	ch.ExternalID.ApplyPtr(&e.ExternalID)
	ch.RequestedBy.Apply(&e.RequestedBy)
	ch.OwnerIDs.Apply(&e.OwnerIDs)
	ch.FollowerIDs.Apply(&e.FollowerIDs)
	ch.StartedAtOverride.ApplyPtr(&e.StartedAtOverride)
	ch.CompletedAtOverride.ApplyPtr(&e.CompletedAtOverride)
	e.GroupIDs = oneOrMany(e.GroupIDs, ch.GroupIDs, ch.GroupID)
	e.ObjectiveIDs = oneOrMany(e.ObjectiveIDs, ch.ObjectiveIDs, ch.MilestoneID)
}

// oneOrMany is a list after a request that may set the whole of it or, from the time when there
// was room for one, its first: null empties it, another one takes the place of all.
func oneOrMany[T comparable](list []T, many Opt[[]T], one Opt[T]) []T {
	switch {
	case many.State == Given:
		return many.Value
	case one.State == Null:
		return nil
	case one.State == Given && (len(list) == 0 || list[0] != one.Value):
		return []T{one.Value}
	default:
		return list
	}
}

// Move puts the epic into a state.
func (e *Epic) Move(to EpicState, now Time) {
	if e.StateID != to.ID {
		e.StateID = to.ID
		e.Enter(to.Type, now)
	}
}

// epicWords are the words that the old field state has for the types of states.
var epicWords = map[StateType]string{Unstarted: "to do", Started: "in progress", Done: "done"}

// Word is what the old field state shows for the epic's state.
func (s EpicState) Word() string { return epicWords[s.Type] }

// Find returns the state with the id.
func (w EpicWorkflow) Find(id int64) (EpicState, bool) {
	return first(w.States, func(s EpicState) bool { return s.ID == id })
}

// FindWord returns the first state that the old field state has the word for.
func (w EpicWorkflow) FindWord(word string) (EpicState, bool) {
	return first(w.States, func(s EpicState) bool { return s.Word() == word })
}

func first[T any](list []T, match func(T) bool) (found T, ok bool) {
	i := slices.IndexFunc(list, match)
	if i < 0 {
		return found, false
	}
	return list[i], true
}

// Touch moves the time of the last update.
func (e *Epic) Touch(now Time) { e.UpdatedAt = now }

func (e Epic) EntityType() string { return "epic" }
func (e Epic) EntityID() string   { return strconv.FormatInt(e.ID, 10) }

func (e Epic) Fields() []Field {
	tickets := make([]UUID, len(e.ExternalTickets))
	for i, t := range e.ExternalTickets {
		tickets[i] = t.ID
	}
	return append([]Field{
		{"name", e.Name}, {"description", e.Description}, {"epic_state_id", e.StateID}, {"position", e.Position},
		{"archived", e.Archived}, {"deadline", e.Deadline}, {"planned_start_date", e.PlannedStartDate}, {"external_id", e.ExternalID},
		{"external_ticket_ids", tickets}, {"requested_by_id", e.RequestedBy}, {"owner_ids", e.OwnerIDs},
		{"follower_ids", e.FollowerIDs}, {"label_ids", e.LabelIDs}, {"group_ids", e.GroupIDs}, {"objective_ids", e.ObjectiveIDs},
		{"document_ids", e.DocumentIDs}, {"mention_ids", e.MemberMentions}, {"group_mention_ids", e.GroupMentions},
	}, e.fields()...)
}
