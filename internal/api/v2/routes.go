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

		rest.Get("/epics", "List Epics", a.listEpics),
		rest.Post("/epics", "Create Epic", a.createEpic),
		rest.Get("/epics/{epic-public-id}", "Get Epic", a.getEpic),
		rest.Put("/epics/{epic-public-id}", "Update Epic", a.updateEpic),
		rest.Delete("/epics/{epic-public-id}", "Delete Epic", a.deleteEpic),
		rest.Get("/epics/{epic-public-id}/comments", "List Epic Comments", a.listEpicComments),
		rest.Post("/epics/{epic-public-id}/comments", "Create Epic Comment", a.createEpicComment),
		rest.Post("/epics/{epic-public-id}/comments/{comment-public-id}", "Answer Epic Comment", a.answerEpicComment),
		rest.Put("/epics/{epic-public-id}/comments/{comment-public-id}", "Update Epic Comment", a.updateEpicComment),
		rest.Delete("/epics/{epic-public-id}/comments/{comment-public-id}", "Delete Epic Comment", a.deleteEpicComment),

		rest.Get("/files", "List Files", a.listFiles),
		rest.Post("/files", "Upload Files", a.createFiles).Receives(v3.Uploads{Service: a.Service}),
		rest.Get("/files/{file-public-id}", "Get File", a.getFile),
		rest.Put("/files/{file-public-id}", "Update File", a.updateFile),
		rest.Delete("/files/{file-public-id}", "Delete File", a.deleteFile),

		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Get("/labels/{label-public-id}", "Get Label", a.getLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
		rest.Delete("/labels/{label-public-id}", "Delete Label", a.deleteLabel),

		rest.Get("/linked-files", "List Linked Files", a.listLinkedFiles),
		rest.Post("/linked-files", "Create Linked File", a.createLinkedFile),
		rest.Get("/linked-files/{linked-file-public-id}", "Get Linked File", a.getLinkedFile),
		rest.Put("/linked-files/{linked-file-public-id}", "Update Linked File", a.updateLinkedFile),
		rest.Delete("/linked-files/{linked-file-public-id}", "Delete Linked File", a.deleteLinkedFile),

		rest.Get("/members", "List Members", a.listMembers),
		rest.Get("/members/{member-public-id}", "Get Member", a.getMember),

		rest.Get("/milestones", "List Milestones", a.listMilestones),
		rest.Post("/milestones", "Create Milestone", a.createMilestone),
		rest.Get("/milestones/{milestone-public-id}", "Get Milestone", a.getMilestone),
		rest.Put("/milestones/{milestone-public-id}", "Update Milestone", a.updateMilestone),
		rest.Delete("/milestones/{milestone-public-id}", "Delete Milestone", a.deleteMilestone),
		rest.Get("/milestones/{milestone-public-id}/epics", "List Milestone Epics", a.listMilestoneEpics),

		rest.Get("/projects", "List Projects", a.listProjects),
		rest.Post("/projects", "Create Project", a.createProject),
		rest.Get("/projects/{project-public-id}", "Get Project", a.getProject),
		rest.Put("/projects/{project-public-id}", "Update Project", a.updateProject),
		rest.Delete("/projects/{project-public-id}", "Delete Project", a.deleteProject),
		rest.Get("/projects/{project-public-id}/stories", "List Project Stories", a.listProjectStories),

		rest.Get("/repositories", "List Repositories", a.listRepositories),
		rest.Get("/repositories/{repo-public-id}", "Get Repository", a.getRepository),

		a.Bounded(rest.Get("/search/epics", "Search Epics", a.searchEpics)),
		a.Bounded(rest.Get("/search/stories", "Search Stories by Query", a.findStories)),

		rest.Post("/stories", "Create Story", a.createStory),
		rest.Delete("/stories/bulk", "Delete Multiple Stories", a.deleteStories),
		rest.Post("/stories/bulk", "Create Multiple Stories", a.createStories),
		rest.Put("/stories/bulk", "Update Multiple Stories", a.updateStories),
		rest.Post("/stories/search", "Search Stories", a.searchStories).ReadsOnly(),
		rest.Get("/stories/{story-public-id}", "Get Story", a.getStory),
		rest.Put("/stories/{story-public-id}", "Update Story", a.updateStory),
		rest.Delete("/stories/{story-public-id}", "Delete Story", a.deleteStory),
		rest.Get("/stories/{story-public-id}/comments", "List Story Comments", a.listComments),
		rest.Post("/stories/{story-public-id}/comments", "Create Story Comment", a.createComment),
		rest.Get("/stories/{story-public-id}/comments/{comment-public-id}", "Get Story Comment", a.getComment),
		rest.Put("/stories/{story-public-id}/comments/{comment-public-id}", "Update Story Comment", a.updateComment),
		rest.Delete("/stories/{story-public-id}/comments/{comment-public-id}", "Delete Story Comment", a.deleteComment),
		rest.Post("/stories/{story-public-id}/tasks", "Create Task", a.createTask),
		rest.Get("/stories/{story-public-id}/tasks/{task-public-id}", "Get Task", a.getTask),
		rest.Put("/stories/{story-public-id}/tasks/{task-public-id}", "Update Task", a.updateTask),
		rest.Delete("/stories/{story-public-id}/tasks/{task-public-id}", "Delete Task", a.deleteTask),

		rest.Post("/story-links", "Create Story Link", a.createStoryLink),
		rest.Get("/story-links/{story-link-public-id}", "Get Story Link", a.getStoryLink),
		rest.Delete("/story-links/{story-link-public-id}", "Delete Story Link", a.deleteStoryLink),

		rest.Get("/teams", "List Teams", a.listTeams),
		rest.Get("/teams/{team-public-id}", "Get Team", a.getTeam),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
	}
}
