package api_test

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"milepost/internal/api"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// newFoundWorld makes one of each that is found by the word walrus, with everything that belongs to it.
func newFoundWorld(t *testing.T, address string, options ...testkit.Config) (s *testkit.Server, ids map[string]int64) {
	t.Helper()
	s, ids = testkit.New(t, address, options...), map[string]int64{}
	create := func(name, path, body string) {
		t.Helper()
		ids[name] = s.Owner.Want(t, 201, "POST", path, body).ID(t)
	}
	create("category", "/categories", `{"name":"Sea"}`)
	create("milestone", "/milestones", `{"name":"A walrus in sight","description":"Far out.","categories":[{"name":"Sea"}]}`)
	create("iteration", "/iterations", `{"name":"Walrus week","description":"All of it.","start_date":"2026-01-05","end_date":"2026-01-09"}`)
	create("epic", "/epics", `{"name":"The walrus","description":"A large animal."}`)
	create("epic comment", fmt.Sprintf("/epics/%d/comments", ids["epic"]), `{"text":"It has tusks."}`)
	s.Owner.Want(t, 201, "POST", fmt.Sprintf("/epics/%d/health", ids["epic"]), `{"status":"On Track","text":"Well fed."}`)
	create("story", "/stories", fmt.Sprintf(`{"name":"Feed the walrus","description":"With fish.","epic_id":%d,"labels":[{"name":"fish"}],
		"tasks":[{"description":"Buy fish","complete":true}],"comments":[{"text":"Which fish?"}]}`, ids["epic"]))
	create("linked file", "/linked-files", fmt.Sprintf(`{"name":"menu","type":"url","url":"https://example.com/menu","story_id":%d}`, ids["story"]))
	return s, ids
}

func found(t *testing.T, a testkit.Answer) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, item := range a.Object(t)["data"].([]any) {
		out = append(out, item.(map[string]any))
	}
	return out
}

func TestSearchForms(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, ids := newFoundWorld(t, address)
		for _, version := range []string{"v3", "beta"} {
			base := "/api/" + version
			for path, name := range map[string]string{
				"stories": "story", "epics": "epic", "iterations": "iteration", "objectives": "milestone", "milestones": "milestone",
			} {
				for _, detail := range []string{"", "&detail=full", "&detail=slim"} {
					a := s.Owner.Want(t, 200, "GET", base+"/search/"+path+"?query=walrus"+detail, nil)
					testkit.ValidWire(t, "GET", "/search/"+path, 200, a.Text)
					page := a.Object(t)
					if list := found(t, a); len(list) != 1 || int64(list[0]["id"].(float64)) != ids[name] || page["total"] != 1.0 || page["next"] != nil || len(page["cursors"].([]any)) != 1 {
						t.Errorf("%s%s: %s", path, detail, a.Text)
					}
				}
			}
		}
		// What a single story or epic shows is what is found of it, but for the lists of ids and texts.
		for path, name := range map[string]string{"stories": "story", "epics": "epic"} {
			alone := s.Owner.Want(t, 200, "GET", fmt.Sprintf("/%s/%d", path, ids[name]), nil).Object(t)
			full := found(t, s.Owner.Want(t, 200, "GET", "/search/"+path+"?query=walrus", nil))[0]
			if name == "story" {
				alone["num_tasks_completed"] = 1.0
			}
			if fmt.Sprint(alone) != fmt.Sprint(full) {
				t.Errorf("%s:\nfound %v\nalone %v", name, full, alone)
			}
			slim := found(t, s.Owner.Want(t, 200, "GET", "/search/"+path+"?detail=slim&query=walrus", nil))[0]
			var less, more []string
			for key := range alone {
				if _, has := slim[key]; !has {
					less = append(less, key)
				}
			}
			for key := range slim {
				if _, has := alone[key]; !has {
					more = append(more, key)
				}
			}
			slices.Sort(less)
			slices.Sort(more)
			want := map[string]string{
				"story": "[branches comments commits description files linked_files pull_requests tasks] [comment_ids file_ids linked_file_ids task_ids]",
				"epic":  "[comments description health] []",
			}[name]
			if got := fmt.Sprint(less, more); got != want {
				t.Errorf("slim %s lacks and has %s, want %s", name, got, want)
			}
		}
		if m := found(t, s.Owner.Want(t, 200, "GET", "/search/milestones?query=walrus&detail=slim", nil))[0]; m["description"] != nil {
			t.Errorf("a slim milestone has a description: %v", m)
		}
		category := found(t, s.Owner.Want(t, 200, "GET", "/api/beta/search/milestones?query=walrus", nil))[0]["categories"].([]any)[0].(map[string]any)
		if category["type"] != "milestone" {
			t.Errorf("a category of beta has no type: %v", category)
		}
	})
}

