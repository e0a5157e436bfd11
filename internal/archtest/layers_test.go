// Package archtest holds the code to the structure described in docs/architecture.md.
package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "milepost/"

// layers says which packages of this module each package may import, from the top down.
// Names leave out "internal/"; "x/*" means the packages directly in x.
// What no row mentions on its right side (testkit, storetest) can be imported by tests alone.
var layers = []struct{ pkg, mayImport string }{
	{"cmd/milepost", "cli"},
	{"cli", "api api/rest httpd webhook vcs demo service store store/sqlite store/postgres blob tracker client"},

	// Versions never see the store: what they show and change goes through the use cases.
	{"api", "api/* web httpd webhook vcs activity service tracker"},
	{"api/beta", "api/v3 api/rest webhook vcs activity service tracker"},
	{"api/v1", "api/v3 api/rest webhook vcs activity service tracker"},
	{"api/v2", "api/v3 api/rest webhook vcs activity service tracker"},
	{"api/app", "api/v3 api/rest webhook vcs activity service tracker"},
	{"api/hooks", "api/rest httpd webhook vcs activity service tracker"},
	{"api/v3", "api/rest markdown webhook vcs activity service tracker"},
	{"api/rest", "httpd tracker"},

	{"webhook", "activity service tracker"},
	{"vcs", "activity service tracker"},
	{"activity", "service tracker"},
	{"demo", "service tracker"},
	{"service", "query store blob tracker"},

	{"query", "tracker"},
	{"blob", "tracker"},
	{"store", "query store/db store/sqlite store/postgres tracker"},
	{"store/sqlite", "store/db tracker"},
	{"store/postgres", "store/db tracker"},
	{"store/db", "tracker"},
	{"tracker", ""},

	// Between Markdown and HTML, without knowing what a text belongs to.
	{"markdown", ""},

	// Serving HTTP, without knowing what is served.
	{"httpd", ""},
	{"client", ""},
	{"web", ""},

	// The benchmark sees the server from outside.
	{"bench", "bench/floor bench/load bench/report"},
	{"bench/floor", ""},
	{"bench/load", ""},
	{"bench/report", ""},

	{"testkit", "cli api api/* httpd webhook service store store/* blob tracker client"},
	{"store/storetest", "query store store/* tracker testkit"},
	{"clients", ""},
	{"archtest", ""},
}

// The domain must not come to depend on a library's idea of it.
const trackerLibrary = "golang.org/x/text/"

func TestImportLayers(t *testing.T) {
	rows := map[string][]string{}
	for _, l := range layers {
		rows[l.pkg] = strings.Fields(l.mayImport)
	}
	for _, p := range listPackages(t) {
		name := shortName(p.ImportPath)
		allowed, ok := rows[name]
		if !ok {
			t.Errorf("package %s has no row in layers: say there what it may import", p.ImportPath)
			continue
		}
		for _, path := range p.Imports {
			switch {
			case strings.HasPrefix(path, module):
				if !allows(allowed, shortName(path)) {
					t.Errorf("%s imports %s; its row in layers allows only: %s",
						p.ImportPath, path, strings.Join(allowed, " "))
				}
			case name == "tracker" && !isStandard(path) && !strings.HasPrefix(path, trackerLibrary):
				t.Errorf("%s imports %s; it may use the standard library and %s alone",
					p.ImportPath, path, trackerLibrary)
			}
		}
	}
}

func TestAllows(t *testing.T) {
	for _, c := range []struct {
		row, pkg string
		want     bool
	}{
		{"store tracker", "store", true},
		{"store tracker", "store/sqlite", false},
		{"store/*", "store/sqlite", true},
		{"store/*", "store", false},
		{"store/*", "store/sqlite/deep", false},
		{"api api/*", "api/v1", true},
		{"", "tracker", false},
	} {
		if got := allows(strings.Fields(c.row), c.pkg); got != c.want {
			t.Errorf("allows(%q, %q) = %v", c.row, c.pkg, got)
		}
	}
}

func allows(row []string, pkg string) bool {
	if slices.Contains(row, pkg) {
		return true
	}
	i := strings.LastIndexByte(pkg, '/')
	return i > 0 && slices.Contains(row, pkg[:i]+"/*")
}

func shortName(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, module), "internal/")
}

// Only paths of the standard library have no dot in their first element.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

type goPackage struct {
	ImportPath, Dir string
	GoFiles         []string
	Imports         []string // without those of the tests
}

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	// With a profile for the compiler, the packages of the program would have names of their own.
	cmd := exec.CommandContext(t.Context(), "go", "list", "-pgo=off", "-json=ImportPath,Dir,GoFiles,Imports", "./...")
	cmd.Dir = "../.."
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, stderr.String())
	}
	var pkgs []goPackage
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
}
