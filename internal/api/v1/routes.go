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
		rest.Get("/epics", "List Epics", knowing(a, a.listEpics)),
		rest.Post("/epics", "Create Epic", knowing(a, a.createEpic)),
		rest.Get("/epics/{epic-public-id}", "Get Epic", knowing(a, a.getEpic)),
		rest.Put("/epics/{epic-public-id}", "Update Epic", knowing(a, a.updateEpic)),
		rest.Delete("/epics/{epic-public-id}", "Delete Epic", a.deleteEpic),

		rest.Get("/files", "List Files", knowing(a, a.listFiles)),
		rest.Get("/files/{file-public-id}", "Get File", knowing(a, a.getFile)),
		rest.Put("/files/{file-public-id}", "Update File", knowing(a, a.updateFile)),
		rest.Delete("/files/{file-public-id}", "Delete File", a.deleteFile),

		rest.Get("/labels", "List Labels", a.listLabels),
		rest.Post("/labels", "Create Label", a.createLabel),
		rest.Put("/labels/{label-public-id}", "Update Label", a.updateLabel),
		rest.Delete("/labels/{label-public-id}", "Delete Label", a.deleteLabel),

		rest.Get("/linked-files", "List Linked Files", knowing(a, a.listLinkedFiles)),
		rest.Post("/linked-files", "Create Linked File", knowing(a, a.createLinkedFile)),
		rest.Get("/linked-files/{linked-file-public-id}", "Get Linked File", knowing(a, a.getLinkedFile)),
		rest.Put("/linked-files/{linked-file-public-id}", "Update Linked File", knowing(a, a.updateLinkedFile)),
		rest.Delete("/linked-files/{linked-file-public-id}", "Delete Linked File", a.deleteLinkedFile),

		rest.Get("/projects", "List Projects", knowing(a, a.listProjects)),
		rest.Post("/projects", "Create Project", knowing(a, a.createProject)),
		rest.Get("/projects/{project-public-id}", "Get Project", knowing(a, a.getProject)),
		rest.Put("/projects/{project-public-id}", "Update Project", knowing(a, a.updateProject)),
		rest.Delete("/projects/{project-public-id}", "Delete Project", a.deleteProject),
		rest.Get("/projects/{project-public-id}/stories", "List Project Stories", knowing(a, a.listProjectStories)),

		rest.Post("/stories", "Create Story", knowing(a, a.createStory)),
		rest.Post("/stories/bulk", "Create Multiple Stories", knowing(a, a.createStories)),
		rest.Put("/stories/bulk", "Update Multiple Stories", knowing(a, a.updateStories)),
		rest.Post("/stories/search", "Search Stories", knowing(a, a.searchStories)).ReadsOnly(),
		rest.Get("/stories/{story-public-id}", "Get Story", knowing(a, a.getStory)),
		rest.Put("/stories/{story-public-id}", "Update Story", knowing(a, a.updateStory)),
		rest.Delete("/stories/{story-public-id}", "Delete Story", a.deleteStory),
		rest.Post("/stories/{story-public-id}/comments", "Create Story Comment", knowing(a, a.createComment)),
		rest.Get("/stories/{story-public-id}/comments/{comment-public-id}", "Get Story Comment", knowing(a, a.getComment)),
		rest.Put("/stories/{story-public-id}/comments/{comment-public-id}", "Update Story Comment", knowing(a, a.updateComment)),
		rest.Delete("/stories/{story-public-id}/comments/{comment-public-id}", "Delete Story Comment", a.deleteComment),
		rest.Post("/stories/{story-public-id}/tasks", "Create Task", knowing(a, a.createTask)),
		rest.Get("/stories/{story-public-id}/tasks/{task-public-id}", "Get Task", knowing(a, a.getTask)),
		rest.Put("/stories/{story-public-id}/tasks/{task-public-id}", "Update Task", knowing(a, a.updateTask)),
		rest.Delete("/stories/{story-public-id}/tasks/{task-public-id}", "Delete Task", a.deleteTask),

		rest.Post("/story-links", "Create Story Link", a.createStoryLink),
		rest.Get("/story-links/{story-link-public-id}", "Get Story Link", a.getStoryLink),
		rest.Delete("/story-links/{story-link-public-id}", "Delete Story Link", a.deleteStoryLink),

		rest.Get("/users", "List Users", a.listUsers).SucceededBy("/members"),
		rest.Get("/users/{user-public-id}", "Get User", a.getUser).SucceededBy("/members"),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
	}
}