func TestSearchV2(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, ids := newFoundWorld(t, address)
		for path, name := range map[string]string{"stories": "story", "epics": "epic"} {
			a := s.Owner.Want(t, 200, "GET", "/api/v2/search/"+path+"?query=walrus&page_size=25", nil)
			if keys := slices.Sorted(maps.Keys(a.Object(t))); fmt.Sprint(keys) != "[data next total]" {
				t.Errorf("%s has the keys %v", path, keys)
			}
			alone := s.Owner.Want(t, 200, "GET", fmt.Sprintf("/api/v2/%s/%d", path, ids[name]), nil).Object(t)
			if list := found(t, a); len(list) != 1 || fmt.Sprint(list[0]) != fmt.Sprint(alone) {
				t.Errorf("found %v\nalone %v", list, alone)
			}
		}
		s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Another walrus"}`)
		a := s.Owner.Want(t, 200, "GET", "/api/v2/search/stories", `{"query":"walrus","page_size":1}`)
		next, _ := a.Object(t)["next"].(string)
		if !strings.HasPrefix(next, "/api/v2/search/stories?query=walrus&page_size=1&next=") {
			t.Fatalf("next is %q", next)
		}
		if list := found(t, s.Owner.Want(t, 200, "GET", next, nil)); len(list) != 1 || int64(list[0]["id"].(float64)) != ids["story"] {
			t.Errorf("the second page is %v", list)
		}
		s.Owner.Want(t, 400, "GET", "/api/v2/search/stories?query=walrus&detail=slim", nil) // unknown to v2
	})
}

func TestSearchAllTypes(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, _ := newFoundWorld(t, address)
		for types, want := range map[string]string{
			"":                      "[epics stories]",
			"&entity_types=epic":    "[epics]",
			"&entity_types[]=story": "[stories]",
			"&entity_types=story&entity_types=iteration":       "[iterations stories]",
			"&entity_types[]=milestone&entity_types[]=epic":    "[epics milestones]",
			"&entity_types=objective&entity_types=milestone":   "[milestones]",
			"&entity_types=objective&entity_types[]=iteration": "[iterations milestones]",
		} {
			for _, version := range []string{"v3", "beta"} {
				a := s.Owner.Want(t, 200, "GET", "/api/"+version+"/search?query=walrus"+types, nil)
				testkit.ValidWire(t, "GET", "/search", 200, a.Text)
				all := a.Object(t)
				if keys := slices.Sorted(maps.Keys(all)); fmt.Sprint(keys) != want {
					t.Errorf("%s %q gives %v", version, types, keys)
				}
				for key, page := range all {
					if page.(map[string]any)["total"] != 1.0 {
						t.Errorf("%s %s: %v", version, key, page)
					}
				}
			}
		}
		a := s.Owner.Want(t, 200, "GET", "/search", `{"query":"walrus","entity_types":["iteration"]}`)
		if keys := slices.Sorted(maps.Keys(a.Object(t))); fmt.Sprint(keys) != "[iterations]" {
			t.Errorf("a body gives %v", keys)
		}
		// The next page is that of one type.
		for range 2 {
			s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Another walrus"}`)
			s.Owner.Want(t, 201, "POST", "/epics", `{"name":"Another walrus"}`)
		}
		page := s.Owner.Want(t, 200, "GET", "/search?query=walrus&page_size=2", nil).Object(t)["epics"].(map[string]any)
		next := page["next"].(string)
		if !strings.HasPrefix(next, "/api/v3/search?query=walrus&page_size=2&detail=full&entity_types=epic&next=") {
			t.Errorf("next is %s", next)
		}
		token := next[strings.LastIndex(next, "=")+1:]
		for _, path := range []string{next, "/search?query=walrus&page_size=2&next=" + token} {
			last := s.Owner.Want(t, 200, "GET", path, nil).Object(t)
			epics, _ := last["epics"].(map[string]any)
			if len(last) != 1 || len(epics["data"].([]any)) != 1 || epics["next"] != nil || epics["total"] != 3.0 {
				t.Errorf("%s gives %v", path, last)
			}
		}
		s.Owner.Want(t, 400, "GET", "/search?query=walrus&entity_types=story&next="+token, nil)
	})
}

