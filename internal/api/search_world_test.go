package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// searchWorld is a workspace with something for every operator. What is made there has a code by
// which bodies and queries can name its id: $login.
type searchWorld struct {
	*testkit.Server
	ids map[string]string
}

func (w *searchWorld) expand(t *testing.T, text string) string {
	return os.Expand(text, func(code string) string {
		id, ok := w.ids[code]
		if !ok {
			t.Fatalf("%s names %s, which is not made yet", text, code)
		}
		return id
	})
}

// make creates something; the body is the inside of a JSON object.
func (w *searchWorld) make(t *testing.T, code, path, body string) {
	t.Helper()
	a := w.Owner.Want(t, 201, "POST", w.expand(t, path), "{"+w.expand(t, body)+"}")
	switch id := a.Object(t)["id"].(type) {
	case float64:
		w.ids[code] = fmt.Sprint(int64(id))
	default:
		w.ids[code] = fmt.Sprint(id)
	}
}

func (w *searchWorld) put(t *testing.T, path, body string) {
	t.Helper()
	w.Owner.Want(t, 200, "PUT", w.expand(t, path), "{"+w.expand(t, body)+"}")
}

func (w *searchWorld) delete(t *testing.T, path string) {
	t.Helper()
	w.Owner.Want(t, 204, "DELETE", w.expand(t, path), nil)
}

// newSearchWorld fills a workspace on the 5th of January, in a time zone two hours ahead of UTC, and
// leaves it on the 6th.
func newSearchWorld(t *testing.T, address string) *searchWorld {
	t.Helper()
	w := &searchWorld{Server: testkit.New(t, address), ids: map[string]string{
		"unscheduled": fmt.Sprint(unscheduled), "ready": fmt.Sprint(readyForDevelopment), "developing": fmt.Sprint(inDevelopment), "completed": fmt.Sprint(completed),
	}}
	for _, state := range w.Owner.Want(t, 200, "GET", "/epic-workflow", nil).Object(t)["epic_states"].([]any) {
		state := state.(map[string]any)
		w.ids["epic "+state["name"].(string)] = fmt.Sprint(int64(state["id"].(float64)))
	}
	w.put(t, "/api/app/workspace", `"utc_offset":"+02:00"`)
	w.ids["olivia"] = string(w.Owner.Member.ID)
	for _, name := range []string{"ada", "ben"} {
		w.ids[name] = string(w.NewMember(t, w.Owner, name, tracker.Regular).Member.ID)
	}
	w.customFields(t)
	w.plan(t)
	w.stories(t)
	w.Clock.Advance(24 * time.Hour)
	w.nextDay(t)
	return w
}

func (w *searchWorld) customFields(t *testing.T) {
	for _, f := range w.Owner.Want(t, 200, "GET", "/custom-fields", nil).List(t) {
		field := f["canonical_name"].(string)
		w.ids[field] = f["id"].(string)
		w.put(t, "/custom-fields/"+w.ids[field], `"enabled":true`)
		for _, v := range f["values"].([]any) {
			v := v.(map[string]any)
			w.ids[field+" "+v["value"].(string)] = v["id"].(string)
		}
	}
}

