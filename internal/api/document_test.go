package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// newDocument creates a document out of Markdown and returns its id.
func newDocument(t *testing.T, as *testkit.Client, title, content string) string {
	t.Helper()
	body := map[string]any{"title": title, "content": content, "content_format": "markdown"}
	return as.Want(t, 201, "POST", "/documents", body).Object(t)["id"].(string)
}

func TestDocumentLife(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		first := newDocument(t, s.Owner, "First", "# One\n\n<script>alert(1)</script>")
		second := newDocument(t, mia, "Second", "")
		if first[14] != '7' || first >= second {
			t.Errorf("the ids %s and %s are not of version 7, or do not ascend", first, second)
		}
		s.Clock.Advance(time.Hour)
		words := strings.NewReplacer("FIRST", first, "SECOND", second, "URL", s.URL, "MIA", string(mia.Member.ID), "OWNER", string(s.Owner.Member.ID))
		slims := words.Replace(`[{"id":"FIRST","title":"First","app_url":"URL/first/document/FIRST"},{"id":"SECOND","title":"Second"}]`)
		one, two := "/documents/"+first, "/documents/"+second
		for _, base := range []string{"/api/v3", "/api/beta"} {
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "GET", Path: base + "/documents", Status: 200, Want: slims},
				{Method: "GET", Path: base + one + "?content_format=html", Status: 200, Want: words.Replace(`{"id":"FIRST","title":"First","archived":false,
					"app_url":"URL/first/document/FIRST","content_markdown":"# One\n\n<script>alert(1)</script>","content_html":"<h1>One</h1>\n",
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`)},
			})
		}
		for _, path := range []string{one, one + "?content_format=markdown"} {
			if _, has := s.Owner.Want(t, 200, "GET", path, nil).Object(t)["content_html"]; has {
				t.Errorf("%s answers with HTML that nobody asked for", path)
			}
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "nothing", Method: "PUT", Path: one, Body: `{"title":"First"}`, Status: 200, Want: `{"title":"First","updated_at":"2026-01-05T10:00:00Z"}`},
			{Name: "HTML is the default", As: mia, Method: "PUT", Path: one, Body: `{"content":"<p>a <b>b</b> *c*</p><img src=x onerror=alert(1)>"}`, Status: 200,
				Want: `{"title":"First","content_markdown":"a **b** \\*c\\*\n\n![](x)","updated_at":"2026-01-05T11:00:00Z"}`},
			{Name: "and shown if named", Method: "PUT", Path: one, Body: `{"title":"New","content":"<i>d</i>","content_format":"html"}`, Status: 200,
				Want: `{"title":"New","content_markdown":"*d*","content_html":"<p><em>d</em></p>\n"}`},
			{Name: "Markdown is kept as it is", Method: "PUT", Path: one, Body: `{"content":" *e*\n","content_format":"markdown"}`, Status: 200,
				Want: `{"content_markdown":" *e*\n"}`},
			{Name: "mentions", Method: "PUT", Path: two, Body: words.Replace(`{"content":"<a href=\"milepost://members/MIA\">@mia</a>"}`), Status: 200,
				Want: words.Replace(`{"content_markdown":"[@mia](milepost://members/MIA)"}`)},
			{Name: "what v3 does not show", Method: "GET", Path: "/api/app" + two, Status: 200, Want: words.Replace(`{"id":"SECOND","entity_type":"document",
				"created_by_id":"MIA","follower_ids":["MIA"],"member_mention_ids":["MIA"],"group_mention_ids":[],"archived":false}`)},
			{Name: "archive, follow", Method: "PUT", Path: "/api/app" + two, Body: words.Replace(`{"archived":true,"follower_ids":["OWNER","OWNER"]}`), Status: 200,
				Want: words.Replace(`{"archived":true,"follower_ids":["OWNER"],"member_mention_ids":["MIA"]}`)},
			{Method: "GET", Path: two, Status: 200, Want: `{"archived":true}`},
			{Method: "PUT", Path: "/api/app" + two, Body: `{"follower_ids":["` + noUUID + `"]}`, Status: 422,
				Want: `{"errors":{"follower_ids":"names no existing member: ` + noUUID + `"}}`},
			{Name: "observer", As: observer, Method: "GET", Path: one, Status: 200, Want: `{"title":"New"}`},
			{Name: "observer", As: observer, Method: "POST", Path: "/documents", Body: `{"title":"x","content":""}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "observer", As: observer, Method: "PUT", Path: one, Body: `{"title":"x"}`, Status: 403},
			{Name: "observer", As: observer, Method: "DELETE", Path: one, Status: 403},
			{Name: "only its author", As: mia, Method: "DELETE", Path: one, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "its author", As: mia, Method: "DELETE", Path: two, Body: `{"content_format":"html"}`, Status: 204},
			{Name: "or an owner", Method: "DELETE", Path: "/documents/" + newDocument(t, mia, "Third", ""), Status: 204},
			{Method: "GET", Path: "/documents", Status: 200, Want: words.Replace(`[{"id":"FIRST","title":"New"}]`)},
			{Method: "GET", Path: two, Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "PUT", Path: two, Body: `{"title":"x"}`, Status: 404},
			{Method: "DELETE", Path: two, Status: 404},
			{Method: "GET", Path: "/api/app" + two, Status: 404},
			{Method: "PUT", Path: "/api/app" + two, Body: `{}`, Status: 404},
			{Method: "GET", Path: "/documents/7", Status: 400, Want: `{"errors":{"doc-public-id":"must be a UUID"}}`},
			{Method: "GET", Path: one + "?content_format=pdf", Status: 400, Want: `{"errors":{"content_format":"must be one of: markdown, html"}}`},
		})
	})
}

func TestDocumentParams(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		path := "/documents/" + newDocument(t, s.Owner, "Doc", "kept")
		number := len(s.Changes(t, s.Owner.Workspace, 0))
		long := func(n int) string { return strings.Repeat("ü", n) }
		bad := func(field, reason string) string { return fmt.Sprintf(`{"errors":{%q:%q}}`, field, reason) }
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/documents", Body: `{}`, Status: 400, Want: `{"errors":{"title":"missing-required-key","content":"missing-required-key"}}`},
			{Method: "POST", Path: "/documents", Body: `{"title":" ","content":null,"content_format":"text","archived":true}`, Status: 400, Want: `{"errors":{
				"title":"must not be blank","content":"must not be null","content_format":"must be one of: markdown, html","archived":"disallowed-key"}}`},
			{Method: "POST", Path: "/documents", Body: map[string]any{"title": long(257), "content": ""}, Status: 400, Want: bad("title", "must have at most 256 characters")},
			{Method: "PUT", Path: path, Body: map[string]any{"title": long(257)}, Status: 400, Want: bad("title", "must have at most 256 characters")},
			{Method: "PUT", Path: path, Body: `{"title":null,"content":null,"content_format":null}`, Status: 400,
				Want: `{"errors":{"title":"must not be null","content":"must not be null","content_format":"must not be null"}}`},
			{Method: "PUT", Path: path, Body: map[string]any{"content": long(200_001)}, Status: 400, Want: bad("content", "must have at most 200000 characters")},
			{Method: "POST", Path: "/documents", Body: map[string]any{"title": "x", "content": long(200_001)}, Status: 400},
			{Method: "PUT", Path: path, Body: map[string]any{"content": strings.Repeat("<b>", 101)}, Status: 400, Want: bad("content", "nests elements too deeply")},
			{Method: "POST", Path: "/documents", Body: map[string]any{"title": "x", "content": strings.Repeat("<i>", 60_000)}, Status: 400},
			{Method: "PUT", Path: path, Body: map[string]any{"content": "<table>" + strings.Repeat("<tr><td colspan=20>", 10_000)}, Status: 400,
				Want: bad("content", "holds a table that is too large")},
			{Method: "PUT", Path: path, Body: map[string]any{"content": strings.Repeat("<ul><li>", 40) + strings.Repeat("a<br>", 10_000)}, Status: 400,
				Want: bad("content", "must have at most 400000 characters as Markdown")},
			{Method: "GET", Path: path, Status: 200, Want: `{"title":"Doc","content_markdown":"kept"}`},
		})
		if after := len(s.Changes(t, s.Owner.Workspace, 0)); after != number {
			t.Errorf("%d changes, want %d", after, number)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: path, Body: map[string]any{"title": long(256), "content": long(200_000), "content_format": "markdown"}, Status: 200,
				Want: fmt.Sprintf(`{"title":%q,"content_markdown":%q}`, long(256), long(200_000))},
			{Method: "PUT", Path: path, Body: map[string]any{"content": strings.Repeat("*", 200_000)}, Status: 200},
			{Method: "POST", Path: "/documents", Body: map[string]any{"title": long(256), "content": ""}, Status: 201},
		})
	})
}

func TestDocumentFeature(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"e"}`).ID(t)
		id := newDocument(t, s.Owner, "Doc", "")
		link := fmt.Sprintf("/documents/%s/epics/%d", id, epic)
		s.Owner.Want(t, 204, "PUT", link, nil)
		s.Owner.Want(t, 200, "PUT", "/api/app/workspace", `{"features":{"documents":false}}`)
		off := `{"feature_tag":"documents","message":"The feature documents is disabled in this workspace."}`
		for _, base := range []string{"/api/v3", "/api/beta"} {
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "POST", Path: base + "/documents", Body: `{"title":"x","content":""}`, Status: 403, Want: off},
				{Name: "the form first", Method: "POST", Path: base + "/documents", Body: `{}`, Status: 400},
				{Method: "PUT", Path: base + "/documents/" + id, Body: `{"title":"x"}`, Status: 403, Want: off},
				{Name: "before 404", Method: "PUT", Path: base + "/documents/" + noUUID, Body: `{"title":"x"}`, Status: 403, Want: off},
				{Method: "PUT", Path: base + link, Status: 403, Want: off},
				{Method: "GET", Path: base + "/documents", Status: 200, Want: `[{"title":"Doc"}]`},
				{Method: "GET", Path: base + "/documents/" + id, Status: 200, Want: `{"title":"Doc"}`},
				{Method: "GET", Path: base + "/search/documents?title=doc", Status: 200, Want: `{"total":1}`},
				{Method: "GET", Path: base + fmt.Sprintf("/epics/%d/documents", epic), Status: 200, Want: `[{"title":"Doc"}]`},
			})
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: "/api/app/documents/" + id, Body: `{"archived":true}`, Status: 403, Want: off},
			{Method: "DELETE", Path: link, Status: 204},
			{Method: "DELETE", Path: "/documents/" + id, Status: 204},
		})
	})
}

func TestDocumentListCostsTheSameQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		epic := s.Owner.Want(t, 201, "POST", "/epics", `{"name":"e"}`).ID(t)
		made := 0
		makeUpTo := func(n int) {
			storeWrite(t, s, func(tx *store.Tx) error {
				before, err := tx.Epic(epic)
				after := before
				for ; made < n && err == nil; made++ {
					d := tracker.Document{ID: tracker.UUID(fmt.Sprintf("00000000-0000-7000-8000-%012d", made)), Title: "x"}
					after.DocumentIDs = append(after.DocumentIDs, d.ID)
					err = tx.InsertDocument(&d)
				}
				if err != nil {
					return err
				}
				return tx.UpdateEpic(&before, &after)
			})
		}
		cost := func(path, holds string) int64 {
			before := s.Store.Queries()
			if a := s.Owner.Want(t, 200, "GET", path, nil); !strings.Contains(a.Text, holds) {
				t.Fatalf("%s has no %s: %.200s", path, holds, a.Text)
			}
			return s.Store.Queries() - before
		}
		costs := func() (out [4]int64) {
			last := fmt.Sprintf(`00000000-0000-7000-8000-%012d`, made-1)
			return [4]int64{
				cost("/documents", last), cost(fmt.Sprintf("/epics/%d/documents", epic), last), cost("/search/documents?title=x", last),
				cost("/epics", fmt.Sprintf(`"num_related_documents":%d`, made)),
			}
		}
		makeUpTo(10)
		few := costs()
		makeUpTo(500)
		if many := costs(); many != few || many[0] == 0 {
			t.Errorf("500 documents cost %v queries, 10 cost %v", many, few)
		}
	})
}