func TestSearchParameters(t *testing.T) {
	t.Parallel()
	s, _ := newFoundWorld(t, testkit.Addresses(t)[0])
	const invalid = `"message":"The request included invalid or missing parameters."`
	bad := func(name, path string, body any, reasons string) testkit.Case {
		return testkit.Case{Name: name, Method: "GET", Path: path, Body: body, Status: 400, Want: `{` + invalid + `,"errors":` + reasons + `}`}
	}
	testkit.Run(t, s.Owner, []testkit.Case{
		bad("no query", "/search/stories", nil, `{"query":"missing-required-key"}`),
		bad("an empty query", "/search/stories?query=", nil, `{"query":"must have at least 1 characters"}`),
		bad("a blank query", "/search?query=+", nil, `{"query":"must not be blank"}`),
		bad("a malformed value", "/search/stories?query=is:foo", nil, `{}`),
		bad("a page of none", "/search/stories?query=x&page_size=0", nil, `{"page_size":"must be from 1 to 25"}`),
		bad("a page too large", "/search/stories?query=x&page_size=26", nil, `{"page_size":"must be from 1 to 25"}`),
		bad("a page too large in the body", "/search/epics", `{"query":"x","page_size":26}`, `{"page_size":"must be from 1 to 25"}`),
		bad("another detail", "/search/stories?query=x&detail=all", nil, `{"detail":"must be one of: full, slim"}`),
		bad("another type", "/search?query=x&entity_types=label", nil, `{"entity_types":["must be one of: story, milestone, epic, iteration, objective"]}`),
		bad("another key", "/search/stories?query=x&order=id", nil, `{"order":"disallowed-key"}`),
		{Name: "the largest page", Method: "GET", Path: "/search/stories?query=walrus&page_size=25", Status: 200},
		{Name: "the smallest page", Method: "GET", Path: "/search/stories?query=walrus&page_size=1", Status: 200},
		{Name: "the query string beats the body", Method: "GET", Path: "/search/stories?query=walrus", Body: `{"query":"seal","page_size":3}`,
			Status: 200, Want: `{"total":1}`},
		{Name: "an empty body", Method: "GET", Path: "/search/stories?query=walrus", Body: ``, Status: 200, Want: `{"total":1}`},
		{Name: "nothing to look for", Method: "GET", Path: "/search/stories?query=%3F%3F", Status: 200, Want: `{"total":0,"data":[],"cursors":[],"next":null}`},
	})
}

func TestSearchMaxPageSize(t *testing.T) {
	t.Parallel()
	s, _ := newFoundWorld(t, testkit.Addresses(t)[0], func(c *api.Config) { c.MaxPageSize = 30 })
	for range 30 {
		s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Another walrus"}`)
		s.Owner.Want(t, 201, "POST", "/documents", `{"title":"Another walrus","content":""}`)
	}
	for _, path := range []string{
		"/api/v3/search/stories?query=walrus", "/api/v2/search/stories?query=walrus", "/api/beta/search/stories?query=walrus",
		"/api/v3/search/documents?title=walrus", "/api/beta/search/documents?title=walrus",
	} {
		if list := s.Owner.Want(t, 200, "GET", path+"&page_size=30", nil).Object(t)["data"].([]any); len(list) != 30 {
			t.Errorf("%s gives %d", path, len(list))
		}
		if list := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["data"].([]any); len(list) != 25 {
			t.Errorf("%s gives %d without a size", path, len(list))
		}
		s.Owner.Want(t, 400, "GET", path+"&page_size=31", nil)
	}
}

