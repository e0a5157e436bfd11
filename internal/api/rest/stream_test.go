package rest_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

type streamItem struct {
	Number int64  `json:"number"`
	Text   string `json:"text"`
}

// A stream arrives as one array however long it is; an error before the first part is an answer
// of its own, a later one breaks the connection.
func TestStreams(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("x", 1000)
	type params struct {
		Items  int64 `query:"items" is:"required"`
		FailAt int64 `query:"fail_at" is:"required"`
	}
	list := func(_ context.Context, _ tracker.Actor, in params) (rest.Stream[streamItem], error) {
		return rest.Stream[streamItem]{Items: func(yield func(*streamItem, error) bool) {
			for i := range in.Items {
				if i == in.FailAt {
					yield(nil, tracker.ErrNotFound)
					return
				}
				if !yield(&streamItem{i, filler}, nil) {
					return
				}
			}
		}}, nil
	}
	server := httptest.NewServer(rest.NewRouter(nil, rest.API{Version: "odd", Routes: []rest.Route{rest.Get("/items", "List Items", list)}}))
	t.Cleanup(server.Close)
	for _, c := range []struct {
		query  string
		status int
		items  int
		broken bool
		whole  bool // sent with its length and tag
	}{
		{query: "items=0&fail_at=-1", status: 200, whole: true},
		{query: "items=1&fail_at=-1", status: 200, items: 1, whole: true},
		{query: "items=127&fail_at=-1", status: 200, items: 127, whole: true},
		{query: "items=5000&fail_at=-1", status: 200, items: 5000},
		{query: "items=5&fail_at=3", status: 404},
		{query: "items=5000&fail_at=4999", status: 200, broken: true},
	} {
		resp, err := http.Get(server.URL + "/api/odd/items?" + c.query)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != c.status || errors.Is(err, io.ErrUnexpectedEOF) != c.broken {
			t.Errorf("%s: status %d, error %v", c.query, resp.StatusCode, err)
		}
		if whole := resp.Header.Get("ETag") != ""; c.status == 200 && whole != c.whole {
			t.Errorf("%s: sent whole: %v", c.query, whole)
		}
		var items []streamItem
		if c.status == 200 && !c.broken {
			if err := json.Unmarshal(text, &items); err != nil || len(items) != c.items {
				t.Errorf("%s: %d items, error %v", c.query, len(items), err)
			}
		}
		for i, item := range items {
			if item.Number != int64(i) || item.Text != filler {
				t.Fatalf("%s: item %d is %d", c.query, i, item.Number)
			}
		}
	}
}
