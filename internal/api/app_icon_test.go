package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// picture is a PNG of one pixel.
const picture = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\nIDATx\x9cc\x00\x01\x00\x00\x05\x00\x01\r\n-\xb4\x00\x00\x00\x00IEND\xaeB`\x82"

func TestUploadIcons(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		stranger := s.NewWorkspace(t, "second")
		const path = "/api/app/icons"
		largest := picture + strings.Repeat("x", tracker.MaxIcon-len(picture))
		for _, c := range []struct {
			name, content, contentType string
			status                     int
			want                       string
		}{
			{"png", picture, "image/png", 201, ""},
			{"jpeg", "\xff\xd8\xff\xe0rest", "image/jpeg", 201, ""},
			{"gif", "GIF89a rest", "image/gif", 201, ""},
			{"the largest", largest, "image/png", 201, ""},
			{"one byte more", largest + "x", "", 422, "must have from 1 to 1048576 bytes"},
			{"nothing", "", "", 422, "must be a GIF, JPEG or PNG picture"},
			{"a page", "<html><script>alert(1)</script>", "", 422, "must be a GIF, JPEG or PNG picture"},
			{"another kind of picture", "RIFF1234WEBPVP8 ", "", 422, "must be a GIF, JPEG or PNG picture"},
			{"far too large", strings.Repeat(largest, 2), "", 413, ""},
		} {
			a := observer.Upload(t, path, "file", "picture.png", c.content)
			if a.Status != c.status || !strings.Contains(a.Text, c.want) {
				t.Errorf("%s: %d %s", c.name, a.Status, a.Text)
			}
			if a.Status != 201 {
				continue
			}
			icon := a.Object(t)
			id := icon["id"].(string)
			if icon["entity_type"] != "icon" || icon["url"] != s.URL+path+"/"+id || icon["created_at"] != "2026-01-05T10:00:00Z" || icon["updated_at"] != "2026-01-05T10:00:00Z" {
				t.Errorf("%s: %s", c.name, a.Text)
			}
			got := observer.Want(t, 200, "GET", path+"/"+id, nil)
			for name, want := range map[string]string{
				"Content-Type": c.contentType, "Content-Length": fmt.Sprint(len(c.content)), "X-Content-Type-Options": "nosniff",
				"Cache-Control": "private, max-age=31536000, immutable",
			} {
				if got.Header.Get(name) != want {
					t.Errorf("%s: %s is %q, want %q", c.name, name, got.Header.Get(name), want)
				}
			}
			if got.Text != c.content {
				t.Errorf("%s: another content comes back", c.name)
			}
			known := *observer
			known.Header = http.Header{"If-None-Match": {got.Header.Get("ETag")}}
			if again := known.Want(t, 304, "GET", path+"/"+id, nil); again.Text != "" || again.Header.Get("Cache-Control") == "" {
				t.Errorf("%s: 304 with %q", c.name, again.Text)
			}
			stranger.Want(t, 404, "GET", path+"/"+id, nil)
			(&testkit.Client{URL: s.URL}).Want(t, 401, "GET", path+"/"+id, nil)
		}
		if a := s.Owner.Upload(t, path, "picture", "a.png", picture); a.Status != 400 || !strings.Contains(a.Text, `"file":"missing-required-key"`) {
			t.Errorf("another field: %d %s", a.Status, a.Text)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "POST", Path: path, Body: `{}`, Status: 400, Want: `{"errors":{"body":"must be multipart/form-data"}}`},
			{Method: "GET", Path: path + "/" + missingUUID, Status: 404},
			{Method: "GET", Path: path + "/7", Status: 400, Want: `{"errors":{"icon-public-id":"must be a UUID"}}`},
		})
	})
}

// An icon that a member has chosen is shown wherever the member is.
func TestMemberIcon(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		s.Clock.Advance(time.Second) // members are listed by their age
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		stranger := s.NewWorkspace(t, "second")
		upload := func(as *testkit.Client) string {
			return as.Upload(t, "/api/app/icons", "file", "a.png", picture).Object(t)["id"].(string)
		}
		mine, theirs := upload(observer), upload(stranger)
		id := string(observer.Member.ID)
		icon := fmt.Sprintf(`{"id":"%s","entity_type":"icon","url":"%s/api/app/icons/%s","created_at":"2026-01-05T10:00:01Z","updated_at":"2026-01-05T10:00:01Z"}`, mine, s.URL, mine)
		with := func(icon string) []testkit.Case {
			v3 := `{"id":"` + id + `","profile":{"display_icon":` + icon + `}}`
			return []testkit.Case{
				{Method: "GET", Path: "/members/" + id, Status: 200, Want: v3},
				{Method: "GET", Path: "/members", Status: 200, Want: `[{"profile":{"display_icon":null}},` + v3 + `]`},
				{Method: "GET", Path: "/api/v2/members/" + id, Status: 200, Want: v3},
				{Method: "GET", Path: "/api/v2/members", Status: 200, Want: `[{"profile":{"display_icon":null}},` + v3 + `]`},
				{Method: "GET", Path: "/api/app/members", Status: 200, Want: `[{"display_icon":null},{"id":"` + id + `","display_icon":` + icon + `}]`},
			}
		}
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		testkit.Run(t, observer, []testkit.Case{
			{Name: "none", Method: "PUT", Path: "/api/app/member", Body: `{"display_icon_id":"` + missingUUID + `"}`, Status: 422,
				Want: `{"errors":{"display_icon_id":"names no existing icon: ` + missingUUID + `"}}`},
			{Name: "another workspace's", Method: "PUT", Path: "/api/app/member", Body: `{"display_icon_id":"` + theirs + `"}`, Status: 422},
			{Method: "PUT", Path: "/api/app/member", Body: `{"display_icon_id":"` + mine + `"}`, Status: 200, Want: `{"display_icon":` + icon + `}`},
			{Name: "nothing changes", Method: "PUT", Path: "/api/app/member", Body: `{"display_icon_id":"` + mine + `","name":"oscar"}`, Status: 200},
		})
		testkit.Run(t, s.Owner, with(icon))
		changes := s.Changes(t, s.Owner.Workspace, before)
		if len(changes) != 1 || len(changes[0].Items) != 1 || fmt.Sprint(changes[0].Items[0].Data["display_icon_id"]) != "map[new:"+mine+"]" {
			t.Errorf("the changes are %+v", changes)
		}
		observer.Want(t, 200, "PUT", "/api/app/member", `{"display_icon_id":null}`)
		testkit.Run(t, s.Owner, with("null"))
	})
}
