package api_test

import (
	"fmt"
	"testing"

	"milepost/internal/testkit"
)

// in fails unless the story is in the state.
func (v *vcsSender) in(t *testing.T, what, state string) {
	t.Helper()
	v.shows(t, v.s.Owner, what, fmt.Sprintf(`{"workflow_state_id":%d}`, stateIDs(t, v.s)[state]))
}

const allRules = `[{"event":"branch-created","workflow_state_id":<Ready for Development>},
	{"event":"commit-pushed","branch":"*/pump","workflow_state_id":<In Development>},
	{"event":"pull-request-opened","branch":"main","workflow_state_id":<Ready for Review>},
	{"event":"pull-request-opened","branch":"release","workflow_state_id":<Completed>},
	{"event":"pull-request-approved","workflow_state_id":<Ready for Deploy>},
	{"event":"branch-merged","branch":"ma*","workflow_state_id":<Completed>}]`

// Rules move stories on, and nobody back.
func TestVCSRules(t *testing.T) {
	t.Parallel()
	onProviders(t, allRules, func(t *testing.T, s *testkit.Server, v *vcsSender) {
		v.in(t, "at first", "Unscheduled")
		for _, c := range []struct{ step, state string }{
			{"branch", "Ready for Development"}, {"commit", "In Development"}, {"opened", "Ready for Review"},
			{"reviewed", "Ready for Deploy"}, {"merged", "Completed"},
		} {
			v.tell(t, c.step)
			v.in(t, c.step, c.state)
		}
		story := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Object(t)
		if story["started"] != true || story["completed"] != true {
			t.Errorf("%s: the story is %v", v.provider, story)
		}
		v.tell(t, "opened", `"number": 12`, `"number": 13`, `"iid": 12`, `"iid": 13`, `"id": 12`, `"id": 13`)
		v.in(t, "opened again", "Completed")
	})
}

func TestVCSLabelsAndRequests(t *testing.T) {
	t.Parallel()
	rules := `[{"event":"pull-request-labeled","label":"urgent","workflow_state_id":<In Development>},
		{"event":"pull-request-labeled","label":"other","workflow_state_id":<Completed>},
		{"event":"review-requested","workflow_state_id":<Ready for Review>}]`
	onProviders(t, rules, func(t *testing.T, _ *testkit.Server, v *vcsSender) {
		v.tell(t, "opened")
		v.in(t, "opened", "Unscheduled")
		if v.provider != "bitbucket" {
			v.tell(t, "labeled")
			v.in(t, "labeled", "In Development")
		}
		v.tell(t, "requested")
		v.in(t, "requested", "Ready for Review")
	})
}

// "Opened" and "merged" wait for other work on the story; drafts are not opened yet.
func TestVCSOtherWork(t *testing.T) {
	t.Parallel()
	rules := `[{"event":"pull-request-opened","workflow_state_id":<Ready for Review>},{"event":"branch-merged","workflow_state_id":<Completed>}]`
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		v := newVCSSender(t, s, s.Owner, "github", named(t, s, rules), s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t))
		v.tell(t, "opened", `"draft": false`, `"draft": true`)
		v.in(t, "draft", "Unscheduled")
		v.tell(t, "branch", "/pump", "/other")
		v.tell(t, "labeled")
		v.in(t, "another branch", "Unscheduled")
		v.tell(t, "merged")
		v.in(t, "merged beside another branch", "Unscheduled")
		v.tell(t, "opened", `"number": 12`, `"number": 13`, "/pump", "/other")
		v.in(t, "the other opened", "Ready for Review")
		v.tell(t, "merged", `"number": 12`, `"number": 13`, "/pump", "/other")
		v.in(t, "both merged", "Completed")
	})
}

// A commit moves a story by the verb of a state, forward only.
func TestVCSVerbs(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		states := stateIDs(t, s)
		s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/api/app/states/%d", states["In Development"]), `{"verb":"Start work on"}`)
		s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/api/app/states/%d", states["Completed"]), `{"verb":"finish"}`)
		v := newVCSSender(t, s, s.Owner, "github", "[]", s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t))
		commit := 0
		says := func(verb, state string) {
			t.Helper()
			commit++
			v.tell(t, "commit", "[sc-STORY]", fmt.Sprintf("[%s sc-%d]", verb, v.story), `"id": "aaaa`, fmt.Sprintf(`"id": "%04d`, commit))
			v.in(t, verb, state)
		}
		says("think about", "Unscheduled")
		says("start  work on", "Unscheduled")
		says("start work on", "In Development")
		says("FINISH", "Completed")
		says("Start work on", "Completed")
		owners := s.Owner.Want(t, 200, "GET", storyPath(v.story), nil).Object(t)["owner_ids"].([]any)
		if len(owners) != 1 || owners[0] != string(s.Owner.Member.ID) {
			t.Errorf("who pushed became no owner: %v", owners)
		}
	})
}

// Rules about states of another workflow, or deleted ones, and archived stories do nothing.
func TestVCSRulesThatDoNotFit(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		flow := s.Owner.Want(t, 201, "POST", "/api/app/workflows", `{"name":"Other"}`).Object(t)
		other := int64(flow["states"].([]any)[5].(map[string]any)["id"].(float64))
		gone := s.Owner.Want(t, 201, "POST", fmt.Sprintf("/api/app/workflows/%d/states", defaultWorkflow(t, s).ID), `{"name":"Gone","type":"started"}`).ID(t)
		rules := fmt.Sprintf(`[{"event":"branch-created","workflow_state_id":%d},{"event":"branch-created","workflow_state_id":%d}]`, other, gone)
		v := newVCSSender(t, s, s.Owner, "github", rules, s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t))
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("/api/app/states/%d", gone), nil)
		v.tell(t, "branch")
		v.in(t, "no rule that fits", "Unscheduled")
		s.Owner.Want(t, 200, "PUT", integrationPath(v), named(t, s, `{"rules":[{"event":"branch-created","workflow_state_id":<Completed>}]}`))
		archived := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Old"}`).ID(t)
		s.Owner.Want(t, 200, "PUT", storyPath(archived), `{"archived":true}`)
		v.story = archived
		v.tell(t, "branch")
		v.in(t, "archived", "Unscheduled")
		v.shows(t, s.Owner, "archived", `{"branches":[{"deleted":false}]}`)
	})
}
