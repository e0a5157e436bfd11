package tracker

import (
	"slices"
	"strconv"
)

// Story is a unit of work. It stands in one state of one workflow, at a position that orders the
// stories of that state.
type Story struct {
	ID          int64
	Name        string
	Description string
	Type        StoryType
	WorkflowID  int64
	StateID     int64
	Position    int64
	RequestedBy UUID
	Archived    bool
	Blocked     bool // by a story that is neither done nor archived
	Blocker     bool // neither done nor archived itself, and blocking another

	ProjectID      *int64
	EpicID         *int64
	IterationID    *int64
	IterationSince *Time
	GroupID        *UUID
	ParentID       *int64
	Estimate       *int64
	Deadline       *Time
	ExternalID     *string
	TemplateID     *UUID
	SourceTaskID   *int64

	OwnerIDs           []UUID
	FollowerIDs        []UUID
	MemberMentions     []UUID
	GroupMentions      []UUID
	LabelIDs           []int64
	PreviousIterations []int64
	SubTaskIDs         []int64
	TaskIDs            []int64
	TasksCompleted     int64
	CommentIDs         []int64
	BlockerComments    []int64 // those nobody has resolved
	SubjectLinkIDs     []int64 // of the links that say something of this story
	ObjectLinkIDs      []int64 // of those that say something of another story to this one
	FileIDs            []int64
	LinkedFileIDs      []int64
	BranchIDs          []int64
	CommitIDs          []int64
	PullRequestIDs     []int64
	ExternalLinks      []string
	CustomFields       []StoryField

	Progress
	MovedAt   Time
	CreatedAt Time
	UpdatedAt Time

	// CatalogNumber is read along: that of the labels and custom-field values which the story shows.
	CatalogNumber int64
}

// StoryField is the value that a story has for a custom field.
type StoryField struct {
	FieldID UUID `json:"field_id"`
	ValueID UUID `json:"value_id"`
}

// StoryType is the kind of work.
type StoryType string

// The kinds of work; a new story is a feature unless said otherwise.
const (
	Feat  StoryType = "feature"
	Bug   StoryType = "bug"
	Chore StoryType = "chore"
)

// Move puts the story into a state of a workflow.
func (s *Story) Move(to WorkflowState, now Time) {
	if s.StateID == to.ID {
		return
	}
	s.WorkflowID, s.StateID, s.MovedAt = to.WorkflowID, to.ID, now
	s.Enter(to.Type, now)
}

// Active reports whether the story is neither done nor archived; what it blocks waits for it.
func (s *Story) Active() bool { return !s.Completed() && !s.Archived }

// Follow adds followers who are not there yet.
func (s *Story) Follow(members ...UUID) {
	for _, m := range members {
		if m != "" && !slices.Contains(s.FollowerIDs, m) {
			s.FollowerIDs = append(slices.Clip(s.FollowerIDs), m)
		}
	}
}

// minInIteration is how long a story must have been in an iteration for it to be remembered.
const minInIteration = 24 * 60 * 60

// EnterIteration moves the story to another iteration, or to none. The one it leaves is
// remembered when it had begun and the story had been there for more than a day.
func (s *Story) EnterIteration(to *int64, left *Iteration, today, now Time) {
	if left != nil && s.IterationSince != nil && now-*s.IterationSince > minInIteration && left.StartDate <= today &&
		!slices.Contains(s.PreviousIterations, left.ID) {
		s.PreviousIterations = append(slices.Clip(s.PreviousIterations), left.ID)
	}
	s.IterationID, s.IterationSince = to, nil
	if to != nil {
		s.IterationSince = &now
	}
}

// Touch moves the time of the last update.
func (s *Story) Touch(now Time) { s.UpdatedAt = now }

// LinkIDs lists the links of both sides, oldest first.
func (s *Story) LinkIDs() []int64 {
	ids := slices.Concat(s.SubjectLinkIDs, s.ObjectLinkIDs)
	slices.Sort(ids)
	return ids
}

func (s Story) StoryIDs() []int64  { return []int64{s.ID} }
func (s Story) EntityType() string { return "story" }
func (s Story) EntityID() string   { return strconv.FormatInt(s.ID, 10) }

func (s Story) Fields() []Field {
	values := make([]UUID, len(s.CustomFields))
	for i, f := range s.CustomFields {
		values[i] = f.ValueID
	}
	return append([]Field{
		{"name", s.Name}, {"description", s.Description}, {"story_type", s.Type}, {"workflow_id", s.WorkflowID},
		{"workflow_state_id", s.StateID}, {"position", s.Position}, {"requested_by_id", s.RequestedBy}, {"archived", s.Archived},
		{"blocked", s.Blocked}, {"blocker", s.Blocker}, {"project_id", s.ProjectID}, {"epic_id", s.EpicID},
		{"iteration_id", s.IterationID}, {"group_id", s.GroupID}, {"parent_story_id", s.ParentID}, {"estimate", s.Estimate},
		{"deadline", s.Deadline}, {"external_id", s.ExternalID}, {"story_template_id", s.TemplateID},
		{"owner_ids", s.OwnerIDs}, {"follower_ids", s.FollowerIDs}, {"mention_ids", s.MemberMentions},
		{"group_mention_ids", s.GroupMentions}, {"label_ids", s.LabelIDs}, {"previous_iteration_ids", s.PreviousIterations},
		{"sub_task_story_ids", s.SubTaskIDs}, {"task_ids", s.TaskIDs}, {"num_tasks_completed", s.TasksCompleted},
		{"comment_ids", s.CommentIDs},
		{"unresolved_blocker_comments", s.BlockerComments}, {"subject_story_link_ids", s.SubjectLinkIDs},
		{"object_story_link_ids", s.ObjectLinkIDs}, {"file_ids", s.FileIDs},
		{"linked_file_ids", s.LinkedFileIDs}, {"branch_ids", s.BranchIDs}, {"commit_ids", s.CommitIDs},
		{"pull_request_ids", s.PullRequestIDs}, {"external_links", s.ExternalLinks}, {"custom_field_value_ids", values},
	}, s.fields()...)
}
