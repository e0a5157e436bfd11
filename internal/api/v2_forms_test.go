package api_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// v2Fields is what each resource of v2 shows, no more and no less.
var v2Fields = map[string]string{
	"epic": `archived comments completed completed_at completed_at_override created_at deadline description entity_type epic_state_id external_id
		follower_ids id labels mention_ids milestone_id name owner_ids position project_ids requested_by_id started started_at started_at_override state
		stats updated_at`,
	"epic stats": `last_story_update num_points num_points_done num_points_started num_points_unstarted num_stories_done num_stories_started
		num_stories_unestimated num_stories_unstarted`,
	"thread": `author_id comments created_at deleted entity_type external_id id mention_ids text updated_at`,
	"milestone": `categories completed completed_at completed_at_override created_at description entity_type id name position started started_at
		started_at_override state updated_at`,
	"project": `abbreviation archived color created_at days_to_thermometer description entity_type external_id follower_ids id iteration_length name
		show_thermometer start_time stats team_id updated_at`,
	"project stats": `num_points num_stories`,
	"slim story": `app_url archived blocked blocker comment_ids completed completed_at completed_at_override created_at deadline entity_type epic_id
		estimate external_id file_ids follower_ids id iteration_id labels linked_file_ids mention_ids moved_at name owner_ids position project_id
		requested_by_id started started_at started_at_override story_links story_type task_ids updated_at workflow_state_id`,
	"story": `app_url archived blocked blocker branches comments commits completed completed_at completed_at_override created_at deadline description
		entity_type epic_id estimate external_id files follower_ids id iteration_id labels linked_files mention_ids moved_at name owner_ids position
		project_id requested_by_id started started_at started_at_override story_links story_type tasks updated_at workflow_state_id`,
	"comment": `app_url author_id created_at entity_type external_id group_mention_ids id member_mention_ids mention_ids position story_id text updated_at`,
	"task": `complete completed_at created_at description entity_type external_id group_mention_ids id member_mention_ids mention_ids owner_ids position
		story_id updated_at`,
	"story link":       `created_at entity_type id object_id subject_id updated_at verb`,
	"typed story link": `created_at entity_type id object_id subject_id type updated_at verb`,
}

// TestV2Forms holds the answers to exactly the published fields.
func TestV2Forms(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	w := newWorker(t, s)
	w.send(t, work)
	get := func(path string) testkit.Answer { return s.Owner.Want(t, 200, "GET", w.named(t, "/api/v2"+path), nil) }
	of := func(v any) map[string]any {
		if list, ok := v.([]any); ok {
			v = list[0]
		}
		return v.(map[string]any)
	}
	epic, story := get("/epics").List(t)[0], get("/stories/{story-public-id}").Object(t)
	project := get("/projects").List(t)[0]
	slim := maps.Clone(epic)
	delete(slim, "comments")
	if got := get("/milestones/{milestone-public-id}/epics").List(t)[0]; !slices.Equal(slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(slim))) {
		t.Errorf("a milestone shows epics as %v", got)
	}
	for name, got := range map[string]map[string]any{
		"epic": epic, "epic stats": of(epic["stats"]), "thread": of(epic["comments"]), "milestone": get("/milestones").List(t)[0],
		"project": project, "project stats": of(project["stats"]), "slim story": get("/projects/{project-public-id}/stories").List(t)[0],
		"story": story, "comment": of(story["comments"]), "task": of(story["tasks"]), "typed story link": of(story["story_links"]),
		"story link": get("/story-links/{story-link-public-id}").Object(t),
	} {
		if keys := slices.Sorted(maps.Keys(got)); !slices.Equal(keys, strings.Fields(v2Fields[name])) {
			t.Errorf("%s has the fields %v, want %v", name, keys, strings.Fields(v2Fields[name]))
		}
	}
}

