package tracker

import "slices"

// StoryChange is what can be changed of a story. Creation and bulk updates use it too: lists are
// replaced by the plain fields and adjusted by the Add and Remove ones.
type StoryChange struct {
	Name                Opt[string]
	Description         Opt[string]
	Type                Opt[StoryType]
	StateID             Opt[int64]
	ProjectID           Opt[int64]
	EpicID              Opt[int64]
	IterationID         Opt[int64]
	GroupID             Opt[UUID]
	ParentID            Opt[int64]
	RequestedBy         Opt[UUID]
	Estimate            Opt[int64]
	Deadline            Opt[Time]
	Archived            Opt[bool]
	StartedAtOverride   Opt[Time]
	CompletedAtOverride Opt[Time]

	OwnerIDs       Opt[[]UUID]
	FollowerIDs    Opt[[]UUID]
	Labels         Opt[[]LabelParams]
	FileIDs        Opt[[]int64]
	LinkedFileIDs  Opt[[]int64]
	ExternalLinks  Opt[[]string]
	BranchIDs      Opt[[]int64]
	CommitIDs      Opt[[]int64]
	PullRequestIDs Opt[[]int64]
	CustomFields   Opt[[]StoryField]
	SubTaskIDs     Opt[[]int64] // the whole list, in order

	OwnersAdd, OwnersRemove       []UUID
	FollowersAdd, FollowersRemove []UUID
	LabelsAdd, LabelsRemove       []LabelParams
	FieldsAdd, FieldsRemove       []StoryField

	Place StoryPlace
}

// StoryPlace says where in its state a story goes; at most one of the three is given.
type StoryPlace struct {
	BeforeID Opt[int64]
	AfterID  Opt[int64]
	MoveTo   Opt[string] // first or last
}

// Given reports whether any place is asked for.
func (p StoryPlace) Given() bool {
	return p.BeforeID.State == Given || p.AfterID.State == Given || p.MoveTo.State == Given
}

// Check fails when more than one place is asked for.
func (p StoryPlace) Check() error {
	n := 0
	for _, given := range []bool{p.BeforeID.State == Given, p.AfterID.State == Given, p.MoveTo.State == Given} {
		if given {
			n++
		}
	}
	switch {
	case n <= 1:
		return nil
	case p.MoveTo.State == Given:
		return Impossible("move_to", "cannot be combined with before_id or after_id")
	default:
		return Impossible("before_id", "cannot be combined with after_id")
	}
}

// Outside fails when the place is beside one of the stories that are to go there.
func (p StoryPlace) Outside(ids []int64) error {
	for field, neighbour := range map[string]Opt[int64]{"before_id": p.BeforeID, "after_id": p.AfterID} {
		if id, ok := neighbour.Get(); ok && slices.Contains(ids, id) {
			return Impossible(field, "names one of the stories that are to move")
		}
	}
	return nil
}

// StoryParams is what a story is created with.
type StoryParams struct {
	StoryChange
	CreatedAt    Opt[Time]
	UpdatedAt    Opt[Time]
	ExternalID   Opt[string]
	TemplateID   Opt[UUID]
	SourceTaskID Opt[int64]
	Tasks        []TaskParams
	Comments     []CommentParams
	Links        []StoryLinkParams
	SubTasks     []SubTaskParams
}

// SubTaskParams is a story to become a sub-task: an existing one or a new one.
type SubTaskParams struct {
	StoryID  Opt[int64]
	Name     Opt[string]
	OwnerIDs Opt[[]UUID]
	StateID  Opt[int64]
}

// TaskParams is what a task is created with.
type TaskParams struct {
	Description string
	Complete    Opt[bool]
	OwnerIDs    Opt[[]UUID]
	ExternalID  Opt[string]
	CreatedAt   Opt[Time]
	UpdatedAt   Opt[Time]
}

// CommentParams is what a comment is created with.
type CommentParams struct {
	Text           string
	AuthorID       Opt[UUID]
	ParentID       Opt[int64]
	ExternalID     Opt[string]
	Blocker        Opt[bool]
	UnblocksParent Opt[bool]
	CreatedAt      Opt[Time]
	UpdatedAt      Opt[Time]
}

// StoryLinkParams is what a story link is created with. Inside the creation of a story the side
// that is left out is the new story.
type StoryLinkParams struct {
	SubjectID Opt[int64]
	Verb      Verb
	ObjectID  Opt[int64]
}
