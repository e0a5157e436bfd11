package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"milepost/internal/query"
)

// searcher compiles a query for one kind of entity to SQL, in which s is the row of the entity.
type searcher struct {
	tx *Tx
	searchTable
	names map[query.Field][]named
	few   bool // rows come from the source of the plan, which is then the table start
}

// A clause is a condition in SQL.
type clause struct {
	filter func(*conditions) string // on a row s
	// source is a SELECT of the id and tier of the entities that meet it, found by an index, some of them
	// perhaps several times; nil where there is none.
	source  func(*conditions) string
	size    func(*conditions) string // a SELECT of about as many rows, where that is cheaper
	exact   bool                     // source gives no others
	breadth int                      // how much of everything such a condition tends to meet
	never   bool                     // nothing meets it
	texts   []query.Text
	untold  []query.Text // those of them whose hits the tiers of source do not tell
}

// The breadths.
const (
	narrow = iota
	middling
	broad
)

func (s *searcher) clauses(list []query.Expr) ([]clause, error) {
	out := make([]clause, len(list))
	for i, e := range list {
		var err error
		if out[i], err = s.clause(e); err != nil {
			return nil, err
		}
		out[i].texts = query.Texts(e)
	}
	return out, nil
}

func (s *searcher) clause(e query.Expr) (clause, error) {
	switch e := e.(type) {
	case query.And:
		return s.and(e)
	case query.Or:
		return s.or(e)
	case query.Not:
		of, err := s.clause(e.Of)
		return unindexed(func(c *conditions) string { return "(" + of.filter(c) + ") is not true" }), err
	case query.Text:
		return s.text(e), nil
	case query.Number:
		return s.number(e), nil
	case query.Type:
		return s.equal("story_type", []any{e.Of}).tends(broad), nil
	case query.Dates:
		return s.dates(e), nil
	case query.Flag:
		return s.flag(e), nil
	case query.State:
		return s.state(e), nil
	case query.Name:
		return s.named(e)
	}
	return clause{}, fmt.Errorf("the store knows no condition %T", e)
}

func (c clause) tends(breadth int) clause { c.breadth = breadth; return c }

func unindexed(filter func(*conditions) string) clause { return clause{filter: filter} }

// everything is a SELECT like source; a condition may follow.
func (s *searcher) everything() string {
	return `select s.id, ` + strconv.Itoa(noTier) + ` as tier from ` + s.name + ` s where s.workspace_id = $1`
}

// indexed is a condition that an index of the entity's own table can find.
func (s *searcher) indexed(filter func(*conditions) string) clause {
	return clause{filter: filter, exact: true, breadth: middling, source: func(c *conditions) string {
		return s.everything() + ` and ` + filter(c)
	}}
}

func nothing() clause {
	return clause{filter: func(*conditions) string { return "false" }, never: true}
}

func joined(clauses []clause, word, none string) func(*conditions) string {
	return func(c *conditions) string {
		if len(clauses) == 0 {
			return none
		}
		parts := make([]string, len(clauses))
		for i := range clauses {
			parts[i] = "(" + clauses[i].filter(c) + ")"
		}
		return strings.Join(parts, word)
	}
}

func (s *searcher) and(list query.And) (clause, error) {
	members, err := s.clauses(list)
	if err != nil || slices.ContainsFunc(members, func(m clause) bool { return m.never }) {
		return nothing(), err
	}
	out := unindexed(joined(members, " and ", "true"))
	at, _, err := s.smallest(members)
	if at >= 0 {
		out.source, out.breadth, out.untold = members[at].source, members[at].breadth, untold(members, at)
	}
	return out, err
}

// or has an index when all of its members have one.
func (s *searcher) or(list query.Or) (clause, error) {
	members, err := s.clauses(list)
	members = slices.DeleteFunc(members, func(m clause) bool { return m.never })
	if err != nil || len(members) == 0 {
		return nothing(), err
	}
	out := clause{filter: joined(members, " or ", "false"), exact: true}
	for _, m := range members {
		if m.source == nil {
			return unindexed(out.filter), nil
		}
		out.exact = out.exact && m.exact
		out.breadth = max(out.breadth, m.breadth)
		out.untold = append(out.untold, m.untold...)
	}
	out.source = func(c *conditions) string {
		parts := make([]string, len(members))
		for i := range members {
			parts[i] = "select id, tier from (" + members[i].source(c) + ") m"
		}
		return strings.Join(parts, " union all ")
	}
	return out, nil
}

func (s *searcher) text(t query.Text) clause {
	phrases, engine := s.phrases(t), s.tx.store.engine
	return clause{
		exact:  true,
		source: func(c *conditions) string { return s.matching(t.Part, phrases, c) },
		size:   func(c *conditions) string { return engine.MatchingTexts(c.bind(engine.AnyPhrase(phrases))) },
		filter: func(c *conditions) string {
			find := s.matching
			if s.few {
				find = s.matchingAmongFew
			}
			return "s.id in (select id from (" + find(t.Part, phrases, c) + ") m)"
		},
	}
}

