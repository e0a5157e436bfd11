package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"
)

// Files should stay near 100–250 lines; past this one they hold more than one thing.
const maxLines = 500

func TestFileLength(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, name := range p.GoFiles {
			path := filepath.Join(p.Dir, name)
			src, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			n := bytes.Count(src, []byte("\n"))
			if n > maxLines && !isGenerated(t, path, src) {
				t.Errorf("%s has %d lines, more than %d: split it", path, n, maxLines)
			}
		}
	}
}

func isGenerated(t *testing.T, path string, src []byte) bool {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, src, parser.PackageClauseOnly|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return ast.IsGenerated(f)
}
