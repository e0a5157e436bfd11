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

const linkBody = `"type":"url","url":"https://example.com/1"`

// newLinkedFile creates a linked file; the body is the inside of the JSON object after type and URL.
func newLinkedFile(t *testing.T, s *testkit.Server, body string, args ...any) int64 {
	t.Helper()
	return s.Owner.Want(t, 201, "POST", "/linked-files", `{`+linkBody+`,`+fmt.Sprintf(body, args...)+`}`).ID(t)
}

func linkedFilePath(id int64) string { return fmt.Sprintf("/linked-files/%d", id) }

func TestLinkedFiles(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		crew := s.Owner.Want(t, 201, "POST", "/groups", `{"name":"Crew","mention_name":"crew"}`).Object(t)["id"].(string)
		story, other := newStory(t, s, ""), newStory(t, s, "")
		words := strings.NewReplacer("MIA", string(mia.Member.ID), "OWNER", string(s.Owner.Member.ID), "CREW", crew,
			"STORY", fmt.Sprint(story), "OTHER", fmt.Sprint(other))
		full := `"name":"Plan","description":"By [@mia](milepost://members/MIA) for [@crew](milepost://groups/CREW)","type":"google",
			"url":"https://docs.example.com/plan","thumbnail_url":"http://docs.example.com/p.png","content_type":"text/html","size":9007199254740993,
			"uploader_id":"MIA"`
		shown := words.Replace(`{` + full + `,"id":4,"entity_type":"linked-file","story_ids":[STORY],"mention_ids":["MIA"],"member_mention_ids":["MIA"],
			"group_mention_ids":["CREW"],"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`)
		bare := words.Replace(`{"id":5,"name":"Bare","description":null,"thumbnail_url":null,"content_type":null,"size":null,"uploader_id":"OWNER",
			"story_ids":[],"mention_ids":[],"member_mention_ids":[],"group_mention_ids":[],` + linkBody + `}`)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: "/linked-files", Body: words.Replace(`{` + full + `,"story_id":STORY}`), Status: 201, Want: shown},
			{Method: "POST", Path: "/linked-files", Body: `{"name":"Bare",` + linkBody + `}`, Status: 201, Want: bare},
		})
		s.Clock.Advance(time.Hour)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/linked-files/4", Status: 200, Want: shown},
			{Method: "GET", Path: "/linked-files", Status: 200, Want: `[` + shown + `,` + bare + `]`},
			{Name: "beta", Method: "GET", Path: "/api/beta/linked-files", Status: 200, Want: `[` + shown + `,` + bare + `]`},
			{Name: "v2", Method: "GET", Path: "/api/v2/linked-files", Status: 200, Want: `[` + shown + `,` + bare + `]`},
			{Name: "in the story", Method: "GET", Path: storyPath(story), Status: 200, Want: `{"linked_files":[` + shown + `],"updated_at":"2026-01-05T10:00:00Z"}`},
			{Name: "ids in lists", Method: "POST", Path: "/stories/search", Body: `{}`, Status: 201, Want: `[{"linked_file_ids":[4]},{"linked_file_ids":[]}]`},
			{Name: "nothing", Method: "PUT", Path: "/linked-files/4", Body: words.Replace(`{"name":"Plan","story_id":STORY}`), Status: 200, Want: shown},
			{Name: "another story", As: mia, Method: "PUT", Path: "/linked-files/4", Body: words.Replace(`{"story_id":OTHER}`), Status: 200,
				Want: words.Replace(`{"story_ids":[STORY,OTHER],"updated_at":"2026-01-05T10:00:00Z"}`)},
			{Method: "GET", Path: storyPath(other), Status: 200, Want: words.Replace(`{"linked_files":[{"id":4,"story_ids":[STORY,OTHER]}],"updated_at":"2026-01-05T11:00:00Z"}`)},
			{Name: "everything", Method: "PUT", Path: "/linked-files/4", Status: 200, Body: words.Replace(`{"name":"New","description":"","type":"box",
				"url":"http://b","thumbnail_url":"https://b/t","size":0,"uploader_id":"OWNER"}`), Want: words.Replace(`{"name":"New","description":"","type":"box",
				"url":"http://b","thumbnail_url":"https://b/t","size":0,"uploader_id":"OWNER","mention_ids":[],"group_mention_ids":[],"content_type":"text/html",
				"updated_at":"2026-01-05T11:00:00Z"}`)},
			{Name: "taken off by the story", Method: "PUT", Path: storyPath(other), Body: `{"linked_file_ids":[5]}`, Status: 200, Want: `{"linked_files":[{"id":5}]}`},
			{Method: "GET", Path: "/linked-files", Status: 200, Want: words.Replace(`[{"story_ids":[STORY]},{"story_ids":[OTHER]}]`)},
			{Name: "on creation of a story", Method: "POST", Path: "/stories", Body: `{"name":"x","linked_file_ids":[5,4,5]}`, Status: 201, Want: `{"linked_files":[{"id":5},{"id":4}]}`},
			{Name: "one of them unknown", Method: "POST", Path: "/stories", Body: `{"name":"x","linked_file_ids":[5,99]}`, Status: 422,
				Want: `{"errors":{"linked_file_ids":"names no existing linked-file: 99"}}`},
			{Name: "a story goes", Method: "DELETE", Path: storyPath(other), Status: 204},
			{Name: "its files stay", Method: "GET", Path: "/linked-files/5", Status: 200, Want: `{"story_ids":[6]}`},
			{Name: "observer", As: observer, Method: "GET", Path: "/linked-files/5", Status: 200, Want: `{"name":"Bare"}`},
			{Name: "observer", As: observer, Method: "POST", Path: "/linked-files", Body: `{"name":"x",` + linkBody + `}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "observer", As: observer, Method: "PUT", Path: "/linked-files/5", Body: `{"name":"x"}`, Status: 403},
			{Name: "observer", As: observer, Method: "DELETE", Path: "/linked-files/5", Status: 403},
			{Name: "member", As: mia, Method: "DELETE", Path: "/linked-files/5", Status: 204},
			{Method: "GET", Path: "/linked-files/5", Status: 404},
			{Method: "PUT", Path: "/linked-files/5", Body: `{"name":"x"}`, Status: 404},
			{Method: "DELETE", Path: "/linked-files/5", Status: 404},
			{Name: "a story is none", Method: "GET", Path: linkedFilePath(story), Status: 404},
			{Name: "off the story", Method: "GET", Path: storyPath(6), Status: 200, Want: `{"linked_files":[{"id":4}]}`},
			{Name: "no longer to be attached", Method: "PUT", Path: storyPath(story), Body: `{"linked_file_ids":[5]}`, Status: 422},
		})
	})
}

func TestLinkedFileParams(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newLinkedFile(t, s, `"name":"x"`)
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		const nobody = "00000000-0000-7000-8000-000000000000"
		for _, version := range []string{"v3", "beta", "v2", "v1"} {
			base := "/api/" + version + "/linked-files"
			path := fmt.Sprintf("%s/%d", base, id)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "POST", Path: base, Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key","type":"missing-required-key","url":"missing-required-key"}}`},
				{Method: "POST", Path: base, Status: 400, Body: `{"name":" ","type":"ftp","url":"ftp://x","thumbnail_url":"https://","created_at":"2026-01-01T00:00:00Z"}`,
					Want: `{"errors":{"name":"must not be blank","type":"must be one of: box, dropbox, google, onedrive, url","url":"must be an address that starts with http:// or https://",
					"thumbnail_url":"must be an address that starts with http:// or https://","created_at":"disallowed-key"}}`},
				{Method: "PUT", Path: path, Status: 400, Body: `{"name":null,"description":null,"type":null,"url":null,"thumbnail_url":null,"size":null,"uploader_id":null}`,
					Want: `{"errors":{"name":"must not be null","description":"must not be null","type":"must not be null","url":"must not be null",
					"thumbnail_url":"must not be null","size":"must not be null","uploader_id":"must not be null"}}`},
				{Method: "PUT", Path: path, Status: 400, Body: `{"name":"","content_type":"x"}`,
					Want: `{"errors":{"name":"must have at least 1 characters","content_type":"disallowed-key"}}`},
				{Method: "POST", Path: base, Body: `{"name":"x",` + linkBody + `,"story_id":99}`, Status: 422, Want: `{"errors":{"story_id":"names no existing story: 99"}}`},
				{Method: "POST", Path: base, Body: `{"name":"x",` + linkBody + `,"uploader_id":"` + nobody + `"}`, Status: 422,
					Want: `{"errors":{"uploader_id":"names no existing member: ` + nobody + `"}}`},
				{Method: "PUT", Path: path, Body: `{"name":"y","uploader_id":"` + nobody + `"}`, Status: 422,
					Want: `{"errors":{"uploader_id":"names no existing member: ` + nobody + `"}}`},
			})
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: linkedFilePath(id), Body: `{"name":"y","story_id":99}`, Status: 422, Want: `{"errors":{"story_id":"names no existing story: 99"}}`},
			{Name: "nothing was left", Method: "GET", Path: "/linked-files", Status: 200, Want: `[{"name":"x","story_ids":[]}]`},
		})
		if after := len(s.Changes(t, s.Owner.Workspace, 0)); after != before {
			t.Errorf("%d changes, want %d", after, before)
		}
	})
}

