package tracker

import "strconv"

// Iteration is a stretch of days that stories are planned into. Its status follows from the dates.
type Iteration struct {
	ID             int64
	Name           string
	Description    string
	StartDate      Time // midnight UTC of the first day
	EndDate        Time // midnight UTC of the last day, which still belongs to it
	FollowerIDs    []UUID
	GroupIDs       []UUID
	LabelIDs       []int64
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// IterationChange is what can be set of an iteration, on creation too; lists are replaced as a whole.
type IterationChange struct {
	Name        Opt[string]
	Description Opt[string]
	StartDate   Opt[Time] // midnights UTC
	EndDate     Opt[Time]
	FollowerIDs Opt[[]UUID]
	GroupIDs    Opt[[]UUID]
	Labels      Opt[[]LabelParams]
}

// Check fails when the iteration would end before it starts.
func (i Iteration) Check() error {
	if i.EndDate < i.StartDate {
		return Impossible("end_date", "is before start_date")
	}
	return nil
}

// Status says whether the iteration is to come, under way or over on the day, which is given as
// its midnight UTC.
func (i Iteration) Status(today Time) StateType {
	switch {
	case today < i.StartDate:
		return Unstarted
	case today <= i.EndDate:
		return Started
	default:
		return Done
	}
}

// Touch moves the time of the last update.
func (i *Iteration) Touch(now Time) { i.UpdatedAt = now }

func (i Iteration) EntityType() string { return "iteration" }
func (i Iteration) EntityID() string   { return strconv.FormatInt(i.ID, 10) }

func (i Iteration) Fields() []Field {
	return []Field{
		{"name", i.Name}, {"description", i.Description}, {"start_date", i.StartDate}, {"end_date", i.EndDate},
		{"follower_ids", i.FollowerIDs}, {"group_ids", i.GroupIDs}, {"label_ids", i.LabelIDs},
		{"mention_ids", i.MemberMentions}, {"group_mention_ids", i.GroupMentions},
	}
}
