// Package v1 is the oldest version of the API, kept for the clients that still speak it. Its wire
// forms are its own and frozen: what v3 gains does not appear here.
package v1

import (
	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
)

// API shares the use cases of v3.
type API struct{ v3.API }

// Routes is every operation of v1.
func (a API) Routes() []rest.Route {
	return []rest.Route{
		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
		rest.Delete("/labels/{label-public-id}", "Delete Label", a.deleteLabel),

		rest.Get("/users", "List Users", a.listUsers).SucceededBy("/members"),
		rest.Get("/users/{user-public-id}", "Get User", a.getUser).SucceededBy("/members"),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
	}
}
