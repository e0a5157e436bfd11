package store

import (
	"strconv"

	"milepost/internal/query"
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var labels = newTable("label", "id", uniqueName, func(l *tracker.Label) []column {
	return []column{
		{"id", &l.ID}, {"name", &l.Name}, {"name_key", derived{tracker.Fold(l.Name)}}, {"search_key", derived{query.Key(l.Name)}},
		{"description", &l.Description}, {"color", &l.Color}, {"external_id", &l.ExternalID}, {"archived", &l.Archived},
		{"created_at", &l.CreatedAt}, {"updated_at", &l.UpdatedAt},
	}
})

func (tx *Tx) Labels() ([]tracker.Label, error)      { return labels.find(tx, "") }
func (tx *Tx) Label(id int64) (tracker.Label, error) { return labels.get(tx, id) }

func (tx *Tx) InsertLabel(l *tracker.Label) error {
	tx.catalogChanged()
	return labels.insert(tx, l)
}

func (tx *Tx) UpdateLabel(l *tracker.Label) error {
	tx.catalogChanged()
	return labels.update(tx, l)
}

func (tx *Tx) DeleteLabel(id int64) error {
	tx.catalogChanged()
	return labels.delete(tx, id)
}

// LabelsNamed finds labels by their folded names.
func (tx *Tx) LabelsNamed(keys []string) ([]tracker.Label, error) {
	return labels.find(tx, tx.anyOf("name_key", "$2"), tx.list(keys))
}

// LabelsByID lists the labels with the ids.
func (tx *Tx) LabelsByID(ids []int64) ([]tracker.Label, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return labels.among(tx, "id", ids)
}

// LabelStats counts what carries each label, of those named or, without any, of all. Labels that
// nothing carries are absent from the map.
func (tx *Tx) LabelStats(ids ...int64) (map[int64]tracker.LabelStats, error) {
	byStory, err := tx.labelStoryStats(ids)
	if err != nil {
		return nil, err
	}
	stats := map[int64]tracker.LabelStats{}
	for key, s := range byStory {
		label, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return nil, err
		}
		stats[label] = tracker.LabelStats{Stories: s}
	}
	condition, args := tx.amongTargets(ids)
	err = tx.each(func(row db.Row) error {
		var key string
		var total, unstarted, started, done int64
		if err := row.Scan(&key, &total, &unstarted, &started, &done); err != nil {
			return err
		}
		label, err := strconv.ParseInt(key, 10, 64)
		s := stats[label]
		s.Epics, s.EpicsUnstarted, s.EpicsStarted, s.EpicsDone = total, unstarted, started, done
		stats[label] = s
		return err
	}, `select r.target, count(*), count(*) filter (where t.type = 'unstarted'),
			count(*) filter (where t.type = 'started'), count(*) filter (where t.type = 'done')
		from ref r join epic e on (e.workspace_id = $1 and e.id = r.id)
		join epic_state t on (t.workspace_id = $1 and t.id = e.epic_state_id)
		where r.workspace_id = $1 and r.entity = 'epic' and r.kind = 'label' and (`+condition+`)
			and e.archived = false group by r.target`, args...)
	return stats, err
}
