package api_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"milepost/internal/api"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// A workRequest is a request as the route table of v3 has it, or of another version under /api. In
// its path and its body {name} stands for an id, as does {wildcard:name} where the wildcard of the
// path is called otherwise; the id that it answers with gets a name too, if any.
type workRequest struct{ method, path, body, names string }

// worker sends requests of v3 and holds the answers to the wire contract.
type worker struct {
	s        *testkit.Server
	ids      map[string]any
	statuses map[string]int  // of v3's operations
	sent     map[string]bool // operations of v3
}

func newWorker(t *testing.T, s *testkit.Server) *worker {
	t.Helper()
	w := &worker{s: s, ids: map[string]any{}, statuses: map[string]int{}, sent: map[string]bool{}}
	for _, r := range api.Versions(api.Config{})[0].Routes {
		w.statuses[r.Method+" "+r.Path] = r.Status
	}
	states, priority := stateIDs(t, s), builtIn(t, s.Owner, "priority")
	for name, id := range map[string]any{
		"member-public-id": s.Owner.Member.ID, "mia": s.NewMember(t, s.Owner, "mia", tracker.Regular).Member.ID,
		"workflow-public-id": defaultWorkflow(t, s).ID, "team-public-id": defaultWorkflow(t, s).TeamID,
		"custom-field-public-id": priority.ID, "highest": priority.value(t, "Highest"),
		"developing": states["In Development"], "completed": states["Completed"], "in-progress": states["in progress"],
	} {
		w.ids[name] = id
	}
	return w
}

var idName = regexp.MustCompile(`\{([a-z-]+?)(:[a-z-]+)?\}`)

// named puts the ids in the place of their names.
func (w *worker) named(t *testing.T, text string) string {
	t.Helper()
	return idName.ReplaceAllStringFunc(text, func(match string) string {
		name := strings.Trim(match[strings.IndexAny(match, ":")+1:], "{}")
		id, ok := w.ids[name]
		if !ok {
			t.Fatalf("%s: nothing has the name %s", text, name)
		}
		return fmt.Sprint(numberOf(id))
	})
}

// send sends the requests a minute apart.
func (w *worker) send(t *testing.T, requests []workRequest) {
	t.Helper()
	for _, r := range requests {
		w.s.Clock.Advance(60e9)
		path, _, _ := strings.Cut(r.path, "?")
		path = idName.ReplaceAllString(path, "{$1}")
		operation := r.method + " " + path
		var body any
		if r.body != "" {
			body = w.named(t, r.body)
		}
		a := w.do(t, r, body)
		if strings.HasPrefix(r.path, "/api/") {
			if a.Status >= 300 {
				t.Fatalf("%s %s %v: %d %s", r.method, r.path, body, a.Status, a.Text)
			}
		} else {
			status := w.statuses[operation]
			if a.Status != status {
				t.Fatalf("%s %s %v: %d, want %d: %s", r.method, r.path, body, a.Status, status, a.Text)
			}
			if !beyondContract[operation] {
				testkit.ValidWire(t, r.method, path, status, a.Text)
			}
			w.sent[operation] = true
		}
		if r.names != "" {
			w.ids[r.names] = idIn(t, a)
		}
	}
}

// hearOfCode lets a version-control service tell of all that it can tell of the story.
func (w *worker) hearOfCode(t *testing.T) {
	t.Helper()
	story := int64(w.ids["story-public-id"].(float64))
	v := newVCSSender(t, w.s, w.s.Owner, "github", `[{"event":"branch-created","branch":"*/pump","workflow_state_id":`+fmt.Sprint(w.ids["developing"])+`}]`, story)
	for _, step := range []string{"branch", "commit", "opened", "labeled", "requested", "reviewed", "built", "merged", "deleted"} {
		w.s.Clock.Advance(60e9)
		v.tell(t, step)
	}
	w.ids["repo-public-id"] = w.s.Owner.Want(t, 200, "GET", "/repositories", nil).List(t)[0]["id"]
}

