package markdown_test

import (
	"errors"
	"strings"
	"testing"

	"milepost/internal/markdown"
)

// TestDepth: what nests too deeply is refused as HTML, and shown as it stands as Markdown.
func TestDepth(t *testing.T) {
	t.Parallel()
	const inside = 2 // the levels of html and body
	for _, c := range []struct {
		depth int
		want  error
	}{{100 - inside, nil}, {101 - inside, markdown.ErrTooDeep}, {100_000, markdown.ErrTooDeep}} {
		if _, err := markdown.FromHTML(strings.Repeat("<div>", c.depth)); !errors.Is(err, c.want) {
			t.Errorf("HTML of %d levels: %v", c.depth, err)
		}
	}
	for _, c := range []struct {
		source string
		shown  bool
	}{
		{strings.Repeat(">", 49), true}, {strings.Repeat(">", 101), false}, {strings.Repeat("> ", 100_000), false},
		{strings.Repeat("- ", 100_000) + "a", false}, {strings.Repeat("1. ", 100_000) + "a", false},
		{strings.Repeat("*a ", 2_000) + strings.Repeat("a* ", 2_000), false},
		{strings.Repeat("![", 10_000) + "a" + strings.Repeat("](b)", 10_000), false},
		{strings.Repeat("[a](", 50_000), false}, {strings.Repeat("![a](b", 50_000), false},
		{strings.Repeat("[a](b) ", 1_000), true}, {strings.Repeat("-", 1_000), true}, {strings.Repeat("[a](b)\n", 2_000), true},
	} {
		html := markdown.ToHTML(c.source)
		if asIs := strings.HasPrefix(html, "<pre>"); asIs == c.shown {
			t.Errorf("%.20q… of %d characters: rendered %v", c.source, len(c.source), !asIs)
		}
	}
	if got := markdown.ToHTML(strings.Repeat(">", 101) + "<script>"); strings.Contains(got, "<script>") {
		t.Errorf("as it stands: %q", got)
	}
}

func TestLargeTables(t *testing.T) {
	t.Parallel()
	table := func(rows, columns int) string {
		return "<table><tr>" + strings.Repeat("<td>a", columns) + strings.Repeat("<tr><td>a", rows-1) + "</table>"
	}
	for source, want := range map[string]error{
		table(100, 1000):  nil,
		table(101, 1000):  markdown.ErrLargeTable,
		table(9000, 9000): markdown.ErrLargeTable,
		"<table><tr><td colspan=1000000000 rowspan=1000000000>a</table>": nil,
		"<table>" + strings.Repeat("<tr><td colspan=20>", 10_000):        markdown.ErrLargeTable,
	} {
		if _, err := markdown.FromHTML(source); !errors.Is(err, want) {
			t.Errorf("%.40q… of %d characters: %v", source, len(source), err)
		}
	}
}

// FuzzBothWays: whatever comes in, nothing that runs comes out, and nothing panics.
func FuzzBothWays(f *testing.F) {
	for _, source := range append(marks, hostile...) {
		f.Add(source)
	}
	f.Add("<table><tr><td colspan=3>a|b<td><ul><li><input type=checkbox>x</table>")
	f.Add("| a | b |\n|---|:-:|\n| `c|d` | <br> |\n\n- [x] e\n  > f")
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 10_000 {
			return
		}
		harmless(t, markdown.ToHTML(source), source)
		kept, err := markdown.FromHTML(source)
		if err != nil {
			return
		}
		harmless(t, markdown.ToHTML(kept), source)
	})
}
