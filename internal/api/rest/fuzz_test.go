package rest_test

import (
	"context"
	"encoding/json"
	"math/big"
	"net/http/httptest"
	"strings"
	"testing"
	"unicode/utf8"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// plain is odd with the fields alone that an answer can give back as they were sent.
type plain struct {
	Name    string               `json:"name" is:"required,min=1,max=10"`
	Text    tracker.Opt[string]  `json:"text" is:"null,max=5"`
	Count   tracker.Opt[int64]   `json:"count" is:"null"`
	Done    tracker.Opt[bool]    `json:"done" is:"null"`
	Kind    tracker.Opt[string]  `json:"kind" is:"enum=bug|chore"`
	Grid    [][]int64            `json:"grid" is:"maxitems=3"`
	Replies tracker.Opt[[]reply] `json:"replies" is:"null"`
}

type plainAnswer struct {
	Name    string    `json:"name"`
	Text    *string   `json:"text"`
	Count   *int64    `json:"count"`
	Done    *bool     `json:"done"`
	Kind    *string   `json:"kind"`
	Grid    [][]int64 `json:"grid"`
	Replies *[]reply  `json:"replies"`
}

var plainAPI = rest.API{Version: "plain", Title: "Plain", Routes: []rest.Route{
	rest.Put("/plain", "Give Back", func(_ context.Context, _ tracker.Actor, in plain) (plainAnswer, error) {
		return plainAnswer{
			Name: in.Name, Text: in.Text.Ptr(), Count: in.Count.Ptr(), Done: in.Done.Ptr(), Kind: in.Kind.Ptr(), Grid: in.Grid,
			Replies: in.Replies.Ptr(),
		}, nil
	}),
}}

// FuzzDecode: what is accepted is what encoding/json reads, and what it cannot read is refused.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"name":"n","text":null,"count":1e3,"grid":[[1],[]],"replies":[{"text":"","replies":[]}]}`))
	h := handler(plainAPI)
	f.Fuzz(func(t *testing.T, body []byte) {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "PUT", "/api/plain/plain", strings.NewReader(string(body))))
		var answer map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("answer %q: %v", w.Body, err)
		}
		switch w.Code {
		case 400:
			if errors, ok := answer["errors"].(map[string]any); !ok || len(errors) == 0 {
				t.Errorf("refused without a reason: %s", w.Body)
			}
		case 200:
			sent, ok := reading(t, body).(map[string]any)
			if !ok || !utf8.Valid(body) {
				t.Fatalf("%q is accepted", body)
			}
			answer = reading(t, w.Body.Bytes()).(map[string]any)
			for key, want := range sent {
				if got, ok := answer[key]; !ok || !same(got, want) {
					t.Errorf("%s is %v, sent %v", key, got, want)
				}
			}
		default:
			t.Errorf("status %d", w.Code)
		}
	})
}

// same compares JSON values, numbers by their value; an object may have empty arrays more.
func same(got, want any) bool {
	switch want := want.(type) {
	case json.Number:
		number, ok := got.(json.Number)
		a, okA := new(big.Float).SetString(string(want))
		b, okB := new(big.Float).SetString(string(number))
		return ok && okA && okB && a.Cmp(b) == 0
	case []any:
		list, ok := got.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		for i := range list {
			if !same(list[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		object, ok := got.(map[string]any)
		for key, value := range want {
			ok = ok && same(object[key], value)
		}
		return ok
	default:
		return got == want
	}
}
