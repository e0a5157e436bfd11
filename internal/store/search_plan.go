package store

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"milepost/internal/query"
)

// A plan says how the members of a conjunction are looked up.
type plan struct {
	clauses []clause
	start   int  // the clause whose source is held against the others; -1 if none has an index
	atMost  int  // rows that are taken from the source; 0 for all
	few     bool // rows come from the source
}

// failedTier marks a row that the source gives and the other clauses refuse; it is told where not more
// than so many are taken, so that these can be counted.
const failedTier = -1

const (
	// countedRows is how far conditions are counted at first to find the one that fewest rows meet,
	// manyRows how far if all of them are met by more.
	countedRows = 4000
	manyRows    = 64_000
	// enoughRows is up to how many rows are rather held against a broad condition than that is counted.
	// They are few beside countedRows.
	enoughRows = 1000
)

// guess finds what meets the clauses where one of them is likely to be the one to start from; it is
// not ok where there is none such, or that gives many rows.
func (s *searcher) guess(clauses []clause) (found finds, ok bool, err error) {
	likely := plan{clauses: clauses, start: -1, atMost: enoughRows + 1}
	for i := range clauses {
		if clauses[i].source == nil || clauses[i].breadth == broad {
			continue
		}
		if likely.start >= 0 {
			return nil, false, nil
		}
		likely.start = i
	}
	if likely.start < 0 || len(clauses) == 1 {
		return nil, false, nil
	}
	found, rows, err := s.find(likely)
	return found, rows < likely.atMost, err
}

// plan starts from the clause that fewest rows meet.
func (s *searcher) plan(clauses []clause) (p plan, err error) {
	p.clauses = clauses
	p.start, p.few, err = s.smallest(clauses)
	return p, err
}

// smallest finds the clause with an index that fewest rows meet, and whether these are few beside those
// of another; -1 means that none has an index. What tends to meet much is counted only where the
// others do, too.
func (s *searcher) smallest(clauses []clause) (at int, few bool, err error) {
	var narrower, all []int
	for i := range clauses {
		if clauses[i].source != nil {
			all = append(all, i)
			if clauses[i].breadth < broad {
				narrower = append(narrower, i)
			}
		}
	}
	if len(all) < 2 {
		return append(all, -1)[0], false, nil
	}
	sizes := map[int]int64{}
	for _, step := range []struct {
		of         []int
		upTo, over int64
	}{{narrower, countedRows, 0}, {all, countedRows, enoughRows + 1}, {all, manyRows, countedRows}} {
		if len(sizes) > 0 && slices.Min(slices.Collect(maps.Values(sizes))) < step.over {
			break
		}
		if err := s.count(clauses, step.of, step.upTo, sizes); err != nil {
			return -1, false, err
		}
	}
	counted := slices.Collect(maps.Keys(sizes))
	at = slices.MinFunc(counted, func(a, b int) int {
		return cmp.Or(cmp.Compare(sizes[a], sizes[b]), cmp.Compare(clauses[a].breadth, clauses[b].breadth), cmp.Compare(a, b))
	})
	return at, sizes[at] <= enoughRows && slices.Max(slices.Collect(maps.Values(sizes))) >= countedRows, nil
}

// count notes how many rows meet each of the clauses, as far as they are counted.
func (s *searcher) count(clauses []clause, of []int, upTo int64, sizes map[int]int64) error {
	if len(of) == 0 {
		return nil
	}
	c := &conditions{tx: s.tx}
	counts, dest, found := make([]string, len(of)), make([]any, len(of)), make([]int64, len(of))
	for n, i := range of {
		size := clauses[i].size
		if size == nil {
			size = clauses[i].source
		}
		counts[n] = `(select count(*) from (select 1 from (` + size(c) + `) f limit ` + c.bind(upTo) + `) counted)`
		dest[n] = &found[n]
	}
	err := s.tx.one(dest, `select `+strings.Join(counts, ", "), c.args...)
	for n, i := range of {
		sizes[i] = found[n]
	}
	return err
}

// statement is the SELECT of the id and tier of all that meets the plan, some of it perhaps several times.
func (s *searcher) statement(p plan) (string, []any) {
	s.few = p.few
	c := &conditions{tx: s.tx}
	var rest []string
	for i, clause := range p.clauses {
		if i != p.start || !clause.exact {
			// A condition that stands free would tempt SQLite to look for each row of the source in the index
			// of the condition's column instead of by its id.
			rest = append(rest, "coalesce("+clause.filter(c)+", false)")
		}
	}
	filter := strings.Join(rest, " and ")
	var start, found string
	if p.start >= 0 {
		start = p.clauses[p.start].source(c)
	}
	var with []string
	if p.few {
		with, start = append(with, `start as materialized (`+start+`)`), `select id, tier from start`
	}
	switch {
	case p.start < 0:
		found = s.everything()
		if filter != "" {
			found += " and " + filter
		}
	case filter == "":
		found = start
	case p.atMost > 0:
		found = fmt.Sprintf(`select f.id, case when %s then f.tier else %d end as tier
			from (select id, tier from (%s) f limit %s) f cross join %s s where s.workspace_id = $1 and s.id = f.id`,
			filter, failedTier, start, c.bind(p.atMost), s.name)
	default:
		found = fmt.Sprintf(`select f.id, f.tier from (%s) f cross join %s s where s.workspace_id = $1 and s.id = f.id and %s`, start, s.name, filter)
	}
	if texts := untold(p.clauses, p.start); len(texts) > 0 {
		with, found = append(with, `found as materialized (`+found+`)`), `select id, tier from found`
		for _, hits := range s.hits(texts, `select id from found where tier >= 0`, c) {
			found += ` union all ` + hits
		}
	}
	if len(with) > 0 {
		found = `with ` + strings.Join(with, ", ") + ` ` + found
	}
	return found, c.args
}

// untold are the texts whose hits the tiers of the source do not tell.
func untold(clauses []clause, start int) (texts []query.Text) {
	for i := range clauses {
		if i == start {
			texts = append(texts, clauses[i].untold...)
		} else {
			texts = append(texts, clauses[i].texts...)
		}
	}
	return texts
}

// hits are the SELECTs of where entities with the ids have the texts.
func (s *searcher) hits(texts []query.Text, ids string, c *conditions) (selects []string) {
	for _, part := range []query.Part{query.Anywhere, query.Title, query.Description, query.Comment} {
		phrases := s.phrases(slices.DeleteFunc(slices.Clone(texts), func(t query.Text) bool { return t.Part != part })...)
		switch {
		case len(phrases) == 0:
		case s.few:
			selects = append(selects, s.matchingAmong(ids, part, phrases, c))
		default:
			selects = append(selects, s.matching(part, phrases, c)+` and entity_id in (`+ids+`)`)
		}
	}
	return selects
}
