package api_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"milepost/internal/store"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// newFile uploads a text and returns the file's id.
func newFile(t *testing.T, s *testkit.Server, name, content string) int64 {
	t.Helper()
	a := s.Owner.Upload(t, "/files", "file0", name, content)
	if a.Status != 201 {
		t.Fatalf("upload of %s: %d %s", name, a.Status, a.Text)
	}
	return int64(a.List(t)[0]["id"].(float64))
}

func filePath(id int64) string { return fmt.Sprintf("/files/%d", id) }

// kept lists the names of what lies in the directory of files.
func kept(t *testing.T, s *testkit.Server) (names []string) {
	t.Helper()
	paths, err := filepath.Glob(s.Files + "/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	return names
}

// contentOf reads what the address in a file's answer leads to.
func contentOf(t *testing.T, c *testkit.Client, address any) testkit.Answer {
	t.Helper()
	return c.Want(t, 200, "GET", strings.TrimPrefix(address.(string), c.URL), nil)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		crew := s.Owner.Want(t, 201, "POST", "/groups", `{"name":"Crew","mention_name":"crew"}`).Object(t)["id"].(string)
		story, other := newStory(t, s, ""), newStory(t, s, "")
		words := strings.NewReplacer("MIA", string(mia.Member.ID), "OWNER", string(s.Owner.Member.ID), "CREW", crew,
			"STORY", fmt.Sprint(story), "OTHER", fmt.Sprint(other), "URL", s.URL+"/api/app/files")
		uploaded := s.Owner.UploadForm(t, "/files", testkit.Part{Field: "story_id", Content: fmt.Sprint(story)},
			testkit.Part{Field: "file0", Name: "Plan ü?.txt", ContentType: "text/markdown", Content: "# Plan"},
			testkit.Part{Field: "file1", Name: "dot.png", ContentType: "image/png", Content: picture})
		if uploaded.Status != 201 {
			t.Fatal(uploaded.Status, uploaded.Text)
		}
		testkit.ValidWire(t, "POST", "/files", 201, uploaded.Text)
		plan := words.Replace(`{"id":4,"entity_type":"file","name":"Plan ü?.txt","filename":"Plan ü?.txt","content_type":"text/markdown","size":6,"description":null,
			"external_id":null,"story_ids":[STORY],"mention_ids":[],"member_mention_ids":[],"group_mention_ids":[],"uploader_id":"OWNER","thumbnail_url":null,
			"url":"URL/4/content/Plan%20%C3%BC%3F.txt","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`)
		dot := words.Replace(`{"id":5,"name":"dot.png","content_type":"image/png","size":67,"url":"URL/5/content/dot.png","thumbnail_url":"URL/5/thumbnail","story_ids":[STORY]}`)
		s.Clock.Advance(time.Hour)
		both := `[` + plan + `,` + dot + `]`
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/files/4", Status: 200, Want: plan},
			{Method: "GET", Path: "/files", Status: 200, Want: both},
			{Name: "beta", Method: "GET", Path: "/api/beta/files", Status: 200, Want: both},
			{Name: "v2", Method: "GET", Path: "/api/v2/files", Status: 200, Want: both},
			{Name: "v2", Method: "GET", Path: "/api/v2/files/4", Status: 200, Want: plan},
			{Name: "in the story", Method: "GET", Path: storyPath(story), Status: 200, Want: `{"files":` + both + `,"updated_at":"2026-01-05T10:00:00Z"}`},
			{Name: "in the story of v2", Method: "GET", Path: "/api/v2" + storyPath(story), Status: 200, Want: `{"files":` + both + `}`},
			{Name: "ids in lists", Method: "POST", Path: "/stories/search", Body: `{}`, Status: 201, Want: `[{"file_ids":[4,5]},{"file_ids":[]}]`},
			{Name: "nothing", Method: "PUT", Path: "/files/4", Body: `{"name":"Plan ü?.txt"}`, Status: 200, Want: plan},
			{Name: "everything", As: mia, Method: "PUT", Path: "/files/4", Status: 200, Body: words.Replace(`{"name":"New","external_id":"x-1","uploader_id":"MIA",
				"description":"By [@mia](milepost://members/MIA) for [@crew](milepost://groups/CREW)"}`), Want: words.Replace(`{"name":"New","filename":"Plan ü?.txt",
				"external_id":"x-1","uploader_id":"MIA","mention_ids":["MIA"],"member_mention_ids":["MIA"],"group_mention_ids":["CREW"],
				"url":"URL/4/content/Plan%20%C3%BC%3F.txt","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T11:00:00Z"}`)},
			{Name: "times", Method: "PUT", Path: "/files/4", Body: `{"created_at":"2020-01-01T00:00:00Z","updated_at":"2021-01-01T00:00:00Z"}`, Status: 200,
				Want: `{"created_at":"2020-01-01T00:00:00Z","updated_at":"2021-01-01T00:00:00Z"}`},
			{Name: "the time of the update alone", Method: "PUT", Path: "/files/4", Body: `{"updated_at":"2022-01-01T00:00:00Z"}`, Status: 200, Want: `{"updated_at":"2022-01-01T00:00:00Z"}`},
			{Name: "by another story", Method: "PUT", Path: storyPath(other), Body: `{"file_ids":[5,4,5]}`, Status: 200, Want: `{"files":[{"id":5},{"id":4}]}`},
			{Name: "taken off", Method: "PUT", Path: storyPath(other), Body: `{"file_ids":[5]}`, Status: 200, Want: words.Replace(`{"files":[{"id":5,"story_ids":[STORY,OTHER]}]}`)},
			{Name: "one of them unknown", Method: "POST", Path: "/stories", Body: `{"name":"x","file_ids":[5,99]}`, Status: 422,
				Want: `{"errors":{"file_ids":"names no existing file: 99"}}`},
			{Name: "a story is none", Method: "PUT", Path: storyPath(other), Body: words.Replace(`{"file_ids":[STORY]}`), Status: 422},
			{Name: "a story goes", Method: "DELETE", Path: storyPath(other), Status: 204},
			{Name: "its files stay", Method: "GET", Path: "/files/5", Status: 200, Want: words.Replace(`{"story_ids":[STORY]}`)},
			{Name: "observer", As: observer, Method: "GET", Path: "/files/5", Status: 200, Want: `{"name":"dot.png"}`},
			{Name: "observer", As: observer, Method: "PUT", Path: "/files/5", Body: `{"name":"x"}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "observer", As: observer, Method: "DELETE", Path: "/files/5", Status: 403},
			{Name: "member", As: mia, Method: "DELETE", Path: "/files/5", Status: 204},
			{Method: "GET", Path: "/files/5", Status: 404},
			{Method: "PUT", Path: "/files/5", Body: `{"name":"x"}`, Status: 404},
			{Method: "DELETE", Path: "/files/5", Status: 404},
			{Name: "its content", Method: "GET", Path: "/api/app/files/5/content/dot.png", Status: 404},
			{Name: "its thumbnail", Method: "GET", Path: "/api/app/files/5/thumbnail", Status: 404},
			{Name: "a story is no file", Method: "GET", Path: filePath(story), Status: 404},
			{Name: "off the story", Method: "GET", Path: storyPath(story), Status: 200, Want: `{"files":[{"id":4}]}`},
			{Name: "no longer to be attached", Method: "PUT", Path: storyPath(story), Body: `{"file_ids":[5]}`, Status: 422},
		})
		if a := observer.Upload(t, "/files", "file0", "a.txt", "x"); a.Status != 403 {
			t.Errorf("an observer uploads: %d %s", a.Status, a.Text)
		}
		if got := kept(t, s); len(got) != 1 {
			t.Errorf("there is %v, want the content of one file", got)
		}
	})
}

func TestFileParams(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newFile(t, s, "a.txt", "x")
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		for _, version := range []string{"v3", "beta", "v2", "v1"} {
			path := "/api/" + version + filePath(id)
			testkit.Run(t, s.Owner, []testkit.Case{
				{Method: "PUT", Path: path, Status: 400, Body: `{"name":null,"description":null,"external_id":null,"created_at":null,"updated_at":null,"uploader_id":null}`,
					Want: `{"errors":{"name":"must not be null","description":"must not be null","external_id":"must not be null","created_at":"must not be null",
					"updated_at":"must not be null","uploader_id":"must not be null"}}`},
				{Method: "PUT", Path: path, Status: 400, Body: `{"name":"","size":1,"created_at":"now"}`,
					Want: `{"errors":{"name":"must have at least 1 characters","size":"disallowed-key"}}`},
				{Method: "PUT", Path: path, Status: 422, Body: `{"name":"y","uploader_id":"` + missingUUID + `"}`,
					Want: `{"errors":{"uploader_id":"names no existing member: ` + missingUUID + `"}}`},
				{Method: "GET", Path: "/api/" + version + "/files/99", Status: 404},
				{Method: "PUT", Path: "/api/" + version + "/files/99", Body: `{}`, Status: 404},
				{Method: "DELETE", Path: "/api/" + version + "/files/99", Status: 404},
			})
			if after := len(s.Changes(t, s.Owner.Workspace, 0)); after != before {
				t.Errorf("%s: %d changes, want %d", version, after, before)
			}
			for field, most := range map[string]int{"name": 1024, "description": 4096, "external_id": 128} {
				text := strings.Repeat("ü", most-1) + version[:1]
				testkit.Run(t, s.Owner, []testkit.Case{
					{Method: "PUT", Path: path, Body: map[string]any{field: text}, Status: 200},
					{Method: "GET", Path: filePath(id), Status: 200, Want: fmt.Sprintf(`{%q:%q}`, field, text)},
					{Method: "PUT", Path: path, Body: map[string]any{field: text + "x"}, Status: 400,
						Want: fmt.Sprintf(`{"errors":{%q:"must have at most %d characters"}}`, field, most)},
				})
			}
			before = len(s.Changes(t, s.Owner.Workspace, 0))
		}
	})
}

// TestFilesInV1 shows people by the ids of users.
func TestFilesInV1(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member
		words := strings.NewReplacer("MEMBER", string(mia.ID), "USER", string(mia.UserID), "ME", string(s.Owner.Member.UserID), "URL", s.URL+"/api/app/files")
		path := "/api/v1" + filePath(newFile(t, s, "dot.png", picture))
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: words.Replace(`{"uploader_id":"ME","url":"URL/2/content/dot.png","thumbnail_url":"URL/2/thumbnail","size":67}`)},
			{Method: "PUT", Path: path, Body: words.Replace(`{"uploader_id":"USER","description":"@mia"}`), Status: 200,
				Want: words.Replace(`{"uploader_id":"USER","mention_ids":["USER"]}`)},
			{Name: "v3 knows the member", Method: "GET", Path: "/files/2", Status: 200, Want: words.Replace(`{"uploader_id":"MEMBER","mention_ids":["MEMBER"]}`)},
			{Method: "GET", Path: "/api/v1/files", Status: 200, Want: words.Replace(`[{"id":2,"uploader_id":"USER"}]`)},
			{Method: "DELETE", Path: path, Status: 204},
			{Method: "GET", Path: path, Status: 404},
		})
	})
}

func TestFileChanges(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story := newStory(t, s, "")
		number := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		did := func(what string, a testkit.Answer, want string) tracker.Change {
			t.Helper()
			changes := s.Changes(t, s.Owner.Workspace, number)
			number += int64(len(changes))
			if a.Status >= 300 || itemsOf(changes) != want || want != "" && (len(changes) != 1 || changes[0].PrimaryID != "3") {
				t.Fatalf("%s: %d %s: the changes are %+v, want %q", what, a.Status, a.Text, changes, want)
			}
			return append(changes, tracker.Change{})[0]
		}
		made := did("upload", s.Owner.UploadForm(t, "/files", testkit.Part{Field: "file0", Name: "a.txt", Content: "abc"},
			testkit.Part{Field: "story_id", Content: fmt.Sprint(story)}), "create file, update story")
		sum := sha256.Sum256([]byte("abc"))
		if data := made.Items[0].Data; data["sha256"] != hex.EncodeToString(sum[:]) || data["filename"] != "a.txt" {
			t.Errorf("of the new file there is %v", data)
		}
		did("nothing", s.Owner.Do(t, "PUT", "/files/3", `{"name":"a.txt"}`), "")
		did("a name", s.Owner.Do(t, "PUT", "/files/3", `{"name":"y"}`), "update file")
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: storyPath(story) + "/history", Status: 200, Want: `[{},{
			"actions":[{"entity_type":"story","changes":{"file_ids":{"adds":[3]}}}],"references":[{"id":3,"entity_type":"file","name":"y"}]}]`}})
		gone := did("deletion", s.Owner.Do(t, "DELETE", "/files/3", nil), "update story, delete file")
		if data := gone.Items[1].Data; data["name"] != "y" || data["filename"] != "a.txt" {
			t.Errorf("of the deleted file there is %v", data)
		}
	})
}

// TestFileOfManyStories is deleted in several changes.
func TestFileOfManyStories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newFile(t, s, "a.txt", "x")
		testkit.PutStories(t, s, s.Owner.Workspace, 1001, func(story *tracker.Story) { story.FileIDs = []int64{id} })
		s.Owner.Want(t, 204, "DELETE", filePath(id), nil)
		storeWrite(t, s, func(tx *store.Tx) error {
			left, err := tx.StoriesByTarget("file")
			if len(left) > 0 || len(kept(t, s)) > 0 {
				t.Errorf("still attached: %v, still there: %v", left, kept(t, s))
			}
			return err
		})
	})
}

// TestDeleteFileOnCondition keeps the content of a file that is not deleted after all.
func TestDeleteFileOnCondition(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		id := newFile(t, s, "a.txt", "x")
		careful := *s.Owner
		careful.Header = http.Header{"If-Match": {`"other"`}}
		careful.Want(t, 412, "DELETE", filePath(id), nil)
		if got := s.Owner.Want(t, 200, "GET", fmt.Sprintf("/api/app/files/%d/content/a", id), nil); got.Text != "x" {
			t.Errorf("the content is %q", got.Text)
		}
		careful.Header = http.Header{"If-Match": {s.Owner.Want(t, 200, "GET", filePath(id), nil).Header.Get("ETag")}}
		careful.Want(t, 204, "DELETE", filePath(id), nil)
		if left := kept(t, s); len(left) > 0 {
			t.Errorf("there is %v", left)
		}
	})
}

func TestFilesOfTemplates(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		a, b, c := newFile(t, s, "a", "x"), newFile(t, s, "b", "x"), newFile(t, s, "c", "x")
		made := s.Owner.Want(t, 201, "POST", "/entity-templates", fmt.Sprintf(`{"name":"T","story_contents":{"name":"From it","file_ids":[%d,%d]}}`, b, a))
		path := templatePath(t, made)
		from := func(more string) string {
			return fmt.Sprintf(`{"story_template_id":%q%s}`, made.Object(t)["id"], more)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: path, Status: 200, Want: `{"story_contents":{"files":[{"name":"b","entity_type":"file"},{"name":"a"}]}}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(""), Status: 201, Want: `{"files":[{"name":"b"},{"name":"a"}]}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(fmt.Sprintf(`,"file_ids_add":[%d],"file_ids_remove":[%d]`, c, b)), Status: 201,
				Want: `{"files":[{"name":"a"},{"name":"c"}]}`},
			{Method: "POST", Path: "/stories/from-template", Body: from(`,"file_ids_add":[99]`), Status: 422, Want: `{"errors":{"file_ids_add":"names no existing file: 99"}}`},
			{Method: "DELETE", Path: filePath(b), Status: 204},
			{Name: "what is gone is left out", Method: "GET", Path: path, Status: 200, Want: `{"story_contents":{"files":[{"name":"a"}]}}`},
		})
	})
}

func TestFileListCostsTheSameQueries(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		story, made := newStory(t, s, ""), 0
		makeUpTo := func(n int) {
			storeWrite(t, s, func(tx *store.Tx) error {
				before, err := tx.Story(story)
				after := before
				for ; made < n && err == nil; made++ {
					f := tracker.File{ID: tx.NextID(), ContentID: tracker.UUID(fmt.Sprintf("00000000-0000-7000-8000-%012d", made)), UploaderID: s.Owner.Member.ID}
					after.FileIDs = append(after.FileIDs, f.ID)
					err = tx.InsertFile(&f)
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
		few := map[string]int64{}
		paths := []string{"/files", "/api/beta/files", "/api/v2/files", "/api/v1/files", storyPath(story)}
		none := cost(storyPath(story))
		makeUpTo(10)
		for _, p := range paths {
			few[p] = cost(p)
		}
		if few[storyPath(story)] != none+2 {
			t.Errorf("a story with files costs %d queries, one without %d", few[storyPath(story)], none)
		}
		makeUpTo(200)
		for _, p := range paths {
			if many := cost(p); many != few[p] || many == 0 {
				t.Errorf("%s: 200 files cost %d queries, 10 cost %d", p, many, few[p])
			}
		}
	})
}

// TestFilesAcrossVersions uploads and changes files through each version and reads them through all.
func TestFilesAcrossVersions(t *testing.T) {
	t.Parallel()
	versions := []string{"v3", "v2", "v1", "beta"}
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular).Member
		story := newStory(t, s, "")
		for _, writer := range versions {
			uploader := writer
			if writer == "v1" {
				uploader = "v2" // v1 cannot upload
			}
			made := s.Owner.UploadForm(t, "/api/"+uploader+"/files", testkit.Part{Field: "file", Name: "a.png", Content: picture},
				testkit.Part{Field: "story_id", Content: fmt.Sprint(story)})
			id := int64(made.List(t)[0]["id"].(float64))
			s.Owner.Want(t, 200, "PUT", "/api/"+writer+filePath(id), fmt.Sprintf(`{"name":"b","description":"d","uploader_id":%q,"created_at":"2020-01-01T00:00:00Z"}`, mia.ID))
			for _, reader := range versions {
				person := mia.ID
				if reader == "v1" {
					person = mia.UserID
				}
				testkit.Run(t, s.Owner, []testkit.Case{{
					Name: fmt.Sprintf("written by %s, read by %s", writer, reader), Method: "GET", Path: "/api/" + reader + filePath(id), Status: 200,
					Want: fmt.Sprintf(`{"id":%d,"name":"b","filename":"a.png","description":"d","content_type":"image/png","size":67,"story_ids":[%d],"uploader_id":%q,
						"created_at":"2020-01-01T00:00:00Z","url":"%[4]s/api/app/files/%[1]d/content/a.png","thumbnail_url":"%[4]s/api/app/files/%[1]d/thumbnail"}`, id, story, person, s.URL),
				}})
			}
			s.Owner.Want(t, 204, "DELETE", "/api/"+writer+filePath(id), nil)
			for _, reader := range versions {
				s.Owner.Want(t, 404, "GET", "/api/"+reader+filePath(id), nil)
			}
		}
	})
}
