package store

import (
	"milepost/internal/tracker"
)

var comments = newTable("comment", "id", nil, func(c *tracker.Comment) []column {
	return []column{
		{"id", &c.ID}, {"story_id", &c.StoryID}, {"parent_id", &c.ParentID}, {"author_id", &c.AuthorID}, {"text", &c.Text},
		{"external_id", &c.ExternalID}, {"deleted", &c.Deleted}, {"blocker", &c.Blocker}, {"unblocks_parent", &c.UnblocksParent},
		{"linked_to_slack", &c.LinkedToSlack}, {"reactions", jsonText{&c.Reactions}}, {"member_mention_ids", uuids{&c.MemberMentions}},
		{"group_mention_ids", uuids{&c.GroupMentions}}, {"created_at", &c.CreatedAt}, {"updated_at", &c.UpdatedAt},
	}
})

func (tx *Tx) Comment(id int64) (tracker.Comment, error) { return comments.get(tx, id) }

func (tx *Tx) InsertComment(c *tracker.Comment) error {
	if err := comments.insert(tx, c); err != nil {
		return err
	}
	return tx.insertDocument(tx.commentText(searchedStory, c.StoryID, c.ID, c.Text))
}

func (tx *Tx) UpdateComment(c *tracker.Comment) error {
	if err := comments.update(tx, c); err != nil {
		return err
	}
	return tx.replaceDocument(tx.commentText(searchedStory, c.StoryID, c.ID, c.Text))
}

func (tx *Tx) DeleteComment(id int64) error {
	err := tx.forgetTexts(`entity = 'story' and part = 2 and comment_id = $2
		and entity_id = (select story_id from comment where workspace_id = $1 and id = $2)`, id)
	if err != nil {
		return err
	}
	return comments.delete(tx, id)
}

// CommentsOf lists the comments of several stories, in no particular order.
func (tx *Tx) CommentsOf(stories []int64) ([]tracker.Comment, error) {
	return comments.among(tx, "story_id", stories)
}
