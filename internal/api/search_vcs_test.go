package api_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"milepost/internal/testkit"
)

// TestSearchVersionControl finds stories by what a version-control service told of them.
func TestSearchVersionControl(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		pump := s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Pump"}`).ID(t)
		s.Owner.Want(t, 201, "POST", "/stories", `{"name":"Other"}`)
		service := newVCSSender(t, s, s.Owner, "github", "[]", pump)
		for _, step := range []string{"branch", "commit", "opened"} {
			service.tell(t, step)
		}
		branch := strings.ReplaceAll("olivia/sc-STORY/pump", "STORY", fmt.Sprint(pump))
		for query, found := range map[string]bool{
			"branch:" + branch:                  true,
			"branch:" + strings.ToUpper(branch): true,
			"branch:pump":                       false,
			"commit:" + strings.Repeat("a", 40): true,
			"commit:" + strings.Repeat("A", 40): true,
			"commit:" + strings.Repeat("c", 40): false,
			"commit:https://github.com/acme/engine/commit/" + strings.Repeat("a", 40): true,
			"pr:12":  true,
			"pr:#12": true,
			"pr:1":   false,
			"pr:https://github.com/acme/engine/pull/12": true,
			"has:branch":              true,
			"has:commit":              true,
			"has:pr":                  true,
			"!has:pr pump":            false,
			"has:pr has:branch -pr:3": true,
		} {
			got := s.Owner.Want(t, 200, "GET", "/search/stories?query="+url.QueryEscape(query), nil).Object(t)
			data := got["data"].([]any)
			if found != (len(data) == 1 && data[0].(map[string]any)["id"] == float64(pump)) || !found && len(data) > 0 {
				t.Errorf("%s: found %v, want the story: %v", query, data, found)
			}
		}
	})
}
