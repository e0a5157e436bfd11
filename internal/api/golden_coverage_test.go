package api_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"milepost/internal/api"
	"milepost/internal/testkit"
)

// TestGoldenOfEachForm: every form of a resource that an older version, or v3, can be read in has a
// golden answer, so that a change of it shows in review.
func TestGoldenOfEachForm(t *testing.T) {
	t.Parallel()
	s := testkit.New(t, filepath.Join(t.TempDir(), "milepost.db"))
	for _, v := range api.Versions(api.Config{}) {
		if v.Version == "app" {
			continue
		}
		shown, paths := map[string]bool{}, readDocument(t, s, v).Paths.Map()
		for _, g := range slices.Concat(golden, goldenWork) {
			path, _, _ := strings.Cut(idName.ReplaceAllString(g.path, "{$1}"), "?")
			if g.version == v.Version && paths[path] != nil {
				shown[formOf(paths[path].Get)] = true
			}
		}
		for path, item := range paths {
			if item.Get == nil || path == "/openapi.json" {
				continue
			}
			if form := formOf(item.Get); !shown[form] {
				t.Errorf("GET /api/%s%s: %s has no golden answer", v.Version, path, form)
			}
		}
	}
}

// formOf names what an operation answers with, alone or in a list.
func formOf(op *openapi3.Operation) string {
	answer := op.Responses.Status(200).Value.Content.Get("application/json")
	if answer == nil {
		return ""
	}
	if answer.Schema.Value.Items != nil {
		return answer.Schema.Value.Items.Ref
	}
	return answer.Schema.Ref
}