// Another workspace is never searched, whatever its ids and names, not even with its page token.
func TestSearchIsolation(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, ids := newFoundWorld(t, address)
		s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Another walrus"}`)
		other := s.NewWorkspace(t, "second")
		own := other.Want(t, 201, "POST", "/stories", `{"name":"A walrus of ours"}`).ID(t)
		for _, query := range []string{"walrus", "wal", `"walrus"`, "walrus -seal", "is:story"} {
			list := found(t, other.Want(t, 200, "GET", "/search/stories?query="+url.QueryEscape(query), nil))
			if len(list) != 1 || int64(list[0]["id"].(float64)) != own {
				t.Errorf("%s finds %v", query, list)
			}
		}
		for _, query := range []string{"fish", "label:fish", fmt.Sprintf("epic:%d", ids["epic"]), "epic:walrus", "has:comment", "owner:" + string(s.Owner.Member.ID)} {
			if a := other.Want(t, 200, "GET", "/search/stories?query="+url.QueryEscape(query), nil); a.Object(t)["total"] != 0.0 {
				t.Errorf("%s finds %s", query, a.Text)
			}
		}
		next := s.Owner.Want(t, 200, "GET", "/search/stories?query=walrus&page_size=1", nil).Object(t)["next"].(string)
		for _, story := range found(t, other.Want(t, 200, "GET", next, nil)) {
			if int64(story["id"].(float64)) != own {
				t.Errorf("the page token finds %v", story)
			}
		}
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		observer.Want(t, 200, "GET", "/search?query=walrus", nil)
	})
}

// A page costs a fixed number of queries.
func TestSearchQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		for i := range 25 {
			epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"walrus","labels":[{"name":"sea"}]}`).ID(t)
			s.Owner.Want(t, 201, "POST", fmt.Sprintf("/epics/%d/comments", epic), `{"text":"tusks"}`)
			s.Owner.Want(t, 201, "POST", "/stories", fmt.Sprintf(`{"name":"walrus","epic_id":%d,"tasks":[{"description":"a"}],"comments":[{"text":"b"}],"labels":[{"name":"l%d"}]}`, epic, i))
		}
		for _, path := range []string{"/api/v3/search", "/api/v3/search/stories", "/api/v3/search/epics", "/api/v2/search/epics", "/api/v2/search/stories"} {
			cost := func(size int) int64 {
				before := s.Store.Queries()
				s.Owner.Want(t, 200, "GET", fmt.Sprintf("%s?query=walrus&page_size=%d", path, size), nil)
				return s.Store.Queries() - before
			}
			for range 2 { // a token's first use may be noted, and labels are remembered
				cost(1)
			}
			if one, many := cost(2), cost(25); one != many {
				t.Errorf("%s costs %d queries for 2 results and %d for 25", path, one, many)
			}
		}
	})
}

// The oldest version filters stories by words.
func TestStoriesWithText(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s, ids := newFoundWorld(t, address)
		s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Feed the seal"}`)
		for text, want := range map[string]string{
			"walrus": "x", "WALR": "x", "fish feed": "x", "which walrus": "x", "walr feed": "", "seal fish": "", "???": "",
		} {
			list := s.Owner.Want(t, 201, "POST", "/api/v1/stories/search", map[string]any{"text": text}).List(t)
			if (want != "") != (len(list) == 1) || len(list) == 1 && int64(list[0]["id"].(float64)) != ids["story"] {
				t.Errorf("%s finds %v", text, list)
			}
		}
		if list := s.Owner.Want(t, 201, "POST", "/api/v1/stories/search", `{"text":"feed"}`).List(t); len(list) != 2 {
			t.Errorf("feed finds %v", list)
		}
		s.Owner.Want(t, 400, "POST", "/api/v1/stories/search", `{"text":""}`)
		s.Owner.Want(t, 400, "POST", "/stories/search", `{"text":"walrus"}`) // unknown to v3
	})
}
