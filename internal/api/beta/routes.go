// Package beta is the release before v3. It is v3's table with what differs exchanged: categories
// have a type, colours take many forms, groups are created without one, and the texts of projects
// may be of any length.
package beta

import (
	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
)

// API shares the use cases, links and wire forms of v3.
type API struct{ v3.API }

// Routes is every operation of beta.
func (a API) Routes() []rest.Route {
	a.AsKept = true
	routes := rest.Replace(a.API.Routes(),
		rest.Post("/categories", "Create Category", a.createCategory),
		rest.Post("/groups", "Create Group", a.createGroup),
		rest.Post("/projects", "Create Project", a.createProject),
		rest.Put("/projects/{project-public-id}", "Update Project", a.updateProject),
	)
	return rest.AnyColors(rest.Shows(rest.Shows(routes, showCategory), showMilestone))
}
