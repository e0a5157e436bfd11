package store

import "milepost/internal/tracker"

var customFields = newTable("custom_field", "position, field_id", nil, func(f *tracker.CustomField) []column {
	return []column{
		{"field_id", &f.ID}, {"name", &f.Name}, {"description", &f.Description}, {"canonical_name", &f.CanonicalName},
		{"field_type", &f.FieldType}, {"icon_set_identifier", &f.IconSetIdentifier}, {"position", &f.Position}, {"enabled", &f.Enabled},
		{"fixed_position", &f.FixedPosition}, {"story_types", jsonText{&f.StoryTypes}}, {"field_values", jsonText{&f.Values}},
		{"created_at", &f.CreatedAt}, {"updated_at", &f.UpdatedAt},
	}
})

func (tx *Tx) CustomFields() ([]tracker.CustomField, error) {
	return remember(tx, customFields.name, "all", func() ([]tracker.CustomField, error) { return customFields.find(tx, "") })
}
func (tx *Tx) CustomField(id tracker.UUID) (tracker.CustomField, error) {
	return customFields.get(tx, id)
}

func (tx *Tx) InsertCustomField(f *tracker.CustomField) error {
	tx.catalogChanged()
	return customFields.insert(tx, f)
}

func (tx *Tx) UpdateCustomField(f *tracker.CustomField) error {
	tx.catalogChanged()
	return customFields.update(tx, f)
}

func (tx *Tx) DeleteCustomField(id tracker.UUID) error {
	tx.catalogChanged()
	return customFields.delete(tx, id)
}

// CustomFieldLast is the position behind all fields.
func (tx *Tx) CustomFieldLast() (int64, error) {
	return tx.laneEnd(customFieldLane, nil, "desc", laneGap)
}

// CustomFieldBeside is a position for the moved field directly before or after another: its own if
// it stands there already.
func (tx *Tx) CustomFieldBeside(moved, neighbour tracker.UUID, after bool) (int64, error) {
	return tx.moveBeside(customFieldLane, string(moved), string(neighbour), after)
}

// SomeStoriesWithValues lists up to limit stories that have one of the values of custom fields.
func (tx *Tx) SomeStoriesWithValues(values []tracker.UUID, limit int) ([]tracker.Story, error) {
	if len(values) == 0 {
		return nil, nil
	}
	return stories.scan(tx, stories.selectSQL+` and (id in (select id from ref where workspace_id = $1 and entity = 'story'
		and kind = 'custom-field-value' and `+tx.anyOf("target", "$2")+`)) order by id limit $3`, tx.list(values), limit)
}