// equal asks for one of the values in a column.
func (s *searcher) equal(column string, values []any) clause {
	if len(values) == 0 || column == "" {
		return nothing()
	}
	return s.indexed(func(c *conditions) string { return c.among("s."+column, values) })
}

func (s *searcher) number(n query.Number) clause {
	out := s.equal(s.columns[n.Field], []any{n.Value})
	if n.Field == query.ID {
		return out.tends(narrow)
	}
	return out
}

// among is the condition that the column has one of the values.
func (c *conditions) among(column string, values []any) string {
	if len(values) == 1 {
		return column + " = " + c.bind(values[0])
	}
	ids, texts := make([]int64, 0, len(values)), make([]string, 0, len(values))
	for _, v := range values {
		if id, ok := v.(int64); ok {
			ids = append(ids, id)
		} else {
			texts = append(texts, fmt.Sprint(v))
		}
	}
	if len(ids) > 0 {
		return c.tx.anyOf(column, c.bind(c.tx.list(ids)))
	}
	return c.tx.anyOf(column, c.bind(c.tx.list(texts)))
}

// refers asks for one of the targets, a list or SELECT, in the list of the kind.
func (s *searcher) refers(kind string, targets func(*conditions) string) clause {
	find := func(c *conditions) string {
		return `select id, ` + strconv.Itoa(noTier) + ` as tier from ref where workspace_id = $1 and entity = '` + s.name + `' and kind = '` + kind + `' and ` + targets(c)
	}
	return clause{exact: true, breadth: narrow, source: find, filter: func(c *conditions) string {
		return "exists (" + find(c) + " and id = s.id)"
	}}
}

func (s *searcher) dates(d query.Dates) clause {
	column := s.columns[d.Field]
	if column == "" {
		return nothing()
	}
	return s.indexed(func(c *conditions) string {
		condition := "s." + column + " is not null"
		if d.From != query.Ever {
			condition += " and s." + column + " >= " + c.bind(d.From)
		}
		if d.To != query.Never {
			condition += " and s." + column + " < " + c.bind(d.To)
		}
		return condition
	})
}

func (s *searcher) flag(f query.Flag) clause {
	flag, known := s.flags[f]
	if !known {
		return nothing()
	}
	out := unindexed(func(*conditions) string { return flag.filter })
	if flag.source != "" {
		out.source, out.exact, out.breadth = func(*conditions) string { return flag.source }, true, broad
	}
	return out
}

// state asks for a state of one of the types.
func (s *searcher) state(e query.State) clause {
	column := s.columns[query.StateName]
	states, kept := stateTables[s.name]
	switch {
	case kept:
		return s.indexed(func(c *conditions) string {
			return `s.` + column + ` in (select id from ` + states + ` where workspace_id = $1 and ` + c.among("type", asTexts(e.Types)) + `)`
		}).tends(broad)
	default:
		var names []any
		for _, m := range milestoneStates {
			if slices.Contains(e.Types, m.stateType) {
				names = append(names, m.id)
			}
		}
		return s.equal(column, names).tends(broad)
	}
}

// named asks for what is connected with something of a name or id.
func (s *searcher) named(e query.Name) (clause, error) {
	kind, listed := s.lists[e.Field]
	if find, ok := finders[e.Field]; ok && listed {
		return s.refers(kind, func(c *conditions) string { return "target in (" + find(c, e) + ")" }), nil
	}
	ids, err := s.ids(e)
	switch {
	case err != nil || len(ids) == 0:
		return nothing(), err
	case listed:
		return s.refers(kind, func(c *conditions) string { return c.among("target", asTexts(ids)) }), nil
	case s.name == "story" && e.Field == query.Objective:
		return s.ofObjectives(ids)
	case s.name == "epic" && e.Field == query.Project:
		return s.withStoriesIn(ids), nil
	default:
		return s.equal(s.columns[e.Field], ids), nil
	}
}

func asTexts[T any](values []T) []any {
	texts := make([]any, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return texts
}

// ofObjectives asks for stories of the epics of milestones.
func (s *searcher) ofObjectives(milestones []any) (clause, error) {
	var epics []any
	for _, m := range milestones {
		found, err := s.tx.EpicsReferring("objective", fmt.Sprint(m))
		if err != nil {
			return clause{}, err
		}
		for _, e := range found {
			epics = append(epics, e.ID)
		}
	}
	return s.equal("epic_id", epics), nil
}

// withStoriesIn asks for epics that have stories in the projects.
func (s *searcher) withStoriesIn(projects []any) clause {
	return unindexed(func(c *conditions) string {
		return `exists (select 1 from story where story.workspace_id = $1 and story.epic_id = s.id and ` + c.among("story.project_id", projects) + `)`
	})
}
