package sqlite

import "strings"

// gap stands for a word that is not indexed. No search asks for it: terms are longer.
const gap = "0"

// Document gives FTS5 the terms of a text; the tokenizer leaves them as they are.
func (e *Engine) Document(terms []string) string {
	var b strings.Builder
	for _, t := range terms {
		if t == "" {
			t = gap
		}
		b.WriteString(t)
		b.WriteByte(' ')
	}
	return b.String()
}

func (e *Engine) AnyPhrase(phrases [][]string) string {
	parts := make([]string, len(phrases))
	for i, terms := range phrases {
		whole, isPrefix := strings.CutSuffix(strings.Join(terms, " "), "*")
		parts[i] = `"` + whole + `"`
		if isPrefix {
			parts[i] += " *"
		}
	}
	return strings.Join(parts, " OR ")
}

// The joins are CROSS JOIN because SQLite takes their tables in the order in which they stand.

func (e *Engine) Matching(parameter string) string {
	return `select entity_id as id, part as tier from search_text cross join search_doc
		where search_text match ` + parameter + ` and search_doc.doc = search_text.rowid and search_doc.workspace_id = $1`
}

func (e *Engine) MatchingAmong(entity, ids, parameter string) string {
	return `select entity_id as id, part as tier from search_doc cross join search_text
		where search_doc.workspace_id = $1 and search_doc.entity = '` + entity + `' and search_doc.entity_id in (` + ids + `)
			and search_text match ` + parameter + ` and search_text.rowid = search_doc.doc`
}

func (e *Engine) Terms() string {
	return `select d.entity, d.entity_id, d.part, d.comment_id, t.term, t.offset from search_term t cross join search_doc d
		where d.doc = t.doc and d.workspace_id = $1 and t.term <> '` + gap + `'`
}
