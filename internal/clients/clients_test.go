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
)

// The programs need more than Go, so they run only where this variable is set; `make test` sets it.
const clientsVariable = "MILEPOST_TEST_CLIENTS"

const testdata = "../api/testdata/"

// call is one line that the run.mjs of a client prints: first each method of the client with the
// status 0, then each call with its answer.
type call struct {
	Method     string
	HTTPMethod string
	Path       string // with {} for every id
	Status     int
	Body       string
}

// exercise runs every method of a client of v3 whose operation is served; prepare gives the arguments
// beside the address and the token. What is not served yet stands in not-served.tsv, which
// TestOperations holds to the route tables; what the wire contract does not know stands in beyond.
func exercise(t *testing.T, client string, prepare func(*testing.T, *testkit.Server) []string, beyond ...string) {
	t.Helper()
	if os.Getenv(clientsVariable) == "" {
		t.Logf("%s is not set: the client does not run", clientsVariable)
		return
	}
	contract := contractPaths(t)
	notServed := strings.Split(string(readFile(t, testdata+"not-served.tsv")), "\n")
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		uncalled := map[string]call{}
		for _, c := range run(t, client, append([]string{s.URL, s.Owner.Token}, prepare(t, s)...)...) {
			path, known := contract[c.Path]
			further := slices.Contains(beyond, c.HTTPMethod+" "+c.Path)
			switch {
			case !known && !further:
				t.Errorf("%s: the wire contract has no path %s", c.Method, c.Path)
			case c.Status == 0:
				uncalled[c.Method] = c
			default:
				delete(uncalled, c.Method)
				if !further {
					testkit.ValidWire(t, c.HTTPMethod, path, c.Status, c.Body)
				}
			}
		}
		for _, c := range uncalled {
			if !slices.Contains(notServed, "v3\t"+c.HTTPMethod+"\t"+contract[c.Path]) {
				t.Errorf("%s is served: call it in clients/%s", c.Method, client)
			}
		}
	})
}

// run returns the calls of one run of the client.
func run(t *testing.T, client string, arguments ...string) []call {
	t.Helper()
	var problem bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "node", append([]string{"run.mjs"}, arguments...)...)
	cmd.Dir, cmd.Stderr = "../../clients/"+client, &problem
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
