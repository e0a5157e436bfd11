// Package v3 is the current version of the API and the base of the others: its route table, the
// params each operation takes and the wire forms it answers with.
package v3

import (
	"net/http"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// API holds what the operations need.
type API struct {
	Service   *service.Service
	PublicURL string // the base of every link in an answer
	AsKept    bool   // colours and texts are shown as they were kept, whatever their form and length
	// MaxPageSize is how many results a page of a search can have.
	MaxPageSize int64
}

// Routes is every operation of v3.
func (a API) Routes() []rest.Route {
	return []rest.Route{
		rest.Get("/categories", "List Categories", a.listCategories),
		rest.Post("/categories", "Create Category", a.createCategory),
		rest.Get("/categories/{category-public-id}", "Get Category", a.getCategory),
		rest.Put("/categories/{category-public-id}", "Update Category", a.updateCategory),
		rest.Delete("/categories/{category-public-id}", "Delete Category", a.deleteCategory),
		rest.Get("/categories/{category-public-id}/milestones", "List Category Milestones", a.listCategoryMilestones),
		rest.Get("/categories/{category-public-id}/objectives", "List Category Objectives", a.listCategoryMilestones),

		rest.Get("/custom-fields", "List Custom Fields", a.listCustomFields),
		rest.Get("/custom-fields/{custom-field-public-id}", "Get Custom Field", a.getCustomField),
		rest.Put("/custom-fields/{custom-field-public-id}", "Update Custom Field", a.updateCustomField).ForAdmins().Fails(http.StatusConflict),
		rest.Delete("/custom-fields/{custom-field-public-id}", "Delete Custom Field", a.deleteCustomField).ForAdmins(),

		rest.Get("/documents", "List Documents", a.listDocs),
		rest.Post("/documents", "Create Document", a.createDoc),
		rest.Get("/documents/{doc-public-id}", "Get Document", a.getDoc),
		rest.Put("/documents/{doc-public-id}", "Update Document", a.updateDoc),
		rest.Delete("/documents/{doc-public-id}", "Delete Document", a.deleteDoc),
		rest.Get("/documents/{doc-public-id}/epics", "List Document Epics", a.listDocEpics),
		rest.Put("/documents/{doc-public-id}/epics/{epic-public-id}", "Link Document to Epic", a.linkDoc),
		rest.Delete("/documents/{doc-public-id}/epics/{epic-public-id}", "Unlink Document from Epic", a.unlinkDoc),

		rest.Get("/entity-templates", "List Story Templates", a.listEntityTemplates),
		rest.Post("/entity-templates", "Create Story Template", a.createEntityTemplate),
		rest.Put("/entity-templates/disable", "Disable Story Templates", a.switchFeature(tracker.EntityTemplates, false)).ForAdmins(),
		rest.Put("/entity-templates/enable", "Enable Story Templates", a.switchFeature(tracker.EntityTemplates, true)).ForAdmins(),
		rest.Get("/entity-templates/{entity-template-public-id}", "Get Story Template", a.getEntityTemplate),
		rest.Put("/entity-templates/{entity-template-public-id}", "Update Story Template", a.updateEntityTemplate),
		rest.Delete("/entity-templates/{entity-template-public-id}", "Delete Story Template", a.deleteEntityTemplate),

		rest.Get("/epic-workflow", "Get Epic Workflow", a.getEpicWorkflow),

		rest.Get("/epics", "List Epics", a.listEpics),
		rest.Post("/epics", "Create Epic", a.createEpic),
		rest.Get("/epics/paginated", "List Epics by Page", a.pageEpics),
		rest.Get("/epics/{epic-public-id}", "Get Epic", a.getEpic),
		rest.Put("/epics/{epic-public-id}", "Update Epic", a.updateEpic),
		rest.Delete("/epics/{epic-public-id}", "Delete Epic", a.deleteEpic),
		rest.Get("/epics/{epic-public-id}/comments", "List Epic Comments", a.listEpicComments),
		rest.Post("/epics/{epic-public-id}/comments", "Create Epic Comment", a.createEpicComment),
		rest.Get("/epics/{epic-public-id}/comments/{comment-public-id}", "Get Epic Comment", a.getEpicComment),
		rest.Post("/epics/{epic-public-id}/comments/{comment-public-id}", "Answer Epic Comment", a.answerEpicComment),
		rest.Put("/epics/{epic-public-id}/comments/{comment-public-id}", "Update Epic Comment", a.updateEpicComment),
		rest.Delete("/epics/{epic-public-id}/comments/{comment-public-id}", "Delete Epic Comment", a.deleteEpicComment),
		rest.Get("/epics/{epic-public-id}/documents", "List Epic Documents", a.listEpicDocs),
		rest.Get("/epics/{epic-public-id}/health", "Get Epic Health", a.getEpicHealth),
		rest.Post("/epics/{epic-public-id}/health", "Create Epic Health", a.createEpicHealth),
		rest.Get("/epics/{epic-public-id}/health-history", "List Epic Health", a.listEpicHealth),
		rest.Get("/epics/{epic-public-id}/stories", "List Epic Stories", a.listEpicStories),
		rest.Post("/epics/{epic-public-id}/unlink-{planning-tool}", "Unlink Epic from a Planning Tool", a.unlinkEpic),

		rest.Get("/external-link/stories", "List Stories with an External Link", a.listLinkStories),

		rest.Get("/files", "List Files", a.listFiles),
		rest.Post("/files", "Upload Files", a.createFiles).Receives(Uploads{Service: a.Service}),
		rest.Get("/files/{file-public-id}", "Get File", a.getFile),
		rest.Put("/files/{file-public-id}", "Update File", a.updateFile),
		rest.Delete("/files/{file-public-id}", "Delete File", a.deleteFile),

		rest.Get("/groups", "List Groups", a.listGroups),
		rest.Post("/groups", "Create Group", a.createGroup),
		rest.Put("/groups/disable", "Disable Groups", a.switchFeature(tracker.Groups, false)).ForAdmins(),
		rest.Put("/groups/enable", "Enable Groups", a.switchFeature(tracker.Groups, true)).ForAdmins(),
		rest.Get("/groups/{group-public-id}", "Get Group", a.getGroup),
		rest.Put("/groups/{group-public-id}", "Update Group", a.updateGroup),
		rest.Get("/groups/{group-public-id}/stories", "List Group Stories", a.listGroupStories),

		rest.Put("/health/{health-public-id}", "Update Health", a.updateHealth),

		rest.Post("/integrations/webhook", "Create Generic Integration", a.createWebhook).ForAdmins(),
		rest.Get("/integrations/webhook/{integration-public-id}", "Get Generic Integration", a.getWebhook).ForAdmins(),
		rest.Delete("/integrations/webhook/{integration-public-id}", "Delete Generic Integration", a.deleteWebhook).ForAdmins(),

		rest.Get("/iterations", "List Iterations", a.listIterations),
		rest.Post("/iterations", "Create Iteration", a.createIteration),
		rest.Put("/iterations/disable", "Disable Iterations", a.switchFeature(tracker.Iterations, false)).ForAdmins(),
		rest.Put("/iterations/enable", "Enable Iterations", a.switchFeature(tracker.Iterations, true)).ForAdmins(),
		rest.Get("/iterations/{iteration-public-id}", "Get Iteration", a.getIteration),
		rest.Put("/iterations/{iteration-public-id}", "Update Iteration", a.updateIteration),
		rest.Delete("/iterations/{iteration-public-id}", "Delete Iteration", a.deleteIteration),
		rest.Get("/iterations/{iteration-public-id}/stories", "List Iteration Stories", a.listIterationStories),

		rest.Get("/key-results/{key-result-public-id}", "Get Key Result", a.getKeyResult),
		rest.Put("/key-results/{key-result-public-id}", "Update Key Result", a.updateKeyResult),

		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Get("/labels/{label-public-id}", "Get Label", a.getLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
		rest.Delete("/labels/{label-public-id}", "Delete Label", a.deleteLabel),
		rest.Get("/labels/{label-public-id}/epics", "List Label Epics", a.listLabelEpics),
		rest.Get("/labels/{label-public-id}/stories", "List Label Stories", a.listLabelStories),

		rest.Get("/linked-files", "List Linked Files", a.listLinkedFiles),
		rest.Post("/linked-files", "Create Linked File", a.createLinkedFile),
		rest.Get("/linked-files/{linked-file-public-id}", "Get Linked File", a.getLinkedFile),
		rest.Put("/linked-files/{linked-file-public-id}", "Update Linked File", a.updateLinkedFile),
		rest.Delete("/linked-files/{linked-file-public-id}", "Delete Linked File", a.deleteLinkedFile),

		rest.Get("/member", "Get Current Member Info", a.getSelf),
		rest.Get("/user", "Get Current Member Info (old name)", a.getSelf),
		rest.Get("/members", "List Members", a.listMembers),
		rest.Get("/members/{member-public-id}", "Get Member", a.getMember),

		rest.Get("/milestones", "List Milestones", a.listMilestones),
		rest.Post("/milestones", "Create Milestone", a.createMilestone),
		rest.Get("/milestones/{milestone-public-id}", "Get Milestone", a.getMilestone),
		rest.Put("/milestones/{milestone-public-id}", "Update Milestone", a.updateMilestone),
		rest.Delete("/milestones/{milestone-public-id}", "Delete Milestone", a.deleteMilestone),
		rest.Get("/milestones/{milestone-public-id}/epics", "List Milestone Epics", a.listMilestoneEpics),

		rest.Get("/objectives", "List Objectives", a.listMilestones),
		rest.Post("/objectives", "Create Objective", a.createMilestone),
		rest.Get("/objectives/{objective-public-id}", "Get Objective", a.getObjective),
		rest.Put("/objectives/{objective-public-id}", "Update Objective", a.updateObjective),
		rest.Delete("/objectives/{objective-public-id}", "Delete Objective", a.deleteObjective),
		rest.Get("/objectives/{objective-public-id}/epics", "List Objective Epics", a.listObjectiveEpics),

		rest.Get("/projects", "List Projects", a.listProjects),
		rest.Post("/projects", "Create Project", a.CreateProject),
		rest.Get("/projects/{project-public-id}", "Get Project", a.getProject),
		rest.Put("/projects/{project-public-id}", "Update Project", a.UpdateProject),
		rest.Delete("/projects/{project-public-id}", "Delete Project", a.deleteProject),
		rest.Get("/projects/{project-public-id}/stories", "List Project Stories", a.listProjectStories),

		rest.Get("/repositories", "List Repositories", a.listRepositories),
		rest.Get("/repositories/{repo-public-id}", "Get Repository", a.getRepository),

		a.Bounded(rest.Get("/search", "Search", a.search)),
		a.Bounded(rest.Get("/search/documents", "Search Documents", a.searchDocs)),
		a.Bounded(rest.Get("/search/epics", "Search Epics", onPath("/search/epics", a.searchEpics))),
		a.Bounded(rest.Get("/search/iterations", "Search Iterations", onPath("/search/iterations", a.searchIterations))),
		a.Bounded(rest.Get("/search/milestones", "Search Milestones", onPath("/search/milestones", a.searchMilestones))),
		a.Bounded(rest.Get("/search/objectives", "Search Objectives", onPath("/search/objectives", a.searchMilestones))),
		a.Bounded(rest.Get("/search/stories", "Search Stories by Query", onPath("/search/stories", a.findStories))),

		rest.Post("/stories", "Create Story", a.createStory),
		rest.Delete("/stories/bulk", "Delete Multiple Stories", a.deleteStories),
		rest.Post("/stories/bulk", "Create Multiple Stories", a.createStories),
		rest.Put("/stories/bulk", "Update Multiple Stories", a.updateStories),
		rest.Post("/stories/from-template", "Create Story from Template", a.createStoryFromTemplate),
		rest.Post("/stories/search", "Search Stories", a.searchStories).ReadsOnly(),
		rest.Get("/stories/{story-public-id}", "Get Story", a.getStory),
		rest.Put("/stories/{story-public-id}", "Update Story", a.updateStory),
		rest.Delete("/stories/{story-public-id}", "Delete Story", a.deleteStory),
		rest.Get("/stories/{story-public-id}/comments", "List Story Comments", a.listComments),
		rest.Post("/stories/{story-public-id}/comments", "Create Story Comment", a.createComment),
		rest.Get("/stories/{story-public-id}/comments/{comment-public-id}", "Get Story Comment", a.getComment),
		rest.Put("/stories/{story-public-id}/comments/{comment-public-id}", "Update Story Comment", a.updateComment),
		rest.Delete("/stories/{story-public-id}/comments/{comment-public-id}", "Delete Story Comment", a.deleteComment),
		rest.Post("/stories/{story-public-id}/comments/{comment-public-id}/reactions", "Create Story Reaction", a.addReaction),
		rest.Delete("/stories/{story-public-id}/comments/{comment-public-id}/reactions", "Delete Story Reaction", a.removeReaction),
		rest.Post("/stories/{story-public-id}/comments/{comment-public-id}/unlink-from-slack", "Unlink Comment from Slack", a.unlinkFromSlack),
		rest.Get("/stories/{story-public-id}/history", "Story History", a.storyHistory),
		rest.Get("/stories/{story-public-id}/sub-tasks", "List Story Sub-tasks", a.listSubTasks),
		rest.Get("/stories/{story-public-id}/tasks", "List Story Tasks", a.listTasks),
		rest.Post("/stories/{story-public-id}/tasks", "Create Task", a.createTask),
		rest.Get("/stories/{story-public-id}/tasks/{task-public-id}", "Get Task", a.getTask),
		rest.Put("/stories/{story-public-id}/tasks/{task-public-id}", "Update Task", a.updateTask),
		rest.Delete("/stories/{story-public-id}/tasks/{task-public-id}", "Delete Task", a.deleteTask),

		rest.Post("/story-links", "Create Story Link", a.createStoryLink),
		rest.Get("/story-links/{story-link-public-id}", "Get Story Link", a.getStoryLink),
		rest.Put("/story-links/{story-link-public-id}", "Update Story Link", a.updateStoryLink),
		rest.Delete("/story-links/{story-link-public-id}", "Delete Story Link", a.deleteStoryLink),

		rest.Get("/teams", "List Teams (legacy)", a.listTeams),
		rest.Get("/teams/{team-public-id}", "Get Team (legacy)", a.getTeam),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
		rest.Get("/workflows/{workflow-public-id}", "Get Workflow", a.getWorkflow),
	}
}

// AppURL is the address of a page of the web application.
func (a API) AppURL(by tracker.Actor, kind string, id any) string {
	return by.AppURL(a.PublicURL, kind, id)
}

// color is how a colour is shown.
func (a API) color(kept *string) *string {
	if a.AsKept {
		return kept
	}
	return tracker.HexColor(kept)
}

// globalID names an entity across workspaces: the letter says its kind.
func globalID(by tracker.Actor, letter string, id any) string {
	return "v2:" + letter + ":" + string(by.Workspace) + ":" + tracker.IDText(id)
}

// Each renders a list.
func Each[In, Out any](list []In, render func(In) Out) []Out {
	return appendEach(make([]Out, 0, len(list)), list, render)
}

func appendEach[In, Out any](out []Out, list []In, render func(In) Out) []Out {
	for _, v := range list {
		out = append(out, render(v))
	}
	return out
}
