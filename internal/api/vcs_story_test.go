package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// What is known of version control can be put on other stories and taken off; the services do not
// put back what somebody took off.
func TestVCSOnStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		v := newVCSSender(t, s, s.Owner, "github", "[]", s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t))
		for _, step := range []string{"branch", "commit", "opened"} {
			v.tell(t, step)
		}
		story := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Object(t)
		idOf := func(list string) string { return fmt.Sprint(numberOf(story[list].([]any)[0].(map[string]any)["id"])) }
		branch, commit, pull := idOf("branches"), idOf("commits"), idOf("pull_requests")
		other := storyPath(s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Other"}`).ID(t))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: other, Body: `{"branch_ids":[` + branch + `],"commit_ids":[` + commit + `],"pull_request_ids":[` + pull + `,` + pull + `]}`, Status: 200,
				Want: `{"branches":[{"id":` + branch + `}],"commits":[{"id":` + commit + `}],"pull_requests":[{"id":` + pull + `}]}`},
			{Method: "GET", Path: "/api/v2" + other, Status: 200, Want: `{"branches":[{"id":` + branch + `,"pull_requests":[{"number":12}]}],"commits":[{"id":` + commit + `}]}`},
			{Method: "GET", Path: "/api/beta" + other, Status: 200, Want: `{"pull_requests":[{"id":` + pull + `}]}`},
			{Method: "PUT", Path: "/api/v2" + other, Body: `{"branch_ids":[],"commit_ids":[]}`, Status: 200, Want: `{"branches":[],"commits":[]}`},
			{Method: "PUT", Path: other, Body: `{"branch_ids":[1]}`, Status: 422, Want: `{"errors":{"branch_ids":"names no existing branch: 1"}}`},
			{Method: "PUT", Path: other, Body: `{"commit_ids":[` + branch + `]}`, Status: 422, Want: `{"errors":{"commit_ids":"names no existing commit: ` + branch + `"}}`},
			{Method: "PUT", Path: other, Body: `{"pull_request_ids":[0]}`, Status: 422, Want: `{"errors":{"pull_request_ids":"names no existing pull-request: 0"}}`},
			{Method: "PUT", Path: storyPath(v.story), Body: `{"branch_ids":[],"commit_ids":[],"pull_request_ids":[]}`, Status: 200, Want: `{"branches":[],"commits":[],"pull_requests":[]}`},
		})
		for _, step := range []string{"commit", "labeled", "merged"} {
			v.tell(t, step)
		}
		v.shows(t, s.Owner, "taken off", `{"branches":[],"commits":[],"pull_requests":[]}`)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: other, Status: 200, Want: `{"pull_requests":[{"id":` + pull + `,"merged":true}]}`}})
	})
}

// A branch is proposed to each member where there is version control.
func TestVCSBranchName(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", "member")
		v := &vcsSender{s: s, story: s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Größe: 20 % + more!"}`).ID(t)}
		long := storyPath(s.Owner.Want(t, 201, "POST", "/stories", map[string]any{"name": strings.Repeat("ab ", 100)}).ID(t))
		v.shows(t, s.Owner, "without", `{"formatted_vcs_branch_name":null}`)
		made := newVCSSender(t, s, s.Owner, "gitlab", "[]", 0)
		v.shows(t, s.Owner, "with", fmt.Sprintf(`{"formatted_vcs_branch_name":"olivia/sc-%d/größe-20-more"}`, v.story))
		v.shows(t, mia, "hers", fmt.Sprintf(`{"formatted_vcs_branch_name":"mia/sc-%d/größe-20-more"}`, v.story))
		name := s.Owner.Want(t, 200, "GET", long, nil).Object(t)["formatted_vcs_branch_name"].(string)
		if slug := name[strings.LastIndex(name, "/")+1:]; len(slug) < 45 || len(slug) > 50 || strings.HasSuffix(slug, "-") {
			t.Errorf("a long name becomes %s", name)
		}
		s.Owner.Want(t, 204, "DELETE", integrationPath(made), nil)
		v.shows(t, s.Owner, "without again", `{"formatted_vcs_branch_name":null}`)
	})
}

