package api_test

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// titles are what a search found, in its order.
func titles(t *testing.T, a testkit.Answer) string {
	t.Helper()
	var out []string
	for _, d := range a.Object(t)["data"].([]any) {
		out = append(out, d.(map[string]any)["title"].(string))
	}
	return strings.Join(out, ", ")
}

func TestDocumentSearch(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		for _, title := range []string{"Café plan", "Plan", "The Plan: café 2026", "Explanation", "Plan for Q3", "100% done", "snake_case", "C++ ŠTRASSE ß", "???"} {
			newDocument(t, s.Owner, title, "plan")
		}
		hers := newDocument(t, mia, "Planets", "")
		s.Owner.Want(t, 200, "PUT", "/api/app/documents/"+hers, fmt.Sprintf(`{"archived":true,"follower_ids":[%q]}`, s.Owner.Member.ID))
		for _, c := range []struct {
			as          *testkit.Client
			query, want string
		}{
			{s.Owner, "plan", "Plan, Planets, Plan for Q3, The Plan: café 2026, Café plan, Explanation"},
			{s.Owner, "PLAN", "Plan, Planets, Plan for Q3, The Plan: café 2026, Café plan, Explanation"},
			{s.Owner, "cafe", "Café plan, The Plan: café 2026"},
			{s.Owner, "café plan", "Café plan, The Plan: café 2026"},
			{s.Owner, "plan, caf", "The Plan: café 2026, Café plan"},
			{s.Owner, "plan cafe", "The Plan: café 2026, Café plan"},
			{s.Owner, "plan for", "Plan for Q3"},
			{s.Owner, "lan q", "Plan for Q3"},
			{s.Owner, "nowhere plan", ""},
			{s.Owner, "100%", "100% done"},
			{s.Owner, "%", ""},
			{s.Owner, "_", ""},
			{s.Owner, "snake_case", "snake_case"},
			{s.Owner, "strasse SS", "C++ ŠTRASSE ß"},
			{s.Owner, "c++", "C++ ŠTRASSE ß"},
			{s.Owner, "???", "???"},
			{s.Owner, "\u0301", ""},
			{s.Owner, "plan&archived=true", "Planets"},
			{s.Owner, "plan&archived=false", "Plan, Plan for Q3, The Plan: café 2026, Café plan, Explanation"},
			{s.Owner, "planet&created_by_me=true", ""},
			{s.Owner, "planet&created_by_me=false", "Planets"},
			{mia, "plan&created_by_me=true", "Planets"},
			{mia, "plan&followed_by_me=true", ""},
			{mia, "plan&followed_by_me=false&archived=true", "Planets"},
			{s.Owner, "planet&followed_by_me=true", "Planets"},
		} {
			title, filters, _ := strings.Cut(c.query, "&")
			a := c.as.Want(t, 200, "GET", "/search/documents?title="+url.QueryEscape(title)+"&"+filters, nil)
			total := 0.0
			if c.want != "" {
				total = float64(strings.Count(c.want, ", ") + 1)
			}
			if got := titles(t, a); got != c.want || a.Object(t)["total"] != total || a.Object(t)["next"] != nil {
				t.Errorf("%s finds %s in %s, want %s", c.query, got, a.Text, c.want)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/search/documents", Status: 400, Want: `{"errors":{"title":"missing-required-key"}}`},
			{Method: "GET", Path: "/search/documents?title=", Status: 400, Want: `{"errors":{"title":"must have at least 1 characters"}}`},
			{Method: "GET", Path: "/search/documents?title=x&page_size=0", Status: 400, Want: `{"errors":{"page_size":"must be from 1 to 25"}}`},
			{Method: "GET", Path: "/search/documents?title=x&page_size=26", Status: 400},
			{Method: "GET", Path: "/search/documents?title=x&query=y", Status: 400, Want: `{"errors":{"query":"disallowed-key"}}`},
		})
		for _, next := range []string{"", "x", "~", "0~1", strings.Repeat("a", 33) + "~1", "4" + strings.Repeat("0", 32) + "~1", "0" + strings.Repeat("g", 32) + "~1",
			"0" + strings.Repeat("0", 32), "0" + strings.Repeat("0", 32) + "~-1", "0" + strings.Repeat("0", 32) + "~x"} {
			testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: "/search/documents?title=x&next=" + next, Status: 400,
				Want: `{"errors":{"next":"must be what an answer gave as next"}}`}})
		}
	})
}

var nextForm = regexp.MustCompile(`^/api/(v3|beta)/search/documents\?archived=false&page_size=\d+&title=a\+doc&next=[0-9a-f]{33}~\d+$`)

// TestDocumentPages follows next to the end while documents come, go and change their titles: nothing
// that matched all the time is missed or seen twice.
func TestDocumentPages(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		storeWrite(t, s, func(tx *store.Tx) error {
			for i := range 1_010 {
				d := tracker.Document{ID: tracker.UUID(fmt.Sprintf("00000000-0000-7000-8000-%012d", i)), Title: fmt.Sprintf("A doc %d", i)}
				if err := tx.InsertDocument(&d); err != nil {
					return err
				}
			}
			return nil
		})
		for version, size := range map[string]int{"v3": 25, "beta": 23} {
			seen := map[string]bool{}
			path, pages := fmt.Sprintf("/api/%s/search/documents?title=a+doc&archived=false&page_size=%d", version, size), 0
			for {
				a := s.Owner.Want(t, 200, "GET", path, nil)
				for _, d := range a.Object(t)["data"].([]any) {
					id := d.(map[string]any)["id"].(string)
					if seen[id] {
						t.Fatalf("%s is served twice, again on %s", id, path)
					}
					seen[id] = true
				}
				if pages++; pages == 2 {
					newDocument(t, s.Owner, "A doc of now", "")
				}
				next, _ := a.Object(t)["next"].(string)
				if !nextForm.MatchString(next) || strings.Contains(next, s.Owner.Token) {
					t.Fatalf("after %d documents next is %q", len(seen), next)
				}
				path = next
				if len(seen) == 1_000 {
					break
				}
			}
			testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: path, Status: 400, Want: `{"name":"MaxSearchResultsExceededError",
				"error":"maximum-results-exceeded","message":"A maximum of 1000 search results are supported.","maximum-results":1000}`}})
		}
		few := s.Owner.Want(t, 200, "GET", "/search/documents?title=a+doc+100&page_size=10", nil)
		if few.Object(t)["next"] == nil || few.Object(t)["total"] != 11.0 {
			t.Errorf("the first of two pages is %s", few.Text)
		}
		last := s.Owner.Want(t, 200, "GET", few.Object(t)["next"].(string), nil)
		if titles(t, last) != "A doc 1000" || last.Object(t)["next"] != nil || last.Object(t)["total"] != 11.0 {
			t.Errorf("the last page is %s", last.Text)
		}
	})
}
