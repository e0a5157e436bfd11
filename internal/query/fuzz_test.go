package query_test

import (
	"errors"
	"testing"
	"unicode/utf8"

	"milepost/internal/query"
)

// Whatever is typed is either read, into an expression that keeps the promises of Expr, or refused
// with a place inside the text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"login page", `title:"hello world" -is:archived`, "(a OR b) !c", "created:2026-01-01..*", `a "b\" c" -(-(d`, "epic:12 OR epic:x",
		"state:started is:overdue owner:me", "a ) OR OR - (", "東京 foo:bar: x:\"", "due:tomorrow..today", "pr:#1 commit:abcdef0",
	} {
		for entity := range uint8(4) {
			f.Add(text, entity)
		}
	}
	f.Fuzz(func(t *testing.T, text string, which uint8) {
		s := scene(query.Stories << (which % 4))
		e, err := query.Parse(text, s)
		if err != nil {
			var bad *query.Error
			if !errors.As(err, &bad) || bad.At < 1 || bad.At > utf8.RuneCountInString(text) {
				t.Fatalf("%q: the error %v is not inside the text", text, err)
			}
			return
		}
		checkNormal(t, e, true)
		if again, err := query.Parse(" "+text+" ", s); err == nil && show(again) != show(e) {
			t.Fatalf("%q is %s, and amid blanks %s", text, show(e), show(again))
		}
	})
}

func checkNormal(t *testing.T, e query.Expr, top bool) {
	members := func(exprs []query.Expr, same func(query.Expr) bool) {
		if len(exprs) == 1 || len(exprs) == 0 && !top {
			t.Fatalf("%s has a member with %d members", show(e), len(exprs))
		}
		for _, sub := range exprs {
			if same(sub) {
				t.Fatalf("%s is not flat", show(e))
			}
			checkNormal(t, sub, false)
		}
	}
	switch e := e.(type) {
	case query.And:
		members(e, func(sub query.Expr) bool { _, ok := sub.(query.And); return ok })
	case query.Or:
		members(e, func(sub query.Expr) bool { _, ok := sub.(query.Or); return ok })
	case query.Not:
		if _, ok := e.Of.(query.Not); ok {
			t.Fatalf("%s is negated twice", show(e))
		}
		checkNormal(t, e.Of, false)
	case query.Text:
		if len(e.Words) == 0 {
			t.Fatal("a text without words")
		}
	case query.Dates:
		if e.From >= e.To {
			t.Fatalf("%s is empty", show(e))
		}
	case query.Name:
		if e.Fragment && e.Key == "" {
			t.Fatal("a fragment of every name")
		}
	}
}
