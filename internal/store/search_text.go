package store

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"milepost/internal/query"
)

// phrases are the terms that the texts look for.
func (s *searcher) phrases(texts ...query.Text) (phrases [][]string) {
	head := s.tx.termHead(s.searched)
	for _, t := range texts {
		terms := make([]string, len(t.Words))
		for i, w := range t.Words {
			terms[i] = head + w
		}
		if t.Prefix {
			terms[len(terms)-1] += "*"
		}
		phrases = append(phrases, terms)
	}
	return phrases
}

// matching is the SELECT of id and tier of where one of the phrases stands in the part.
func (s *searcher) matching(part query.Part, phrases [][]string, c *conditions) string {
	engine := s.tx.store.engine
	return engine.Matching(c.bind(engine.AnyPhrase(phrases))) + within(part)
}

// matchingAmong is matching for the entities with the ids, each of which is looked up.
func (s *searcher) matchingAmong(ids string, part query.Part, phrases [][]string, c *conditions) string {
	engine := s.tx.store.engine
	return engine.MatchingAmong(s.name, ids, c.bind(engine.AnyPhrase(phrases))) + within(part)
}

func within(part query.Part) string {
	if part == query.Anywhere {
		return ""
	}
	return fmt.Sprintf(" and part = %d", tierOf(part))
}

// gathers reports whether a phrase ends in a prefix for which the index of SQLite, which has those of
// two and three letters, must gather many words each time that it is asked.
func gathers(phrases [][]string) bool {
	for _, p := range phrases {
		word, isPrefix := strings.CutSuffix(p[len(p)-1][headBytes:], "*")
		if n := utf8.RuneCountInString(word); isPrefix && n != 2 && n != 3 {
			return true
		}
	}
	return false
}