func TestLinkedFileLimits(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newLinkedFile(t, s, `"name":"x"`)
		limits := map[string]int{"name": 256, "description": 512, "content_type": 128, "url": 2048, "thumbnail_url": 2048}
		text := func(field string, n int) string {
			if strings.HasSuffix(field, "url") {
				return "https://" + strings.Repeat("ü", n-8)
			}
			return strings.Repeat("ü", n)
		}
		for _, version := range []string{"v3", "beta", "v2", "v1"} {
			base := "/api/" + version + "/linked-files"
			for field, most := range limits {
				create := map[string]any{"name": "x", "type": "url", "url": "https://x"}
				create[field] = text(field, most)
				update := map[string]any{field: text(field, most)}
				same := fmt.Sprintf(`{%q:%q}`, field, text(field, most))
				cases := []testkit.Case{{Name: field, Method: "POST", Path: base, Body: create, Status: 201, Want: same}}
				if field != "content_type" {
					cases = append(cases, testkit.Case{Name: field, Method: "PUT", Path: fmt.Sprintf("%s/%d", base, id), Body: update, Status: 200, Want: same})
				}
				testkit.Run(t, s.Owner, cases)
				create[field], update[field] = text(field, most+1), text(field, most+1)
				for i := range cases {
					cases[i].Status, cases[i].Want = 400, fmt.Sprintf(`{"errors":{%q:"must have at most %d characters"}}`, field, most)
				}
				testkit.Run(t, s.Owner, cases)
			}
			for _, kind := range []string{"box", "dropbox", "google", "onedrive", "url"} {
				testkit.Run(t, s.Owner, []testkit.Case{{Method: "POST", Path: base, Body: `{"name":"x","type":"` + kind + `","url":"https://x"}`, Status: 201, Want: `{"type":"` + kind + `"}`}})
			}
		}
	})
}

