package api_test

import (
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// beyondContract lists what v3 serves by its description and the wire contract does not know.
var beyondContract = map[string]bool{
	"GET /openapi.json":                    true,
	"GET /stories/{story-public-id}/tasks": true,
	"GET /teams":                           true,
	"GET /teams/{team-public-id}":          true,
	"GET /user":                            true,
	"POST /epics/{epic-public-id}/unlink-{planning-tool}": true,
	"PUT /groups/disable": true,
	"PUT /groups/enable":  true,
}

// TestWireContract holds the answers of every operation of v3 to the contract that its clients were
// made for.
func TestWireContract(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		w := newWorker(t, s)
		w.send(t, work)
		w.hearOfCode(t)
		milestone := w.ids["milestone-public-id"].(float64)
		for _, k := range []tracker.KeyResult{
			newKeyResult(t, s, int64(milestone), tracker.BooleanResult, truth(false), truth(true)),
			newKeyResult(t, s, int64(milestone), tracker.NumericResult, number("1"), number("2.50")),
		} {
			w.ids["key-result-public-id"] = k.ID
			w.send(t, []workRequest{
				{"GET", "/key-results/{key-result-public-id}", "", ""},
				{"PUT", "/key-results/{key-result-public-id}", `{"name":"Sooner"}`, ""},
			})
		}
		w.send(t, wireReads)
		w.send(t, wireWrites)
		w.send(t, wireReads[:wireLists]) // with what is left: deleted, archived, disabled
		for operation := range w.statuses {
			if !w.sent[operation] && !beyondContract[operation] {
				t.Errorf("%s is not held to the contract", operation)
			}
		}
	})
}

// wireLists is how many of wireReads name nothing that wireWrites deletes.
const wireLists = 32

