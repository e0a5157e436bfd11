package tracker

import (
	"slices"
	"strconv"
)

// Comment is a remark on a story; its place is its index in the story's list. A deleted comment
// that was answered stays, without its text.
type Comment struct {
	ID             int64
	StoryID        int64
	ParentID       *int64
	AuthorID       *UUID
	Text           string
	ExternalID     *string
	Deleted        bool
	Blocker        bool // says that the story is stuck
	UnblocksParent bool // answers a blocker and resolves it
	LinkedToSlack  bool
	Reactions      []Reaction
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// Reaction is who answered a comment with one emoji.
type Reaction struct {
	Emoji   string `json:"emoji"`
	Members []UUID `json:"members"`
}

// Touch moves the time of the last update.
func (c *Comment) Touch(now Time) { c.UpdatedAt = now }

func (c Comment) StoryIDs() []int64  { return []int64{c.StoryID} }
func (c Comment) EntityType() string { return "story-comment" }
func (c Comment) EntityID() string   { return strconv.FormatInt(c.ID, 10) }

func (c Comment) Fields() []Field {
	return []Field{
		{"story_id", c.StoryID}, {"parent_id", c.ParentID}, {"author_id", c.AuthorID}, {"text", c.Text}, {"external_id", c.ExternalID},
		{"deleted", c.Deleted}, {"blocker", c.Blocker}, {"unblocks_parent", c.UnblocksParent}, {"linked_to_slack", c.LinkedToSlack},
		{"mention_ids", c.MemberMentions}, {"group_mention_ids", c.GroupMentions},
	}
}

// AddComment puts a new comment at the end of the story's list; who comments follows the story.
func (s *Story) AddComment(c Comment) {
	s.CommentIDs = append(slices.Clip(s.CommentIDs), c.ID)
	if c.AuthorID != nil {
		s.Follow(*c.AuthorID)
	}
	if c.Blocker {
		s.BlockerComments = append(slices.Clip(s.BlockerComments), c.ID)
	}
	if c.UnblocksParent {
		s.BlockerComments = slices.DeleteFunc(slices.Clone(s.BlockerComments), func(id int64) bool { return id == *c.ParentID })
	}
}

// UnresolvedBlockers lists, out of all comments of a story, the blockers that no answer resolves.
// What a deleted comment said no longer counts.
func UnresolvedBlockers(comments []Comment) []int64 {
	resolved := map[int64]bool{}
	for _, c := range comments {
		if c.UnblocksParent && !c.Deleted {
			resolved[*c.ParentID] = true
		}
	}
	var out []int64
	for _, c := range comments {
		if c.Blocker && !c.Deleted && !resolved[c.ID] {
			out = append(out, c.ID)
		}
	}
	return out
}

// React is the comment's reactions after a member gave an emoji or took it back. Doing either
// twice is doing it once.
func (c Comment) React(emoji string, member UUID, on bool) []Reaction {
	out := []Reaction{}
	found := false
	for _, r := range c.Reactions {
		if r.Emoji == emoji {
			found = true
			switch has := slices.Contains(r.Members, member); {
			case on && !has:
				r.Members = append(slices.Clip(r.Members), member)
			case has && !on:
				r.Members = slices.DeleteFunc(slices.Clone(r.Members), func(m UUID) bool { return m == member })
			}
		}
		if len(r.Members) > 0 {
			out = append(out, r)
		}
	}
	if on && !found {
		out = append(out, Reaction{Emoji: emoji, Members: []UUID{member}})
	}
	return out
}

// Equal reports whether the same members gave the same emoji.
func (r Reaction) Equal(other Reaction) bool {
	return r.Emoji == other.Emoji && slices.Equal(r.Members, other.Members)
}
