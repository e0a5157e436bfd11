package query

import (
	"strings"
	"unicode"
)

// A query is cut into tokens. Parentheses stand for themselves wherever they are outside quotes;
// a quote opens only at the beginning of a term or of an operator's value.

type kind int

const (
	term kind = iota
	negation
	open
	closing
	and
	or
)

type token struct {
	kind     kind
	at       int // index of its first character
	end      int
	operator string // in lower case, as in the table; none for text
	value    string
	quoted   bool
	unclosed bool // the value begins with a quote that nothing closes
}

type lexer struct {
	text []rune
	at   int
}

// lex cuts the whole text.
func lex(text []rune) []token {
	l := lexer{text: text}
	var tokens []token
	for {
		for l.at < len(text) && unicode.IsSpace(text[l.at]) {
			l.at++
		}
		if l.at == len(text) {
			return tokens
		}
		t := token{at: l.at}
		l.read(&t)
		t.end = l.at
		tokens = append(tokens, t)
	}
}

func (l *lexer) read(t *token) {
	switch r := l.text[l.at]; {
	case r == '(':
		t.kind = open
		l.at++
	case r == ')':
		t.kind = closing
		l.at++
	case (r == '!' || r == '-') && l.at+1 < len(l.text) && !unicode.IsSpace(l.text[l.at+1]):
		t.kind = negation
		l.at++
	case r == '"' && l.quote(t):
	default:
		l.word(t)
	}
}

// word reads text up to a blank or parenthesis, or an operator with its value.
func (l *lexer) word(t *token) {
	start := l.at
	for ; l.at < len(l.text) && !ends(l.text[l.at]); l.at++ {
		if l.text[l.at] != ':' {
			continue
		}
		name := strings.ToLower(string(l.text[start:l.at]))
		if t.operator != "" || !isOperator(name) {
			continue
		}
		t.operator, start = name, l.at+1
		if start < len(l.text) && l.text[start] == '"' {
			l.at = start
			if l.quote(t) {
				return
			}
			t.unclosed = true
		}
	}
	t.value = string(l.text[start:l.at])
	switch {
	case t.operator != "":
	case t.value == "OR":
		t.kind = or
	case t.value == "AND":
		t.kind = and
	}
}

// quote reads what stands between the quote here and the next one, if there is one. A backslash
// takes its meaning from a quote or backslash that follows.
func (l *lexer) quote(t *token) bool {
	var value strings.Builder
	for i := l.at + 1; i < len(l.text); i++ {
		switch r := l.text[i]; {
		case r == '"':
			t.value, t.quoted, l.at = value.String(), true, i+1
			return true
		case r == '\\' && i+1 < len(l.text) && (l.text[i+1] == '"' || l.text[i+1] == '\\'):
			i++
			value.WriteRune(l.text[i])
		default:
			value.WriteRune(r)
		}
	}
	return false
}

func ends(r rune) bool { return r == '(' || r == ')' || unicode.IsSpace(r) }
