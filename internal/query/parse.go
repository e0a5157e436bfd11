package query

import (
	"fmt"
	"unicode/utf8"
)

// The bounds of a query.
const (
	MaxLength = 4000 // characters
	MaxTerms  = 100
	MaxDepth  = 20 // of parentheses
)

// Parse reads a query. What it cannot read as an operator is text; a value that an operator cannot
// have, and a query beyond the bounds, is an *Error.
func Parse(text string, scene Scene) (Expr, error) {
	if utf8.RuneCountInString(text) > MaxLength {
		return nil, &Error{At: MaxLength + 1, Message: fmt.Sprintf("a query has at most %d characters", MaxLength)}
	}
	p := &parser{text: []rune(text), scene: scene}
	p.tokens = lex(p.text)
	e, err := p.alternatives()
	switch {
	case err != nil:
		return nil, err
	case e == nil: // no term has a letter or digit to look for
		return None(), nil
	default:
		return e, nil
	}
}

type parser struct {
	text    []rune
	tokens  []token
	next    int
	terms   int
	depth   int
	negated int // negations around what is being read
	scene   Scene
}

// at reports whether the next token is of the kind.
func (p *parser) at(k kind) bool { return p.next < len(p.tokens) && p.tokens[p.next].kind == k }

// alternatives reads what stands around OR. As with terms and conjunction, the result is nil
// where there is nothing to look for.
func (p *parser) alternatives() (Expr, error) {
	var sides []Expr
	for {
		side, err := p.conjunction()
		if err != nil {
			return nil, err
		}
		if side != nil {
			sides = append(sides, side)
		}
		if !p.at(or) {
			break
		}
		p.next++
	}
	if sides == nil {
		return nil, nil
	}
	return one(sides), nil
}

func (p *parser) conjunction() (Expr, error) {
	var parts []Expr
	for p.next < len(p.tokens) && !p.at(or) && !(p.at(closing) && p.depth > 0) {
		part, err := p.part()
		if err != nil {
			return nil, err
		}
		if part != nil {
			parts = append(parts, part)
		}
	}
	if parts == nil {
		return nil, nil
	}
	return all(parts), nil
}

// part reads a term or a group with the negations before it.
func (p *parser) part() (Expr, error) {
	negations := 0
	for p.at(negation) {
		negations++
		p.next++
	}
	if p.next == len(p.tokens) || p.at(or) {
		return nil, nil
	}
	t := p.tokens[p.next]
	if t.kind == closing && p.depth > 0 {
		return nil, nil
	}
	p.next++
	p.negated += negations
	e, err := p.operand(t)
	p.negated -= negations
	if e == nil || err != nil || negations%2 == 0 {
		return e, err
	}
	return not(e), nil
}

func (p *parser) operand(t token) (Expr, error) {
	switch t.kind {
	case open:
		return p.group(t)
	case term:
		return p.term(t)
	default: // a parenthesis that closes nothing, an AND
		return nil, nil
	}
}

func (p *parser) group(t token) (Expr, error) {
	if p.depth++; p.depth > MaxDepth {
		return nil, p.fail(t, "parentheses may be %d deep", MaxDepth)
	}
	e, err := p.alternatives()
	p.depth--
	if p.at(closing) {
		p.next++
	}
	return e, err
}

func (p *parser) term(t token) (Expr, error) {
	if p.terms++; p.terms > MaxTerms {
		return nil, p.fail(t, "a query has at most %d terms", MaxTerms)
	}
	v := value{
		text: t.value, quoted: t.quoted, scene: p.scene,
		last: p.next == len(p.tokens) && !t.quoted && p.negated == 0,
	}
	switch {
	case t.operator == "":
		return readText(Anywhere)(v)
	case t.unclosed:
		return nil, p.fail(t, "the quote is not closed")
	case Key(v.text) == "":
		return nil, p.fail(t, "a value must follow the colon")
	}
	e, err := read(t.operator, v)
	if err != nil {
		return nil, p.fail(t, "%w", err)
	}
	return e, nil
}

const shownTerm = 60

func (p *parser) fail(t token, format string, args ...any) *Error {
	shown := p.text[t.at:t.end]
	tail := ""
	if len(shown) > shownTerm {
		shown, tail = shown[:shownTerm], "…"
	}
	return &Error{At: t.at + 1, Term: string(shown) + tail, Message: fmt.Errorf(format, args...).Error()}
}
