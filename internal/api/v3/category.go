package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// Category groups milestones (objectives).
type Category struct {
	Archived   bool         `json:"archived"`
	Color      *string      `json:"color" is:"color"`
	CreatedAt  tracker.Time `json:"created_at"`
	EntityType string       `json:"entity_type"`
	ExternalID *string      `json:"external_id"`
	GlobalID   string       `json:"global_id"`
	ID         int64        `json:"id"`
	Name       string       `json:"name"`
	UpdatedAt  tracker.Time `json:"updated_at"`
}

// CategoryType is the one type of categories that v2 and beta show.
const CategoryType = "milestone"

// RenderCategory is the wire form of a category.
func (a API) RenderCategory(by tracker.Actor, c tracker.Category) Category {
	return Category{
		Archived: c.Archived, Color: a.color(c.Color), CreatedAt: c.CreatedAt, EntityType: c.EntityType(),
		ExternalID: c.ExternalID, GlobalID: globalID(by, "c", c.ID), ID: c.ID, Name: c.Name, UpdatedAt: c.UpdatedAt,
	}
}

type categoryID struct {
	ID int64 `path:"category-public-id" doc:"The id of the category."`
}

func (a API) listCategories(ctx context.Context, by tracker.Actor, _ rest.None) ([]Category, error) {
	list, err := a.Service.Categories(ctx, by)
	return Each(list, func(c tracker.Category) Category { return a.RenderCategory(by, c) }), err
}

func (a API) getCategory(ctx context.Context, by tracker.Actor, in categoryID) (Category, error) {
	c, err := a.Service.Category(ctx, by, in.ID)
	return a.RenderCategory(by, c), err
}

type createCategory struct {
	Color      tracker.Opt[string] `json:"color" is:"color"`
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Name       string              `json:"name" is:"required,min=1,max=128"`
	Type       tracker.Opt[string] `json:"type" is:"enum=milestone" doc:"Required in earlier releases; ignored."`
}

func (a API) createCategory(ctx context.Context, by tracker.Actor, in createCategory) (Category, error) {
	c, err := a.Service.CreateCategory(ctx, by, tracker.CategoryParams{Name: in.Name, Color: in.Color, ExternalID: in.ExternalID})
	return a.RenderCategory(by, c), err
}

// CreateCategoryParams is a category named inline in another request.
type CreateCategoryParams struct {
	Name       string              `json:"name" is:"required,min=1,max=128"`
	Color      tracker.Opt[string] `json:"color" is:"color"`
	ExternalID tracker.Opt[string] `json:"external_id" is:"min=1,max=128"`
	Type       tracker.Opt[string] `json:"type" is:"enum=milestone" doc:"Of earlier releases; ignored."`
}

func categoryParams(o tracker.Opt[[]CreateCategoryParams]) tracker.Opt[[]tracker.CategoryParams] {
	return EachOpt(o, func(c CreateCategoryParams) tracker.CategoryParams {
		return tracker.CategoryParams{Name: c.Name, Color: c.Color, ExternalID: c.ExternalID}
	})
}

type updateCategory struct {
	ID       int64               `path:"category-public-id" doc:"The id of the category."`
	Archived tracker.Opt[bool]   `json:"archived"`
	Color    tracker.Opt[string] `json:"color" is:"null,color"`
	Name     tracker.Opt[string] `json:"name" is:"min=1,max=128"`
}

func (a API) updateCategory(ctx context.Context, by tracker.Actor, in updateCategory) (Category, error) {
	c, err := a.Service.UpdateCategory(ctx, by, in.ID, tracker.CategoryChange{Name: in.Name, Color: in.Color, Archived: in.Archived})
	return a.RenderCategory(by, c), err
}

func (a API) deleteCategory(ctx context.Context, by tracker.Actor, in categoryID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteCategory(ctx, by, in.ID)
}
