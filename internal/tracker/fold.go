package tracker

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold gives the key by which names are compared: NFKC, case folded, outer blanks cut. The key of
// a key is itself.
func Fold(name string) string {
	// Lower case comes first because cases.Fold only swaps the cases of Cherokee letters.
	folded := cases.Fold().String(strings.ToLower(norm.NFKC.String(name)))
	return strings.TrimSpace(norm.NFKC.String(folded)) // folding can undo what NFKC did
}
