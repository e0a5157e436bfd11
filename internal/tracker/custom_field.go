package tracker

import (
	"fmt"
	"slices"
)

// CustomField is a property that a workspace adds to its stories: one value out of a list.
type CustomField struct {
	ID                UUID
	Name              string
	Description       *string
	CanonicalName     *string // set for the built-in fields
	FieldType         string
	IconSetIdentifier *string
	Position          int64
	Enabled           bool
	FixedPosition     bool        // clients offer no reordering of its values
	StoryTypes        []StoryType // the types of stories it applies to; empty is all
	Values            []CustomFieldValue
	CreatedAt         Time
	UpdatedAt         Time
}

// CustomFieldValue is one choice of a custom field; its place is its index in the list.
type CustomFieldValue struct {
	ID       UUID   `json:"id"`
	Value    string `json:"value"`
	ColorKey string `json:"color_key,omitempty"`
	Enabled  bool   `json:"enabled"`
}

// BuiltInFields are the custom fields of a new workspace.
var BuiltInFields = []struct {
	Name, CanonicalName string
	FixedPosition       bool
	StoryTypes          []StoryType
	Values              []string
}{
	{Name: "Technical Area", CanonicalName: "technical-area", Values: []string{"Web app", "API", "Mobile", "Server", "Client database"}},
	{Name: "Skill Set", CanonicalName: "skill-set", Values: []string{"Frontend engineering", "Backend engineering", "Product", "Design", "Analytics"}},
	{Name: "Product Area", CanonicalName: "product-area", Values: []string{"Onboarding", "Billing", "Search", "Integrations", "Demo", "Notifications"}},
	{Name: "Priority", CanonicalName: "priority", FixedPosition: true, Values: []string{"Highest", "High", "Medium", "Low", "Lowest"}},
	{Name: "Severity", CanonicalName: "severity", FixedPosition: true, StoryTypes: []StoryType{Bug},
		Values: []string{"Severity 0", "Severity 1", "Severity 2", "Severity 3", "Severity 4"}},
}

// CustomFieldParams is what a custom field is created with.
type CustomFieldParams struct {
	Name              string
	Description       Opt[string]
	IconSetIdentifier Opt[string]
	StoryTypes        []StoryType
	Values            []CustomFieldValueParams
}

// CustomFieldChange is what can be changed of a custom field; Values is the whole list.
type CustomFieldChange struct {
	Name              Opt[string]
	Description       Opt[string] // empty takes it away
	IconSetIdentifier Opt[string]
	Enabled           Opt[bool]
	Values            Opt[[]CustomFieldValueParams]
	BeforeID          Opt[UUID]
	AfterID           Opt[UUID]
}

// CustomFieldValueParams is one item of such a list: an existing value by its id, or a new one.
type CustomFieldValueParams struct {
	ID       Opt[UUID]
	Value    Opt[string]
	ColorKey Opt[string]
	Enabled  Opt[bool]
}

// Apply makes the changes that ch asks for, but for the place and the values.
func (f *CustomField) Apply(ch CustomFieldChange) {
	ch.Name.Apply(&f.Name)
	if text, ok := ch.Description.Get(); ok {
		f.Description = nil
		if text != "" {
			f.Description = &text
		}
	}
	ch.IconSetIdentifier.ApplyPtr(&f.IconSetIdentifier)
	ch.Enabled.Apply(&f.Enabled)
}

// NewValues is the list that params make of the field's values. It fails with a conflict where
// the field has no such value (any longer) or would have the same one twice.
func (f *CustomField) NewValues(params []CustomFieldValueParams, newID func() UUID) ([]CustomFieldValue, error) {
	known := map[UUID]CustomFieldValue{}
	for _, v := range f.Values {
		known[v.ID] = v
	}
	out := make([]CustomFieldValue, 0, len(params))
	ids, texts := map[UUID]bool{}, map[string]bool{}
	for _, p := range params {
		v := CustomFieldValue{Enabled: true}
		if id, ok := p.ID.Get(); ok {
			if v, ok = known[id]; !ok {
				return nil, conflict("values names an id that the field does not have: %s", id)
			}
		} else {
			v.ID = newID()
		}
		p.Value.Apply(&v.Value)
		p.Enabled.Apply(&v.Enabled)
		if p.ColorKey.State != Absent {
			v.ColorKey = p.ColorKey.Or("")
		}
		if ids[v.ID] || texts[Fold(v.Value)] {
			return nil, conflict("values holds the same value twice: %s", v.Value)
		}
		ids[v.ID], texts[Fold(v.Value)] = true, true
		out = append(out, v)
	}
	return out, nil
}

func conflict(format string, args ...any) *Error {
	return &Error{Code: DataConflict, Message: "The update conflicts with the custom field as it is now: " + fmt.Sprintf(format, args...) + "."}
}

// Lost lists the values that the field had before and has no longer.
func (f *CustomField) Lost(before []CustomFieldValue) []UUID {
	has := map[UUID]bool{}
	for _, v := range f.Values {
		has[v.ID] = true
	}
	var out []UUID
	for _, old := range before {
		if !has[old.ID] {
			out = append(out, old.ID)
		}
	}
	return out
}

// Offers fails when a story of the type cannot be given the value; without a type, any will do.
func (f *CustomField) Offers(value UUID, t StoryType) error {
	i := slices.IndexFunc(f.Values, func(v CustomFieldValue) bool { return v.ID == value })
	switch {
	case !f.Enabled:
		return Impossible("custom_fields", "names a field that is disabled: %s", f.Name)
	case i < 0:
		return Impossible("custom_fields", "names a value that the field %s does not have: %s", f.Name, value)
	case !f.Values[i].Enabled:
		return Impossible("custom_fields", "names a value that is disabled: %s", f.Values[i].Value)
	case t != "" && len(f.StoryTypes) > 0 && !slices.Contains(f.StoryTypes, t):
		return Impossible("custom_fields", "names a field that does not apply to a %s: %s", t, f.Name)
	}
	return nil
}

// Touch moves the time of the last update.
func (f *CustomField) Touch(now Time) { f.UpdatedAt = now }

func (f CustomField) EntityType() string { return "custom-field" }
func (f CustomField) EntityID() string   { return string(f.ID) }

func (f CustomField) Fields() []Field {
	return []Field{
		{"name", f.Name}, {"description", f.Description}, {"icon_set_identifier", f.IconSetIdentifier}, {"position", f.Position},
		{"enabled", f.Enabled}, {"story_types", f.StoryTypes}, {"values", f.Values},
	}
}

// ShownValues maps the values that stories show to their texts. Stories keep those that are disabled,
// but do not show them.
func ShownValues(fields []CustomField) map[UUID]string {
	values := map[UUID]string{}
	for _, f := range fields {
		for _, v := range f.Values {
			if f.Enabled && v.Enabled {
				values[v.ID] = v.Value
			}
		}
	}
	return values
}
