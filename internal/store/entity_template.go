package store

import "milepost/internal/tracker"

var entityTemplates = newTable("entity_template", "created_at, template_id", nil, func(t *tracker.EntityTemplate) []column {
	return []column{
		{"template_id", &t.ID}, {"name", &t.Name}, {"author_id", &t.AuthorID}, {"story_contents", jsonText{&t.Contents}},
		{"last_used_at", &t.LastUsedAt}, {"created_at", &t.CreatedAt}, {"updated_at", &t.UpdatedAt},
		catalogNumber(&t.CatalogNumber),
	}
})

func (tx *Tx) EntityTemplates() ([]tracker.EntityTemplate, error) {
	return entityTemplates.find(tx, "")
}
func (tx *Tx) EntityTemplate(id tracker.UUID) (tracker.EntityTemplate, error) {
	return entityTemplates.get(tx, id)
}
func (tx *Tx) InsertEntityTemplate(t *tracker.EntityTemplate) error {
	return entityTemplates.insert(tx, t)
}
func (tx *Tx) UpdateEntityTemplate(t *tracker.EntityTemplate) error {
	return entityTemplates.update(tx, t)
}
func (tx *Tx) DeleteEntityTemplate(id tracker.UUID) error { return entityTemplates.delete(tx, id) }

// templatesByState counts the templates whose contents name each workflow state.
func (tx *Tx) templatesByState() (map[int64]int64, error) {
	list, err := tx.EntityTemplates()
	counts := map[int64]int64{}
	for _, t := range list {
		for _, state := range t.Contents.StateIDs() {
			counts[state]++
		}
	}
	return counts, err
}

// EntityTemplateUsed notes when a story was last made from the template.
func (tx *Tx) EntityTemplateUsed(id tracker.UUID, at tracker.Time) error {
	_, err := tx.exec(`update entity_template set last_used_at = $3 where workspace_id = $1 and template_id = $2`, id, at)
	return err
}
