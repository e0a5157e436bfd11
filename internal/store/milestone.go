package store

import "milepost/internal/tracker"

var milestones = newTable("milestone", "position, id", nil, func(m *tracker.Milestone) []column {
	return []column{
		{"id", &m.ID}, {"name", &m.Name}, {"description", &m.Description}, {"state", &m.State}, {"position", &m.Position},
		{"archived", &m.Archived}, {"category_ids", ints{&m.CategoryIDs}},
		{"started_at", &m.StartedAt}, {"started_at_override", &m.StartedAtOverride},
		{"completed_at", &m.CompletedAt}, {"completed_at_override", &m.CompletedAtOverride},
		{"created_at", &m.CreatedAt}, {"updated_at", &m.UpdatedAt},
	}
})

func milestoneRefs(m *tracker.Milestone) refs { return refs{"category": intRefs(m.CategoryIDs)} }

func (tx *Tx) Milestones() ([]tracker.Milestone, error)      { return milestones.find(tx, "") }
func (tx *Tx) Milestone(id int64) (tracker.Milestone, error) { return milestones.get(tx, id) }

// MilestonesByID lists the milestones with the ids in their order.
func (tx *Tx) MilestonesByID(ids []int64) ([]tracker.Milestone, error) {
	return milestones.byID(tx, ids, func(m *tracker.Milestone) int64 { return m.ID })
}

// MilestonesOfCategory lists the milestones in the category.
func (tx *Tx) MilestonesOfCategory(c tracker.Category) ([]tracker.Milestone, error) {
	return milestones.find(tx, `id in (select id from ref where workspace_id = $1 and entity = 'milestone' and kind = 'category' and target = $2)`, c.EntityID())
}

func (tx *Tx) InsertMilestone(m *tracker.Milestone) error {
	if err := milestones.insert(tx, m); err != nil {
		return err
	}
	if err := tx.saveRefs("milestone", m.ID, nil, milestoneRefs(m)); err != nil {
		return err
	}
	return tx.saveTexts(searchedMilestone, m.ID, texts{}, texts{m.Name, m.Description})
}

func (tx *Tx) UpdateMilestone(before, after *tracker.Milestone) error {
	if err := milestones.change(tx, before, after); err != nil {
		return err
	}
	if err := tx.saveRefs("milestone", after.ID, milestoneRefs(before), milestoneRefs(after)); err != nil {
		return err
	}
	return tx.saveTexts(searchedMilestone, after.ID, texts{before.Name, before.Description}, texts{after.Name, after.Description})
}

func (tx *Tx) DeleteMilestone(m *tracker.Milestone) error {
	if err := tx.saveRefs("milestone", m.ID, milestoneRefs(m), nil); err != nil {
		return err
	}
	if err := tx.forget(searchedMilestone, m.ID); err != nil {
		return err
	}
	return milestones.delete(tx, m.ID)
}