// TestLinkedFilesInV1 shows people by the ids of users and takes a size that is a text.
func TestLinkedFilesInV1(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member
		words := strings.NewReplacer("MEMBER", string(mia.ID), "USER", string(mia.UserID), "ME", string(s.Owner.Member.UserID))
		const base = "/api/v1/linked-files"
		story := newStory(t, s, "")
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: base, Body: words.Replace(fmt.Sprintf(`{"name":"a",%s,"size":1,"story_id":%d,"uploader_id":"USER",
				"description":"[@mia](milepost://members/MEMBER)"}`, linkBody, story)), Status: 201,
				Want: words.Replace(fmt.Sprintf(`{"id":3,"size":1,"story_ids":[%d],"uploader_id":"USER","mention_ids":["USER"]}`, story))},
			{Name: "v3 knows the member", Method: "GET", Path: "/linked-files/3", Status: 200, Want: words.Replace(`{"uploader_id":"MEMBER","mention_ids":["MEMBER"]}`)},
			{Name: "who asks", Method: "POST", Path: base, Body: `{"name":"b",` + linkBody + `}`, Status: 201, Want: words.Replace(`{"id":4,"uploader_id":"ME"}`)},
			{Name: "by the member", Method: "PUT", Path: base + "/4", Body: words.Replace(`{"uploader_id":"MEMBER","size":"123456789012345678"}`), Status: 200,
				Want: words.Replace(`{"uploader_id":"USER","size":123456789012345678,"name":"b"}`)},
			{Name: "by the user", Method: "PUT", Path: base + "/3", Body: words.Replace(`{"uploader_id":"ME"}`), Status: 200, Want: words.Replace(`{"uploader_id":"ME"}`)},
			{Method: "PUT", Path: base + "/3", Body: words.Replace(`{"uploader_id":"USER"}`), Status: 200, Want: words.Replace(`{"uploader_id":"USER"}`)},
			{Method: "GET", Path: base, Status: 200, Want: words.Replace(`[{"id":3,"uploader_id":"USER"},{"id":4,"uploader_id":"USER"}]`)},
			{Method: "GET", Path: base + "/4", Status: 200, Want: words.Replace(`{"id":4,"uploader_id":"USER"}`)},
			{Name: "a number", Method: "PUT", Path: base + "/4", Body: `{"size":1}`, Status: 400, Want: `{"errors":{"size":"must be a string"}}`},
			{Name: "no number", Method: "PUT", Path: base + "/4", Body: `{"size":"1 kB"}`, Status: 400, Want: `{"errors":{"size":"must be a number of at most 18 digits"}}`},
			{Name: "too large", Method: "PUT", Path: base + "/4", Body: `{"size":"1234567890123456789"}`, Status: 400},
			{Name: "no story", Method: "PUT", Path: base + "/4", Body: `{"story_id":2}`, Status: 400, Want: `{"errors":{"story_id":"disallowed-key"}}`},
			{Method: "DELETE", Path: base + "/4", Status: 204},
			{Method: "GET", Path: base + "/4", Status: 404},
		})
		if _, has := s.Owner.Want(t, 200, "GET", base+"/3", nil).Object(t)["entity_type"]; has {
			t.Error("v1 shows an entity_type")
		}
	})
}

func TestLinkedFileChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story := newStory(t, s, "")
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		did := func(method, path, body, want string) {
			t.Helper()
			if a := s.Owner.Do(t, method, path, body); a.Status >= 300 {
				t.Fatalf("%s %s %s: %d %s", method, path, body, a.Status, a.Text)
			}
			changes := s.Changes(t, s.Owner.Workspace, number)
			number += int64(len(changes))
			if got := itemsOf(changes); got != want || len(changes) > 1 || want != "" && changes[0].PrimaryID != "3" {
				t.Errorf("%s %s %s: the changes are %q of %+v, want %q", method, path, body, got, changes, want)
			}
		}
		did("POST", "/linked-files", fmt.Sprintf(`{"name":"x",%s,"story_id":%d}`, linkBody, story), "create linked-file, update story")
		did("PUT", "/linked-files/3", fmt.Sprintf(`{"name":"x","story_id":%d}`, story), "")
		did("PUT", "/linked-files/3", `{"name":"y"}`, "update linked-file")
		second := newStory(t, s, "")
		number++
		did("PUT", "/linked-files/3", fmt.Sprintf(`{"story_id":%d}`, second), "update story")
		entries := s.Owner.Want(t, 200, "GET", storyPath(second)+"/history", nil).List(t)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: storyPath(second) + "/history", Status: 200, Want: `[{},{
			"actions":[{"entity_type":"story","changes":{"linked_file_ids":{"adds":[3]}}}],"references":[{"id":3,"entity_type":"linked-file","name":"y"}]}]`}})
		if len(entries) != 2 {
			t.Errorf("the history is %v", entries)
		}
		did("DELETE", "/linked-files/3", "", "update story, update story, delete linked-file")
		changes := s.Changes(t, s.Owner.Workspace, number-1)
		if data := changes[0].Items[2].Data; data["name"] != "y" || data["url"] != "https://example.com/1" {
			t.Errorf("of the deleted file there is %v", data)
		}
	})
}