var wireReads = []workRequest{
	{"GET", "/categories", "", ""},
	{"GET", "/custom-fields", "", ""},
	{"GET", "/documents", "", ""},
	{"GET", "/entity-templates", "", ""},
	{"GET", "/epic-workflow", "", ""},
	{"GET", "/epics", "", ""},
	{"GET", "/epics?includes_description=true", "", ""},
	{"GET", "/epics/paginated", "", ""},
	{"GET", "/epics/paginated?includes_description=true&page_size=1", "", ""},
	{"GET", "/external-link/stories?external_link=https://example.com/1", "", ""},
	{"GET", "/files", "", ""},
	{"GET", "/groups", "", ""},
	{"GET", "/iterations", "", ""},
	{"GET", "/labels", "", ""},
	{"GET", "/labels?slim=true", "", ""},
	{"GET", "/linked-files", "", ""},
	{"GET", "/member", "", ""},
	{"GET", "/members", "", ""},
	{"GET", "/milestones", "", ""},
	{"GET", "/objectives", "", ""},
	{"GET", "/projects", "", ""},
	{"GET", "/search?query=is:story+OR+is:epic+OR+created:*..2030-01-01&entity_types=story&entity_types=epic&entity_types=iteration&entity_types=milestone", "", ""},
	{"GET", "/search?query=created:*..2030-01-01&detail=slim&entity_types=story&entity_types=epic&entity_types=iteration&entity_types=milestone", "", ""},
	{"GET", "/search/documents?title=pla&page_size=1", "", ""},
	{"GET", "/repositories", "", ""},
	{"GET", "/search/epics?query=is:epic&page_size=1", "", ""},
	{"GET", "/search/iterations?query=created:*..2030-01-01", "", ""},
	{"GET", "/search/milestones?query=created:*..2030-01-01", "", ""},
	{"GET", "/search/objectives?query=created:*..2030-01-01", "", ""},
	{"GET", "/search/stories?query=is:story&page_size=1", "", ""},
	{"GET", "/workflows", "", ""},
	{"POST", "/stories/search", `{"includes_description":true}`, ""},

	{"GET", "/categories/{category-public-id}", "", ""},
	{"GET", "/categories/{category-public-id}/milestones", "", ""},
	{"GET", "/categories/{category-public-id}/objectives", "", ""},
	{"GET", "/custom-fields/{custom-field-public-id}", "", ""},
	{"GET", "/documents/{doc-public-id}", "", ""},
	{"GET", "/documents/{doc-public-id}?content_format=html", "", ""},
	{"GET", "/documents/{doc-public-id}/epics", "", ""},
	{"GET", "/entity-templates/{entity-template-public-id}", "", ""},
	{"GET", "/epics/{epic-public-id}", "", ""},
	{"GET", "/epics/{epic-public-id}/comments", "", ""},
	{"GET", "/epics/{epic-public-id}/comments/{comment-public-id:epic-comment}", "", ""},
	{"GET", "/epics/{epic-public-id}/documents", "", ""},
	{"GET", "/epics/{epic-public-id}/health", "", ""},
	{"GET", "/epics/{epic-public-id}/health-history", "", ""},
	{"GET", "/epics/{epic-public-id}/stories?includes_description=true", "", ""},
	{"GET", "/files/{file-public-id}", "", ""},
	{"GET", "/groups/{group-public-id}", "", ""},
	{"GET", "/groups/{group-public-id}/stories", "", ""},
	{"GET", "/integrations/webhook/{integration-public-id}", "", ""},
	{"GET", "/iterations/{iteration-public-id}", "", ""},
	{"GET", "/iterations/{iteration-public-id}/stories?includes_description=true", "", ""},
	{"GET", "/labels/{label-public-id}", "", ""},
	{"GET", "/labels/{label-public-id}/epics", "", ""},
	{"GET", "/labels/{label-public-id}/stories?includes_description=true", "", ""},
	{"GET", "/linked-files/{linked-file-public-id}", "", ""},
	{"GET", "/members/{member-public-id}", "", ""},
	{"GET", "/milestones/{milestone-public-id}", "", ""},
	{"GET", "/milestones/{milestone-public-id}/epics", "", ""},
	{"GET", "/objectives/{objective-public-id}", "", ""},
	{"GET", "/objectives/{objective-public-id:milestone-public-id}/epics", "", ""},
	{"GET", "/projects/{project-public-id}", "", ""},
	{"GET", "/projects/{project-public-id}/stories?includes_description=true", "", ""},
	{"GET", "/repositories/{repo-public-id}", "", ""},
	{"GET", "/stories/{story-public-id}", "", ""},
	{"GET", "/stories/{story-public-id:templated}", "", ""},
	{"GET", "/stories/{story-public-id:blocker}", "", ""},
	{"GET", "/stories/{story-public-id}/comments", "", ""},
	{"GET", "/stories/{story-public-id}/comments/{comment-public-id}", "", ""},
	{"GET", "/stories/{story-public-id}/history", "", ""},
	{"GET", "/stories/{story-public-id:blocker}/history", "", ""},
	{"GET", "/stories/{story-public-id}/sub-tasks", "", ""},
	{"GET", "/stories/{story-public-id}/tasks/{task-public-id}", "", ""},
	{"GET", "/story-links/{story-link-public-id}", "", ""},
	{"GET", "/workflows/{workflow-public-id}", "", ""},
}

