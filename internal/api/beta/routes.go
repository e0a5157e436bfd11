// Package beta is the release before v3. It is v3's table with the rows exchanged that differ:
// categories have a type, and colours are plain strings.
package beta

import (
	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
)

// API shares the use cases, links and wire forms of v3.
type API struct{ v3.API }

// Routes is every operation of beta.
func (a API) Routes() []rest.Route {
	return rest.Replace(a.API.Routes(),
		rest.Get("/categories", "List Categories", a.listCategories),
		rest.Post("/categories", "Create Category", a.createCategory),
		rest.Get("/categories/{category-public-id}", "Get Category", a.getCategory),
		rest.Put("/categories/{category-public-id}", "Update Category", a.updateCategory),

		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Get("/labels/{label-public-id}", "Get Label", a.getLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
	)
}
