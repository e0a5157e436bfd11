package markdown

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/JohannesKaufmann/dom"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/strikethrough"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
)

// What HTML is refused for: no document of a person is like that.
var (
	ErrTooDeep    = errors.New("nests elements too deeply")
	ErrLargeTable = errors.New("holds a table that is too large")
)

const (
	maxCells = 100_000 // of all tables, with those that fill up short rows
	maxSpan  = 20      // columns of one cell
)

// FromHTML gives the Markdown that shows what the HTML shows, as far as Markdown can.
func FromHTML(source string) (string, error) {
	root, err := html.Parse(strings.NewReader(policy.Sanitize(strings.ToValidUTF8(source, "\uFFFD"))))
	if err != nil || nodeDepth(root) > maxDepth {
		return "", ErrTooDeep // a string can be read to its end: the parser has a bound of its own
	}
	if err := squareTables(root); err != nil {
		return "", err
	}
	out, err := fromHTML.ConvertNode(root)
	return string(out), err
}

var fromHTML = newConverter()

func newConverter() *converter.Converter {
	c := converter.NewConverter(
		converter.WithEscapeMode(converter.EscapeModeDisabled),
		converter.WithPlugins(
			base.NewBasePlugin(),
			commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
			strikethrough.NewStrikethroughPlugin(),
			table.NewTablePlugin(
				table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal),
				table.WithNewlineBehavior(table.NewlineBehaviorPreserve),
				table.WithHeaderPromotion(true),
			),
		))
	c.Register.TextTransformer(func(_ converter.Context, text string) string { return escape(text) }, converter.PriorityEarly)
	c.Register.RendererFor("input", converter.TagTypeInline, renderCheckbox, converter.PriorityEarly)
	c.Register.RendererFor("td", converter.TagTypeBlock, renderCell, converter.PriorityEarly)
	c.Register.RendererFor("th", converter.TagTypeBlock, renderCell, converter.PriorityEarly)
	return c
}

// renderCheckbox is the mark of a task, at the head of its list item.
func renderCheckbox(_ converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	mark := "[ ]"
	if _, checked := dom.GetAttribute(n, "checked"); checked {
		mark = "[x]"
	}
	if next := n.NextSibling; next == nil || !strings.HasPrefix(next.Data, " ") {
		mark += " "
	}
	_, _ = w.WriteString(mark)
	return converter.RenderSuccess
}

// renderCell keeps cells apart, also those of a table that cannot be one in Markdown. A bar inside
// of code would end the cell.
func renderCell(ctx converter.Context, w converter.Writer, n *html.Node) converter.RenderStatus {
	var cell bytes.Buffer
	ctx.RenderChildNodes(ctx, &cell, n)
	text := strings.ReplaceAll(strings.ReplaceAll(cell.String(), `\|`, `|`), `|`, `\|`)
	_, _ = w.WriteString("\n\n" + text + "\n\n")
	return converter.RenderSuccess
}

// squareTables gives cells that span columns empty neighbours instead, and refuses tables with more
// cells than a page can show.
func squareTables(root *html.Node) error {
	var rows, columns int
	walk(root, func(n *html.Node, _ int) {
		if n.Data != "tr" {
			return
		}
		cells := 0
		for cell := n.FirstChild; cell != nil; cell = cell.NextSibling {
			for span := takeSpan(cell); span > 1 && cells < maxCells; span-- {
				n.InsertBefore(&html.Node{Type: html.ElementNode, Data: cell.Data, DataAtom: cell.DataAtom}, cell.NextSibling)
			}
			cells++
		}
		rows, columns = rows+1, max(columns, cells)
	})
	if rows*columns > maxCells {
		return ErrLargeTable
	}
	return nil
}

// takeSpan takes what a cell says of its span away and returns its number of columns.
func takeSpan(cell *html.Node) (columns int) {
	rest := cell.Attr[:0]
	for _, a := range cell.Attr {
		switch a.Key {
		case "colspan":
			columns, _ = strconv.Atoi(a.Val)
		case "rowspan":
		default:
			rest = append(rest, a)
		}
	}
	cell.Attr = rest
	return min(columns, maxSpan)
}

func nodeDepth(root *html.Node) (deepest int) {
	walk(root, func(_ *html.Node, level int) { deepest = max(deepest, level) })
	return deepest
}

// walk visits the tree without recursion.
func walk(root *html.Node, visit func(n *html.Node, level int)) {
	for n, level := root, 0; n != nil; {
		visit(n, level)
		if n.FirstChild != nil {
			n, level = n.FirstChild, level+1
			continue
		}
		for n != nil && n.NextSibling == nil {
			n, level = n.Parent, level-1
		}
		if n != nil {
			n = n.NextSibling
		}
	}
}