func (w *searchWorld) plan(t *testing.T) {
	w.make(t, "core", "/groups", `"name":"Core Team","mention_name":"core"`)
	w.make(t, "web", "/groups", `"name":"Équipe Web","mention_name":"webbies"`)
	w.make(t, "icy", "/api/app/workflows/500000004/states", `"name":"Icebox","type":"backlog"`)
	w.ids["flowteam"] = fmt.Sprint(w.Owner.Want(t, 200, "GET", "/workflows/500000004", nil).Object(t)["team_id"])
	w.make(t, "shop", "/projects", `"name":"Web Shop","team_id":$flowteam`)
	w.make(t, "app", "/projects", `"name":"Mobile","team_id":$flowteam`)
	w.make(t, "urgent", "/labels", `"name":"urgent"`)
	w.make(t, "cafélabel", "/labels", `"name":"Café"`)
	w.make(t, "cpp", "/labels", `"name":"C++"`)
	w.make(t, "csharp", "/labels", `"name":"C#"`)
	w.make(t, "review", "/labels", `"name":"Needs  Review"`)
	w.make(t, "digits", "/labels", `"name":"$urgent"`)

	w.make(t, "revenue", "/milestones", `"name":"Grow revenue","description":"Sell more tickets online"`)
	w.make(t, "grow", "/milestones", `"name":"Grow","description":"Everywhere","state":"in progress"`)
	w.make(t, "retire", "/milestones", `"name":"Retire legacy","state":"done"`)
	w.put(t, "/milestones/$retire", `"archived":true`)

	w.make(t, "checkout", "/epics", `"name":"Checkout","description":"Everything about paying","objective_ids":[$revenue],"owner_ids":["$ada"],
		"labels":[{"name":"urgent"}],"deadline":"2026-01-03T12:00:00Z","group_ids":["$core"],"requested_by_id":"$ben"`)
	w.make(t, "redesign", "/epics", `"name":"Checkout redesign","objective_ids":[$revenue,$grow],"epic_state_id":${epic in progress},"deadline":"2026-01-07T10:00:00Z"`)
	w.make(t, "ops", "/epics", `"name":"Ops","epic_state_id":${epic done},"deadline":"2026-01-01T10:00:00Z","owner_ids":["$ada","$ben"]`)
	w.put(t, "/epics/$ops", `"archived":true`)
	w.make(t, "finder", "/epics", `"name":"Finding café owners","description":"Any ticket about the checkout","labels":[{"name":"Café"}],
		"created_at":"2025-12-31T21:59:59Z","updated_at":"2025-12-31T21:59:59Z","group_ids":["$web","$core"]`)
	w.make(t, "ranking", "/epics/$finder/comments", `"text":"Ranking of checkouts"`)

	w.make(t, "past", "/iterations", `"name":"Sprint 1","start_date":"2025-12-08","end_date":"2025-12-21","group_ids":["$core"]`)
	w.make(t, "ending", "/iterations", `"name":"Sprint 2","start_date":"2025-12-22","end_date":"2026-01-06","description":"Ship the checkout"`)
	w.make(t, "starting", "/iterations", `"name":"Sprint 3","start_date":"2026-01-06","end_date":"2026-01-19","group_ids":["$web"]`)
	w.make(t, "coming", "/iterations", `"name":"Sprint 4","start_date":"2026-01-07","end_date":"2026-01-20"`)
}

func (w *searchWorld) field(name, value string) string {
	return fmt.Sprintf(`{"field_id":"%s","value_id":"%s"}`, w.ids[name], w.ids[name+" "+value])
}

func (w *searchWorld) stories(t *testing.T) {
	w.make(t, "login", "/stories", `"name":"Login page broken in Safari","description":"Users cannot sign in since the update","story_type":"bug","owner_ids":["$ada"],
		"labels":[{"name":"urgent"}],"epic_id":$checkout,"project_id":$shop,"iteration_id":$ending,"estimate":3,"group_id":"$core",
		"deadline":"2026-01-04T10:00:00Z","requested_by_id":"$ben","tasks":[{"description":"Buy a Mac"}],
		"custom_fields":[`+w.field("priority", "High")+`,`+w.field("severity", "Severity 1")+`]`)
	w.make(t, "logout", "/stories", `"name":"Logout button hides","description":"The login link is there, the button is not","story_type":"chore","estimate":0,
		"owner_ids":["$ben","$ada"],"labels":[{"name":"Café"}],"epic_id":$redesign,"workflow_state_id":$ready,"deadline":"2026-01-07T10:00:00Z"`)
	w.make(t, "oauth", "/stories", `"name":"OAuth for partners","description":"Tokens for third parties","epic_id":$redesign,"project_id":$app,
		"comments":[{"text":"Same as the login problem"},{"text":"A page in the docs"}],"workflow_state_id":$developing,"owner_ids":["$ben"]`)
	w.make(t, "cafe", "/stories", `"name":"Café menü für Zürich","description":"Crème brûlée is MISSING","labels":[{"name":"Café"},{"name":"C++"}],
		"created_at":"2025-12-31T22:00:00Z","updated_at":"2025-12-31T22:00:00Z","iteration_id":$coming,
		"custom_fields":[`+w.field("skill-set", "Design")+`,`+w.field("product-area", "Billing")+`]`)
	w.make(t, "sign", "/stories", `"name":"Sign-in form","description":"A user signs in with a token; the form is old","story_type":"chore","labels":[{"name":"C#"}],
		"archived":true,"estimate":5,"iteration_id":$starting,"custom_fields":[`+w.field("technical-area", "API")+`]`)
	w.make(t, "tokyo", "/stories", `"name":"東京タワーの地図","description":"Map of Tokyo","workflow_state_id":$completed,"deadline":"2026-01-01T10:00:00Z","estimate":8,
		"owner_ids":["$olivia"]`)
	w.make(t, "twin", "/stories", `"name":"Login twin","created_at":"2025-12-31T21:59:59Z","updated_at":"2025-12-31T21:59:59Z"`)
	w.make(t, "phrase", "/stories", `"name":"Page login","description":"Broken page, login broken","group_id":"$web","labels":[{"name":"needs review"}]`)
	w.make(t, "frozen", "/stories", `"name":"Deep freeze","workflow_state_id":$icy,"labels":[{"name":"$urgent"}]`)
	w.make(t, "url", "/stories", `"name":"Broken link https://example.com/docs/intro","description":"See release-notes v2.10 \"quoted\"",
		"custom_fields":[`+w.field("priority", "Low")+`]`)
	w.make(t, "attach", "/stories", `"name":"Attached"`)
	w.make(t, "link", "/linked-files", `"name":"Plan","type":"url","url":"https://example.com/plan","story_id":$attach`)
	w.make(t, "wander", "/stories", `"name":"Wanderer"`)
	w.make(t, "finish", "/stories", `"name":"Finished work"`)
	w.make(t, "either", "/stories", `"name":"Either or and neither"`)
	w.make(t, "long", "/stories", `"name":"Long story","description":"`+strings.Repeat("aa ", 15_999)+`needle haystack"`)
	w.make(t, "thread", "/stories", `"name":"Discussion"`)
	w.make(t, "talk", "/stories/$thread/comments", `"text":"alpha beta"`)
	w.make(t, "gone", "/stories/$thread/comments", `"text":"gamma"`)
	w.make(t, "edited", "/stories/$thread/comments", `"text":"delta alpha"`)
	w.make(t, "dead", "/stories", `"name":"Login deleted","description":"zeta","comments":[{"text":"eta"}]`)
	w.make(t, "blocks", "/story-links", `"verb":"blocks","subject_id":$login,"object_id":$twin`)
	w.make(t, "blocked", "/story-links", `"verb":"blocks","subject_id":$tokyo,"object_id":$cafe`)
}

