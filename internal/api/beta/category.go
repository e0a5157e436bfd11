package beta

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Category is v3's with a type.
type Category struct {
	v3.Category
	Type string `json:"type" is:"enum=milestone"`
}

func showCategory(c v3.Category) Category { return Category{c, v3.CategoryType} }

// Milestone is v3's with categories that have a type.
type Milestone struct {
	v3.Milestone
	Categories []Category `json:"categories"`
}

func showMilestone(m v3.Milestone) Milestone {
	return Milestone{m, v3.Each(m.Categories, showCategory)}
}

type createCategory struct {
	Color      tracker.Opt[string] `json:"color" is:"color"`
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
	Type       string              `json:"type" is:"required,enum=milestone"`
}

func (a API) createCategory(ctx context.Context, by tracker.Actor, in createCategory) (v3.Category, error) {
	c, err := a.Service.CreateCategory(ctx, by, tracker.CategoryParams{Name: in.Name, Color: in.Color, ExternalID: in.ExternalID})
	return a.RenderCategory(by, c), err
}
