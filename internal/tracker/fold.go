package tracker

import (
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Fold gives the key by which names are compared: NFKC, case folded, outer blanks cut.
func Fold(name string) string {
	return cases.Fold().String(norm.NFKC.String(strings.TrimSpace(name)))
}
