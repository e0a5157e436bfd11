package store

import (
	"database/sql"

	"milepost/internal/tracker"
)

var labels = newTable("label", "id", uniqueName, func(l *tracker.Label) []column {
	return []column{
		{"id", &l.ID}, {"name", &l.Name}, {"name_key", derived{tracker.Fold(l.Name)}}, {"description", &l.Description},
		{"color", &l.Color}, {"external_id", &l.ExternalID}, {"archived", &l.Archived},
		{"created_at", &l.CreatedAt}, {"updated_at", &l.UpdatedAt},
	}
})

func (tx *Tx) Labels() ([]tracker.Label, error)      { return labels.find(tx, "") }
func (tx *Tx) Label(id int64) (tracker.Label, error) { return labels.get(tx, id) }
func (tx *Tx) InsertLabel(l *tracker.Label) error    { return labels.insert(tx, l) }
func (tx *Tx) UpdateLabel(l *tracker.Label) error    { return labels.update(tx, l) }

// LabelsNamed finds labels by their folded names.
func (tx *Tx) LabelsNamed(keys []string) ([]tracker.Label, error) {
	return labels.find(tx, tx.anyOf("name_key", "$2"), tx.list(keys))
}

// DeleteLabel takes the label off everything that carries it.
func (tx *Tx) DeleteLabel(id int64) error {
	for _, statement := range []string{
		`delete from story_label where workspace_id = $1 and label_id = $2`,
		`delete from epic_label where workspace_id = $1 and label_id = $2`,
	} {
		if _, err := tx.exec(statement, id); err != nil {
			return err
		}
	}
	return labels.delete(tx, id)
}

// LabelStats counts what carries each label, of the one label or, with 0, of all. Labels that
// nothing carries are absent from the map.
func (tx *Tx) LabelStats(id int64) (map[int64]tracker.LabelStats, error) {
	stats := map[int64]tracker.LabelStats{}
	err := tx.each(func(rows *sql.Rows) error {
		var label int64
		var s tracker.LabelStats
		err := rows.Scan(&label, &s.StoriesTotal, &s.StoriesBacklog, &s.StoriesUnstarted, &s.StoriesStarted, &s.StoriesDone,
			&s.StoriesUnestimated, &s.PointsTotal, &s.PointsBacklog, &s.PointsUnstarted, &s.PointsStarted, &s.PointsDone)
		stats[label] = s
		return err
	}, `select story_label.label_id, count(*),
			count(*) filter (where state.type = 'backlog'), count(*) filter (where state.type = 'unstarted'),
			count(*) filter (where state.type = 'started'), count(*) filter (where state.type = 'done'),
			count(*) filter (where story.estimate is null),
			coalesce(sum(story.estimate), 0),
			coalesce(sum(story.estimate) filter (where state.type = 'backlog'), 0),
			coalesce(sum(story.estimate) filter (where state.type = 'unstarted'), 0),
			coalesce(sum(story.estimate) filter (where state.type = 'started'), 0),
			coalesce(sum(story.estimate) filter (where state.type = 'done'), 0)
		from story_label
		join story on (story.workspace_id = $1 and story.id = story_label.story_id)
		join workflow_state state on (state.workspace_id = $1 and state.id = story.workflow_state_id)
		where story_label.workspace_id = $1 and (story_label.label_id = $2 or $2 = 0) and story.archived = false
		group by story_label.label_id`, id)
	if err != nil {
		return nil, err
	}
	err = tx.each(func(rows *sql.Rows) error {
		var label, total, unstarted, started, done int64
		err := rows.Scan(&label, &total, &unstarted, &started, &done)
		s := stats[label]
		s.EpicsTotal, s.EpicsUnstarted, s.EpicsStarted, s.EpicsDone = total, unstarted, started, done
		stats[label] = s
		return err
	}, `select epic_label.label_id, count(*), count(*) filter (where state.type = 'unstarted'),
			count(*) filter (where state.type = 'started'), count(*) filter (where state.type = 'done')
		from epic_label
		join epic on (epic.workspace_id = $1 and epic.id = epic_label.epic_id)
		join epic_state state on (state.workspace_id = $1 and state.id = epic.epic_state_id)
		where epic_label.workspace_id = $1 and (epic_label.label_id = $2 or $2 = 0) and epic.archived = false
		group by epic_label.label_id`, id)
	return stats, err
}
