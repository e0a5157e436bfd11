package app

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

type createCustomField struct {
	Description       tracker.Opt[string]          `json:"description" is:"max=512"`
	IconSetIdentifier tracker.Opt[string]          `json:"icon_set_identifier" is:"min=1,max=63"`
	Name              string                       `json:"name" is:"required,min=1,max=63"`
	StoryTypes        []tracker.StoryType          `json:"story_types" is:"enum=feature|bug|chore" doc:"The types of stories that it applies to; all by default."`
	Values            []createCustomFieldEnumValue `json:"values" doc:"The choices in their order."`
}

type createCustomFieldEnumValue struct {
	ColorKey tracker.Opt[string] `json:"color_key" is:"enum=blue|purple|midnight-blue|orange|yellow-green|brass|gray|fuchsia|yellow|pink|sky-blue|green|red|black|slate|turquoise"`
	Value    string              `json:"value" is:"required,min=1,max=63"`
}

func (a API) createCustomField(ctx context.Context, by tracker.Actor, in createCustomField) (v3.CustomField, error) {
	f, err := a.Service.CreateCustomField(ctx, by, tracker.CustomFieldParams{
		Name: in.Name, Description: in.Description, IconSetIdentifier: in.IconSetIdentifier, StoryTypes: in.StoryTypes,
		Values: v3.Each(in.Values, func(v createCustomFieldEnumValue) tracker.CustomFieldValueParams {
			return tracker.CustomFieldValueParams{Value: tracker.Some(v.Value), ColorKey: v.ColorKey}
		}),
	})
	return v3.RenderCustomField(f), err
}
