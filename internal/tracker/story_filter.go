package tracker

// StoryFilter picks stories by their fields; what is absent picks all. Null asks for stories
// without such a reference. The ends of ranges belong to them.
type StoryFilter struct {
	Archived    Opt[bool]
	Type        Opt[StoryType]
	Estimate    Opt[int64]
	ExternalID  Opt[string]
	RequestedBy Opt[UUID]
	StateID     Opt[int64]
	StateTypes  Opt[[]StateType]
	OwnerID     Opt[UUID]
	OwnerIDs    Opt[[]UUID]
	EpicID      Opt[int64]
	EpicIDs     Opt[[]int64]
	ProjectID   Opt[int64]
	ProjectIDs  Opt[[]int64]
	IterationID Opt[int64]
	Iterations  Opt[[]int64]
	GroupID     Opt[UUID]
	GroupIDs    Opt[[]UUID]
	LabelName   Opt[string]
	LabelIDs    Opt[[]int64]
	Text        Opt[string] // words of the title, the description or a comment

	Created, Updated, Completed, Deadline TimeRange
}

// TimeRange is a stretch of time, open where an end is absent.
type TimeRange struct {
	Start, End Opt[Time]
}
