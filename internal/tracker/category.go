package tracker

import "strconv"

// Category groups milestones (objectives) by theme.
type Category struct {
	ID         int64
	Name       string
	Color      *string
	ExternalID *string
	Archived   bool
	CreatedAt  Time
	UpdatedAt  Time
}

// CategoryParams is what a category can be created with, also inline in another request.
type CategoryParams struct {
	Name       string
	Color      Opt[string]
	ExternalID Opt[string]
}

// CategoryChange is what can be changed of a category.
type CategoryChange struct {
	Name     Opt[string]
	Color    Opt[string]
	Archived Opt[bool]
}

// NewCategory is the category that p asks for.
func NewCategory(id int64, p CategoryParams, now Time) Category {
	return Category{ID: id, Name: p.Name, Color: p.Color.Ptr(), ExternalID: p.ExternalID.Ptr(), CreatedAt: now, UpdatedAt: now}
}

// Apply makes the changes that ch asks for.
func (c *Category) Apply(ch CategoryChange) {
	ch.Name.Apply(&c.Name)
	ch.Color.ApplyPtr(&c.Color)
	ch.Archived.Apply(&c.Archived)
}

// Touch moves the time of the last update.
func (c *Category) Touch(now Time) { c.UpdatedAt = now }

func (c Category) EntityType() string { return "category" }
func (c Category) EntityID() string   { return strconv.FormatInt(c.ID, 10) }

func (c Category) Fields() []Field {
	return []Field{
		{"name", c.Name}, {"color", c.Color}, {"external_id", c.ExternalID}, {"archived", c.Archived},
	}
}
