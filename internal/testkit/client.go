package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	"milepost/internal/tracker"
)

// Client speaks to a test server as one member.
type Client struct {
	URL       string
	Token     string
	Workspace tracker.UUID
	Member    tracker.Member
	Header    http.Header // sent with every request, if any
}

// At is the client when it speaks to another server.
func (c *Client) At(s *Server) *Client {
	there := *c
	there.URL = s.URL
	return &there
}

// Answer is what came back.
type Answer struct {
	Status int
	Header http.Header
	Text   string
}

// Do sends a request: the body is nil, a string sent as it is, or a value sent as JSON. A path
// that does not start with /api is one of v3.
func (c *Client) Do(t testing.TB, method, path string, body any) Answer {
	t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		reader = bytes.NewReader(text)
	}
	if !strings.HasPrefix(path, "/api") {
		path = "/api/v3" + path
	}
	req, err := http.NewRequestWithContext(t.Context(), method, c.URL+path, reader)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range c.Header {
		req.Header[name] = values
	}
	if c.Token != "" {
		req.Header.Set("Service-Token", c.Token)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Answer{Status: resp.StatusCode, Header: resp.Header, Text: string(text)}
}

// A Part is one part of a multipart form: a file where it has a name, otherwise a text.
type Part struct {
	Field, Name, ContentType, Content string
}

// Upload posts a multipart form with one file.
func (c *Client) Upload(t testing.TB, path, field, name, content string) Answer {
	t.Helper()
	return c.UploadForm(t, path, Part{Field: field, Name: name, Content: content})
}

// UploadForm posts a multipart form.
func (c *Client) UploadForm(t testing.TB, path string, parts ...Part) Answer {
	t.Helper()
	body, contentType := Form(t, parts...)
	uploader := *c
	uploader.Header = c.Header.Clone()
	if uploader.Header == nil {
		uploader.Header = http.Header{}
	}
	uploader.Header.Set("Content-Type", contentType)
	return uploader.Do(t, "POST", path, body)
}

// Form is the body and the content type of a multipart form.
func Form(t testing.TB, parts ...Part) (body, contentType string) {
	t.Helper()
	var b strings.Builder
	form := multipart.NewWriter(&b)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {fmt.Sprintf(`form-data; name="%s"`, p.Field)}}
		if p.Name != "" {
			header.Set("Content-Disposition", fmt.Sprintf(`form-data; name="%s"; filename="%s"`, p.Field, p.Name))
		}
		if p.ContentType != "" {
			header.Set("Content-Type", p.ContentType)
		}
		part, err := form.CreatePart(header)
		if err == nil {
			_, err = io.WriteString(part, p.Content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String(), form.FormDataContentType()
}

// Want sends a request and fails the test unless it is answered with the status.
func (c *Client) Want(t testing.TB, status int, method, path string, body any) Answer {
	t.Helper()
	a := c.Do(t, method, path, body)
	if a.Status != status {
		t.Fatalf("%s %s %v: status %d, want %d: %s", method, path, body, a.Status, status, a.Text)
	}
	return a
}

// Object reads the answer as a JSON object.
func (a Answer) Object(t testing.TB) map[string]any {
	t.Helper()
	var v map[string]any
	a.decode(t, &v)
	return v
}

// List reads the answer as an array of JSON objects.
func (a Answer) List(t testing.TB) []map[string]any {
	t.Helper()
	var v []map[string]any
	a.decode(t, &v)
	return v
}

// ID reads the integer id of the answered object.
func (a Answer) ID(t testing.TB) int64 {
	t.Helper()
	var v struct{ ID int64 }
	a.decode(t, &v)
	return v.ID
}

func (a Answer) decode(t testing.TB, v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.Text), v); err != nil {
		t.Fatalf("answer %d %q: %v", a.Status, a.Text, err)
	}
}

// Case is one request of a table, judged by its status and by what its answer must hold.
type Case struct {
	Name   string
	As     *Client
	Method string
	Path   string
	Body   any
	Status int
	// Want is a JSON text of which every key and value must stand in the answer; "" asks nothing.
	Want string
}

// Run sends the cases one after the other: a later one may rely on what an earlier one did.
func Run(t *testing.T, as *Client, cases []Case) {
	t.Helper()
	for _, c := range cases {
		client := as
		if c.As != nil {
			client = c.As
		}
		name := c.Name
		if name == "" {
			name = fmt.Sprintf("%s %s", c.Method, c.Path)
		}
		a := client.Do(t, c.Method, c.Path, c.Body)
		if a.Status != c.Status {
			t.Errorf("%s: status %d, want %d: %s", name, a.Status, c.Status, a.Text)
			continue
		}
		if c.Want != "" {
			var want, got any
			if err := json.Unmarshal([]byte(c.Want), &want); err != nil {
				t.Fatalf("%s: the case wants %q: %v", name, c.Want, err)
			}
			a.decode(t, &got)
			if missing := lacks("", got, want); missing != "" {
				t.Errorf("%s: %s in %s", name, missing, a.Text)
			}
		}
	}
}

// lacks says where got falls short of want: objects may hold more, everything else must be equal.
func lacks(path string, got, want any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%s is %v, not an object", path, got)
		}
		for key, value := range w {
			v, has := g[key]
			if !has {
				return fmt.Sprintf("%s.%s is missing", path, key)
			}
			if missing := lacks(path+"."+key, v, value); missing != "" {
				return missing
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%s is %v, want %d items", path, got, len(w))
		}
		for i := range w {
			if missing := lacks(fmt.Sprintf("%s[%d]", path, i), g[i], w[i]); missing != "" {
				return missing
			}
		}
		return ""
	default:
		if got != want {
			return fmt.Sprintf("%s is %v, want %v", path, got, want)
		}
		return ""
	}
}
