package tracker

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/runes"
	"golang.org/x/text/unicode/norm"
)

// Fold gives the key by which names are compared: NFKC, case folded, outer blanks cut. The key of
// a key is itself.
func Fold(name string) string {
	// Lower case comes first because cases.Fold only swaps the cases of Cherokee letters.
	folded := cases.Fold().String(strings.ToLower(norm.NFKC.String(name)))
	return strings.TrimSpace(norm.NFKC.String(folded)) // folding can undo what NFKC did
}

// TitleWords lists the words by which documents are found, without case and accents. It is not the
// tokenizer of the search index (query.Words): a title is found by parts of words, and one of
// punctuation alone must be found at all.
func TitleWords(text string) []string {
	plain := Fold(runes.Remove(runes.In(unicode.Mn)).String(norm.NFKD.String(text)))
	words := strings.FieldsFunc(plain, func(c rune) bool { return unicode.IsSpace(c) || unicode.IsPunct(c) })
	if len(words) == 0 {
		return strings.Fields(plain)
	}
	return words
}