// TestLinkedFileOfManyStories is deleted in several changes.
func TestLinkedFileOfManyStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newLinkedFile(t, s, `"name":"x"`)
		testkit.PutStories(t, s, s.Owner.Workspace, 1001, func(story *tracker.Story) { story.LinkedFileIDs = []int64{id} })
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		s.Owner.Want(t, 204, "DELETE", linkedFilePath(id), nil)
		changes := s.Changes(t, s.Owner.Workspace, number)
		if n := strings.Count(itemsOf(changes), "update story"); n != 1001 || len(changes) < 2 {
			t.Errorf("%d changes update %d stories", len(changes), n)
		}
		storeWrite(t, s, func(tx *store.Tx) error {
			left, err := tx.StoriesByTarget("linked-file")
			if len(left) > 0 {
				t.Errorf("still attached: %v", left)
			}
			return err
		})
	})
}

func TestLinkedFilesOfTemplates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		a, b, c := newLinkedFile(t, s, `"name":"a"`), newLinkedFile(t, s, `"name":"b"`), newLinkedFile(t, s, `"name":"c"`)
		made := s.Owner.Want(t, 201, "POST", "/entity-templates", fmt.Sprintf(`{"name":"T","story_contents":{"name":"From it","linked_file_ids":[%d,%d]}}`, b, a))
		template := made.Object(t)["id"].(string)
		path := templatePath(t, made)
		files := `{"story_contents":{"linked_files":[{"name":"b","entity_type":"linked-file","story_ids":[]},{"name":"a"}]}}`
		from := func(more string) string { return fmt.Sprintf(`{"story_template_id":%q%s}`, template, more) }
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: files},
			{Method: "GET", Path: "/entity-templates", Status: 200, Want: `[` + files + `]`},
			{Method: "POST", Path: "/stories/from-template", Body: from(""), Status: 201, Want: `{"linked_files":[{"name":"b"},{"name":"a"}]}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(fmt.Sprintf(`,"linked_file_ids_add":[%d],"linked_file_ids_remove":[%d]`, c, b)), Status: 201,
				Want: `{"linked_files":[{"name":"a"},{"name":"c"}]}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(fmt.Sprintf(`,"linked_file_ids":[%d]`, c)), Status: 201, Want: `{"linked_files":[{"name":"c"}]}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(`,"linked_file_ids_add":[99]`), Status: 422,
				Want: `{"errors":{"linked_file_ids_add":"names no existing linked-file: 99"}}`},
			{Method: "DELETE", Path: linkedFilePath(b), Status: 204},
			{Name: "what is gone is left out", Method: "GET", Path: path, Status: 200, Want: `{"story_contents":{"linked_files":[{"name":"a"}]}}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(""), Status: 201, Want: `{"linked_files":[{"name":"a"}]}`},
		})
	})
}

func TestLinkedFileListCostsTheSameQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story, made := newStory(t, s, ""), 0
		makeUpTo := func(n int) {
			storeWrite(t, s, func(tx *store.Tx) error {
				before, err := tx.Story(story)
				after := before
				for ; made < n && err == nil; made++ {
					f := tracker.LinkedFile{ID: tx.NextID(), Name: "x", Type: "url", URL: "https://x", UploaderID: s.Owner.Member.ID}
					after.LinkedFileIDs = append(after.LinkedFileIDs, f.ID)
					err = tx.InsertLinkedFile(&f)
				}
				if err != nil {
					return err
				}
				return tx.UpdateStory(&before, &after)
			})
		}
		cost := func(path string) int64 {
			before := s.Store.Queries()
			a := s.Owner.Want(t, 200, "GET", path, nil)
			if n := strings.Count(a.Text, fmt.Sprintf(`"story_ids":[%d]`, story)); n != made {
				t.Fatalf("%s shows %d files of the story, want %d", path, n, made)
			}
			return s.Store.Queries() - before
		}
		paths := []string{"/linked-files", "/api/beta/linked-files", "/api/v2/linked-files", "/api/v1/linked-files", storyPath(story)}
		none, few := cost(storyPath(story)), map[string]int64{}
		makeUpTo(10)
		for _, p := range paths {
			few[p] = cost(p)
		}
		if few[storyPath(story)] != none+2 {
			t.Errorf("a story with linked files costs %d queries, one without %d", few[storyPath(story)], none)
		}
		makeUpTo(1000)
		for _, p := range paths {
			if many := cost(p); many != few[p] || many == 0 {
				t.Errorf("%s: 1,000 linked files cost %d queries, 10 cost %d", p, many, few[p])
			}
		}
	})
}
