package beta

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Category groups milestones (objectives).
type Category struct {
	Archived   bool         `json:"archived"`
	Color      *string      `json:"color"`
	CreatedAt  tracker.Time `json:"created_at"`
	EntityType string       `json:"entity_type"`
	ExternalID *string      `json:"external_id"`
	GlobalID   string       `json:"global_id"`
	ID         int64        `json:"id"`
	Name       string       `json:"name"`
	Type       string       `json:"type" is:"enum=milestone"`
	UpdatedAt  tracker.Time `json:"updated_at"`
}

func renderCategory(by tracker.Actor, c tracker.Category) Category {
	v := v3.RenderCategory(by, c)
	return Category{
		Archived: v.Archived, Color: c.Color, CreatedAt: v.CreatedAt, EntityType: v.EntityType, ExternalID: v.ExternalID,
		GlobalID: v.GlobalID, ID: v.ID, Name: v.Name, Type: v3.CategoryType, UpdatedAt: v.UpdatedAt,
	}
}

func (a API) listCategories(ctx context.Context, by tracker.Actor, _ rest.None) ([]Category, error) {
	list, err := a.Service.Categories(ctx, by)
	return v3.Each(list, func(c tracker.Category) Category { return renderCategory(by, c) }), err
}

type categoryID struct {
	ID int64 `path:"category-public-id" doc:"The id of the category."`
}

func (a API) getCategory(ctx context.Context, by tracker.Actor, in categoryID) (Category, error) {
	c, err := a.Service.Category(ctx, by, in.ID)
	return renderCategory(by, c), err
}

type createCategory struct {
	Color      tracker.Opt[string] `json:"color" is:"anycolor,max=64"`
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
	Type       string              `json:"type" is:"required,enum=milestone"`
}

func (a API) createCategory(ctx context.Context, by tracker.Actor, in createCategory) (Category, error) {
	c, err := a.Service.CreateCategory(ctx, by, tracker.CategoryParams{Name: in.Name, Color: in.Color, ExternalID: in.ExternalID})
	return renderCategory(by, c), err
}

type updateCategory struct {
	ID       int64               `path:"category-public-id" doc:"The id of the category."`
	Archived tracker.Opt[bool]   `json:"archived"`
	Color    tracker.Opt[string] `json:"color" is:"null,anycolor,max=64"`
	Name     tracker.Opt[string] `json:"name" is:"min=1,max=128"`
}

func (a API) updateCategory(ctx context.Context, by tracker.Actor, in updateCategory) (Category, error) {
	c, err := a.Service.UpdateCategory(ctx, by, in.ID, tracker.CategoryChange{Name: in.Name, Color: in.Color, Archived: in.Archived})
	return renderCategory(by, c), err
}
