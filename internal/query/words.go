package query

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"milepost/internal/tracker"
)

// maxWord is how many characters of a word count; a longer one is cut.
const maxWord = 64

// Words cuts text into folded words, the units of the index and of every search: runs of letters,
// digits and the marks that are part of their script. A character of a script that is written
// without spaces is a word of its own, so that a phrase finds it amid its sentence.
func Words(text string) []string {
	if isPlain(text) {
		return plainWords(strings.ToLower(text))
	}
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, string(word[:min(len(word), maxWord)]))
			word = word[:0]
		}
	}
	for _, r := range fold(text) {
		switch {
		case unicode.Is(unicode.M, r):
		case !unicode.In(r, unicode.L, unicode.N):
			end()
			continue
		case len(word) > 0 && (unicode.In(r, unspaced...) || unicode.In(word[0], unspaced...)):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

// plainWords is Words for a folded text without any but ASCII characters. The words are parts of it.
func plainWords(text string) []string {
	words := make([]string, 0, len(text)/5)
	start := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && isPlainLetter(text[i]) {
			continue
		}
		if i > start {
			words = append(words, text[start:min(i, start+maxWord)])
		}
		start = i + 1
	}
	return words
}

func isPlainLetter(c byte) bool { return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' }

// Key folds a name for comparison: two names are the same when their keys are.
func Key(name string) string { return strings.Join(strings.Fields(fold(name)), " ") }

var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// fold takes away differences of case, width and accent. The marks that Unicode counts to no script
// are the accents, but for those that make another kana.
func fold(text string) string {
	if isPlain(text) {
		return strings.ToLower(text)
	}
	bare := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r) && r != '\u3099' && r != '\u309a' {
			return -1
		}
		return r
	}, norm.NFKD.String(tracker.Fold(text)))
	return norm.NFKC.String(bare)
}

func isPlain(text string) bool {
	for i := range len(text) {
		if text[i] >= 0x80 {
			return false
		}
	}
	return true
}
