package api_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestFileContent(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		stranger := s.NewWorkspace(t, "second")
		text := strings.Repeat("0123456789", 20_000)
		id := newFile(t, s, "日本.txt", text)
		path := fmt.Sprintf("/api/app/files/%d/content/any", id)
		sum := sha256.Sum256([]byte(text))
		tag := `"` + hex.EncodeToString(sum[:]) + `"`
		nobody := &testkit.Client{URL: s.URL}
		for _, c := range []struct {
			name        string
			as          *testkit.Client
			method      string
			query       string
			header      http.Header
			status      int
			text        string
			contentSize string
		}{
			{"whole", observer, "GET", "", nil, 200, text, "200000"},
			{"token in the address", nobody, "GET", "?token=" + observer.Token, nil, 200, text, "200000"},
			{"no token", nobody, "GET", "", nil, 401, "", ""},
			{"another workspace's", stranger, "GET", "", nil, 404, "", ""},
			{"head", observer, "HEAD", "", nil, 200, "", "200000"},
			{"range", observer, "GET", "", http.Header{"Range": {"bytes=100005-100009"}}, 206, "56789", "5"},
			{"the end", observer, "GET", "", http.Header{"Range": {"bytes=-3"}}, 206, "789", "3"},
			{"range of what is known", observer, "GET", "", http.Header{"Range": {"bytes=0-1"}, "If-Range": {tag}}, 206, "01", "2"},
			{"range of what was", observer, "GET", "", http.Header{"Range": {"bytes=0-1"}, "If-Range": {`"old"`}}, 200, text, "200000"},
			{"beyond", observer, "GET", "", http.Header{"Range": {"bytes=200000-"}}, 416, "", ""},
			{"known", observer, "GET", "", http.Header{"If-None-Match": {`"x", ` + tag}}, 304, "", ""},
			{"unknown", observer, "GET", "", http.Header{"If-None-Match": {`"x"`}}, 200, text, "200000"},
			{"another key", observer, "GET", "?inline=1", nil, 400, "", ""},
		} {
			as := *c.as
			as.Header = c.header
			a := as.Do(t, c.method, path+c.query, nil)
			if a.Status != c.status || c.text != "" && a.Text != c.text || c.contentSize != "" && a.Header.Get("Content-Length") != c.contentSize {
				t.Errorf("%s: %d %v %.50q", c.name, a.Status, a.Header, a.Text)
			}
			if c.status >= 400 {
				continue
			}
			for name, want := range map[string]string{"ETag": tag, "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-cache",
				"Content-Disposition": "attachment; filename*=utf-8''%E6%97%A5%E6%9C%AC.txt"} {
				if c.status != 304 && a.Header.Get(name) != want || c.status == 304 && name == "ETag" && a.Header.Get(name) != want {
					t.Errorf("%s: %s is %q, want %q", c.name, name, a.Header.Get(name), want)
				}
			}
		}
		if strings.Contains(s.Log.String(), observer.Token) {
			t.Error("the log holds the token")
		}
	})
}

func TestFileLinks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address, testkit.WithRateLimit(50))
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		stranger := s.NewWorkspace(t, "second")
		id := newFile(t, s, "a b.png", picture)
		other := newFile(t, s, "b.txt", "b")
		nobody := &testkit.Client{URL: s.URL}
		links := fmt.Sprintf("/api/app/files/%d/links", id)
		link := observer.Want(t, 201, "POST", links, nil).Object(t)
		if again := s.Owner.Want(t, 201, "POST", links, nil).Object(t); again["url"] != link["url"] {
			t.Errorf("at the same moment the links are %v and %v", link, again)
		}
		if link["expires_at"] != "2026-01-05T10:15:00Z" {
			t.Errorf("the link is %v", link)
		}
		plain := s.Owner.Want(t, 201, "POST", fmt.Sprintf("/api/app/files/%d/links", other), nil).Object(t)
		if plain["thumbnail_url"] != nil {
			t.Errorf("what is no picture has %v", plain)
		}
		address1, thumbnail := strings.TrimPrefix(link["url"].(string), s.URL), strings.TrimPrefix(link["thumbnail_url"].(string), s.URL)
		if got := nobody.Want(t, 200, "GET", address1, nil); got.Text != picture {
			t.Errorf("the link leads to %q", got.Text)
		}
		nobody.Want(t, 200, "HEAD", address1, nil)
		nobody.Want(t, 200, "GET", thumbnail, nil)
		parsed, err := url.Parse(address1)
		if err != nil {
			t.Fatal(err)
		}
		changed := func(key, value string) string {
			q := parsed.Query()
			q.Set(key, value)
			return parsed.EscapedPath() + "?" + q.Encode()
		}
		testkit.Run(t, nobody, []testkit.Case{
			{Name: "another file", Method: "GET", Path: fmt.Sprintf("/api/app/files/%d/content/a%%20b.png?%s", other, parsed.RawQuery), Status: 401},
			{Name: "another operation", Method: "GET", Path: "/api/v3/files?" + parsed.RawQuery, Status: 401},
			{Name: "another method", Method: "DELETE", Path: address1, Status: 401},
			{Name: "the thumbnail by the other link", Method: "GET", Path: fmt.Sprintf("/api/app/files/%d/thumbnail?%s", id, parsed.RawQuery), Status: 401},
			{Name: "longer", Method: "GET", Path: changed("expires", "9999999999"), Status: 401},
			{Name: "another workspace", Method: "GET", Path: changed("workspace", string(stranger.Workspace)), Status: 401},
			{Name: "no workspace", Method: "GET", Path: changed("workspace", missingUUID), Status: 401},
			{Name: "no signature", Method: "GET", Path: changed("signature", ""), Status: 401, Want: `{"tag":"organization2_missing"}`},
			{Name: "another signature", Method: "GET", Path: changed("signature", "00"), Status: 401, Want: `{"tag":"unauthorized"}`},
			{Name: "a stranger's", As: stranger, Method: "POST", Path: links, Status: 404},
			{Name: "nobody's", Method: "POST", Path: links, Status: 401},
		})
		s.Clock.Advance(15*time.Minute - time.Second)
		nobody.Want(t, 200, "GET", address1, nil)
		s.Clock.Advance(time.Second)
		nobody.Want(t, 401, "GET", address1, nil)
		fresh := strings.TrimPrefix(s.Owner.Want(t, 201, "POST", links, nil).Object(t)["url"].(string), s.URL)
		for range 50 {
			nobody.Want(t, 200, "GET", fresh, nil)
		}
		nobody.Want(t, 429, "GET", fresh, nil)
		s.Owner.Want(t, 204, "DELETE", filePath(id), nil)
		s.Clock.Advance(time.Minute)
		nobody.Want(t, 404, "GET", fresh, nil)
		if strings.Contains(s.Log.String(), parsed.Query().Get("signature")) {
			t.Error("the log holds a signature")
		}
	})
}

