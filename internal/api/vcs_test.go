package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
)

var providers = []string{"github", "gitlab", "bitbucket"}

// onProviders runs fn on each engine for each service, with a story that it speaks of.
func onProviders(t *testing.T, rules string, fn func(t *testing.T, s *testkit.Server, v *vcsSender)) {
	t.Helper()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for _, p := range providers {
			story := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Mend the pump"}`).ID(t)
			fn(t, s, newVCSSender(t, s, s.Owner, p, named(t, s, rules), story))
		}
	})
}

// named puts the ids of workflow states in the place of their names in angle brackets.
func named(t *testing.T, s *testkit.Server, text string) string {
	t.Helper()
	for name, id := range stateIDs(t, s) {
		text = strings.ReplaceAll(text, "<"+name+">", fmt.Sprint(id))
	}
	return text
}

// The life of a branch: made, pushed to, asked to be merged, reviewed, built, merged, deleted.
func TestVCSLife(t *testing.T) {
	t.Parallel()
	onProviders(t, "[]", func(t *testing.T, s *testkit.Server, v *vcsSender) {
		v.shows(t, s.Owner, "nothing", `{"branches":[],"commits":[],"pull_requests":[]}`)
		v.tell(t, "branch")
		branch := fmt.Sprintf("olivia/sc-%d/pump", v.story)
		v.shows(t, s.Owner, "branch", fmt.Sprintf(`{"branches":[{"name":%q,"entity_type":"branch","deleted":false,"persistent":false,
			"merged_branch_ids":[],"pull_requests":[]}],"commits":[]}`, branch))
		v.tell(t, "commit")
		v.shows(t, s.Owner, "commit", fmt.Sprintf(`{"commits":[{"hash":%q,"message":"Tighten the bolts [sc-%d]","entity_type":"commit",
			"author_id":%q,"author_identity":{"entity_type":"identity","type":%q},"merged_branch_ids":[],"timestamp":"2026-01-05T10:00:30Z"}]}`,
			strings.Repeat("a", 40), v.story, s.Owner.Member.ID, v.provider))
		v.tell(t, "opened")
		v.shows(t, s.Owner, "opened", fmt.Sprintf(`{"pull_requests":[{"number":12,"title":"Mend the pump","branch_name":%q,"target_branch_name":"main",
			"closed":false,"merged":false,"draft":false,"review_status":"none","build_status":"none","created_at":"2026-01-05T10:02:00Z",
			"has_overlapping_stories":false,"overlapping_stories":[]}],"branches":[{"pull_requests":[{"number":12}]}]}`, branch))
		if v.provider != "bitbucket" {
			v.tell(t, "labeled")
			v.shows(t, s.Owner, "labeled", `{"pull_requests":[{"vcs_labels":[{"id":3,"name":"Urgent","color":"#FF0000","description":null}]}]}`)
		}
		v.tell(t, "requested")
		v.shows(t, s.Owner, "requested", `{"pull_requests":[{"review_status":"pending"}]}`)
		v.tell(t, "reviewed")
		v.shows(t, s.Owner, "reviewed", `{"pull_requests":[{"review_status":"approved","merged":false}]}`)
		v.tell(t, "built")
		v.shows(t, s.Owner, "built", `{"pull_requests":[{"build_status":"success"}]}`)
		if v.provider == "github" {
			v.shows(t, s.Owner, "counts", `{"pull_requests":[{"num_added":5,"num_removed":2,"num_modified":3,"num_commits":1}]}`)
		} else {
			v.shows(t, s.Owner, "counts", `{"pull_requests":[{"num_added":0,"num_removed":0,"num_modified":null,"num_commits":null}]}`)
		}
		v.tell(t, "merged")
		v.shows(t, s.Owner, "merged", `{"pull_requests":[{"closed":true,"merged":true,"review_status":"approved","build_status":"success"}]}`)
		v.tell(t, "deleted")
		story := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Object(t)
		pull := story["pull_requests"].([]any)[0].(map[string]any)
		v.shows(t, s.Owner, "deleted", fmt.Sprintf(`{"branches":[{"deleted":true,"id":%.0f,"merged_branch_ids":[%.0f]}],"commits":[{"merged_branch_ids":[%[2]v]}]}`,
			pull["branch_id"], pull["target_branch_id"]))
		if pull["id"].(float64) < 500000000 {
			t.Errorf("the pull request has the id %v", pull["id"])
		}
		s.Owner.Want(t, 200, "GET", fmt.Sprintf("/repositories/%.0f", pull["repository_id"]), nil)
	})
}

// What arrives again, under the same delivery id or another, changes nothing; nor does what arrives
// after something newer.
func TestVCSRepeated(t *testing.T) {
	t.Parallel()
	rules := `[{"event":"pull-request-opened","workflow_state_id":<Ready for Review>}]`
	onProviders(t, rules, func(t *testing.T, s *testkit.Server, v *vcsSender) {
		var steps []string
		for _, step := range []string{"branch", "commit", "opened", "labeled", "requested", "reviewed", "built", "merged", "deleted"} {
			if _, ok := v.steps[step]; ok {
				steps = append(steps, step)
			}
		}
		for _, step := range steps {
			event, payload := v.text(t, step)
			if a := v.send(t, event, "same-"+step, payload); a.Status != 200 {
				t.Fatalf("%s %s: %d %s", v.provider, step, a.Status, a.Text)
			}
		}
		before := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Text
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Clock.Advance(60e9)
		for _, step := range steps {
			event, payload := v.text(t, step)
			v.send(t, event, "same-"+step, payload)
			v.want(t, 200, event, payload)
		}
		if changes := s.Changes(t, s.Owner.Workspace, number); len(changes) > 0 {
			t.Errorf("%s: repeating changed %+v", v.provider, changes)
		}
		if after := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Text; after != before {
			t.Errorf("%s: repeating changed the story\n%s\n%s", v.provider, before, after)
		}
	})
}

