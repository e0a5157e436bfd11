package httpd

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func TestRequestID(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a", 64)
	for _, row := range []struct {
		name   string
		header http.Header
		want   string
	}{
		{"none", nil, "made"},
		{"own header", http.Header{"Request-Id": {"A.z_0-9"}}, "A.z_0-9"},
		{"other header", http.Header{"X-Request-Id": {"abc"}}, "abc"},
		{"own header first", http.Header{"Request-Id": {"abc"}, "X-Request-Id": {"def"}}, "abc"},
		{"own header unusable", http.Header{"Request-Id": {"a b"}, "X-Request-Id": {"def"}}, "def"},
		{"64 characters", http.Header{"Request-Id": {long}}, long},
		{"65 characters", http.Header{"Request-Id": {long + "a"}}, "made"},
		{"empty", http.Header{"Request-Id": {""}}, "made"},
		{"letters beyond ASCII", http.Header{"Request-Id": {"é"}}, "made"},
		{"line break", http.Header{"Request-Id": {"a\nb"}}, "made"},
		{"a token", http.Header{"Request-Id": {testToken}}, "made"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var inside string
			h := RequestIDs(func() string { return "made" })(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				inside = RequestID(r.Context())
			}))
			rec := httptest.NewRecorder()
			h.ServeHTTP(rec, requestFrom("127.0.0.1:1", row.header))
			if inside != row.want || rec.Header().Get("Request-Id") != row.want {
				t.Errorf("context %q, header %q, want %q", inside, rec.Header().Get("Request-Id"), row.want)
			}
		})
	}
}

func TestRequestIDsAreRandom(t *testing.T) {
	t.Parallel()
	h := RequestIDs(nil)(http.NotFoundHandler())
	form := regexp.MustCompile(`^[A-Z2-7]{26}$`)
	seen := map[string]bool{}
	for range 100 {
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, requestFrom("127.0.0.1:1", nil))
		id := rec.Header().Get("Request-Id")
		if !form.MatchString(id) || seen[id] {
			t.Fatalf("Request-Id %q has a wrong form or came twice", id)
		}
		seen[id] = true
	}
}

func TestRequestIDOutsideARequest(t *testing.T) {
	t.Parallel()
	if id := RequestID(t.Context()); id != "" {
		t.Errorf("RequestID = %q, want nothing", id)
	}
}
