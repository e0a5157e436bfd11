package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// TestBetaGroups: beta creates groups with less than v3, and gives them colours of any form.
func TestBetaGroups(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const groups = "/api/beta/groups"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: groups, Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key","mention_name":"missing-required-key"}}`},
			{Method: "POST", Path: groups, Body: `{"name":"x","mention_name":"x","color":"#112233","color_key":"blue","workflow_ids":[]}`, Status: 400,
				Want: `{"errors":{"color":"disallowed-key","color_key":"disallowed-key","workflow_ids":"disallowed-key"}}`},
			{Method: "POST", Path: groups, Body: `{"name":"x","mention_name":"x","display_icon_id":"` + noUUID + `"}`, Status: 422},
		})
		a := s.Owner.Want(t, 201, "POST", groups, fmt.Sprintf(`{"name":"Crew","mention_name":"crew","description":"All","member_ids":[%q]}`, s.Owner.Member.ID))
		path := fmt.Sprint("/groups/", a.Object(t)["id"])
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/api/beta" + path, Status: 200, Want: fmt.Sprintf(`{"name":"Crew","mention_name":"crew","description":"All",
				"member_ids":[%q],"color":null,"color_key":null,"display_icon":null}`, s.Owner.Member.ID)},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"color":"rgba(1, 2, 3, 0.5)"}`, Status: 200, Want: `{"color":"rgba(1, 2, 3, 0.5)"}`},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"color":"crimson","name":"Band"}`, Status: 200, Want: `{"color":"rgba(1, 2, 3, 0.5)","name":"Band"}`},
			{Method: "GET", Path: path, Status: 200, Want: `{"color":"#010203"}`},
			{Method: "GET", Path: "/api/beta/groups", Status: 200, Want: `[{"color":"rgba(1, 2, 3, 0.5)"}]`},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"color":null}`, Status: 200, Want: `{"color":null}`},
			{Method: "PUT", Path: path, Body: `{"color":"rgb(1, 2, 3)"}`, Status: 400},
		})
	})
}

