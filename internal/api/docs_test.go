package api_test

import (
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"milepost/internal/api"
	"milepost/internal/testkit"
)

// fetch gets an address without a token and without following redirects.
func fetch(t *testing.T, method, address string) (status int, h http.Header, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(text)
}

// TestDocsPage: the reference page is complete in itself and needs nothing from elsewhere.
func TestDocsPage(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	for _, path := range []string{"/", "/docs/"} {
		if status, h, _ := fetch(t, "GET", s.URL+path); status != 302 || h.Get("Location") != "/docs" {
			t.Errorf("%s: %d to %q", path, status, h.Get("Location"))
		}
	}
	status, h, page := fetch(t, "GET", s.URL+"/docs")
	policy := h.Get("Content-Security-Policy")
	if status != 200 || !strings.HasPrefix(h.Get("Content-Type"), "text/html") || !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") {
		t.Errorf("status %d, %v", status, h)
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Errorf("the policy is %s", policy)
	}
	for _, v := range api.Versions(api.Config{}) {
		if !strings.Contains(page, `data-document="`+v.DocumentPath()+`"`) {
			t.Errorf("the page does not offer %s", v.Version)
		}
	}
	assets := regexp.MustCompile(`(?:src|href)="(docs/[^"]+)"`).FindAllStringSubmatch(page, -1)
	if len(assets) < 3 {
		t.Fatalf("the page has the assets %v", assets)
	}
	everything := page
	for _, match := range assets {
		status, h, text := fetch(t, "GET", s.URL+"/"+match[1])
		if status != 200 || h.Get("Content-Type") == "" || h.Get("ETag") == "" {
			t.Errorf("%s: %d %v", match[1], status, h)
		}
		everything += text
	}
	elsewhere := regexp.MustCompile(`(?:https?:)?//[a-z0-9-]+\.[a-z]`)
	if found := elsewhere.FindAllString(strings.ReplaceAll(everything, "http://www.w3.org/2000/svg", ""), -1); found != nil {
		t.Errorf("the page knows addresses elsewhere: %q", found)
	}
	if regexp.MustCompile(`<script[^>]*>[^<]|<style|\sstyle=|\son[a-z]+=`).MatchString(page) {
		t.Error("the page has scripts or styles inside, which its policy forbids")
	}
	for _, path := range []string{"/docs/page.html", "/docs/none.js", "/nowhere"} {
		if status, _, _ := fetch(t, "GET", s.URL+path); status != 404 {
			t.Errorf("%s: %d", path, status)
		}
	}
}

// TestUncleanPaths: the token is judged before the path, and no path is cleaned by a redirect.
func TestUncleanPaths(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	for _, path := range []string{"/api", "/api/", "/api//v3/labels", "/api/v3//labels", "/api/v3/../v3/labels", "/api/v3/labels//"} {
		for method, want := range map[string]int{"GET": 401, "POST": 401} {
			if status, _, _ := fetch(t, method, s.URL+path); status != want {
				t.Errorf("%s %s without a token: %d", method, path, status)
			}
		}
		if a := s.Owner.Do(t, "GET", path, nil); a.Status != 404 || a.Object(t)["message"] != "Page not Found" {
			t.Errorf("%s: %d %s", path, a.Status, a.Text)
		}
	}
	s.Owner.Want(t, 200, "GET", "/api/v3/labels/", nil)
}
