package tracker

import "strconv"

// StoryLink says how one story stands to another: subject, verb, object.
type StoryLink struct {
	ID        int64
	SubjectID int64
	Verb      Verb
	ObjectID  int64
	CreatedAt Time
	UpdatedAt Time

	SubjectStateID int64 // read along; not part of the link
}

// Verb is the relation of a story link.
type Verb string

// The verbs.
const (
	Blocks     Verb = "blocks"
	Duplicates Verb = "duplicates"
	RelatesTo  Verb = "relates to"
)

// Touch moves the time of the last update.
func (l *StoryLink) Touch(now Time) { l.UpdatedAt = now }

func (l StoryLink) StoryIDs() []int64  { return []int64{l.SubjectID, l.ObjectID} }
func (l StoryLink) EntityType() string { return "story-link" }
func (l StoryLink) EntityID() string   { return strconv.FormatInt(l.ID, 10) }

func (l StoryLink) Fields() []Field {
	return []Field{{"subject_id", l.SubjectID}, {"verb", l.Verb}, {"object_id", l.ObjectID}}
}
