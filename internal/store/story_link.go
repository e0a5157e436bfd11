package store

import (
	"milepost/internal/tracker"
)

var storyLinks = newTable("story_link", "id", map[string]string{"object_id": "object_id"}, func(l *tracker.StoryLink) []column {
	return []column{
		{"id", &l.ID}, {"subject_id", &l.SubjectID}, {"verb", &l.Verb}, {"object_id", &l.ObjectID},
		{"created_at", &l.CreatedAt}, {"updated_at", &l.UpdatedAt},
		{"subject_state_id", lookedUp{&l.SubjectStateID, `select workflow_state_id from story
			where workspace_id = $1 and story.id = story_link.subject_id`}},
	}
})

func (tx *Tx) InsertStoryLink(l *tracker.StoryLink) error { return storyLinks.insert(tx, l) }
func (tx *Tx) UpdateStoryLink(l *tracker.StoryLink) error { return storyLinks.update(tx, l) }
func (tx *Tx) DeleteStoryLink(id int64) error             { return storyLinks.delete(tx, id) }

// StoryLink returns one link with the state of its subject.
func (tx *Tx) StoryLink(id int64) (tracker.StoryLink, error) { return storyLinks.get(tx, id) }

// HasStoryLink reports whether another link says the same.
func (tx *Tx) HasStoryLink(l *tracker.StoryLink) (has bool, err error) {
	err = tx.one([]any{&has}, `select exists (select 1 from story_link
		where workspace_id = $1 and subject_id = $2 and verb = $3 and object_id = $4 and id <> $5)`, l.SubjectID, l.Verb, l.ObjectID, l.ID)
	return has, err
}

// StoryLinksByID lists links with the state of their subject.
func (tx *Tx) StoryLinksByID(ids []int64) ([]tracker.StoryLink, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return storyLinks.among(tx, "id", ids)
}
