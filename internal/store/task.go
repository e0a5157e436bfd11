package store

import "milepost/internal/tracker"

var tasks = newTable("task", "id", nil, func(t *tracker.Task) []column {
	return []column{
		{"id", &t.ID}, {"story_id", &t.StoryID}, {"description", &t.Description}, {"complete", &t.Complete}, {"completed_at", &t.CompletedAt},
		{"external_id", &t.ExternalID}, {"owner_ids", uuids{&t.OwnerIDs}}, {"member_mention_ids", uuids{&t.MemberMentions}},
		{"group_mention_ids", uuids{&t.GroupMentions}}, {"created_at", &t.CreatedAt}, {"updated_at", &t.UpdatedAt},
	}
})

func (tx *Tx) Task(id int64) (tracker.Task, error) { return tasks.get(tx, id) }
func (tx *Tx) InsertTask(t *tracker.Task) error    { return tasks.insert(tx, t) }
func (tx *Tx) UpdateTask(t *tracker.Task) error    { return tasks.update(tx, t) }
func (tx *Tx) DeleteTask(id int64) error           { return tasks.delete(tx, id) }

// TasksOf lists the tasks of several stories, in no particular order.
func (tx *Tx) TasksOf(stories []int64) ([]tracker.Task, error) {
	return tasks.among(tx, "story_id", stories)
}
