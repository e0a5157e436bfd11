package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// CustomField is a property that a workspace adds to its stories.
type CustomField struct {
	CanonicalName     *string                `json:"canonical_name,omitzero"`
	CreatedAt         tracker.Time           `json:"created_at"`
	Description       *string                `json:"description"`
	Enabled           bool                   `json:"enabled"`
	EntityType        string                 `json:"entity_type"`
	FieldType         string                 `json:"field_type" is:"enum=enum"`
	FixedPosition     bool                   `json:"fixed_position"`
	IconSetIdentifier *string                `json:"icon_set_identifier"`
	ID                tracker.UUID           `json:"id"`
	Name              string                 `json:"name"`
	Position          int64                  `json:"position"`
	StoryTypes        []tracker.StoryType    `json:"story_types,omitzero"`
	UpdatedAt         tracker.Time           `json:"updated_at"`
	Values            []CustomFieldEnumValue `json:"values"`
}

// CustomFieldEnumValue is one choice of a custom field.
type CustomFieldEnumValue struct {
	ColorKey   *string      `json:"color_key"`
	Enabled    bool         `json:"enabled"`
	EntityType string       `json:"entity_type"`
	ID         tracker.UUID `json:"id"`
	Position   int64        `json:"position"`
	Value      string       `json:"value"`
}

// RenderCustomField is the wire form of a custom field.
func RenderCustomField(f tracker.CustomField) CustomField {
	out := CustomField{
		CanonicalName: f.CanonicalName, CreatedAt: f.CreatedAt, Description: f.Description, Enabled: f.Enabled, EntityType: f.EntityType(),
		FieldType: f.FieldType, FixedPosition: f.FixedPosition, IconSetIdentifier: f.IconSetIdentifier, ID: f.ID, Name: f.Name,
		Position: f.Position, StoryTypes: f.StoryTypes, UpdatedAt: f.UpdatedAt, Values: make([]CustomFieldEnumValue, len(f.Values)),
	}
	for i, v := range f.Values {
		out.Values[i] = CustomFieldEnumValue{
			Enabled: v.Enabled, EntityType: "custom-field-enum-value", ID: v.ID, Position: int64(i + 1), Value: v.Value,
		}
		if v.ColorKey != "" {
			out.Values[i].ColorKey = &v.ColorKey
		}
	}
	return out
}

func (a API) listCustomFields(ctx context.Context, by tracker.Actor, _ rest.None) ([]CustomField, error) {
	list, err := a.Service.CustomFields(ctx, by)
	return Each(list, RenderCustomField), err
}

type customFieldID struct {
	ID tracker.UUID `path:"custom-field-public-id" doc:"The id of the custom field."`
}

func (a API) getCustomField(ctx context.Context, by tracker.Actor, in customFieldID) (CustomField, error) {
	f, err := a.Service.CustomField(ctx, by, in.ID)
	return RenderCustomField(f), err
}

type updateCustomField struct {
	ID                tracker.UUID                                    `path:"custom-field-public-id" doc:"The id of the custom field."`
	AfterID           tracker.Opt[tracker.UUID]                       `json:"after_id" doc:"Move the field behind this one."`
	BeforeID          tracker.Opt[tracker.UUID]                       `json:"before_id" doc:"Move the field before this one."`
	Description       tracker.Opt[string]                             `json:"description" is:"max=512" doc:"Empty takes it away."`
	Enabled           tracker.Opt[bool]                               `json:"enabled"`
	IconSetIdentifier tracker.Opt[string]                             `json:"icon_set_identifier" is:"min=1,max=63"`
	Name              tracker.Opt[string]                             `json:"name" is:"min=1,max=63"`
	Values            tracker.Opt[[]UpdateCustomFieldEnumValueParams] `json:"values" doc:"The whole list in its order: a value left out is deleted, an item without id is created."`
}

// UpdateCustomFieldEnumValueParams is one value of a custom field: an existing one by its id, or
// a new one.
type UpdateCustomFieldEnumValueParams struct {
	ID       tracker.Opt[tracker.UUID] `json:"id"`
	Value    tracker.Opt[string]       `json:"value" is:"min=1,max=63" doc:"Required without id."`
	ColorKey tracker.Opt[string]       `json:"color_key" is:"null,enum=blue|purple|midnight-blue|orange|yellow-green|brass|gray|fuchsia|yellow|pink|sky-blue|green|red|black|slate|turquoise"`
	Enabled  tracker.Opt[bool]         `json:"enabled" doc:"Left out, it stays; of a new value it is true."`
}

func (a API) updateCustomField(ctx context.Context, by tracker.Actor, in updateCustomField) (CustomField, error) {
	ch := tracker.CustomFieldChange{
		Name: in.Name, Description: in.Description, IconSetIdentifier: in.IconSetIdentifier, Enabled: in.Enabled,
		BeforeID: in.BeforeID, AfterID: in.AfterID,
		Values: EachOpt(in.Values, func(v UpdateCustomFieldEnumValueParams) tracker.CustomFieldValueParams {
			return tracker.CustomFieldValueParams(v)
		}),
	}
	for i, v := range in.Values.Value {
		if v.ID.State != tracker.Given && v.Value.State != tracker.Given {
			return CustomField{}, tracker.Within(tracker.InvalidFields(map[string]any{"value": "missing-required-key"}), "values", i)
		}
	}
	f, err := a.Service.UpdateCustomField(ctx, by, in.ID, ch)
	return RenderCustomField(f), err
}

func (a API) deleteCustomField(ctx context.Context, by tracker.Actor, in customFieldID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteCustomField(ctx, by, in.ID)
}
