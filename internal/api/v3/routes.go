// Package v3 is the current version of the API and the base of the others: its route table, the
// params each operation takes and the wire forms it answers with.
package v3

import (
	"fmt"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// API holds what the operations need.
type API struct {
	Service   *service.Service
	PublicURL string // the base of every link in an answer
}

// Routes is every operation of v3.
func (a API) Routes() []rest.Route {
	return []rest.Route{
		rest.Get("/categories", "List Categories", a.listCategories),
		rest.Post("/categories", "Create Category", a.createCategory),
		rest.Get("/categories/{category-public-id}", "Get Category", a.getCategory),
		rest.Put("/categories/{category-public-id}", "Update Category", a.updateCategory),
		rest.Delete("/categories/{category-public-id}", "Delete Category", a.deleteCategory),

		rest.Put("/entity-templates/disable", "Disable Story Templates", a.switchFeature(tracker.EntityTemplates, false)).ForAdmins(),
		rest.Put("/entity-templates/enable", "Enable Story Templates", a.switchFeature(tracker.EntityTemplates, true)).ForAdmins(),

		rest.Get("/epic-workflow", "Get Epic Workflow", a.getEpicWorkflow),

		rest.Put("/groups/disable", "Disable Groups", a.switchFeature(tracker.Groups, false)).ForAdmins(),
		rest.Put("/groups/enable", "Enable Groups", a.switchFeature(tracker.Groups, true)).ForAdmins(),

		rest.Put("/iterations/disable", "Disable Iterations", a.switchFeature(tracker.Iterations, false)).ForAdmins(),
		rest.Put("/iterations/enable", "Enable Iterations", a.switchFeature(tracker.Iterations, true)).ForAdmins(),

		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Get("/labels/{label-public-id}", "Get Label", a.getLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
		rest.Delete("/labels/{label-public-id}", "Delete Label", a.deleteLabel),

		rest.Get("/member", "Get Current Member Info", a.getSelf),
		rest.Get("/user", "Get Current Member Info (old name)", a.getSelf),
		rest.Get("/members", "List Members", a.listMembers),
		rest.Get("/members/{member-public-id}", "Get Member", a.getMember),

		rest.Get("/teams", "List Teams (legacy)", a.listTeams),
		rest.Get("/teams/{team-public-id}", "Get Team (legacy)", a.getTeam),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
		rest.Get("/workflows/{workflow-public-id}", "Get Workflow", a.getWorkflow),
	}
}

// AppURL is the address of a page of the web application.
func (a API) AppURL(by tracker.Actor, kind string, id int64) string {
	return fmt.Sprintf("%s/%s/%s/%d", a.PublicURL, by.Slug, kind, id)
}

// globalID names an entity across workspaces: the letter says its kind.
func globalID(by tracker.Actor, letter string, id any) string {
	return fmt.Sprintf("v2:%s:%s:%v", letter, by.Workspace, id)
}

// Each renders a list.
func Each[In, Out any](list []In, render func(In) Out) []Out {
	out := make([]Out, len(list))
	for i, v := range list {
		out[i] = render(v)
	}
	return out
}
