package store

import "milepost/internal/tracker"

var epicComments = newTable("epic_comment", "created_at, id", nil, func(c *tracker.EpicComment) []column {
	return []column{
		{"id", &c.ID}, {"epic_id", &c.EpicID}, {"parent_id", &c.ParentID}, {"author_id", &c.AuthorID}, {"text", &c.Text},
		{"external_id", &c.ExternalID}, {"deleted", &c.Deleted}, {"member_mention_ids", uuids{&c.MemberMentions}},
		{"group_mention_ids", uuids{&c.GroupMentions}}, {"created_at", &c.CreatedAt}, {"updated_at", &c.UpdatedAt},
	}
})

// EpicComments lists the comments of an epic and all answers to them, oldest first.
func (tx *Tx) EpicComments(epic int64) ([]tracker.EpicComment, error) {
	return epicComments.find(tx, "epic_id = $2", epic)
}

// EpicCommentsOf is EpicComments for several epics.
func (tx *Tx) EpicCommentsOf(epics []int64) ([]tracker.EpicComment, error) {
	if len(epics) == 0 {
		return nil, nil
	}
	return epicComments.find(tx, tx.anyOf("epic_id", "$2"), tx.list(epics))
}

func (tx *Tx) InsertEpicComment(c *tracker.EpicComment) error {
	if err := epicComments.insert(tx, c); err != nil {
		return err
	}
	return tx.insertDocument(tx.commentText(searchedEpic, c.EpicID, c.ID, c.Text))
}

func (tx *Tx) UpdateEpicComment(c *tracker.EpicComment) error {
	if err := epicComments.update(tx, c); err != nil {
		return err
	}
	return tx.replaceDocument(tx.commentText(searchedEpic, c.EpicID, c.ID, c.Text))
}

func (tx *Tx) DeleteEpicComment(id int64) error {
	err := tx.forgetTexts(`entity = 'epic' and part = 2 and comment_id = $2
		and entity_id = (select epic_id from epic_comment where workspace_id = $1 and id = $2)`, id)
	if err != nil {
		return err
	}
	return epicComments.delete(tx, id)
}

// DeleteEpicComments deletes all comments of an epic.
func (tx *Tx) DeleteEpicComments(epic int64) error {
	err := tx.forgetTexts(`entity = 'epic' and entity_id = $2 and part = 2`, epic)
	if err != nil {
		return err
	}
	_, err = tx.exec(`delete from epic_comment where workspace_id = $1 and epic_id = $2`, epic)
	return err
}
