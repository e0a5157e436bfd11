package api_test

import (
	"fmt"
	"testing"

	"milepost/internal/testkit"
)

// TestAcrossVersions writes a resource through each version and reads it through all of them.
func TestAcrossVersions(t *testing.T) {
	t.Parallel()
	const kept = "rgb(0, 128, 0)"
	type body map[string]any
	milestone := body{"type": "milestone"}
	strict, lenient := body{"color": "#008000"}, body{"color": kept}
	resources := []struct {
		collection string
		create     map[string]body // what a version needs beside the name
		shows      map[string]body // what a version shows of the colour and beside it
	}{
		{
			collection: "/categories",
			create:     map[string]body{"v3": nil, "v2": milestone, "beta": milestone},
			shows: map[string]body{
				"v3": strict, "v2": {"color": "#008000", "type": "milestone"}, "beta": {"color": kept, "type": "milestone"},
			},
		},
		{
			collection: "/labels",
			create:     map[string]body{"v3": nil, "v2": nil, "v1": nil, "beta": nil},
			shows:      map[string]body{"v3": strict, "v2": strict, "v1": {"num_stories_total": 0.0}, "beta": lenient},
		},
	}
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for _, r := range resources {
			for writer, more := range r.create {
				in := body{"name": "by " + writer}
				for key, value := range more {
					in[key] = value
				}
				path := "/api/" + writer + r.collection
				id := s.Owner.Want(t, 201, "POST", path, in).ID(t)
				s.Owner.Want(t, 200, "PUT", fmt.Sprintf("/api/beta%s/%d", r.collection, id), lenient)
				renamed := "renamed by " + writer
				s.Owner.Want(t, 200, "PUT", fmt.Sprintf("%s/%d", path, id), body{"name": renamed})
				for reader, want := range r.shows {
					got := find(t, s.Owner.Want(t, 200, "GET", "/api/"+reader+r.collection, nil), id)
					if got["name"] != renamed {
						t.Errorf("%s written by %s: %s shows the name %v", r.collection, writer, reader, got["name"])
					}
					for key, value := range want {
						if got[key] != value {
							t.Errorf("%s written by %s: %s shows %s %v, want %v", r.collection, writer, reader, key, got[key], value)
						}
					}
				}
				s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("%s/%d", path, id), nil)
			}
		}
	})
}

// find picks the element with the id from a list.
func find(t *testing.T, a testkit.Answer, id int64) map[string]any {
	t.Helper()
	for _, one := range a.List(t) {
		if numberOf(one["id"]) == id {
			return one
		}
	}
	t.Fatalf("no id %d in %s", id, a.Text)
	return nil
}

// TestColors: beta keeps every form of colour as it was sent and ignores what is none; v2 and v3
// take and show one form.
func TestColors(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for i, c := range []struct{ sent, kept, shown any }{
			{"#AAbbcc", "#AAbbcc", "#AAbbcc"},
			{"#abc", "#abc", "#aabbcc"},
			{"#abcd", "#abcd", "#aabbcc"},
			{"#a1b2c380", "#a1b2c380", "#a1b2c3"},
			{"rgb(255, 0, 16)", "rgb(255, 0, 16)", "#ff0010"},
			{"rgba(1,2,3,0.5)", "rgba(1,2,3,0.5)", "#010203"},
			{"hsl(120, 100%, 25%)", "hsl(120, 100%, 25%)", "#008000"},
			{"hsla(240, 100%, 50%, 30%)", "hsla(240, 100%, 50%, 30%)", "#0000ff"},
			{"red", nil, nil},
			{"inherit", nil, nil},
			{"#abcde", nil, nil},
			{"rgb(1, 2)", nil, nil},
			{7, nil, nil},
			{"rgb(1, 2, 3" + fmt.Sprintf("%64s", ")"), nil, nil},
		} {
			for _, collection := range []string{"/categories", "/labels"} {
				in := map[string]any{"name": fmt.Sprint("colour ", i), "color": c.sent}
				if collection == "/categories" {
					in["type"] = "milestone"
				}
				id := s.Owner.Want(t, 201, "POST", "/api/beta"+collection, in).ID(t)
				for version, want := range map[string]any{"beta": c.kept, "v2": c.shown, "v3": c.shown} {
					path := fmt.Sprintf("/api/%s%s/%d", version, collection, id)
					if got := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["color"]; got != want {
						t.Errorf("%s: %v is shown as %v, want %v", path, c.sent, got, want)
					}
				}
			}
		}
		for _, version := range []string{"v2", "v3"} {
			for _, color := range []any{"#abc", "#aabbccdd", "rgb(1, 2, 3)", "red", 7} {
				in := map[string]any{"name": "refused", "color": color}
				if a := s.Owner.Do(t, "POST", "/api/"+version+"/labels", in); a.Status != 400 {
					t.Errorf("%s answers %d to the colour %v", version, a.Status, color)
				}
			}
		}
		id := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"changed","color":"#112233"}`).ID(t)
		path := fmt.Sprintf("/labels/%d", id)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "no colour changes nothing", Method: "PUT", Path: "/api/beta" + path, Body: `{"color":"red"}`, Status: 200, Want: `{"color":"#112233"}`},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"color":"rgb(1,2,3)"}`, Status: 200, Want: `{"color":"rgb(1,2,3)"}`},
			{Method: "PUT", Path: path, Body: `{"description":"kept"}`, Status: 200, Want: `{"color":"#010203"}`},
			{Method: "GET", Path: "/api/beta" + path, Status: 200, Want: `{"color":"rgb(1,2,3)"}`},
			{Method: "PUT", Path: "/api/beta" + path, Body: `{"color":null}`, Status: 200, Want: `{"color":null}`},
			{Method: "GET", Path: path, Status: 200, Want: `{"color":null}`},
		})
	})
}

