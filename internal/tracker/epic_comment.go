package tracker

import "strconv"

// EpicComment is a remark on an epic or, with a parent, an answer to another one. A deleted
// comment stays, without its text, for as long as it has answers.
type EpicComment struct {
	ID             int64
	EpicID         int64
	ParentID       *int64
	AuthorID       UUID
	Text           string
	ExternalID     *string
	Deleted        bool
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// EpicCommentParams is what a comment is created with.
type EpicCommentParams struct {
	Text       string
	AuthorID   Opt[UUID]
	ExternalID Opt[string]
	CreatedAt  Opt[Time]
	UpdatedAt  Opt[Time]
}

// Erase leaves of the comment what its answers need.
func (c *EpicComment) Erase() {
	c.Deleted, c.Text, c.MemberMentions, c.GroupMentions = true, "", nil, nil
}

// Touch moves the time of the last update.
func (c *EpicComment) Touch(now Time) { c.UpdatedAt = now }

func (c EpicComment) EntityType() string { return "epic-comment" }
func (c EpicComment) EntityID() string   { return strconv.FormatInt(c.ID, 10) }

func (c EpicComment) Fields() []Field {
	return []Field{
		{"epic_id", c.EpicID}, {"parent_id", c.ParentID}, {"author_id", c.AuthorID}, {"text", c.Text}, {"external_id", c.ExternalID},
		{"mention_ids", c.MemberMentions}, {"group_mention_ids", c.GroupMentions},
	}
}

// Thread is a comment with the answers to it.
type Thread struct {
	EpicComment
	Answers []Thread
}

// Threads arranges those of an epic's comments that answer the one with the id; 0 stands for the
// epic itself.
func Threads(comments []EpicComment, parent int64) []Thread {
	answers := map[int64][]EpicComment{}
	for _, c := range comments {
		answers[c.parent()] = append(answers[c.parent()], c)
	}
	var arrange func(parent int64) []Thread
	arrange = func(parent int64) []Thread {
		list := make([]Thread, len(answers[parent]))
		for i, c := range answers[parent] {
			list[i] = Thread{c, arrange(c.ID)}
		}
		return list
	}
	return arrange(parent)
}

// GoingWith lists the comments that go when one without answers is deleted: it, and above it those
// that were kept for its sake alone.
func GoingWith(comments []EpicComment, last EpicComment) []int64 {
	byID, answers := map[int64]EpicComment{}, map[int64]int{}
	for _, c := range comments {
		byID[c.ID] = c
		answers[c.parent()]++
	}
	going := []int64{last.ID}
	for c := byID[last.parent()]; c.Deleted && answers[c.ID] == 1; c = byID[c.parent()] {
		going = append(going, c.ID)
	}
	return going
}

func (c EpicComment) parent() int64 {
	if c.ParentID == nil {
		return 0
	}
	return *c.ParentID
}
