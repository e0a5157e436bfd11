package api_test

import (
	"fmt"
	"testing"
	"time"

	"milepost/internal/testkit"
)

func TestStoryLinks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		a, b, c := newStory(t, s, ""), newStory(t, s, `"workflow_state_id":%d`, ready), newStory(t, s, "")
		link := func(subject int64, verb string, object int64) string {
			return fmt.Sprintf(`{"subject_id":%d,"verb":%q,"object_id":%d}`, subject, verb, object)
		}
		made := s.Owner.Want(t, 201, "POST", "/story-links", link(a, "blocks", b))
		id := made.ID(t)
		path := fmt.Sprintf("/story-links/%d", id)
		whole := fmt.Sprintf(`{"id":%d,"subject_id":%d,"verb":"blocks","object_id":%d,"subject_workflow_state_id":%d,"entity_type":"story-link",
			"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"`, id, a, b, unscheduled)
		shown := func(id int64, want string) testkit.Case {
			return testkit.Case{Name: "story " + want, Method: "GET", Path: storyPath(id), Status: 200, Want: want}
		}
		double := `{"errors":{"object_id":"is linked with subject_id by this verb already"}}`
		s.Clock.Advance(time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: whole + `}`},
			shown(a, `{"story_links":[`+whole+`,"type":"subject"}],"blocker":true,"blocked":false}`),
			shown(b, `{"story_links":[`+whole+`,"type":"object"}],"blocker":false,"blocked":true}`),
			{Name: "double", Method: "POST", Path: "/story-links", Body: link(a, "blocks", b), Status: 422, Want: double},
			{Name: "the other way round", Method: "POST", Path: "/story-links", Body: link(b, "blocks", a), Status: 201, Want: fmt.Sprintf(`{"subject_workflow_state_id":%d}`, ready)},
			{Name: "another verb", Method: "POST", Path: "/story-links", Body: link(a, "relates to", b), Status: 201},
			{Name: "itself", Method: "POST", Path: "/story-links", Body: link(a, "blocks", a), Status: 422, Want: `{"errors":{"object_id":"is the same story as subject_id"}}`},
			{Name: "absent subject", Method: "POST", Path: "/story-links", Body: link(99, "blocks", a), Status: 422, Want: `{"errors":{"subject_id":"names no existing story: 99"}}`},
			{Name: "absent object", Method: "POST", Path: "/story-links", Body: link(a, "blocks", 99), Status: 422, Want: `{"errors":{"object_id":"names no existing story: 99"}}`},
			{Name: "verb", Method: "POST", Path: "/story-links", Body: link(a, "hates", b), Status: 400, Want: `{"errors":{"verb":"must be one of: blocks, duplicates, relates to"}}`},
			{Method: "POST", Path: "/story-links", Body: `{}`, Status: 400, Want: `{"errors":{"subject_id":"missing-required-key","verb":"missing-required-key","object_id":"missing-required-key"}}`},
			{Name: "nothing", Method: "PUT", Path: path, Body: `{"verb":"blocks"}`, Status: 200, Want: whole + `}`},
			{Name: "verb", Method: "PUT", Path: path, Body: `{"verb":"duplicates"}`, Status: 200, Want: `{"verb":"duplicates","updated_at":"2026-01-05T11:00:00Z"}`},
			shown(a, `{"blocker":false,"blocked":true}`),
			shown(b, `{"blocker":true,"blocked":false}`),
			{Name: "double by update", Method: "PUT", Path: path, Body: `{"verb":"relates to"}`, Status: 422, Want: double},
			{Name: "itself by update", Method: "PUT", Path: path, Body: fmt.Sprintf(`{"object_id":%d}`, a), Status: 422},
			{Name: "absent by update", Method: "PUT", Path: path, Body: `{"subject_id":99}`, Status: 422},
			{Name: "null", Method: "PUT", Path: path, Body: `{"subject_id":null}`, Status: 400},
			{Name: "both ends and the verb", Method: "PUT", Path: path, Body: link(b, "blocks", c), Status: 200, Want: fmt.Sprintf(`{"subject_workflow_state_id":%d}`, ready)},
			shown(c, fmt.Sprintf(`{"blocked":true,"story_links":[{"id":%d,"type":"object"}]}`, id)),
			{Method: "PUT", Path: "/story-links/99", Body: `{}`, Status: 404},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "GET", Path: path, Status: 404},
			{Method: "DELETE", Path: path, Status: 404},
			shown(c, `{"blocked":false,"story_links":[]}`),
		})
	})
}