// A repository is renamed by whatever tells of it, but not back by what comes late.
func TestVCSRename(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		v := newVCSSender(t, s, s.Owner, "github", "[]", 0)
		is := func(want string) {
			t.Helper()
			list := s.Owner.Want(t, 200, "GET", "/repositories", nil).List(t)
			if len(list) != 1 || list[0]["full_name"] != want || list[0]["type"] != "github" || list[0]["external_id"] != "186853002" {
				t.Errorf("the repositories are %v, want %s", list, want)
			}
		}
		v.tell(t, "ping")
		is("acme/engine")
		v.tell(t, "ping", "acme/engine", "acme/motor", "09:00:00", "09:30:00")
		is("acme/motor")
		v.tell(t, "ping")
		is("acme/motor")
		s.Owner.Want(t, 404, "GET", "/repositories/1", nil)
		s.Owner.Want(t, 400, "GET", "/repositories/x", nil)
	})
}

// A branch that somebody merges without a pull request is known by its newest commit.
func TestVCSPlainMerge(t *testing.T) {
	t.Parallel()
	onProviders(t, `[{"event":"branch-merged","workflow_state_id":<Completed>}]`, func(t *testing.T, s *testkit.Server, v *vcsSender) {
		v.tell(t, "branch")
		v.tell(t, "commit")
		v.in(t, "pushed", "Unscheduled")
		v.tell(t, "commit", "olivia/sc-STORY/pump", "main", `"2026-01-05T10:00:30Z"`, `"2026-01-05T10:00:30Z"`, "1767603601", "1767603700")
		v.in(t, "merged", "Completed")
	})
}

func TestVCSIntegrations(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		path := "/api/app/vcs-integrations"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `[]`},
			{Method: "POST", Path: path, Body: `{"name":"x","provider":"svn"}`, Status: 400},
			{Method: "POST", Path: path, Body: `{"name":"","provider":"github"}`, Status: 400},
			{Method: "POST", Path: path, Body: `{"name":"x","provider":"github","rules":[{"event":"branch-created"}]}`, Status: 400},
			{Method: "POST", Path: path, Body: `{"name":"x","provider":"github","rules":[{"event":"branch-created","workflow_state_id":1}]}`, Status: 422,
				Want: `{"errors":{"rules":[{"workflow_state_id":"names no existing workflow-state: 1"}]}}`},
		})
		v := newVCSSender(t, s, s.Owner, "bitbucket", named(t, s, `[{"event":"branch-created","branch":"x*","workflow_state_id":<Completed>}]`), 0)
		got := s.Owner.Want(t, 200, "GET", integrationPath(v), nil)
		if strings.Contains(got.Text, v.secret) || got.Object(t)["secret"] != nil || len(v.secret) < 32 {
			t.Errorf("the secret is shown again: %s", got.Text)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `[{"provider":"bitbucket","name":"Code","rules":[{"event":"branch-created","branch":"x*"}]}]`},
			{Method: "PUT", Path: integrationPath(v), Body: `{"name":"New","rules":[]}`, Status: 200, Want: `{"name":"New","rules":[],"disabled":false}`},
			{Method: "PUT", Path: integrationPath(v), Body: `{"rules":[{"event":"branch-created","workflow_state_id":1}]}`, Status: 422},
			{Method: "PUT", Path: path + "/1", Body: `{"name":"x"}`, Status: 404},
			{Method: "POST", Path: path + "/1/secret", Status: 404},
			{Method: "DELETE", Path: path + "/1", Status: 404},
			{Method: "GET", Path: path + "/1", Status: 404},
		})
		for i := 1; i < 100; i++ {
			s.Owner.Want(t, 201, "POST", path, `{"name":"More","provider":"gitlab"}`)
		}
		s.Owner.Want(t, 422, "POST", path, `{"name":"One too many","provider":"gitlab"}`)
		for _, c := range s.Changes(t, s.Owner.Workspace, 0) {
			if strings.Contains(fmt.Sprint(c), v.secret) {
				t.Errorf("the change log holds the secret: %v", c)
			}
		}
	})
}
