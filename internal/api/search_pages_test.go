package api_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// searchPage reads one page of slim results.
func searchPage(t *testing.T, as *testkit.Client, path string) (ids []int64, total int, next string) {
	t.Helper()
	page := as.Want(t, 200, "GET", path, nil).Object(t)
	for _, item := range page["data"].([]any) {
		ids = append(ids, int64(item.(map[string]any)["id"].(float64)))
	}
	next, _ = page["next"].(string)
	return ids, int(page["total"].(float64)), next
}

// What is written between two pages, without altering what matches, is neither met twice nor missed.
func TestSearchPagesAmidWrites(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		tiers := make([][]int64, 3)
		for i := range 30 {
			body := []string{`"name":"Needle %d"`, `"name":"Hay %d","description":"a needle"`, `"name":"Straw %d","comments":[{"text":"the needle"}]`}[i%3]
			id := s.Owner.Want(t, 201, "POST", "/stories", `{`+fmt.Sprintf(body, i)+`}`).ID(t)
			tiers[i%3] = append([]int64{id}, tiers[i%3]...)
		}
		want := slices.Concat(tiers...)
		first, last := storyPath(want[0]), storyPath(want[len(want)-1])
		writes := []testkit.Case{
			{Method: "POST", Path: "/stories", Body: `{"name":"Needle, newest"}`, Status: 201},
			{Method: "POST", Path: first + "/comments", Body: `{"text":"Another needle"}`, Status: 201},
			{Method: "PUT", Path: last, Body: fmt.Sprintf(`{"workflow_state_id":%d,"archived":true,"name":"Stubble"}`, completed), Status: 200},
			{Method: "POST", Path: "/stories", Body: `{"name":"Nothing of the kind"}`, Status: 201},
		}
		var got []int64
		next := "/search/stories?detail=slim&page_size=7&query=needle"
		for page := 0; next != ""; page++ {
			ids, total, following := searchPage(t, s.Owner, next)
			if total != len(want)+min(page, 1) {
				t.Errorf("page %d: the total is %d, want %d", page, total, len(want)+min(page, 1))
			}
			got, next = append(got, ids...), following
			testkit.Run(t, s.Owner, writes[min(page, len(writes)):min(page+1, len(writes))])
		}
		if !slices.Equal(got, want) {
			t.Errorf(" got %v\nwant %v", got, want)
		}
	})
}

// A thousand results can be paged through; the link to what lies beyond is given, and refused.
func TestSearchBeyondAThousand(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		stories := testkit.PutStories(t, s, s.Owner.Workspace, 1001, func(*tracker.Story) {})
		walk := func(total int) (last string) {
			t.Helper()
			next := "/search/stories?detail=slim&query=is%3Astory+story"
			want := stories[total-1].ID
			for page := range 40 {
				ids, n, following := searchPage(t, s.Owner, next)
				if len(ids) != 25 || ids[0] != want || ids[24] != want-24 || n != total {
					t.Fatalf("page %d has %v of %d, want %d results from %d on, of %d", page, ids, n, 25, want, total)
				}
				want -= 25
				next = following
			}
			return next
		}
		beyond := walk(1001)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: beyond, Status: 400,
			Want: `{"name":"MaxSearchResultsExceededError","error":"maximum-results-exceeded","message":"A maximum of 1000 search results are supported.","maximum-results":1000}`}})
		s.Owner.Want(t, 204, "DELETE", storyPath(stories[1000].ID), nil)
		if beyond := walk(1000); beyond != "" {
			t.Errorf("after all of a thousand results comes %s", beyond)
		}
	})
}

// Clients take the next page apart in their own ways.
func TestSearchNext(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		testkit.PutStories(t, s, s.Owner.Workspace, 3, func(*tracker.Story) {})
		for _, version := range []string{"v3", "beta"} {
			base := "/api/" + version + "/search/stories"
			ids, total, next := searchPage(t, s.Owner, base+"?page_size=2&query="+url.QueryEscape(`story -"a & b" é`+" OR is:story")+"&token="+s.Owner.Token+"&detail=slim")
			path, params, _ := strings.Cut(next, "?")
			keys := strings.Split(params, "&")
			if len(ids) != 2 || total != 3 || path != base || !strings.HasPrefix(keys[0], "query=") || !strings.HasPrefix(keys[len(keys)-1], "next=") {
				t.Fatalf("%d of %d, then %s", len(ids), total, next)
			}
			if strings.Contains(next, s.Owner.Token) {
				t.Errorf("%s holds the token", next)
			}
			token := strings.TrimPrefix(keys[len(keys)-1], "next=")
			for range 2 {
				if again, err := url.QueryUnescape(token); err != nil || again != token {
					t.Errorf("the cursor %s is %s when it is decoded once more: %v", token, again, err)
				}
			}
			if ids, total, next = searchPage(t, s.Owner, next+"&token="+s.Owner.Token); len(ids) != 1 || total != 3 || next != "" {
				t.Errorf("the last page has %d of %d, then %s", len(ids), total, next)
			}
		}
		for _, bad := range []string{"x", "~", "00~0", strings.Repeat("0", 40) + "~1"} {
			testkit.Run(t, s.Owner, []testkit.Case{{Name: bad, Method: "GET", Path: "/search/stories?query=story&next=" + bad, Status: 400}})
		}
	})
}
