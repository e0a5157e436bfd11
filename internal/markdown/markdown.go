// Package markdown is the one path between Markdown and HTML: every text of the product is kept as
// Markdown, and what comes out as HTML is safe to show.
package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	render "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
)

var (
	strict = newEngine()
	hard   = newEngine(render.WithHardWraps())
)

// newEngine knows tables, task lists and strikethrough beside CommonMark. HTML inside of the Markdown
// passes, because what comes out is sanitised.
func newEngine(options ...renderer.Option) goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
			extension.TaskList, extension.Strikethrough, extension.Linkify,
		),
		goldmark.WithRendererOptions(append(options, render.WithUnsafe())...),
	)
}

// ToHTML renders Markdown as v3 and beta read it.
func ToHTML(source string) string { return toHTML(strict, source) }

// ToHTMLWithBreaks renders Markdown as v1 and v2 read it: a single line break is a hard one.
func ToHTMLWithBreaks(source string) string { return toHTML(hard, source) }

func toHTML(engine goldmark.Markdown, source string) string {
	if isHostile(source) {
		return asIs(source)
	}
	bytesOf := []byte(source)
	doc := engine.Parser().Parse(text.NewReader(bytesOf))
	if depth(doc) > maxDepth {
		return asIs(source)
	}
	var out bytes.Buffer
	if err := engine.Renderer().Render(&out, bytesOf, doc); err != nil {
		return asIs(source) // only writing can fail, and a buffer takes everything
	}
	return policy.Sanitize(out.String())
}

// asIs shows a text that no person has written as it stands.
func asIs(source string) string { return "<pre>" + html.EscapeString(source) + "</pre>" }

// maxDepth bounds how deep a text may nest, in Markdown and in HTML: parsers and renderers call
// themselves for each level.
const maxDepth = 100

// maxLookahead bounds what the parser reads ahead: from the address of each link that has no end to
// the end of the line.
const maxLookahead = 100_000_000

// isHostile reports whether a text opens more quotes and lists in one line than a document may nest,
// or would cost more to parse than any text of a person.
func isHostile(source string) bool {
	lookahead := 0
	for line := range strings.Lines(source) {
		lookahead += len(line) * strings.Count(line, "](")
		if lookahead > maxLookahead || markers(line) > maxDepth {
			return true
		}
	}
	return false
}

// markers counts the marks of quotes and list items at the head of a line.
func markers(line string) (n int) {
	for i := range len(line) {
		switch c := line[i]; {
		case c == '>', strings.IndexByte("-+*.)", c) >= 0 && (i+1 == len(line) || line[i+1] <= ' '):
			n++
		case c > ' ' && (c < '0' || c > '9'):
			return n
		}
	}
	return n
}

// depth is how deep the tree nests, counted without recursion.
func depth(root ast.Node) (deepest int) {
	for node, level := root, 0; node != nil; {
		deepest = max(deepest, level)
		if child := node.FirstChild(); child != nil {
			node, level = child, level+1
			continue
		}
		for node != nil && node.NextSibling() == nil {
			node, level = node.Parent(), level-1
		}
		if node != nil {
			node = node.NextSibling()
		}
	}
	return deepest
}
