// Package beta is the release before v3. It is v3's table with what differs exchanged: categories
// have a type, colours take many forms, groups are created without one, the texts of projects may be
// of any length, and uploads name their files otherwise.
package beta

import (
	"net/http"

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
		rest.Post("/files", "Upload Files", a.createFiles).Receives(v3.Uploads{Service: a.Service}).Answers(http.StatusOK),
		rest.Post("/groups", "Create Group", a.createGroup),
		rest.Post("/projects", "Create Project", a.createProject),
		rest.Put("/projects/{project-public-id}", "Update Project", a.updateProject),
	)
	routes = rest.Shows(rest.Shows(routes, showCategory), showMilestone)
	return rest.AnyColors(rest.Shows(rest.Shows(routes, showSearch), showObjectives))
}
