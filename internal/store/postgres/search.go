package postgres

import (
	"strconv"
	"strings"
)

// Document writes the terms of a text with their positions, as a tsvector. Words that are not
// indexed leave a gap.
func (e *Engine) Document(terms []string) string {
	var b strings.Builder
	for i, t := range terms {
		if t == "" {
			continue
		}
		b.WriteByte('\'')
		b.WriteString(t)
		b.WriteString("':")
		b.WriteString(strconv.Itoa(i + 1))
		b.WriteByte(' ')
	}
	return b.String()
}

// Settle lets the planner see what there is now, rather than when the server next looks by itself.
func (e *Engine) Settle() string { return `analyze` }

func (e *Engine) AnyPhrase(phrases [][]string) string {
	parts := make([]string, len(phrases))
	for i, terms := range phrases {
		whole, isPrefix := strings.CutSuffix(strings.Join(terms, "' <-> '"), "*")
		parts[i] = "('" + whole + "'"
		if isPrefix {
			parts[i] += ":*"
		}
		parts[i] += ")"
	}
	return strings.Join(parts, " | ")
}

func (e *Engine) Matching(parameter string) string {
	return `select entity_id as id, part as tier from search where workspace_id = $1 and words @@ cast(` + parameter + ` as tsquery)`
}

func (e *Engine) MatchingTexts(parameter string) string {
	return `select 1 from search where workspace_id = $1 and words @@ cast(` + parameter + ` as tsquery)`
}

func (e *Engine) MatchingAmong(entity, ids, parameter string) string {
	return `select entity_id as id, part as tier from search where search.workspace_id = $1 and search.entity = '` + entity + `'
		and search.entity_id in (` + ids + `) and search.words @@ cast(` + parameter + ` as tsquery)`
}

func (e *Engine) Terms() string {
	return `select s.entity, s.entity_id, s.part, s.comment_id, t.lexeme, p - 1
		from search s cross join unnest(s.words) t cross join unnest(t.positions) p where s.workspace_id = $1`
}
