package store

import "milepost/internal/tracker"

var keyResults = newTable("key_result", "milestone_id, position, key_result_id", nil, func(k *tracker.KeyResult) []column {
	return []column{
		{"key_result_id", &k.ID}, {"milestone_id", &k.MilestoneID}, {"name", &k.Name}, {"type", &k.Type},
		{"initial_observed_value", &k.Initial}, {"current_observed_value", &k.Observed}, {"current_target_value", &k.Target},
		{"position", &k.Position}, {"created_at", &k.CreatedAt}, {"updated_at", &k.UpdatedAt},
	}
})

func (tx *Tx) KeyResult(id tracker.UUID) (tracker.KeyResult, error) { return keyResults.get(tx, id) }
func (tx *Tx) InsertKeyResult(k *tracker.KeyResult) error           { return keyResults.insert(tx, k) }
func (tx *Tx) UpdateKeyResult(k *tracker.KeyResult) error           { return keyResults.update(tx, k) }
func (tx *Tx) DeleteKeyResult(id tracker.UUID) error                { return keyResults.delete(tx, id) }

// KeyResultsOf lists the key results of the milestones, those of each in their order.
func (tx *Tx) KeyResultsOf(milestones ...int64) ([]tracker.KeyResult, error) {
	return keyResults.find(tx, tx.anyOf("milestone_id", "$2"), tx.list(milestones))
}
