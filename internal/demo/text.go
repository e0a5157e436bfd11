package demo

import (
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A writer makes texts whose words are as unevenly frequent as those of a real language.
type writer struct {
	r     *rand.Rand
	words []string
	zipf  *rand.Zipf
}

func newWriter(r *rand.Rand) *writer {
	words := vocabulary(r)
	return &writer{r: r, words: words, zipf: rand.NewZipf(r, 1.2, 10, uint64(len(words)-1))}
}

func (w *writer) word() string { return w.words[w.zipf.Uint64()] }

// rare is a word that is neither a common one nor a term.
func (w *writer) rare() string {
	known := len(common) + len(terms)
	return w.words[known+w.r.IntN(len(w.words)-known)]
}

func (w *writer) phrase(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = w.word()
	}
	return strings.Join(words, " ")
}

// name is what a story, an epic or an objective is called.
func (w *writer) name() string {
	name := capital(strings.ReplaceAll(pick(w.r, verbs), "-", " ")) + " " + w.phrase(2+w.r.IntN(5)) + " " + pick(w.r, terms)
	if w.r.IntN(3) == 0 {
		name += " in " + capital(w.rare())
	}
	return name
}

func (w *writer) sentence() string {
	return capital(w.phrase(5+w.r.IntN(14))) + pick(w.r, []string{".", ".", ".", ".", "?", "!"})
}

func (w *writer) paragraph() string {
	sentences := make([]string, 1+w.r.IntN(4))
	for i := range sentences {
		sentences[i] = w.sentence()
	}
	return strings.Join(sentences, " ")
}

// description is Markdown: nothing for some, a paragraph or two for most, pages for a few.
func (w *writer) description() string {
	var b strings.Builder
	n := w.r.IntN(100)
	switch {
	case n < 15:
		return ""
	case n < 70:
		n = 1 + w.r.IntN(2)
	case n < 96:
		n = 2 + w.r.IntN(3)
	default:
		n = 6 + w.r.IntN(10)
	}
	for i := range n {
		if i > 0 {
			b.WriteString("\n\n")
		}
		w.block(&b)
	}
	return b.String()
}

func (w *writer) block(b *strings.Builder) {
	switch w.r.IntN(8) {
	case 0:
		b.WriteString("## " + capital(w.phrase(2+w.r.IntN(3))) + "\n\n" + w.paragraph())
	case 1:
		for i := range 2 + w.r.IntN(5) {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("- " + w.phrase(3+w.r.IntN(9)))
		}
	case 2:
		b.WriteString("```\n" + w.rare() + "." + w.rare() + "(" + w.word() + ")\n```")
	default:
		b.WriteString(w.paragraph())
	}
}

// comment is what somebody says of a story: mostly little.
func (w *writer) comment() string {
	if w.r.IntN(4) > 0 {
		return w.sentence()
	}
	return w.paragraph()
}

func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}
