package db

import (
	"strings"

	"milepost/internal/tracker"
)

// Rows is where the values of the rows of one statement are kept: a row has dozens of small ones, which
// would cost an allocation each. It hands out parts of larger pieces of memory, and a piece lives as
// long as anything in it. The zero Rows is ready for use.
type Rows struct {
	text  []byte
	ints  []int64
	times []tracker.Time
	texts []string
	ids   []tracker.UUID
}

// The pieces grow from the first size to the last, since most statements read one row.
const (
	firstText, lastText = 512, 32 << 10
	firstPart, lastPart = 8, 512
)

// Text is a copy of the text.
func (r *Rows) Text(text string) string {
	if text == "" {
		return ""
	}
	if len(text) > cap(r.text)-len(r.text) {
		if len(text) > lastText/4 { // the rest of the piece would be lost
			return strings.Clone(text)
		}
		r.text = make([]byte, 0, max(len(text), min(max(firstText, 2*cap(r.text)), lastText)))
	}
	at := len(r.text)
	r.text = append(r.text, text...)
	return viewOf(r.text[at:])
}

// Ints is an empty list with room for n numbers.
func (r *Rows) Ints(n int) []int64 { return room(&r.ints, n)[:0] }

// IDs is an empty list with room for n ids.
func (r *Rows) IDs(n int) []tracker.UUID { return room(&r.ids, n)[:0] }

// placeOf puts a value behind a pointer.
func placeOf[T any](piece *[]T, v T) *T {
	p := &room(piece, 1)[0]
	*p = v
	return p
}

// room takes n places off the piece, behind which nothing can be appended. It is never nil.
func room[T any](piece *[]T, n int) []T {
	if n == 0 {
		return []T{}
	}
	if n > cap(*piece)-len(*piece) {
		if n > lastPart/4 {
			return make([]T, n)
		}
		*piece = make([]T, 0, max(n, min(max(firstPart, 2*cap(*piece)), lastPart)))
	}
	at := len(*piece)
	*piece = (*piece)[:at+n]
	return (*piece)[at : at+n : at+n]
}