func TestThumbnails(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	draw := func(width, height int, c color.Color) *image.Paletted {
		return &image.Paletted{Pix: make([]uint8, width*height), Stride: width, Rect: image.Rect(0, 0, width, height), Palette: color.Palette{c, color.White}}
	}
	encode := func(kind string, picture image.Image) string {
		var b bytes.Buffer
		var err error
		switch kind {
		case "png":
			err = png.Encode(&b, picture)
		case "gif":
			err = gif.Encode(&b, picture, nil)
		default:
			err = jpeg.Encode(&b, picture, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	bomb := []byte(picture) // says that it has 2^31 - 1 lines of as many pixels
	copy(bomb[16:], "\x7f\xff\xff\xff\x7f\xff\xff\xff")
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29]))
	red, faint := color.RGBA{R: 255, A: 255}, color.NRGBA{R: 255, A: 100}
	const webp = "RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00"
	for _, c := range []struct {
		name, content string
		width, height int // of the thumbnail; none is 0
		kind          string
	}{
		{"png", encode("png", draw(720, 480, red)), 360, 240, "jpeg"},
		{"jpeg", encode("jpeg", draw(721, 480, red)), 360, 239, "jpeg"},
		{"gif", encode("gif", draw(480, 721, red)), 159, 240, "jpeg"},
		{"webp", webp, 1, 1, "png"},
		{"transparent", encode("png", draw(3600, 10, faint)), 360, 1, "png"},
		{"very wide", encode("png", draw(10_000, 1, red)), 360, 1, "jpeg"},
		{"very high", encode("png", draw(1, 10_000, red)), 1, 240, "jpeg"},
		{"small", encode("png", draw(360, 240, red)), 360, 240, "jpeg"},
		{"the largest", encode("png", draw(4096, 4096, red)), 240, 240, "jpeg"},
		{"a pixel more", encode("png", draw(4096, 4097, red)), 0, 0, ""},
		{"a bomb", string(bomb), 0, 0, ""},
		{"cut short", encode("png", draw(720, 480, red))[:100], 0, 0, ""},
		{"an end alone", "\x89PNG\r\n\x1a\n", 0, 0, ""},
		{"a text", "words", 0, 0, ""},
	} {
		a := s.Owner.Upload(t, "/files", "file0", c.name, c.content)
		if a.Status != 201 {
			t.Errorf("%s: %d %s", c.name, a.Status, a.Text)
			continue
		}
		f := a.List(t)[0]
		if contentOf(t, s.Owner, f["url"]).Text != c.content {
			t.Errorf("%s: another content comes back", c.name)
		}
		thumbnail := fmt.Sprintf("/api/app/files/%v/thumbnail", f["id"])
		if c.width == 0 {
			if f["thumbnail_url"] != nil {
				t.Errorf("%s has a thumbnail: %v", c.name, f)
			}
			s.Owner.Want(t, 404, "GET", thumbnail, nil)
			continue
		}
		got := s.Owner.Want(t, 200, "GET", thumbnail, nil)
		shape, kind, err := image.DecodeConfig(strings.NewReader(got.Text))
		if err != nil || shape.Width != c.width || shape.Height != c.height || kind != c.kind || got.Header.Get("Content-Type") != "image/"+c.kind {
			t.Errorf("%s: the thumbnail is a %s of %d × %d (%v), want a %s of %d × %d", c.name, kind, shape.Width, shape.Height, err, c.kind, c.width, c.height)
		}
		if f["thumbnail_url"] != s.URL+thumbnail {
			t.Errorf("%s: %v", c.name, f)
		}
	}
}
