package api_test

import (
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// goldenWork lists an answer of each resource of the planning side and of stories, in v3 and, where
// it differs, in the earlier versions.
var goldenWork = []goldenAnswer{
	{"v3", "/categories/{category-public-id}/milestones", "", "category-milestones"},
	{"v3", "/categories/{category-public-id}/objectives", "", "category-milestones"},
	{"v3", "/custom-fields", "/custom-fields/%v", "custom-fields"},
	{"v3", "/documents", "", "documents"},
	{"v3", "/documents/{doc-public-id}?content_format=html", "", "document"},
	{"v3", "/documents/{doc-public-id}/epics", "", "document-epics"},
	{"v3", "/entity-templates", "/entity-templates/%v", "entity-templates"},
	{"v3", "/epics", "", "epics"},
	{"v3", "/epics/paginated", "", "epics-paginated"},
	{"v3", "/epics/{epic-public-id}", "", "epic"},
	{"v3", "/epics/{epic-public-id}/comments", "", "epic-comments"},
	{"v3", "/epics/{epic-public-id}/documents", "", "documents-linked"},
	{"v3", "/epics/{epic-public-id}/health", "", "epic-health"},
	{"v3", "/epics/{epic-public-id}/health-history", "", "epic-health-history"},
	{"v3", "/files", "/files/%v", "files"},
	{"v3", "/groups", "/groups/%v", "groups"},
	{"v3", "/integrations/webhook/{integration-public-id}", "", "integration"},
	{"v3", "/iterations", "/iterations/%v", "iterations"},
	{"v3", "/key-results/{key-result-public-id}", "", "key-result"},
	{"v3", "/linked-files", "/linked-files/%v", "linked-files"},
	{"v3", "/milestones", "/milestones/%v", "milestones"},
	{"v3", "/objectives", "/objectives/%v", "milestones"},
	{"v3", "/projects", "/projects/%v", "projects"},
	{"v3", "/projects/{project-public-id}/stories", "", "stories"},
	{"v3", "/repositories", "/repositories/%v", "repositories"},
	{"v3", "/projects/{project-public-id}/stories?includes_description=true", "", "stories-with-descriptions"},
	{"v3", "/search?query=created:*..2030-01-01&entity_types=story&entity_types=epic&entity_types=iteration&entity_types=milestone", "", "search"},
	{"v3", "/search?query=is:story&detail=slim&page_size=1", "", "search-slim"},
	{"v3", "/search/documents?title=pla", "", "search-documents"},
	{"v3", "/search/epics?query=is:epic", "", "search-epics"},
	{"v3", "/search/iterations?query=created:*..2030-01-01", "", "search-iterations"},
	{"v3", "/search/milestones?query=created:*..2030-01-01", "", "search-milestones"},
	{"v3", "/search/objectives?query=created:*..2030-01-01", "", "search-milestones"},
	{"v3", "/search/stories?query=is:story&page_size=1", "", "search-stories"},
	{"v3", "/stories/{story-public-id}", "", "story"},
	{"v3", "/stories/{story-public-id}/comments", "", "story-comments"},
	{"v3", "/stories/{story-public-id}/history", "", "story-history"},
	{"v3", "/stories/{story-public-id}/sub-tasks", "", "story-sub-tasks"},
	{"v3", "/stories/{story-public-id}/tasks", "", "story-tasks"},
	{"v3", "/story-links/{story-link-public-id}", "", "story-link"},

	{"v2", "/epics", "/epics/%v", "epics"},
	{"v2", "/epics/{epic-public-id}/comments", "", "epic-comments"},
	{"v2", "/files", "/files/%v", "files"},
	{"v2", "/linked-files", "/linked-files/%v", "linked-files"},
	{"v2", "/milestones", "/milestones/%v", "milestones"},
	{"v2", "/milestones/{milestone-public-id}/epics", "", "milestone-epics"},
	{"v2", "/projects", "/projects/%v", "projects"},
	{"v2", "/projects/{project-public-id}/stories", "", "stories"},
	{"v2", "/repositories", "/repositories/%v", "repositories"},
	{"v2", "/search/epics?query=is:epic", "", "search-epics"},
	{"v2", "/search/stories?query=is:story&page_size=1", "", "search-stories"},
	{"v2", "/stories/{story-public-id}", "", "story"},
	{"v2", "/stories/{story-public-id}/comments", "", "story-comments"},
	{"v2", "/stories/{story-public-id}/comments/{comment-public-id}", "", "story-comment"},
	{"v2", "/stories/{story-public-id}/tasks/{task-public-id}", "", "story-task"},
	{"v2", "/story-links/{story-link-public-id}", "", "story-link"},

	{"v1", "/epics", "/epics/%v", "epics"},
	{"v1", "/files", "/files/%v", "files"},
	{"v1", "/linked-files", "/linked-files/%v", "linked-files"},
	{"v1", "/projects", "/projects/%v", "projects"},
	{"v1", "/projects/{project-public-id}/stories", "/stories/%v", "stories"},
	{"v1", "/stories/{story-public-id}/comments/{comment-public-id}", "", "story-comment"},
	{"v1", "/stories/{story-public-id}/tasks/{task-public-id}", "", "story-task"},
	{"v1", "/story-links/{story-link-public-id}", "", "story-link"},

	{"beta", "/categories/{category-public-id}/milestones", "", "category-milestones"},
	{"beta", "/categories/{category-public-id}/objectives", "", "category-milestones"},
	{"beta", "/custom-fields", "/custom-fields/%v", "custom-fields"},
	{"beta", "/documents", "", "documents"},
	{"beta", "/documents/{doc-public-id}?content_format=html", "", "document"},
	{"beta", "/documents/{doc-public-id}/epics", "", "document-epics"},
	{"beta", "/entity-templates", "/entity-templates/%v", "entity-templates"},
	{"beta", "/epics/paginated", "", "epics-paginated"},
	{"beta", "/epics/{epic-public-id}", "", "epic"},
	{"beta", "/epics/{epic-public-id}/comments", "", "epic-comments"},
	{"beta", "/epics/{epic-public-id}/health", "", "epic-health"},
	{"beta", "/files", "/files/%v", "files"},
	{"beta", "/groups", "/groups/%v", "groups"},
	{"beta", "/integrations/webhook/{integration-public-id}", "", "integration"},
	{"beta", "/iterations", "/iterations/%v", "iterations"},
	{"beta", "/key-results/{key-result-public-id}", "", "key-result"},
	{"beta", "/linked-files", "/linked-files/%v", "linked-files"},
	{"beta", "/milestones", "/milestones/%v", "milestones"},
	{"beta", "/objectives", "/objectives/%v", "milestones"},
	{"beta", "/projects", "/projects/%v", "projects"},
	{"beta", "/projects/{project-public-id}/stories", "", "stories"},
	{"beta", "/search?query=created:*..2030-01-01&entity_types=milestone", "", "search"},
	{"beta", "/search/documents?title=pla", "", "search-documents"},
	{"beta", "/repositories", "/repositories/%v", "repositories"},
	{"beta", "/search/epics?query=is:epic", "", "search-epics"},
	{"beta", "/search/iterations?query=created:*..2030-01-01", "", "search-iterations"},
	{"beta", "/search/milestones?query=created:*..2030-01-01", "", "search-milestones"},
	{"beta", "/search/objectives?query=created:*..2030-01-01", "", "search-milestones"},
	{"beta", "/search/stories?query=is:story&page_size=1", "", "search-stories"},
	{"beta", "/stories/{story-public-id}", "", "story"},
	{"beta", "/stories/{story-public-id}/comments", "", "story-comments"},
	{"beta", "/stories/{story-public-id}/history", "", "story-history"},
	{"beta", "/stories/{story-public-id}/tasks", "", "story-tasks"},
	{"beta", "/story-links/{story-link-public-id}", "", "story-link"},
}

// TestGoldenWork does for the planning side and stories what TestGoldenAnswers does for the rest.
func TestGoldenWork(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := newWorker(t, s)
		w.send(t, work)
		w.hearOfCode(t)
		milestone := w.ids["milestone-public-id"].(float64)
		w.ids["key-result-public-id"] = newKeyResult(t, s, int64(milestone), tracker.NumericResult, number("1"), number("2.50")).ID
		for _, g := range goldenWork {
			g.check(t, s, func(path string) string { return w.named(t, path) })
		}
	})
}
