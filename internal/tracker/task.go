package tracker

import (
	"slices"
	"strconv"
)

// Task is one item of a story's checklist; its place is its index in the story's list.
type Task struct {
	ID             int64
	StoryID        int64
	Description    string
	Complete       bool
	CompletedAt    *Time
	ExternalID     *string
	OwnerIDs       []UUID
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// Touch moves the time of the last update.
func (t *Task) Touch(now Time) { t.UpdatedAt = now }

func (t Task) StoryIDs() []int64  { return []int64{t.StoryID} }
func (t Task) EntityType() string { return "story-task" }
func (t Task) EntityID() string   { return strconv.FormatInt(t.ID, 10) }

func (t Task) Fields() []Field {
	return []Field{
		{"story_id", t.StoryID}, {"description", t.Description}, {"complete", t.Complete}, {"completed_at", t.CompletedAt},
		{"external_id", t.ExternalID}, {"owner_ids", t.OwnerIDs}, {"mention_ids", t.MemberMentions}, {"group_mention_ids", t.GroupMentions},
	}
}

// AddTask puts a new task at the end of the story's list.
func (s *Story) AddTask(t Task) {
	s.TaskIDs = append(slices.Clip(s.TaskIDs), t.ID)
	s.CountTask(false, t.Complete)
}

// CountTask notes that a task went from open or complete to open or complete.
func (s *Story) CountTask(was, is bool) {
	if was {
		s.TasksCompleted--
	}
	if is {
		s.TasksCompleted++
	}
}

// SetComplete ticks the task off or opens it again.
func (t *Task) SetComplete(complete bool, now Time) {
	switch {
	case complete == t.Complete:
	case complete:
		t.Complete, t.CompletedAt = true, &now
	default:
		t.Complete, t.CompletedAt = false, nil
	}
}
