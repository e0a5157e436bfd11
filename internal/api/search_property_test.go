package api_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"milepost/internal/query"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestSearchAgainstNaive draws queries and compares what each engine finds, in which order and how much,
// with what a plain walk through everything finds; again after the workspace has changed.
func TestSearchAgainstNaive(t *testing.T) {
	t.Parallel()
	fewChecks(t)
	testkit.OnEngines(t, func(t *testing.T, address string) {
		w := newSearchWorld(t, address)
		w.delete(t, "/stories/$long") // longer than the index reaches
		r := &scatter{searchWorld: w, Rand: rand.New(rand.NewPCG(1, 2))}
		for range 2 {
			r.fill(t)
			items := w.searchItems(t)
			rapid.Check(t, func(rt *rapid.T) {
				for range 15 {
					r.compare(t, rt, items)
				}
			})
			w.Clock.Advance(20 * time.Hour)
			r.change(t)
		}
	})
}

var searchPaths = map[query.Entity]string{
	query.Stories: "stories", query.Epics: "epics", query.Iterations: "iterations", query.Objectives: "objectives",
}

func (r *scatter) compare(t *testing.T, rt *rapid.T, items map[query.Entity][]searchItem) {
	entity := rapid.SampledFrom([]query.Entity{query.Stories, query.Stories, query.Stories, query.Epics, query.Iterations, query.Objectives}).Draw(rt, "entity")
	text := r.expand(t, r.query(rt, 2))
	e, err := query.Parse(text, query.Scene{
		Entity: entity, Member: r.Owner.Member.ID, Now: tracker.TimeOf(r.Clock.Now()),
		Offset: func() tracker.Time { return 2 * 60 * 60 },
	})
	if err != nil {
		rt.Fatalf("%s: %v", text, err)
	}
	size := rapid.SampledFrom([]int{7, 25, 25}).Draw(rt, "page size")
	got, err := r.find(t, searchPaths[entity], text, size)
	if want := naiveSearch(items[entity], e); err != nil || !slices.Equal(got, want) {
		rt.Fatalf("%s %s: %v\n got %v\nwant %v\nread as %#v", searchPaths[entity], text, err, got, want, e)
	}
}

var (
	searchWords = []string{"alpha", "alphabet", "Bêta", "beta", "gamma", "sign-in", "東京", "京", "v2.10", "the", "or", "Straße", "strasse"}
	searchTerms = []string{
		"type:bug", "type:chore", "type:feature", "estimate:0", "estimate:2", "id:$login", "id:$checkout", `project:"web shop"`, "project:$app",
		"epic:check", `epic:"checkout"`, "epic:$redesign", "objective:grow", "objective:$revenue", "iteration:$ending", `iteration:"sprint 4"`,
		"state:completed", "state:unstarted", "state:done", "state:$developing", "state:icebox", "label:urgent", "label:café", "label:$urgent", "label:c++",
		"owner:ada", "owner:$ben", "owner:me", "requester:ben", "requester:me", "team:core", "team:$web", `team:"équipe web"`,
		"priority:high", "severity:${severity Severity 1}", "skillset:design", "product-area:billing", "technical-area:api", "branch:main", "pr:7",
		"created:today", "created:*..yesterday", "created:2026-01-01..2026-01-04", "updated:today", "updated:yesterday..*", "completed:*..*", "completed:today",
		"moved:yesterday", "due:today..*", "due:*..yesterday", "due:tomorrow", "startdate:*..today", "enddate:today..*", "startdate:tomorrow",
		"is:story", "is:epic", "is:unstarted", "is:started", "is:done", "is:archived", "is:overdue", "is:unestimated", "is:blocked", "is:blocker",
		"has:attachment", "has:task", "has:epic", "has:comment", "has:label", "has:deadline", "has:owner", "has:pr", "foo:alpha",
	}
)

// query draws a query whose parentheses are at most so deep.
func (r *scatter) query(t *rapid.T, depth int) string {
	parts := make([]string, rapid.IntRange(1, 3).Draw(t, "terms"))
	for i := range parts {
		parts[i] = rapid.SampledFrom([]string{"", "", "", "-", "!"}).Draw(t, "negation") + r.term(t, depth)
		if i > 0 {
			parts[i] = rapid.SampledFrom([]string{"", "", "OR ", "AND "}).Draw(t, "joint") + parts[i]
		}
	}
	return strings.Join(parts, " ")
}

func (r *scatter) term(t *rapid.T, depth int) string {
	word := func() string { return rapid.SampledFrom(searchWords).Draw(t, "word") }
	switch kind := rapid.IntRange(0, 9).Draw(t, "kind"); {
	case kind == 0 && depth > 0:
		return "(" + r.query(t, depth-1) + ")"
	case kind <= 2:
		return rapid.SampledFrom([]string{"title:", "description:", "comment:"}).Draw(t, "part") + word()
	case kind == 3:
		return fmt.Sprintf("%q", word()+" "+word())
	case kind == 4:
		runes := []rune(word())
		return string(runes[:rapid.IntRange(1, len(runes)).Draw(t, "letters")])
	case kind <= 6:
		return word()
	default:
		return rapid.SampledFrom(searchTerms).Draw(t, "term")
	}
}

// scatter fills a workspace by chance, in the same way in each run.
type scatter struct {
	*searchWorld
	*rand.Rand
	stories, comments []string // paths
}

func (r *scatter) yes() bool { return r.IntN(2) == 0 }

