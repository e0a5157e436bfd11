// Package v2 is the version before v3, with the same operations on fewer resources. Its wire forms
// are its own and frozen: what v3 gains does not appear here.
package v2

import (
	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
)

// API shares the use cases and links of v3.
type API struct{ v3.API }

// Routes is every operation of v2.
func (a API) Routes() []rest.Route {
	return []rest.Route{
		rest.Get("/categories", "List Categories", a.listCategories),
		rest.Post("/categories", "Create Category", a.createCategory),
		rest.Get("/categories/{category-public-id}", "Get Category", a.getCategory),
		rest.Put("/categories/{category-public-id}", "Update Category", a.updateCategory),
		rest.Delete("/categories/{category-public-id}", "Delete Category", a.deleteCategory),

		rest.Get("/epic-workflow", "Get Epic Workflow", a.getEpicWorkflow),

		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Get("/labels/{label-public-id}", "Get Label", a.getLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
		rest.Delete("/labels/{label-public-id}", "Delete Label", a.deleteLabel),

		rest.Get("/members", "List Members", a.listMembers),
		rest.Get("/members/{member-public-id}", "Get Member", a.getMember),

		rest.Get("/teams", "List Teams", a.listTeams),
		rest.Get("/teams/{team-public-id}", "Get Team", a.getTeam),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
	}
}
