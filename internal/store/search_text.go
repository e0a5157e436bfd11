package store

import (
	"fmt"

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

// matchingAmong is matching for the entities with the ids, a SELECT of few.
func (s *searcher) matchingAmong(ids string, part query.Part, phrases [][]string, c *conditions) string {
	engine := s.tx.store.engine
	return engine.MatchingAmong(s.name, ids, c.bind(engine.AnyPhrase(phrases))) + within(part)
}

func (s *searcher) matchingAmongFew(part query.Part, phrases [][]string, c *conditions) string {
	return s.matchingAmong(`select id from start`, part, phrases, c)
}

func within(part query.Part) string {
	if part == query.Anywhere {
		return ""
	}
	return fmt.Sprintf(" and part = %d", tierOf(part))
}