// do sends the request; the body of an upload is the content of a file that is attached to the story.
func (w *worker) do(t *testing.T, r workRequest, body any) testkit.Answer {
	t.Helper()
	if r.method == "POST" && strings.HasSuffix(r.path, "/files") && !strings.HasSuffix(r.path, "/linked-files") {
		return w.s.Owner.UploadForm(t, r.path, testkit.Part{Field: "story_id", Content: w.named(t, "{story-public-id}")},
			testkit.Part{Field: "file0", Name: "Drawing.png", ContentType: "image/png", Content: body.(string)})
	}
	return w.s.Owner.Do(t, r.method, w.named(t, r.path), body)
}

// idIn is the id of what was answered, or of the first in a list.
func idIn(t *testing.T, a testkit.Answer) any {
	t.Helper()
	if strings.HasPrefix(a.Text, "[") {
		return a.List(t)[0]["id"]
	}
	return a.Object(t)["id"]
}

// work fills every field of the planning side and of stories with something: what beta alone takes,
// such as other forms of colours, included.
var work = []workRequest{
	{"PUT", "/custom-fields/{custom-field-public-id}", `{"enabled":true,"description":"How soon","icon_set_identifier":"flag"}`, ""},
	{"POST", "/groups", `{"name":"Crew","mention_name":"crew","description":"All hands","color_key":"blue","member_ids":["{mia}"]}`, "group-public-id"},
	{"PUT", "/api/beta/groups/{group-public-id}", `{"color":"rgb(1, 2, 3)"}`, ""},
	{"POST", "/api/beta/projects", `{"name":"Engine","team_id":{team-public-id},"color":"hsla(120, 100%, 25%, 0.5)","abbreviation":"eng",
		"description":"Under the hood","external_id":"p-1","follower_ids":["{mia}"],"start_time":"2026-01-01T00:00:00Z"}`, "project-public-id"},
	{"POST", "/api/beta/categories", `{"type":"milestone","name":"Growth","color":"rgb(255, 0, 128)","external_id":"c-1"}`, "category-public-id"},
	{"POST", "/api/beta/milestones", `{"name":"Launch","description":"Out of the door","state":"in progress","started_at_override":"2026-01-02T00:00:00Z",
		"completed_at_override":"2026-02-02T00:00:00Z","categories":[{"name":"Growth"},{"name":"Reach","type":"milestone","color":"#abc"}]}`, "milestone-public-id"},
	{"POST", "/objectives", `{"name":"Plain"}`, "objective-public-id"},
	{"POST", "/api/beta/labels", `{"name":"warm","color":"hsl(120, 100%, 25%)","external_id":"l-1","description":"Server side"}`, "label-public-id"},
	{"POST", "/epics", `{"name":"Engine room","description":"Ask [@mia](milepost://members/{mia})","epic_state_id":{in-progress},"external_id":"e-1",
		"deadline":"2026-03-01T00:00:00Z","planned_start_date":"2026-01-04T00:00:00Z","follower_ids":["{mia}"],"owner_ids":["{member-public-id}"],
		"group_ids":["{group-public-id}"],"objective_ids":[{milestone-public-id}],"labels":[{"name":"warm"}]}`, "epic-public-id"},
	{"POST", "/epics/{epic-public-id}/comments", `{"text":"Hello [@crew](milepost://groups/{group-public-id})","external_id":"ec-1"}`, "epic-comment"},
	{"POST", "/epics/{epic-public-id}/comments/{comment-public-id:epic-comment}", `{"text":"Hello yourself"}`, ""},
	{"POST", "/epics/{epic-public-id}/health", `{"status":"At Risk","text":"Late"}`, ""},
	{"POST", "/epics/{epic-public-id}/health", `{"status":"On Track"}`, "health-public-id"},
	{"POST", "/iterations", `{"name":"Sprint","description":"With [@mia](milepost://members/{mia})","start_date":"2026-01-05","end_date":"2026-01-16",
		"follower_ids":["{mia}"],"group_ids":["{group-public-id}"],"labels":[{"name":"warm"}]}`, "iteration-public-id"},
	{"POST", "/entity-templates", `{"name":"Bug","story_contents":{"name":"Broken","description":"It broke","story_type":"bug","estimate":2,
		"deadline":"2026-02-01T10:00:00Z","workflow_state_id":{developing},"project_id":{project-public-id},"epic_id":{epic-public-id},
		"iteration_id":{iteration-public-id},"group_id":"{group-public-id}","owner_ids":["{mia}"],"follower_ids":["{mia}"],
		"external_links":["https://example.com/1"],"labels":[{"name":"warm"}],"custom_fields":[{"field_id":"{custom-field-public-id}","value_id":"{highest}"}],
		"tasks":[{"description":"Find it","owner_ids":["{mia}"],"external_id":"t-1"}],
		"sub_tasks":[{"name":"Part","owner_ids":["{mia}"],"workflow_state_id":{developing}}]}}`, "entity-template-public-id"},
	{"POST", "/stories", `{"name":"In the way"}`, "blocker"},
	{"POST", "/stories", `{"name":"Broken pump","description":"See [@mia](milepost://members/{mia}) and [@crew](milepost://groups/{group-public-id})",
		"story_type":"bug","estimate":3,"deadline":"2026-02-01T10:00:00Z","workflow_state_id":{developing},"project_id":{project-public-id},
		"epic_id":{epic-public-id},"iteration_id":{iteration-public-id},"group_id":"{group-public-id}","owner_ids":["{mia}"],"follower_ids":["{mia}"],
		"external_id":"s-1","external_links":["https://example.com/1"],"labels":[{"name":"warm"}],"started_at_override":"2026-01-03T00:00:00Z",
		"custom_fields":[{"field_id":"{custom-field-public-id}","value_id":"{highest}"}],"tasks":[{"description":"Find it"}],
		"comments":[{"text":"Odd","external_id":"sc-1"}],"story_links":[{"subject_id":{blocker},"verb":"blocks"}],"sub_tasks":[{"name":"Part"}]}`, "story-public-id"},
	{"POST", "/stories/{story-public-id}/tasks", `{"description":"Ask [@mia](milepost://members/{mia})","owner_ids":["{mia}"],"external_id":"t-2"}`, "task-public-id"},
	{"PUT", "/stories/{story-public-id}/tasks/{task-public-id}", `{"complete":true}`, ""},
	{"POST", "/stories/{story-public-id}/comments", `{"text":"Stuck on [@crew](milepost://groups/{group-public-id})","blocker":true}`, "comment-public-id"},
	{"POST", "/stories/{story-public-id}/comments", `{"text":"Waiting","parent_id":{comment-public-id}}`, ""},
	{"POST", "/stories/{story-public-id}/comments/{comment-public-id}/reactions", `{"emoji":":thumbsup:"}`, ""},
	{"POST", "/story-links", `{"subject_id":{story-public-id},"verb":"relates to","object_id":{blocker}}`, "story-link-public-id"},
	{"POST", "/stories/from-template", `{"story_template_id":"{entity-template-public-id}"}`, "templated"},
	{"PUT", "/stories/{story-public-id}", `{"workflow_state_id":{completed}}`, ""},
	{"POST", "/linked-files", `{"name":"Plan","description":"By [@mia](milepost://members/{mia}) for [@crew](milepost://groups/{group-public-id})","type":"google",
		"url":"https://docs.example.com/plan","thumbnail_url":"https://docs.example.com/plan.png","content_type":"text/html","size":123,
		"uploader_id":"{mia}","story_id":{story-public-id}}`, "linked-file-public-id"},
	{"POST", "/linked-files", `{"name":"Bare","type":"url","url":"http://example.com"}`, ""},
	{"POST", "/documents", `{"title":"Plans","content":"<h1>Plans</h1><p>Ask <a href=\"milepost://members/{mia}\">@mia</a></p><ul><li><input type=\"checkbox\" checked> Soon</li></ul>"}`, "doc-public-id"},
	{"POST", "/documents", `{"title":"Plain","content":"**Bold**","content_format":"markdown"}`, ""},
	{"PUT", "/documents/{doc-public-id}/epics/{epic-public-id}", "", ""},
	{"POST", "/integrations/webhook", `{"webhook_url":"https://example.com/hook","secret":"s3cret"}`, "integration-public-id"},
	{"POST", "/files", picture, "file-public-id"},
	{"PUT", "/files/{file-public-id}", `{"name":"Drawing","description":"By [@mia](milepost://members/{mia}) for [@crew](milepost://groups/{group-public-id})",
		"external_id":"f-1","uploader_id":"{mia}"}`, ""},
	{"PUT", "/entity-templates/{entity-template-public-id}", `{"story_contents":{"file_ids":[{file-public-id}],"linked_file_ids":[{linked-file-public-id}]}}`, ""},
}