// wireWrites changes and deletes what work made, each after the last request that needs it.
var wireWrites = []workRequest{
	{"POST", "/api/app/workflows/{workflow-public-id}/states", `{"name":"Later","type":"backlog","color":"#123abc","verb":"park","description":"Not now"}`, ""},
	{"POST", "/api/app/epic-workflow/states", `{"name":"later","type":"unstarted","color":"#abc123","description":"Not yet"}`, ""},
	{"DELETE", "/integrations/webhook/{integration-public-id}", "", ""},
	{"PUT", "/files/{file-public-id}", `{"description":""}`, ""},
	{"DELETE", "/files/{file-public-id}", "", ""},
	{"PUT", "/linked-files/{linked-file-public-id}", `{"name":"Old plan","description":"","story_id":{blocker}}`, ""},
	{"GET", "/stories/{story-public-id:blocker}/history", "", ""},
	{"DELETE", "/linked-files/{linked-file-public-id}", "", ""},
	{"GET", "/stories/{story-public-id}/history", "", ""},
	{"PUT", "/documents/{doc-public-id}", `{"title":"Old plans","content":"<p>Gone</p>"}`, ""},
	{"DELETE", "/documents/{doc-public-id}/epics/{epic-public-id}", "", ""},
	{"DELETE", "/documents/{doc-public-id}", "", ""},
	{"PUT", "/story-links/{story-link-public-id}", `{"verb":"duplicates"}`, ""},
	{"DELETE", "/story-links/{story-link-public-id}", "", ""},
	{"POST", "/stories/{story-public-id}/comments/{comment-public-id}/unlink-from-slack", "", ""},
	{"PUT", "/stories/{story-public-id}/comments/{comment-public-id}", `{"text":"Stuck no more"}`, ""},
	{"DELETE", "/stories/{story-public-id}/comments/{comment-public-id}/reactions", `{"emoji":":thumbsup:"}`, ""},
	{"DELETE", "/stories/{story-public-id}/comments/{comment-public-id}", "", ""},
	{"GET", "/stories/{story-public-id}/comments", "", ""},
	{"DELETE", "/stories/{story-public-id}/tasks/{task-public-id}", "", ""},
	{"POST", "/stories/bulk", `{"stories":[{"name":"First"},{"name":"Second","labels":[{"name":"warm"}],"tasks":[{"description":"Do"}]}]}`, ""},
	{"PUT", "/stories/bulk", `{"story_ids":[{story-public-id},{templated}],"archived":true,"labels_add":[{"name":"cold"}],"custom_fields_remove":[
		{"field_id":"{custom-field-public-id}","value_id":"{highest}"}],"estimate":null,"deadline":null,"group_id":null,"iteration_id":null,"epic_id":null}`, ""},
	{"GET", "/stories/{story-public-id}/history", "", ""},
	{"GET", "/stories/{story-public-id}", "", ""},
	{"DELETE", "/stories/bulk", `{"story_ids":[{templated}]}`, ""},
	{"GET", "/stories/{story-public-id}/history", "", ""},
	{"DELETE", "/stories/{story-public-id}", "", ""},
	{"PUT", "/iterations/{iteration-public-id}", `{"name":"Second sprint","labels":[],"group_ids":[]}`, ""},
	{"DELETE", "/iterations/{iteration-public-id}", "", ""},
	{"PUT", "/iterations/disable", "", ""},
	{"PUT", "/iterations/enable", "", ""},
	{"PUT", "/health/{health-public-id}", `{"text":"Better"}`, ""},
	{"PUT", "/epics/{epic-public-id}/comments/{comment-public-id:epic-comment}", `{"text":"Hello again"}`, ""},
	{"DELETE", "/epics/{epic-public-id}/comments/{comment-public-id:epic-comment}", "", ""},
	{"GET", "/epics/{epic-public-id}/comments", "", ""},
	{"GET", "/epics/{epic-public-id}", "", ""},
	{"PUT", "/epics/{epic-public-id}", `{"archived":true,"deadline":null,"planned_start_date":null,"labels":[],"group_ids":[],"objective_ids":[]}`, ""},
	{"DELETE", "/epics/{epic-public-id}", "", ""},
	{"PUT", "/milestones/{milestone-public-id}", `{"state":"done","categories":[]}`, ""},
	{"DELETE", "/milestones/{milestone-public-id}", "", ""},
	{"POST", "/milestones", `{"name":"Another","categories":[{"name":"Growth"}]}`, "milestone-public-id"},
	{"PUT", "/objectives/{objective-public-id}", `{"archived":true}`, ""},
	{"DELETE", "/objectives/{objective-public-id}", "", ""},
	{"POST", "/categories", `{"name":"new"}`, ""},
	{"PUT", "/categories/{category-public-id}", `{"color":null}`, ""},
	{"DELETE", "/categories/{category-public-id}", "", ""},
	{"POST", "/labels", `{"name":"new"}`, ""},
	{"PUT", "/labels/{label-public-id}", `{"archived":true,"color":null}`, ""},
	{"DELETE", "/labels/{label-public-id}", "", ""},
	{"PUT", "/entity-templates/{entity-template-public-id}", `{"name":"Chore","story_contents":{"story_type":"chore","estimate":null}}`, ""},
	{"DELETE", "/entity-templates/{entity-template-public-id}", "", ""},
	{"POST", "/entity-templates", `{"name":"Empty","story_contents":{}}`, ""},
	{"PUT", "/entity-templates/disable", "", ""},
	{"PUT", "/entity-templates/enable", "", ""},
	{"PUT", "/groups/{group-public-id}", `{"archived":true,"color":null}`, ""},
	{"POST", "/projects", `{"name":"Plain","team_id":{team-public-id}}`, "plain"},
	{"PUT", "/projects/{project-public-id}", `{"archived":true}`, ""},
	{"DELETE", "/projects/{project-public-id:plain}", "", ""},
	{"DELETE", "/custom-fields/{custom-field-public-id}", "", ""},
}