// TestV2Across writes through v2 and reads through v3, and the other way round.
func TestV2Across(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		team := defaultWorkflow(t, s).TeamID
		for i, pair := range [][2]string{{"/api/v2", "/api/v3"}, {"/api/v3", "/api/v2"}} {
			writer, reader := pair[0], pair[1]
			project := s.Owner.Want(t, 201, "POST", writer+"/projects", fmt.Sprintf(`{"name":"p%d","team_id":%d,"color":"#112233"}`, i, team)).ID(t)
			milestone := s.Owner.Want(t, 201, "POST", writer+"/milestones", fmt.Sprintf(`{"name":"m%d","state":"done","categories":[{"name":"c%[1]d"}]}`, i)).ID(t)
			epic := s.Owner.Want(t, 201, "POST", writer+"/epics", fmt.Sprintf(`{"name":"e%d","description":"d","milestone_id":%d,"labels":[{"name":"l%[1]d"}]}`, i, milestone)).ID(t)
			story := s.Owner.Want(t, 201, "POST", writer+"/stories", fmt.Sprintf(`{"name":"s%d","description":"d","project_id":%d,"epic_id":%d,"estimate":5,
				"labels":[{"name":"l%[1]d"}],"tasks":[{"description":"t"}],"comments":[{"text":"c"}]}`, i, project, epic)).ID(t)
			thread := s.Owner.Want(t, 201, "POST", fmt.Sprintf("%s/epics/%d/comments", writer, epic), `{"text":"x"}`).ID(t)
			link := s.Owner.Want(t, 201, "POST", writer+"/story-links", fmt.Sprintf(`{"subject_id":%d,"verb":"relates to","object_id":%d}`, story, newStory(t, s, ""))).ID(t)
			at := func(kind string, id int64) string { return fmt.Sprintf("%s/%s/%d", reader, kind, id) }
			label := fmt.Sprintf(`"labels":[{"name":"l%d"}]`, i)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: at("projects", project), Status: 200, Want: fmt.Sprintf(`{"name":"p%d","team_id":%d,"color":"#112233","stats":{"num_stories":1,"num_points":5}}`, i, team)},
				{Method: "GET", Path: at("projects", project) + "/stories", Status: 200, Want: fmt.Sprintf(`[{"id":%d}]`, story)},
				{Method: "GET", Path: at("milestones", milestone), Status: 200, Want: fmt.Sprintf(`{"name":"m%d","state":"done","completed":true,"categories":[{"name":"c%[1]d"}]}`, i)},
				{Method: "GET", Path: at("epics", epic), Status: 200, Want: fmt.Sprintf(`{"name":"e%d","description":"d","milestone_id":%d,%s,"project_ids":[%d],"comments":[{"id":%d,"text":"x"}]}`, i, milestone, label, project, thread)},
				{Method: "GET", Path: at("stories", story), Status: 200, Want: fmt.Sprintf(`{"name":"s%d","description":"d","project_id":%d,"epic_id":%d,"estimate":5,%s,"tasks":[{"description":"t"}],"comments":[{"text":"c"}],"story_links":[{"id":%d}]}`, i, project, epic, label, link)},
				{Method: "PUT", Path: at("stories", story), Body: `{"estimate":null}`, Status: 200, Want: `{"estimate":null}`},
				{Method: "GET", Path: fmt.Sprintf("%s/stories/%d", writer, story), Status: 200, Want: `{"estimate":null}`},
				{Method: "DELETE", Path: at("epics", epic), Status: 204},
				{Method: "GET", Path: fmt.Sprintf("%s/stories/%d", writer, story), Status: 200, Want: `{"epic_id":null}`},
			})
		}
	})
}

// TestV2EpicQueries: the discussions and label stats of a list cost the same for ten epics as for more.
func TestV2EpicQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		add := func(n int) {
			for i := range n {
				id := s.Owner.Want(t, 201, "POST", "/api/v2/epics", fmt.Sprintf(`{"name":"e","labels":[{"name":"l%d"}]}`, i)).ID(t)
				s.Owner.Want(t, 201, "POST", fmt.Sprintf("/api/v2/epics/%d/comments", id), `{"text":"x"}`)
			}
		}
		add(2)
		few := queries(t, s, "/api/v2/epics")
		add(30)
		if many := queries(t, s, "/api/v2/epics"); many != few {
			t.Errorf("32 epics cost %d queries, 2 cost %d", many, few)
		}
	})
}

// TestBareMentions: v1 and v2 read a bare @name as a mention, v3 and beta do not.
func TestBareMentions(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		ids := map[string]tracker.UUID{}
		for _, name := range []string{"mia", "mia.b", "bo-"} {
			ids[name] = s.NewMember(t, s.Owner, name, tracker.Regular).Member.ID
		}
		link := func(name string) string { return fmt.Sprintf("[@%s](milepost://members/%s)", name, ids[name]) }
		for _, c := range []struct {
			text string
			want []string
		}{
			{"@mia", []string{"mia"}},
			{"Ask @Mia.", []string{"mia"}},
			{"(@mia.b), please", []string{"mia.b"}},
			{"@mia.b.", []string{"mia.b"}},
			{"@mia.c", nil},
			{"@bo- and @mia...", []string{"bo-", "mia"}},
			{"@bo", nil},
			{"@mia @mia " + link("mia"), []string{"mia"}},
			{"@bo- " + link("mia"), []string{"mia", "bo-"}},
			{"line\n@mia", []string{"mia"}},
			{"[@mia]", []string{"mia"}},
			{"[@mia](milepost://members/00000000-0000-7000-8000-000000000000)", nil},
			{"x@mia", nil},
			{"post@mia.b", nil},
			{"https://example.com/@mia", nil},
			{"@nobody @", nil},
		} {
			want := []tracker.UUID{}
			for _, name := range c.want {
				want = append(want, ids[name])
			}
			id := s.Owner.Want(t, 201, "POST", "/api/v2/stories", map[string]any{"name": "x", "description": c.text}).ID(t)
			for _, version := range []string{"v2", "v3"} {
				testkit.Run(t, s.Owner, []testkit.Case{{
					Name: c.text, Method: "GET", Path: fmt.Sprintf("/api/%s/stories/%d", version, id), Status: 200,
					Want: fmt.Sprintf(`{"mention_ids":%s}`, jsonList(want)),
				}})
			}
		}
		for _, version := range []string{"v3", "beta"} {
			testkit.Run(t, s.Owner, []testkit.Case{{
				Name: version, Method: "POST", Path: "/api/" + version + "/stories", Body: `{"name":"x","description":"@mia"}`, Status: 201, Want: `{"mention_ids":[]}`,
			}})
		}
	})
}