func (r *scatter) text(most int) string {
	words := make([]string, r.IntN(most+1))
	for i := range words {
		words[i] = searchWords[r.IntN(len(searchWords))]
	}
	return strings.Join(words, " ")
}

// pick gives the id of one of the codes, or nil.
func (r *scatter) pick(codes ...string) any {
	i := r.IntN(len(codes) + 1)
	if i == len(codes) {
		return nil
	}
	return json.Number(r.ids[codes[i]])
}

func (r *scatter) people() []string {
	return slices.DeleteFunc([]string{r.ids["ada"], r.ids["ben"], r.ids["olivia"]}, func(string) bool { return r.IntN(4) > 0 })
}

func (r *scatter) labels() []map[string]any {
	labels := []map[string]any{{"name": "urgent"}, {"name": "Café"}, {"name": "c++"}, {"name": r.ids["urgent"]}}
	return slices.DeleteFunc(labels, func(map[string]any) bool { return r.IntN(4) > 0 })
}

func (r *scatter) day() string { return r.Clock.Now().AddDate(0, 0, r.IntN(9)-4).Format(time.DateOnly) }

// shared is what stories and epics have both.
func (r *scatter) shared() map[string]any {
	body := map[string]any{"name": "Item " + r.text(3), "description": r.text(6), "labels": r.labels(), "owner_ids": r.people(), "archived": r.IntN(5) == 0}
	if r.yes() {
		body["deadline"] = r.day() + "T21:30:00Z"
	}
	return body
}

func (r *scatter) story() map[string]any {
	body := r.shared()
	body["story_type"] = []string{"bug", "chore", "feature"}[r.IntN(3)]
	body["workflow_state_id"] = json.Number(r.ids[[]string{"unscheduled", "icy", "developing", "completed"}[r.IntN(4)]])
	body["epic_id"], body["project_id"], body["iteration_id"] = r.pick("checkout", "redesign", "ops"), r.pick("shop", "app"), r.pick("ending", "coming")
	if r.yes() {
		body["estimate"] = r.IntN(3)
	}
	if r.yes() {
		body["group_id"] = r.ids[[]string{"core", "web"}[r.IntN(2)]]
	}
	if r.yes() {
		body["custom_fields"] = json.RawMessage("[" + r.field("priority", "High") + "," + r.field("skill-set", "Design") + "]")
	}
	return body
}

func (r *scatter) fill(t *testing.T) {
	for range 30 {
		body := r.story()
		if r.yes() {
			body["created_at"] = r.Clock.Now().Add(-time.Duration(r.IntN(200)) * time.Hour).UTC().Format(time.RFC3339)
		}
		if r.yes() {
			body["requested_by_id"] = r.ids["ben"]
		}
		if r.IntN(4) == 0 {
			body["tasks"] = []map[string]any{{"description": "alpha"}}
		}
		story := fmt.Sprintf("/stories/%d", r.Owner.Want(t, 201, "POST", "/stories", body).ID(t))
		r.stories = append(r.stories, story)
		for range r.IntN(3) {
			r.comment(t, story)
		}
	}
	for range 6 {
		body := r.shared()
		delete(body, "archived")
		body["objective_ids"] = []json.Number{json.Number(r.ids["revenue"])}
		body["group_ids"] = []string{r.ids["core"]}
		r.comment(t, fmt.Sprintf("/epics/%d", r.Owner.Want(t, 201, "POST", "/epics", body).ID(t)))
		r.Owner.Want(t, 201, "POST", "/iterations", map[string]any{"name": "I " + r.text(2), "description": r.text(4), "start_date": "2026-01-02", "end_date": "2026-01-08"})
		r.Owner.Want(t, 201, "POST", "/milestones", map[string]any{"name": "O " + r.text(2), "description": r.text(4), "state": []string{"to do", "in progress", "done"}[r.IntN(3)]})
	}
}

func (r *scatter) comment(t *testing.T, of string) {
	id := r.Owner.Want(t, 201, "POST", of+"/comments", map[string]any{"text": "Says " + r.text(3)}).ID(t)
	r.comments = append(r.comments, fmt.Sprintf("%s/comments/%d", of, id))
}

// change rewrites and deletes some of what was made.
func (r *scatter) change(t *testing.T) {
	r.Shuffle(len(r.stories), func(i, j int) { r.stories[i], r.stories[j] = r.stories[j], r.stories[i] })
	r.Shuffle(len(r.comments), func(i, j int) { r.comments[i], r.comments[j] = r.comments[j], r.comments[i] })
	for i, path := range r.comments[:10] {
		if i < 5 {
			r.Owner.Want(t, 204, "DELETE", path, nil)
		} else {
			r.Owner.Want(t, 200, "PUT", path, map[string]any{"text": "Rather " + r.text(3)})
		}
	}
	r.comments = r.comments[5:]
	for _, path := range r.stories[:10] {
		body := r.story()
		for _, key := range slices.Sorted(maps.Keys(body)) {
			if r.yes() {
				delete(body, key)
			}
		}
		r.Owner.Want(t, 200, "PUT", path, body)
	}
	gone := r.stories[10:13]
	for _, path := range gone {
		r.Owner.Want(t, 204, "DELETE", path, nil)
	}
	r.comments = slices.DeleteFunc(r.comments, func(c string) bool {
		return slices.ContainsFunc(gone, func(story string) bool { return strings.HasPrefix(c, story+"/") })
	})
	r.stories = slices.Concat(r.stories[:10], r.stories[13:])
}
