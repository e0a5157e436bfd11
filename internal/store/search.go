package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"milepost/internal/query"
	"milepost/internal/store/db"
)

// SearchHit is one result: results are in the order of their tiers, in a tier the newest is first.
type SearchHit struct {
	Tier int64 // the part in which the best hit on a text is; see query.Texts
	ID   int64
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
// an index, and holds those against the others; hits counts and sorts what is left.
func (tx *Tx) Search(q SearchQuery) (page SearchPage, err error) {
	s := &searcher{tx: tx, searchTable: searchTables[q.Entity], names: map[query.Field][]named{}}
	statement, args, err := s.searchSQL(q)
	if err != nil {
		return page, err
	}
	err = tx.each(func(row db.Row) error {
		var tier, id *int64
		err := row.Scan(&page.Total, &tier, &id)
		if id != nil {
			page.Hits = append(page.Hits, SearchHit{*tier, *id})
		}
		return err
	}, statement, args...)
	return page, err
}

func (s *searcher) searchSQL(q SearchQuery) (string, []any, error) {
	start, rest, err := s.plan(q.Expr)
	if err != nil {
		return "", nil, err
	}
	c := &conditions{tx: s.tx}
	with, from := "", s.name+` s where s.workspace_id = $1`
	if start != nil {
		with = `found as materialized (select distinct id from (` + start.source(c) + `) f), `
		from = `found cross join ` + s.name + ` s where s.workspace_id = $1 and s.id = found.id`
		if len(rest) == 0 {
			from = `found s where true`
		}
	}
	for _, r := range rest {
		from += ` and (` + r.filter(c) + `)`
	}
	page := "true"
	if q.After != nil {
		tier, id := c.bind(q.After.Tier), c.bind(q.After.ID)
		page = fmt.Sprintf(`tier > %[1]s or (tier = %[1]s and id < %[2]s)`, tier, id)
	}
	return `with ` + with + `hits as materialized (select s.id, ` + s.tier(q.Expr, c) + ` as tier from ` + from + `)
		select n, tier, id from (select count(*) as n from hits) total
		left join (select tier, id from hits where ` + page + ` order by tier, id desc limit ` + c.bind(q.Limit) + `) page on (true)
		order by tier, id desc`, c.args, nil
}

// tier is the expression for the tier of a row s.
func (s *searcher) tier(e query.Expr, c *conditions) string {
	texts := query.Texts(e)
	if len(texts) == 0 {
		return "0"
	}
	cases := ""
	for tier, part := range []query.Part{query.Title, query.Description, query.Comment} {
		if phrases := s.phrases(part, texts...); len(phrases) > 0 {
			cases += fmt.Sprintf(" when %s then %d", s.matches(phrases)(c), tier)
		}
	}
	return "case" + cases + " else 3 end"
}

// phrases are what the texts look for in the part.
func (s *searcher) phrases(part query.Part, texts ...query.Text) (phrases [][]string) {
	head := s.tx.termHead(s.searched, part)
	for _, t := range texts {
		if t.Part != part && t.Part != query.Anywhere {
			continue
		}
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

// matches is the condition that a row s has one of the phrases: of few rows each is looked up, of many
// it is seen whether they are among all that match.
func (s *searcher) matches(phrases [][]string) func(*conditions) string {
	return func(c *conditions) string {
		engine := s.tx.store.engine
		mark := c.bind(engine.AnyPhrase(phrases))
		if s.few && !gathers(phrases) {
			return engine.Matches(s.name, "s.id", mark)
		}
		return "s.id in (" + engine.Matching(mark) + ")"
	}
}

// plan compiles the members of a conjunction and picks the one to start from, if one has an index.
func (s *searcher) plan(e query.Expr) (start *clause, rest []clause, err error) {
	members, isAnd := e.(query.And)
	if !isAnd {
		members = query.And{e}
	}
	clauses, err := s.clauses(members)
	if err != nil {
		return nil, nil, err
	}
	at, few, err := s.smallest(clauses)
	if err != nil || at < 0 {
		return nil, clauses, err
	}
	s.few = few
	start = &clauses[at]
	for i, c := range clauses {
		if i != at || !c.exact {
			rest = append(rest, c)
		}
	}
	return start, rest, nil
}

const (
	// fewRows is up to how many rows are rather looked up one by one than among more than countedRows.
	fewRows = 50
	// countedRows is how far conditions are counted to find the one that fewest rows meet.
	countedRows = 4000
	// enoughRows is up to how many rows are rather held against a broad condition than that is counted.
	enoughRows = 1000
)

// smallest finds the clause with an index that fewest rows meet, and whether these are few beside those
// of another; -1 means that none has an index. What tends to meet much is counted only where the
// others do, too.
func (s *searcher) smallest(clauses []clause) (at int, few bool, err error) {
	if only, ok := onlyIndexed(clauses); ok {
		return only, false, nil
	}
	sizes := map[int]int64{}
	for _, breadths := range [][]int{{narrow, middling}, {broad}} {
		var indexed []int
		for i := range clauses {
			if clauses[i].source != nil && slices.Contains(breadths, clauses[i].breadth) {
				indexed = append(indexed, i)
			}
		}
		if len(indexed) == 0 || len(sizes) > 0 && slices.Min(slices.Collect(maps.Values(sizes))) <= enoughRows {
			continue
		}
		if err := s.count(clauses, indexed, sizes); err != nil {
			return -1, false, err
		}
	}
	at = -1
	for i := range clauses {
		size, counted := sizes[i]
		if !counted {
			continue
		}
		if at < 0 || size < sizes[at] || size == sizes[at] && clauses[i].breadth < clauses[at].breadth {
			at = i
		}
	}
	if at < 0 {
		return -1, false, nil
	}
	return at, sizes[at] <= fewRows && slices.Max(slices.Collect(maps.Values(sizes))) == countedRows, nil
}

// onlyIndexed finds the clause with an index where there is but one.
func onlyIndexed(clauses []clause) (at int, ok bool) {
	at = -1
	for i := range clauses {
		if clauses[i].source != nil {
			at, ok = i, at < 0
			if !ok {
				return -1, false
			}
		}
	}
	return at, ok
}

// count notes how many rows meet each of the clauses, as far as they are counted.
func (s *searcher) count(clauses []clause, indexed []int, sizes map[int]int64) error {
	c := &conditions{tx: s.tx}
	counts, dest, found := make([]string, len(indexed)), make([]any, len(indexed)), make([]int64, len(indexed))
	for n, i := range indexed {
		counts[n] = fmt.Sprintf(`(select count(*) from (select id from (%s) f limit %s) counted)`, clauses[i].source(c), c.bind(countedRows))
		dest[n] = &found[n]
	}
	err := s.tx.one(dest, `select `+strings.Join(counts, ", "), c.args...)
	for n, i := range indexed {
		sizes[i] = found[n]
	}
	return err
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
