package main

import (
	"maps"
	"slices"
	"strings"
)

// vocabulary counts in how many stories each word occurs.
type vocabulary struct {
	stories map[string]int
}

func (v *vocabulary) count(text string) {
	if v.stories == nil {
		v.stories = map[string]int{}
	}
	seen := map[string]bool{}
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return r < 'a' || r > 'z' }) {
		if !seen[word] {
			seen[word] = true
			v.stories[word]++
		}
	}
}

// around lists up to limit words that occur in about n stories. None is the beginning of another
// word: ours would find the longer one as well.
func (v *vocabulary) around(n, limit int) []string {
	words := slices.Sorted(maps.Keys(v.stories))
	var out []string
	for i, word := range words {
		prefix := i+1 < len(words) && strings.HasPrefix(words[i+1], word)
		if !prefix && len(word) > 3 && word[0] != 'z' {
			out = append(out, word)
		}
	}
	distance := func(word string) int { return max(v.stories[word]-n, n-v.stories[word]) }
	slices.SortStableFunc(out, func(a, b string) int { return distance(a) - distance(b) })
	return out[:min(limit, len(out))]
}