func (w *searchWorld) nextDay(t *testing.T) {
	w.make(t, "later", "/milestones", `"name":"Later","description":"Grow further"`)
	w.make(t, "winter", "/iterations", `"name":"Winter café","start_date":"2026-02-02","end_date":"2026-02-15"`)
	w.make(t, "fresh", "/stories", `"name":"Fresh idea","description":"Was something else","comments":[{"text":"Brûlée for everyone"}]`)
	w.put(t, "/stories/$fresh", `"name":"Fresh login idea","description":""`)
	w.put(t, "/stories/$wander", `"workflow_state_id":$developing,"owner_ids":["$ada"]`)
	w.put(t, "/stories/$finish", `"workflow_state_id":$completed,"owner_ids":["$ada"]`)
	w.put(t, "/stories/$thread/comments/$edited", `"text":"epsilon"`)
	w.delete(t, "/stories/$thread/comments/$gone")
	w.delete(t, "/stories/$dead")
	delete(w.ids, "dead")
	w.put(t, "/custom-fields/"+w.ids["technical-area"], `"enabled":false`)
}

// find follows a search to its end and returns the ids in their order; that the total agrees is part of it.
func (w *searchWorld) find(t *testing.T, entities, query string, pageSize int) ([]string, error) {
	t.Helper()
	ids, total := []string{}, 0
	params := url.Values{"query": {query}, "page_size": {strconv.Itoa(pageSize)}, "detail": {"slim"}}
	for next := "/search/" + entities + "?" + params.Encode(); next != ""; {
		a := w.Owner.Do(t, "GET", next, nil)
		if a.Status != 200 {
			return nil, fmt.Errorf("%s: status %d: %s", next, a.Status, a.Text)
		}
		page := a.Object(t)
		for _, item := range page["data"].([]any) {
			ids = append(ids, fmt.Sprint(int64(item.(map[string]any)["id"].(float64))))
		}
		total = int(page["total"].(float64))
		next, _ = page["next"].(string)
	}
	if total != len(ids) {
		return nil, fmt.Errorf("the total is %d, and %d are found", total, len(ids))
	}
	return ids, nil
}

// names gives the codes of ids, for messages.
func (w *searchWorld) names(ids []string) string {
	codes := map[string]string{}
	for _, code := range slices.Sorted(maps.Keys(w.ids)) {
		codes[w.ids[code]] = code
	}
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = codes[id]
	}
	return strings.Join(out, " ")
}
