package store_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// acrossWorkspaces lists the declarations whose SQL is not bound to one workspace, with the reason.
var acrossWorkspaces = map[string]string{
	"sessionSQL":       "finds the workspace of a token",
	"WorkspaceOfToken": "finds the workspace of a token",
	"insertWorkspace":  "makes a workspace",
	"Workspaces":       "lists the workspaces themselves",
	"WorkspaceBySlug":  "finds a workspace",
	"ChangeTotal":      "counts for the metrics",
	"RevokePublished":  "a token that was published is revoked in its own workspace",
	"ForgetAnswers":    "clears away what is too old in all workspaces",
	"ForgetDeliveries": "clears away what is too old in all workspaces",
	"ChangeNumbers":    "tells how far the workspaces have come",
	"LiveTokens":       "tells of the tokens of all who wait",
	"dueSQL":           "finds the webhooks that a node has to serve",
	"ReleaseWebhooks":  "gives up what a node held",
	"WebhookLag":       "counts for the metrics",
	"Account":          "a person is the same in all workspaces",
	"MembersByEmail":   "the e-mail address is the person's",
	"schemaVersion":    "the schema is that of all workspaces",
	"migrateOne":       "the schema is that of all workspaces",
	"unsearchable":     "finds workspaces",
	"statement":        "its parts name the workspace",
	"matchingAmongFew": "the table is a part of the same statement",
}

var (
	statementForm = regexp.MustCompile(`(?i)\b(select|insert into|update|delete from)\b`)
	tableForm     = regexp.MustCompile(`(?i)\b(?:from|join|into|update)\s+([a-z_]+|…)`)
	createForm    = regexp.MustCompile(`(?i)^\s*create (?:table|(?:unique )?index)`)
	boundForm     = regexp.MustCompile(`(?i)workspace_id = \$1|\(workspace_id, `)
)

// TestStatementsNameTheWorkspace reads the SQL in this package: each table in a statement is tied to
// the workspace by a condition of its own.
func TestStatementsNameTheWorkspace(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	statements, used := 0, map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, s := range sqlOf(t, file) {
			statements++
			tables := tableForm.FindAllString(s.text, -1)
			if len(tables) <= len(boundForm.FindAllString(s.text, -1)) {
				continue
			}
			if acrossWorkspaces[s.in] == "" {
				t.Errorf("%s: %s in %s: every one of %q needs workspace_id = $1", file, s.in, s.text, tables)
			}
			used[s.in] = true
		}
	}
	if statements < 20 {
		t.Errorf("only %d statements were found", statements)
	}
	for name := range acrossWorkspaces {
		if !used[name] {
			t.Errorf("%s needs no exception any more", name)
		}
	}
}

type statement struct {
	in   string // the function or variable that holds it
	text string
}

// sqlOf finds the strings of a file that hold SQL on our tables; parts that are not literal are
// shown as … .
func sqlOf(t *testing.T, file string) []statement {
	t.Helper()
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), file, source, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []statement
	for _, d := range parsed.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text, isText := textOf(e)
			if !isText {
				return true
			}
			if statementForm.MatchString(text) && tableForm.MatchString(text) && !createForm.MatchString(text) {
				out = append(out, statement{nameOf(d, e.Pos()), text})
			}
			return false // its parts have been read
		})
	}
	return out
}

// textOf is the text of a string or of strings that are put together.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, isLeft := textOf(e.X)
		right, isRight := textOf(e.Y)
		if !isLeft && !isRight {
			return "", false
		}
		return orDots(left, isLeft) + orDots(right, isRight), true
	}
	return "", false
}

func orDots(text string, known bool) string {
	if known {
		return text
	}
	return "…"
}

func nameOf(d ast.Decl, at token.Pos) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return d.Name.Name
	case *ast.GenDecl:
		i := slices.IndexFunc(d.Specs, func(s ast.Spec) bool { return s.Pos() <= at && at < s.End() })
		if v, ok := d.Specs[i].(*ast.ValueSpec); ok {
			return v.Names[0].Name
		}
	}
	return ""
}
