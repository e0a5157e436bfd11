package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// escape writes a text such that Markdown shows it as it is. (The converter's own way looks ahead
// from each bracket to the end, which takes minutes for a document of brackets.)
func escape(text string) string {
	var out strings.Builder
	start := true // of a line, as far as the text can tell
	for i, c := range text {
		next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
		switch {
		case strings.ContainsRune("\\*`[]~|", c),
			c == '_' && !(isWord(lastRune(text[:i])) && isWord(next)),
			c == '#' && (start || !isWord(next)),
			start && strings.ContainsRune("+-=", c),
			(c == '.' || c == ')') && isNumber(text[:i]),
			c == '!' && i == len(text)-1:
			out.WriteByte('\\')
			out.WriteRune(c)
		case c == '&' && isReference(text[i+1:]):
			out.WriteString("&amp;")
		default:
			out.WriteRune(c)
		}
		start = start && c == ' '
	}
	return out.String()
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

func lastRune(text string) rune {
	c, _ := utf8.DecodeLastRuneInString(text)
	return c
}

// isNumber tells the number of a list item.
func isNumber(text string) bool {
	digits := strings.TrimLeft(text, " ")
	return digits != "" && len(digits) <= 9 && strings.Trim(digits, "0123456789") == ""
}

// isReference reports whether an ampersand before the text would name another character.
func isReference(text string) bool {
	const longest = 32
	name, _, found := strings.Cut(text[:min(len(text), longest)], ";")
	return found && name != "" && !strings.ContainsFunc(name, func(c rune) bool { return c != '#' && !isWord(c) })
}
