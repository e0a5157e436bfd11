package tracker

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for _, same := range [][]string{
		{"Straße", "STRASSE", "strasse", " straSSe\t"},
		{"Größe", "GRÖSSE", "Gro\u0308ße"},
		{"ﬁle", "FILE", "file"},
		{"Σίσυφος", "ΣΊΣΥΦΟΣ", "σίσυφοσ"},
		{"①", "1", "１"},
		{"a b", "A\u00a0B", "a\u2003b"},
		{"", " ", "\u00a0\n"},
	} {
		for _, other := range same[1:] {
			if Fold(same[0]) != Fold(other) {
				t.Errorf("%q folds to %q, %q to %q", same[0], Fold(same[0]), other, Fold(other))
			}
		}
	}
	for _, different := range [][2]string{{"a", "ä"}, {"a b", "ab"}, {"l", "I"}, {"a", "а" /* Cyrillic */}, {"ı", "i"}} {
		if Fold(different[0]) == Fold(different[1]) {
			t.Errorf("%q and %q fold to the same", different[0], different[1])
		}
	}
}

// TestFoldTwice: a key that is folded again must stay the key, or a name could not be found by it.
func TestFoldTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.String().Draw(t, "name")
		if once := Fold(name); Fold(once) != once {
			t.Fatalf("%q folds to %q, and that to %q", name, once, Fold(once))
		}
	})
	for _, name := range []string{"¨x", "ᾳ\u0345", "\u0345\u0301", "ΐ", "ŉ", "İ", "ǰ", "ﬅ", "\u1e9e"} {
		if once := Fold(name); Fold(once) != once {
			t.Errorf("%q folds to %q, and that to %q", name, once, Fold(once))
		}
	}
}

func TestTitleWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"The Café, plan!": "the|cafe|plan", "snake_case": "snake|case", "Straße ŠKODA": "strasse|skoda", "C++ 100%": "c++|100", "ＦＵＬＬ ①": "full|1",
		"???": "???", "? !": "?|!", " ": "", "\u0301": "", "日本語": "日本語",
	} {
		if got := strings.Join(TitleWords(text), "|"); got != want {
			t.Errorf("%q has the words %q, want %q", text, got, want)
		}
	}
}
