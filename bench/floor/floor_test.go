package floor_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"milepost/bench/floor"
	"milepost/internal/testkit"
)

func TestFloor(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		f, err := floor.Open(address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := f.Close(); err != nil {
				t.Error(err)
			}
		})
		for _, err := range []error{
			f.Create(t.Context()), f.AddItems(t.Context(), items(30)), f.AddList(t.Context(), "short", []string{`{"a":1}`, `{"b":2}`}),
			f.SetAnswer(t.Context(), "create", `{"made":true}`),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		handler, err := f.Handler(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		web := httptest.NewServer(handler)
		t.Cleanup(web.Close)
		for path, want := range map[string]string{
			"/item/7":                  `{"id":7}`,
			"/list/short":              `[{"a":1},{"b":2}]`,
			"/list/none":               `[]`,
			"/search?query=seven+each": `{"total":1,"data":[{"id":7}]}`,
			"/search?query=nowhere":    `{"total":0,"data":[]}`,
		} {
			if status, body := send(t, http.MethodGet, web.URL+path, ""); status != http.StatusOK || body != want {
				t.Errorf("%s: %d %s, want %s", path, status, body, want)
			}
		}
		_, all := send(t, http.MethodGet, web.URL+"/search?query=each", "")
		if !strings.HasPrefix(all, `{"total":30,"data":[{"id":29},`) || strings.Count(all, "id") != 25 {
			t.Errorf("a search for a word of all items gives %s", all)
		}
		if status, _ := send(t, http.MethodGet, web.URL+"/item/1000", ""); status != http.StatusInternalServerError {
			t.Errorf("an absent item: %d", status)
		}
		writeTogether(t, f, web.URL)
	})
}

func items(n int) []floor.Item {
	out := make([]floor.Item, n)
	for i := range out {
		out[i] = floor.Item{ID: int64(i), Body: fmt.Sprintf(`{"id":%d}`, i), Words: "each one"}
	}
	out[7].Words += " seven"
	return out
}

// writeTogether: every write is answered, kept in the history and found by its words.
func writeTogether(t *testing.T, f *floor.Floor, url string) {
	t.Helper()
	const writers, each = 8, 5
	var all sync.WaitGroup
	for range writers {
		all.Go(func() {
			for range each {
				if status, body := send(t, http.MethodPost, url+"/write/create", `{"name":"fresh"}`); status != http.StatusCreated || body != `{"made":true}` {
					t.Errorf("a write: %d %s", status, body)
				}
			}
		})
	}
	all.Wait()
	if n, err := f.Written(t.Context()); err != nil || n != writers*each {
		t.Errorf("%d writes kept, %v", n, err)
	}
	if _, body := send(t, http.MethodGet, url+"/search?query=fresh", ""); !strings.HasPrefix(body, `{"total":40,"data":[{"made":true},`) {
		t.Errorf("a search for what was written gives %s", body)
	}
}

func send(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(text)
}