func TestDeprecatedVersions(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	id := s.Owner.Want(t, 201, "POST", "/labels", `{"name":"x"}`).ID(t)
	label := fmt.Sprintf("/labels/%d", id)
	user := "/users/" + string(s.Owner.Member.UserID)
	for _, c := range []struct{ method, path, link string }{
		{"GET", "/api/v1/labels", "</api/v3/labels>"},
		{"GET", "/api/v1/users/", "</api/v3/members>"},
		{"GET", "/api/v1" + user, "</api/v3/members/" + string(s.Owner.Member.UserID) + ">"},
		{"GET", "/api/v2" + label + "?token=" + s.Owner.Token, "</api/v3" + label + ">"},
		{"GET", "/api/v2/labels/%3E", "</api/v3/labels/%3E>"},
		{"GET", "/api/beta/labels/999", "</api/v3/labels/999>"},
		{"DELETE", "/api/beta" + label, "</api/v3" + label + ">"},
		{"GET", "/api/v3/labels", ""},
	} {
		h := s.Owner.Do(t, c.method, c.path, nil).Header
		deprecation, link := "@1767225600", c.link+`; rel="successor-version"`
		if c.link == "" {
			deprecation, link = "", ""
		}
		if h.Get("Deprecation") != deprecation || h.Get("Link") != link {
			t.Errorf("%s %s: Deprecation %q, Link %q, want %q", c.method, c.path, h.Get("Deprecation"), h.Get("Link"), link)
		}
	}
	successor := s.Owner.Want(t, 200, "GET", "/members/"+string(s.Owner.Member.UserID), nil).Object(t)
	if successor["id"] != string(s.Owner.Member.ID) {
		t.Errorf("the successor of a user is %v", successor)
	}
}

// TestTokenInQuery: the earlier versions took the token there, and v3 still does.
func TestTokenInQuery(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, t.TempDir()+"/milepost.db")
	nobody := &testkit.Client{URL: s.URL}
	for _, version := range []string{"v3", "v2", "v1", "beta"} {
		path := "/api/" + version + "/labels"
		nobody.Want(t, 200, "GET", path+"?token="+s.Owner.Token, nil)
		nobody.Want(t, 401, "GET", path, nil)
	}
}

// TestCategoriesOfEarlierVersions: v2 and beta need the type that v3 ignores.
func TestCategoriesOfEarlierVersions(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for _, version := range []string{"v2", "beta"} {
			path := "/api/" + version + "/categories"
			name := `"name":"by ` + version + `"`
			id := s.Owner.Want(t, 201, "POST", path, `{"type":"milestone","color":"#AAbbcc","external_id":"x",`+name+`}`).ID(t)
			one := fmt.Sprintf("%s/%d", path, id)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "POST", Path: path, Body: `{"name":"x"}`, Status: 400, Want: `{"errors":{"type":"missing-required-key"}}`},
				{Method: "POST", Path: path, Body: `{"name":"x","type":"epic"}`, Status: 400, Want: `{"errors":{"type":"must be one of: milestone"}}`},
				{Method: "POST", Path: path, Body: `{"type":"milestone",` + name + `}`, Status: 422, Want: `{"errors":{"name":"already exists"}}`},
				{Method: "GET", Path: one, Status: 200, Want: `{` + name + `,"color":"#AAbbcc","external_id":"x","archived":false,"type":"milestone"}`},
				{Method: "PUT", Path: one, Body: `{"type":"milestone"}`, Status: 400, Want: `{"errors":{"type":"disallowed-key"}}`},
				{Method: "PUT", Path: one, Body: `{"archived":true,"color":null}`, Status: 200, Want: `{` + name + `,"archived":true,"color":null,"type":"milestone"}`},
				{Method: "DELETE", Path: one, Status: 204},
				{Method: "GET", Path: one, Status: 404, Want: `{"message":"Resource not found."}`},
				{Method: "PUT", Path: one, Body: `{"archived":true}`, Status: 404},
				{Method: "DELETE", Path: one, Status: 404},
			})
		}
		s.Owner.Want(t, 404, "GET", "/api/v1/categories", nil)
	})
}
