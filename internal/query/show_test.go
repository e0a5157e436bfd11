package query_test

import (
	"fmt"
	"strings"

	"milepost/internal/query"
	"milepost/internal/tracker"
)

// show writes an expression in a form that is easily read in a table of tests.
func show(e query.Expr) string {
	switch e := e.(type) {
	case query.And:
		return group("all", e)
	case query.Or:
		return group("one", e)
	case query.Not:
		return "not " + show(e.Of)
	case query.Text:
		words := strings.Join(e.Words, " ")
		if e.Prefix {
			words += "*"
		}
		return []string{"", "title=", "description=", "comment="}[e.Part] + words
	case query.Number:
		return fmt.Sprintf("%s=%d", e.Field, e.Value)
	case query.Type:
		return "type=" + string(e.Of)
	case query.Name:
		return showName(e)
	case query.State:
		return fmt.Sprintf("state in %v", e.Types)
	case query.Dates:
		return fmt.Sprintf("%s in %s..%s", e.Field, showTime(e.From), showTime(e.To))
	case query.Flag:
		return "+" + string(e)
	default:
		return fmt.Sprintf("%T", e)
	}
}

func group(word string, exprs []query.Expr) string {
	var parts []string
	for _, e := range exprs {
		parts = append(parts, show(e))
	}
	return word + "(" + strings.Join(parts, ", ") + ")"
}

func showName(n query.Name) string {
	out := string(n.Field)
	if n.Fragment {
		out += "~"
	} else {
		out += "="
	}
	out += n.Key
	if n.ID != 0 {
		out += fmt.Sprintf(" #%d", n.ID)
	}
	if n.UUID != "" {
		out += " @" + string(n.UUID)
	}
	return out
}

func showTime(t tracker.Time) string {
	switch t {
	case query.Ever, query.Never:
		return "*"
	default:
		return strings.TrimSuffix(t.String(), "T00:00:00Z")
	}
}
