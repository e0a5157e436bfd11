package store

import (
	"slices"

	"milepost/internal/query"
	"milepost/internal/store/db"
)

// SearchHit is one result: results are in the order of their tiers, in a tier the newest is first.
type SearchHit struct {
	Tier int64 // the part in which the best hit on a text is; see query.Texts
	ID   int64
}

func (h SearchHit) after(other SearchHit) bool {
	return h.Tier > other.Tier || h.Tier == other.Tier && h.ID < other.ID
}

// SearchPage is how many entities a query matches and some of them.
type SearchPage struct {
	Total int64
	Hits  []SearchHit
}

// SearchQuery is a parsed query for one kind of entity.
type SearchQuery struct {
	Entity query.Entity
	Expr   query.Expr
	After  *SearchHit // the hit that the page comes after; nil for the first page
	Limit  int
}

// Search looks up a page of results. It starts from the condition that fewest entities meet, found by
// an index, and holds those against the others.
func (tx *Tx) Search(q SearchQuery) (SearchPage, error) {
	s := &searcher{tx: tx, searchTable: searchTables[q.Entity], names: map[query.Field][]named{}}
	clauses, err := s.clauses(conjunction(q.Expr))
	if err != nil || slices.ContainsFunc(clauses, func(c clause) bool { return c.never }) {
		return SearchPage{}, err
	}
	found, ok, err := s.guess(clauses)
	if err == nil && !ok {
		var p plan
		if p, err = s.plan(clauses); err == nil {
			found, _, err = s.find(p)
		}
	}
	return found.page(q), err
}

func conjunction(e query.Expr) query.And {
	if members, ok := e.(query.And); ok {
		return members
	}
	return query.And{e}
}

// finds are hits as they are met, those of one entity together or apart: its id, then two bits of tier.
type finds []int64

const tierBits = 2

func findOf(id, tier int64) int64 { return id<<tierBits | tier }

func hitOf(find int64) SearchHit {
	return SearchHit{ID: find >> tierBits, Tier: find & (1<<tierBits - 1)}
}

// find reads what meets the plan, and how many rows that took.
func (s *searcher) find(p plan) (found finds, rows int, err error) {
	statement, args := s.statement(p)
	err = s.tx.each(func(row db.Row) error {
		var id, tier int64
		err := row.Scan(&id, &tier)
		if rows++; tier != failedTier {
			found = append(found, findOf(id, tier))
		}
		return err
	}, statement, args...)
	return found, rows, err
}

// page counts the entities, each in its best tier, and picks those of the page.
func (f finds) page(q SearchQuery) SearchPage {
	slices.Sort(f)
	f = slices.CompactFunc(f, func(a, b int64) bool { return a>>tierBits == b>>tierBits }) // keeps the first, the best
	page := SearchPage{Total: int64(len(f))}
	for tier := range int64(noTier + 1) {
		for i := len(f) - 1; i >= 0 && len(page.Hits) < q.Limit; i-- {
			if hit := hitOf(f[i]); hit.Tier == tier && (q.After == nil || hit.after(*q.After)) {
				page.Hits = append(page.Hits, hit)
			}
		}
	}
	return page
}