// Whether a story is blocked or blocks follows from the links, whatever happens to their subject.
func TestBlocking(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow, states := secondWorkflow(t, s)
		project := newProject(t, s, flow.TeamID)
		object := newStory(t, s, "")
		subject := newStory(t, s, `"story_links":[{"verb":"blocks","object_id":%d},{"verb":"relates to","object_id":%[1]d}]`, object)
		other := newStory(t, s, "")
		flags := func(name string, blocked, blocker bool) {
			t.Helper()
			testkit.Run(t, s.Owner, []testkit.Case{
				{Name: name + ", object", Method: "GET", Path: storyPath(object), Status: 200, Want: fmt.Sprintf(`{"blocked":%v,"blocker":false}`, blocked)},
				{Name: name + ", subject", Method: "GET", Path: storyPath(subject), Status: 200, Want: fmt.Sprintf(`{"blocked":false,"blocker":%v}`, blocker)},
			})
		}
		flags("linked", true, true)
		state := func(id int64) string { return fmt.Sprintf(`{"workflow_state_id":%d}`, id) }
		bulk := func(change string, args ...any) string {
			return fmt.Sprintf(`{"story_ids":[%d],%s}`, subject, fmt.Sprintf(change, args...))
		}
		for _, step := range []struct {
			name, path, body string
			blocks           bool
		}{
			{"started", storyPath(subject), state(developing), true},
			{"done", storyPath(subject), state(completed), false},
			{"open again", storyPath(subject), state(developing), true},
			{"the object is done", storyPath(object), state(completed), true},
			{"the object is archived", storyPath(object), `{"archived":true}`, true},
			{"archived", storyPath(subject), `{"archived":true}`, false},
			{"archived and moved", storyPath(subject), state(ready), false},
			{"back", storyPath(subject), `{"archived":false}`, true},
			{"archived in bulk", "/stories/bulk", bulk(`"archived":true`), false},
			{"back in bulk", "/stories/bulk", bulk(`"archived":false`), true},
			{"done in bulk", "/stories/bulk", bulk(`"workflow_state_id":%d`, states[2]), false},
			{"to a project of its workflow", storyPath(subject), fmt.Sprintf(`{"project_id":%d}`, project), false},
			{"to another workflow", storyPath(subject), fmt.Sprintf(`{"project_id":null,"workflow_state_id":%d}`, completed), false},
			{"by a change of project", "/stories/bulk", bulk(`"project_id":%d`, project), true},
		} {
			s.Owner.Want(t, 200, "PUT", step.path, step.body)
			flags(step.name, step.blocks, step.blocks)
		}
		second := s.Owner.Want(t, 201, "POST", "/story-links", map[string]any{"subject_id": other, "verb": "blocks", "object_id": object}).ID(t)
		s.Owner.Want(t, 200, "PUT", storyPath(subject), `{"archived":true}`)
		flags("one of two", true, false)
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/story-links/%d", second), nil)
		flags("none of one", false, false)
		s.Owner.Want(t, 200, "PUT", storyPath(subject), `{"archived":false}`)
		s.Owner.Want(t, 204, "DELETE", storyPath(subject), nil)
		testkit.Run(t, s.Owner, []testkit.Case{{Name: "the subject is deleted", Method: "GET", Path: storyPath(object), Status: 200, Want: `{"blocked":false,"story_links":[]}`}})

		blocked := newStory(t, s, `"story_links":[{"verb":"blocks","subject_id":%d}]`, other)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "made as the object", Method: "GET", Path: storyPath(blocked), Status: 200, Want: `{"blocked":true,"story_links":[{"type":"object"}]}`},
			{Name: "the object is deleted", Method: "DELETE", Path: storyPath(blocked), Status: 204},
			{Method: "GET", Path: storyPath(other), Status: 200, Want: `{"blocker":false,"story_links":[]}`},
			{Name: "neither side", Method: "POST", Path: "/stories", Body: `{"name":"x","story_links":[{"verb":"blocks"}]}`, Status: 422,
				Want: `{"errors":{"story_links":[{"object_id":"is the same story as subject_id"}]}}`},
		})
	})
}
