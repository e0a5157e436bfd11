// Package clients_test runs programs of others, written for the hosted service, against Milepost.
package clients_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// The programs need more than Go, so they run only where this variable is set; `make test` sets it.
const clientsVariable = "MILEPOST_TEST_CLIENTS"

const (
	scripts  = "../../clients/shortcut"
	testdata = "../api/testdata/"
)

// call is one line that clients/shortcut/run.mjs prints: first each method of the client with the
// status 0, then each call with its answer.
type call struct {
	Method     string
	HTTPMethod string
	Path       string // with {} for every id
	Status     int
	Body       string
}

// TestShortcut runs every method of the official JavaScript client whose operation is served.
// What is not served yet stands in not-served.tsv, which TestOperations holds to the route tables.
func TestShortcut(t *testing.T) {
	t.Parallel()
	if os.Getenv(clientsVariable) == "" {
		t.Logf("%s is not set: the client does not run", clientsVariable)
		return
	}
	contract := contractPaths(t)
	notServed := strings.Split(string(readFile(t, testdata+"not-served.tsv")), "\n")
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		calls := runShortcut(t, s.URL, s.Owner.Token, string(putKeyResult(t, s)))
		uncalled := map[string]call{}
		for _, c := range calls {
			path, known := contract[c.Path]
			switch {
			case !known:
				t.Errorf("%s: the wire contract has no path %s", c.Method, c.Path)
			case c.Status == 0:
				uncalled[c.Method] = c
			default:
				delete(uncalled, c.Method)
				testkit.ValidWire(t, c.HTTPMethod, path, c.Status, c.Body)
			}
		}
		for _, c := range uncalled {
			if !slices.Contains(notServed, "v3\t"+c.HTTPMethod+"\t"+contract[c.Path]) {
				t.Errorf("%s is served: call it in clients/shortcut", c.Method)
			}
		}
	})
}

// runShortcut returns the calls of one run of the client.
func runShortcut(t *testing.T, arguments ...string) []call {
	t.Helper()
	var problem bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"run.mjs"}, arguments...)...)
	cmd.Dir, cmd.Stderr = scripts, &problem
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node run.mjs (`make deps` gets what it needs): %v\n%s", err, problem.String())
	}
	var calls []call
	for line := range strings.Lines(string(out)) {
		var c call
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		calls = append(calls, c)
	}
	return calls
}

// putKeyResult makes a key result, which no operation of v3 does, and returns its id.
func putKeyResult(t *testing.T, s *testkit.Server) tracker.UUID {
	t.Helper()
	by := testkit.Operator(s.Owner.Workspace)
	objective := s.Owner.Want(t, 201, "POST", "/objectives", map[string]any{"name": "Sell"}).ID(t)
	number := func(n string) tracker.KeyResultValue { return tracker.KeyResultValue{Numeric: tracker.Some(n)} }
	k, err := s.Service.CreateKeyResult(t.Context(), by, objective, tracker.KeyResultParams{
		Name: "Revenue", Type: tracker.NumericResult, Initial: number("0"), Target: number("100"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return k.ID
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// contractPaths finds a path of the wire contract by the same path with {} for every parameter.
func contractPaths(t *testing.T) map[string]string {
	t.Helper()
	var contract struct{ Paths map[string]json.RawMessage }
	if err := json.Unmarshal(readFile(t, testdata+"v3-wire.json"), &contract); err != nil {
		t.Fatal(err)
	}
	paths := map[string]string{}
	for path := range contract.Paths {
		path = strings.TrimPrefix(path, "/api/v3")
		paths[parameter.ReplaceAllString(path, "{}")] = path
	}
	return paths
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