// TestBetaProjects: the texts of projects have no limit in beta, and v3 shows what fits its own.
func TestBetaProjects(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		team := defaultWorkflow(t, s).TeamID
		name, description := strings.Repeat("ü", 5_000), strings.Repeat("ä", 100_001)
		const projects = "/api/beta/projects"
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: projects, Body: `{"name":"x"}`, Status: 400, Want: `{"errors":{"team_id":"missing-required-key"}}`},
			{Method: "POST", Path: projects, Body: `{"name":" ","team_id":1}`, Status: 400, Want: `{"errors":{"name":"must not be blank"}}`},
		})
		id := s.Owner.Want(t, 201, "POST", projects, map[string]any{
			"name": name, "description": description, "team_id": team, "color": "hsl(120, 100%, 25%)", "abbreviation": "abc",
		}).ID(t)
		path := fmt.Sprint("/projects/", id)
		kept := fmt.Sprintf(`{"name":%q,"description":%q,"color":"hsl(120, 100%%, 25%%)","abbreviation":"abc"}`, name, description)
		shown := fmt.Sprintf(`{"name":%q,"description":%q,"color":"#008000","archived":true}`, strings.Repeat("ü", 128), strings.Repeat("ä", 100_000))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/api/beta" + path, Status: 200, Want: kept},
			{Method: "PUT", Path: path, Body: `{"archived":true}`, Status: 200, Want: shown},
			{Method: "GET", Path: path, Status: 200, Want: shown},
			{Method: "GET", Path: "/projects", Status: 200, Want: `[` + shown + `]`},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"color":"none","archived":false}`, Status: 200, Want: kept},
			{Method: "PUT", Path: "/api/beta" + path, Body: map[string]any{"name": name + "!", "description": description + "!"}, Status: 200,
				Want: fmt.Sprintf(`{"name":"%s!","description":"%s!"}`, name, description)},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"name":"short","description":""}`, Status: 200, Want: `{"name":"short","description":""}`},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"name":""}`, Status: 400},
		})
		s.Owner.Want(t, 201, "POST", "/api/beta/stories", fmt.Sprintf(`{"name":"Story","description":"text","project_id":%d}`, id))
		for query, want := range map[string]any{"": nil, "?includes_description=true": "text"} {
			list := s.Owner.Want(t, 200, "GET", "/api/beta"+path+"/stories"+query, nil).List(t)
			if len(list) != 1 || list[0]["description"] != want {
				t.Errorf("%q lists %v, want the description %v", query, list, want)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "in the body", Method: "GET", Path: "/api/beta" + path + "/stories", Body: `{"includes_description":true}`, Status: 200, Want: `[{"description":"text"}]`},
		})
	})
}

// TestBetaInline: a colour in the middle of another request is taken, kept and shown as elsewhere in
// beta, and the categories of milestones have a type.
func TestBetaInline(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const dates = `,"start_date":"2026-01-05","end_date":"2026-01-16"`
		for _, c := range []struct{ path, fields, list, more string }{
			{"/stories", "", "labels", ""},
			{"/epics", "", "labels", ""},
			{"/iterations", dates, "labels", ""},
			{"/milestones", "", "categories", `"type":"milestone",`},
			{"/objectives", "", "categories", ""},
		} {
			named := func(item, color string) string {
				return fmt.Sprintf(`{%s"name":"%s of %s","color":%s}`, c.more, item, c.path, color)
			}
			shows := func(first, second string) string {
				return fmt.Sprintf(`{"%s":[{"color":%s},{"color":%s}]}`, c.list, first, second)
			}
			body := fmt.Sprintf(`{"name":"x"%s,"%s":[%s,%s]}`, c.fields, c.list, named("good", `"rgb(1, 2, 3)"`), named("bad", `"crimson"`))
			id := s.Owner.Want(t, 201, "POST", "/api/beta"+c.path, body).ID(t)
			one := fmt.Sprintf("%s/%d", c.path, id)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: "/api/beta" + one, Status: 200, Want: shows(`"rgb(1, 2, 3)"`, `null`)},
				{Method: "GET", Path: one, Status: 200, Want: shows(`"#010203"`, `null`)},
				{Method: "PUT", Path: "/api/beta" + one, Status: 200, Want: shows(`"#abc"`, `null`),
					Body: fmt.Sprintf(`{"%s":[%s,%s]}`, c.list, named("new", `"#abc"`), named("odd", `7`))},
				{Name: "strict", Method: "PUT", Path: one, Body: fmt.Sprintf(`{"%s":[%s]}`, c.list, named("more", `"#abc"`)), Status: 400,
					Want: fmt.Sprintf(`{"errors":{"%s":[{"color":"must be a colour of the form #rrggbb"}]}}`, c.list)},
			})
		}
		category := s.Owner.Want(t, 201, "POST", "/api/beta/categories", `{"type":"milestone","name":"Growth","color":"hsl(0, 100%, 50%)"}`).ID(t)
		list := fmt.Sprintf("/categories/%d/milestones", category)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/api/beta/milestones", Body: `{"name":"m","categories":[{"name":"Growth","type":"epic"}]}`, Status: 400,
				Want: `{"errors":{"categories":[{"type":"must be one of: milestone"}]}}`},
			{Method: "POST", Path: "/api/beta/milestones", Body: `{"name":"m","categories":[{"name":"Growth"}]}`, Status: 201,
				Want: `{"name":"m","categories":[{"name":"Growth","type":"milestone","color":"hsl(0, 100%, 50%)"}]}`},
			{Method: "GET", Path: "/api/beta" + list, Status: 200, Want: `[{"name":"m","categories":[{"type":"milestone"}]}]`},
			{Method: "GET", Path: list, Status: 200, Want: `[{"categories":[{"color":"#ff0000"}]}]`},
			{Method: "GET", Path: "/api/beta/milestones/99", Status: 404, Want: `{"message":"Resource not found."}`},
		})
		if a := s.Owner.Want(t, 200, "GET", list, nil); strings.Contains(a.Text, `"type"`) {
			t.Errorf("v3 shows the type of a category: %s", a.Text)
		}
	})
}

// TestBetaDocument: what beta publishes binds no colour to the form of v3, in requests and answers.
func TestBetaDocument(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	for version, strict := range map[string]bool{"v3": true, "beta": false} {
		if a := s.Owner.Want(t, 200, "GET", "/api/"+version+"/openapi.json", nil); strings.Contains(a.Text, `^#[a-fA-F0-9]{6}$`) != strict {
			t.Errorf("%s publishes the pattern of colours: %v, want %v", version, !strict, strict)
		}
	}
}