// A delivery is known by its id for a week, whatever it holds.
func TestVCSDeliveryID(t *testing.T) {
	t.Parallel()
	onProviders(t, "[]", func(t *testing.T, s *testkit.Server, v *vcsSender) {
		title := func(want string) {
			t.Helper()
			event, payload := v.text(t, "opened", "Mend the pump", want)
			if a := v.send(t, event, "the-same", payload); a.Status != 200 {
				t.Fatal(a.Text)
			}
		}
		title("First")
		title("Second")
		v.shows(t, s.Owner, "again", `{"pull_requests":[{"title":"First"}]}`)
		s.Clock.Advance(7*24*time.Hour - time.Second)
		title("Second")
		v.shows(t, s.Owner, "within a week", `{"pull_requests":[{"title":"First"}]}`)
		s.Clock.Advance(time.Second)
		title("Second")
		v.shows(t, s.Owner, "after a week", `{"pull_requests":[{"title":"Second"}]}`)
	})
}

// The newest is told first: what comes late adds what was not known, and takes nothing back.
func TestVCSBackwards(t *testing.T) {
	t.Parallel()
	onProviders(t, "[]", func(t *testing.T, s *testkit.Server, v *vcsSender) {
		for _, step := range []string{"deleted", "merged", "built", "reviewed", "requested", "opened", "commit", "branch"} {
			v.tell(t, step)
		}
		v.shows(t, s.Owner, "backwards", `{"branches":[{"deleted":true}],"commits":[{"message":"Tighten the bolts [sc-`+fmt.Sprint(v.story)+`]"}],"pull_requests":[
			{"closed":true,"merged":true,"review_status":"approved","build_status":"success"}]}`)
		story := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Object(t)
		if merged := story["branches"].([]any)[0].(map[string]any)["merged_branch_ids"].([]any); len(merged) != 1 {
			t.Errorf("%s: the branch is merged into %v", v.provider, merged)
		}
	})
}

// A story that has nothing of version control costs no query for it; lists cost a fixed number.
func TestVCSQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		plain := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Plain"}`).ID(t)
		queries := func(id int64) int64 {
			s.Owner.Want(t, 200, "GET", "/member", nil) // looks up what the token opens
			before := s.Store.Queries()
			s.Owner.Want(t, 200, "GET", storyPath(id), nil)
			return s.Store.Queries() - before
		}
		alone := queries(plain)
		story := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Linked"}`).ID(t)
		v := newVCSSender(t, s, s.Owner, "github", "[]", story)
		if n := queries(plain); n != alone {
			t.Errorf("with an integration a plain story costs %d queries, without %d", n, alone)
		}
		for _, step := range []string{"branch", "commit", "opened"} {
			v.tell(t, step)
		}
		one := queries(story)
		if one != alone+3 {
			t.Errorf("a linked story costs %d queries, a plain one %d", one, alone)
		}
		for i := range 100 {
			v.tell(t, "opened", `"number": 12`, fmt.Sprintf(`"number": %d`, 100+i), "/pump", fmt.Sprint("/pump", i))
		}
		if n := queries(story); n != one {
			t.Errorf("with 100 more pull requests it costs %d queries, with one %d", n, one)
		}
	})
}

// Stories of one workspace are unknown to the integrations of another.
func TestVCSWorkspaces(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		story := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Ours"}`).ID(t)
		theirs := newVCSSender(t, s, other, "github", "[]", story)
		for _, step := range []string{"branch", "commit", "opened", "merged"} {
			theirs.tell(t, step)
		}
		theirs.shows(t, s.Owner, "of another workspace", `{"branches":[],"commits":[],"pull_requests":[]}`)
		if list := s.Owner.Want(t, 200, "GET", "/repositories", nil).List(t); len(list) != 0 {
			t.Errorf("the repositories of another workspace are %v", list)
		}
		if list := other.Want(t, 200, "GET", "/repositories", nil).List(t); len(list) != 1 {
			t.Errorf("there are %d repositories", len(list))
		}
		err := s.Store.Read(t.Context(), other.Workspace, func(tx *store.Tx) error {
			pulls, err := tx.PullRequestsByID([]int64{500000000}, []int64{500000000})
			if len(pulls) > 0 {
				t.Errorf("what names no story is kept: %v", pulls)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		ours := newVCSSender(t, s, s.Owner, "github", "[]", story)
		ours.path = strings.Replace(ours.path, string(s.Owner.Workspace), string(other.Workspace), 1)
		if a := ours.send(t, "ping", "1", "{}"); a.Status != 404 {
			t.Errorf("a hook of another workspace answers %d", a.Status)
		}
	})
}
