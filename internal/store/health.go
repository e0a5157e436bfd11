package store

import (
	"slices"

	"milepost/internal/tracker"
)

var healths = newTable("health", "created_at desc, health_id desc", nil, func(h *tracker.Health) []column {
	return []column{
		{"health_id", &h.ID}, {"epic_id", &h.EpicID}, {"author_id", &h.AuthorID}, {"status", &h.Status}, {"text", &h.Text},
		{"created_at", &h.CreatedAt}, {"updated_at", &h.UpdatedAt},
	}
})

func (tx *Tx) Health(id tracker.UUID) (tracker.Health, error) { return healths.get(tx, id) }
func (tx *Tx) InsertHealth(h *tracker.Health) error           { return healths.insert(tx, h) }
func (tx *Tx) UpdateHealth(h *tracker.Health) error           { return healths.update(tx, h) }

// HealthHistory lists what was said of an epic's health, newest first.
func (tx *Tx) HealthHistory(epic int64) ([]tracker.Health, error) {
	return healths.find(tx, "epic_id = $2", epic)
}

// HealthOfEpic is the newest health of an epic; nil when there is none.
func (tx *Tx) HealthOfEpic(epic int64) (*tracker.Health, error) {
	list, err := healths.scan(tx, healths.selectSQL+` and (epic_id = $2) order by `+healths.order+` limit 1`, epic)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// HealthOfEpics is the newest health of each of the epics that has one.
func (tx *Tx) HealthOfEpics(epics []int64) (map[int64]tracker.Health, error) {
	newest := map[int64]tracker.Health{}
	if len(epics) == 0 {
		return newest, nil
	}
	list, err := healths.find(tx, tx.anyOf("epic_id", "$2"), tx.list(epics))
	for _, h := range slices.Backward(list) {
		newest[h.EpicID] = h
	}
	return newest, err
}

// DeleteHealths deletes the whole history of an epic.
func (tx *Tx) DeleteHealths(epic int64) error {
	_, err := tx.exec(`delete from health where workspace_id = $1 and epic_id = $2`, epic)
	return err
}
