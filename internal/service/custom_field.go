package service

import (
	"context"
	"slices"

	"milepost/internal/store"
	"milepost/internal/tracker"
)

func (s *Service) CustomFields(ctx context.Context, by tracker.Actor) ([]tracker.CustomField, error) {
	return read(ctx, s, by, (*store.Tx).CustomFields)
}

func (s *Service) CustomField(ctx context.Context, by tracker.Actor, id tracker.UUID) (tracker.CustomField, error) {
	return read(ctx, s, by, func(tx *store.Tx) (tracker.CustomField, error) { return tx.CustomField(id) })
}

// CreateCustomField adds a field after the others; it is enabled at once.
func (s *Service) CreateCustomField(ctx context.Context, by tracker.Actor, p tracker.CustomFieldParams) (tracker.CustomField, error) {
	return write(ctx, s, by, func(w *work) (tracker.CustomField, error) {
		f := tracker.CustomField{Name: p.Name, Enabled: true}
		if len(p.StoryTypes) > 0 {
			f.StoryTypes = distinct(p.StoryTypes)
		}
		f.Apply(tracker.CustomFieldChange{Description: p.Description, IconSetIdentifier: p.IconSetIdentifier})
		fields, err := w.changeableFields()
		if err != nil {
			return f, err
		}
		if err := uniqueFieldName(fields, f); err != nil {
			return f, err
		}
		return w.createCustomField(f, p.Values)
	})
}

func (w *work) createCustomField(f tracker.CustomField, values []tracker.CustomFieldValueParams) (tracker.CustomField, error) {
	var err error
	if f.Values, err = f.NewValues(values, w.s.newID); err != nil {
		return f, err
	}
	if f.Position, err = w.CustomFieldLast(); err != nil {
		return f, err
	}
	f.ID, f.FieldType, f.CreatedAt, f.UpdatedAt = w.s.newID(), "enum", w.now, w.now
	return create(w, f, w.InsertCustomField)
}

// createBuiltInFields saves the custom fields of a new workspace.
func (w *work) createBuiltInFields() error {
	for _, b := range tracker.BuiltInFields {
		values := make([]tracker.CustomFieldValueParams, len(b.Values))
		for i, v := range b.Values {
			values[i].Value = tracker.Some(v)
		}
		_, err := w.createCustomField(tracker.CustomField{
			Name: b.Name, CanonicalName: &b.CanonicalName, FixedPosition: b.FixedPosition, StoryTypes: b.StoryTypes,
		}, values)
		if err != nil {
			return err
		}
	}
	return nil
}

// UpdateCustomField changes a field; the values it loses leave the stories that have them.
func (s *Service) UpdateCustomField(ctx context.Context, by tracker.Actor, id tracker.UUID, ch tracker.CustomFieldChange) (tracker.CustomField, error) {
	var before, after tracker.CustomField
	err := s.takeValues(ctx, by,
		func(w *work) (lost []tracker.UUID, err error) {
			before, after, err = w.changedField(id, ch)
			w.primary(before)
			return after.Lost(before.Values), err
		},
		func(w *work) (err error) {
			after, err = update(w, before, func(f *tracker.CustomField) { *f = after }, w.Tx.UpdateCustomField)
			return err
		})
	return after, err
}

// DeleteCustomField takes the field off the stories, too.
func (s *Service) DeleteCustomField(ctx context.Context, by tracker.Actor, id tracker.UUID) error {
	var f tracker.CustomField
	return s.takeValues(ctx, by,
		func(w *work) (lost []tracker.UUID, err error) {
			f, err = w.CustomField(id)
			w.primary(f)
			return (&tracker.CustomField{}).Lost(f.Values), err
		},
		func(w *work) error { return remove(w, f, func() error { return w.Tx.DeleteCustomField(id) }) })
}

// takeValues takes values off all stories before last runs. Each chunk asks again which ones,
// since others may have changed the field meanwhile.
func (s *Service) takeValues(ctx context.Context, by tracker.Actor, lost func(*work) ([]tracker.UUID, error), last func(*work) error) error {
	gone := map[tracker.UUID]bool{}
	return s.cascade(ctx, by,
		func(w *work, limit int) ([]tracker.Story, error) {
			values, err := lost(w)
			if err != nil {
				return nil, err
			}
			for _, v := range values {
				gone[v] = true
			}
			return w.SomeStoriesWithValues(values, limit)
		},
		func(story *tracker.Story) {
			story.CustomFields = slices.DeleteFunc(slices.Clone(story.CustomFields), func(f tracker.StoryField) bool { return gone[f.ValueID] })
		}, last)
}

// changedField is the field as it is and as the change makes it.
func (w *work) changedField(id tracker.UUID, ch tracker.CustomFieldChange) (before, after tracker.CustomField, err error) {
	fields, err := w.changeableFields()
	if err != nil {
		return before, after, err
	}
	at := indexOfField(fields, id)
	if at < 0 {
		return before, after, tracker.ErrNotFound
	}
	before, after = fields[at], fields[at]
	after.Apply(ch)
	if err := uniqueFieldName(fields, after); err != nil {
		return before, after, err
	}
	if err := place(&after.Position, "custom field", id, ch.BeforeID, ch.AfterID, w.CustomFieldBeside); err != nil {
		return before, after, err
	}
	if params, ok := ch.Values.Get(); ok {
		after.Values, err = before.NewValues(params, w.s.newID)
	}
	return before, after, err
}

// changeableFields lists all fields, unless the workspace has them switched off.
func (w *work) changeableFields() ([]tracker.CustomField, error) {
	if err := w.require(tracker.CustomFields); err != nil {
		return nil, err
	}
	return w.CustomFields()
}

func indexOfField(fields []tracker.CustomField, id tracker.UUID) int {
	return slices.IndexFunc(fields, func(f tracker.CustomField) bool { return f.ID == id })
}

func uniqueFieldName(fields []tracker.CustomField, f tracker.CustomField) error {
	for _, other := range fields {
		if other.ID != f.ID && tracker.Fold(other.Name) == tracker.Fold(f.Name) {
			return tracker.Impossible("name", "already exists")
		}
	}
	return nil
}

// storyFields checks the custom fields that a story of the type is to have; without a type the
// question is open whether they apply.
func (w *work) storyFields(params []tracker.StoryField, t tracker.StoryType) ([]tracker.StoryField, error) {
	if len(params) == 0 {
		return nil, nil
	}
	fields, err := w.CustomFields()
	if err != nil {
		return nil, err
	}
	return params, checkFields(fields, params, t)
}

func checkFields(fields []tracker.CustomField, params []tracker.StoryField, t tracker.StoryType) error {
	given := map[tracker.UUID]bool{}
	for _, p := range params {
		i := indexOfField(fields, p.FieldID)
		if i < 0 {
			return tracker.Impossible("custom_fields", "names no existing custom field: %s", p.FieldID)
		}
		if given[p.FieldID] {
			return tracker.Impossible("custom_fields", "gives the field %s more than one value", fields[i].Name)
		}
		given[p.FieldID] = true
		if err := fields[i].Offers(p.ValueID, t); err != nil {
			return err
		}
	}
	return nil
}
