package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

var update = flag.Bool("update", false, "write the golden answers anew")

// A goldenAnswer stands in the file that is named by its version and its last field. Where a list
// has a path for a single element, that answers the same form.
type goldenAnswer struct{ version, path, single, file string }

// golden lists an answer of each resource in each version.
var golden = []goldenAnswer{
	{"v3", "/categories", "/categories/%v", "categories"},
	{"v3", "/epic-workflow", "", "epic-workflow"},
	{"v3", "/labels", "/labels/%v", "labels"},
	{"v3", "/labels?slim=true", "", "labels-slim"},
	{"v3", "/member", "", "member"},
	{"v3", "/user", "", "member"},
	{"v3", "/members", "/members/%v", "members"},
	{"v3", "/teams", "/teams/%v", "teams"},
	{"v3", "/workflows", "/workflows/%v", "workflows"},

	{"v2", "/categories", "/categories/%v", "categories"},
	{"v2", "/epic-workflow", "", "epic-workflow"},
	{"v2", "/labels", "/labels/%v", "labels"},
	{"v2", "/members", "/members/%v", "members"},
	{"v2", "/teams", "/teams/%v", "teams"},
	{"v2", "/workflows", "", "workflows"},

	{"v1", "/labels", "", "labels"},
	{"v1", "/users", "/users/%v", "users"},
	{"v1", "/workflows", "", "workflows"},

	{"beta", "/categories", "/categories/%v", "categories"},
	{"beta", "/epic-workflow", "", "epic-workflow"},
	{"beta", "/labels", "/labels/%v", "labels"},
	{"beta", "/labels?slim=true", "", "labels-slim"},
	{"beta", "/member", "", "member"},
	{"beta", "/user", "", "member"},
	{"beta", "/members", "/members/%v", "members"},
	{"beta", "/teams", "/teams/%v", "teams"},
	{"beta", "/workflows", "/workflows/%v", "workflows"},
}

// TestGoldenAnswers holds every version to exactly the fields it had: one that v3 gains must show
// up in the golden file of no other version.
func TestGoldenAnswers(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		fillForGolden(t, s, address)
		for _, g := range golden {
			g.check(t, s, func(path string) string { return path })
		}
	})
}

// check compares an answer; named completes its path.
func (g goldenAnswer) check(t *testing.T, s *testkit.Server, named func(path string) string) {
	t.Helper()
	a := s.Owner.Want(t, 200, "GET", "/api/"+g.version+named(g.path), nil)
	compareGolden(t, filepath.Join("testdata", "golden", g.version, g.file+".json"), stable(t, a.Text, s.URL))
	if g.single == "" {
		return
	}
	for _, want := range a.List(t) {
		path := fmt.Sprintf("/api/"+g.version+g.single, numberOf(want["id"]))
		if got := s.Owner.Want(t, 200, "GET", path, nil).Object(t); !reflect.DeepEqual(got, want) {
			t.Errorf("%s answers %v, the list has %v", path, got, want)
		}
	}
}

// fillForGolden writes what gives every field a value somewhere.
func fillForGolden(t *testing.T, s *testkit.Server, address string) {
	t.Helper()
	run, states := testkit.Beside(t, address, s.Owner.Workspace), stateIDs(t, s)
	run(`update workflow_state set type = 'backlog', color = '#123abc', verb = 'park', description = 'Later'
		where workspace_id = $1 and id = $2`, states["Unscheduled"])
	run(`update epic_state set color = '#abc123', description = 'Not yet' where workspace_id = $1 and id = $2`, states["to do"])
	s.Clock.Advance(60e9)
	_, err := s.Service.AddMember(context.Background(), testkit.Operator(s.Owner.Workspace), tracker.MemberParams{
		Name: "anna maria berg", Email: "Anna@first.example", MentionName: "anna", Role: tracker.Admin,
	})
	if err != nil {
		t.Fatal(err)
	}
	beta := func(path, body string) { s.Owner.Want(t, 201, "POST", "/api/beta"+path, body) }
	beta("/categories", `{"type":"milestone","name":"Growth","color":"rgb(255, 0, 128)","external_id":"c-1"}`)
	beta("/categories", `{"type":"milestone","name":"Plain"}`)
	beta("/labels", `{"name":"backend","color":"hsl(120, 100%, 25%)","external_id":"l-1","description":"Server side"}`)
	beta("/labels", `{"name":"plain"}`)
}

var anyUUID = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// stable indents an answer and takes out what differs between two runs: UUIDs are named in the
// order of their appearance.
func stable(t *testing.T, text, base string) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", "  "); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	names := map[string]string{}
	named := anyUUID.ReplaceAllStringFunc(b.String(), func(id string) string {
		if names[id] == "" {
			names[id] = fmt.Sprintf("uuid-%d", len(names)+1)
		}
		return names[id]
	})
	return strings.ReplaceAll(named, base, "{base}") + "\n"
}

func compareGolden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; the answer is\n%s", path, got)
	}
}

// numberOf shows a decoded JSON number without an exponent.
func numberOf(v any) any {
	if f, ok := v.(float64); ok {
		return int64(f)
	}
	return v
}
