package api_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"milepost/internal/api"
)

// TestOperations holds the route tables of the versions to testdata/operations.tsv, both ways.
// What the table has and the server does not serve yet stands in testdata/not-served.tsv, which
// only shrinks.
func TestOperations(t *testing.T) {
	t.Parallel()
	published := map[string]string{} // operation → success status
	versions := map[string]bool{}
	for _, f := range readTable(t, "testdata/operations.tsv") {
		published[strings.Join(f[:3], " ")] = f[3]
		versions[f[0]] = true
	}
	notYet := map[string]bool{}
	for _, f := range readTable(t, "testdata/not-served.tsv") {
		operation := strings.Join(f, " ")
		if published[operation] == "" {
			t.Errorf("not-served.tsv lists %s, which operations.tsv does not have", operation)
		}
		notYet[operation] = true
	}

	served := map[string]bool{}
	for _, version := range api.Versions(api.Config{}) {
		if !versions[version.Version] {
			continue // not one of the public versions
		}
		for _, r := range version.Routes {
			operation := fmt.Sprintf("%s %s %s", version.Version, r.Method, r.Path)
			switch status := published[operation]; {
			case served[operation]:
				t.Errorf("%s is in the route table twice", operation)
			case status == "":
				t.Errorf("%s is served, but operations.tsv does not have it", operation)
			case status != fmt.Sprint(r.Status):
				t.Errorf("%s answers %d, want %s", operation, r.Status, status)
			case notYet[operation]:
				t.Errorf("%s is served now: take it out of not-served.tsv", operation)
			}
			served[operation] = true
		}
	}
	for operation := range published {
		if !served[operation] && !notYet[operation] {
			t.Errorf("%s is not served", operation)
		}
	}
}

// readTable reads the rows of a tab-separated file with a heading.
func readTable(t *testing.T, path string) [][]string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var rows [][]string
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		rows = append(rows, strings.Split(line, "\t"))
	}
	return rows
}
