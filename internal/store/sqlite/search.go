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

// Settle merges the pieces of the index of words, of which FTS5 makes a new one with each transaction.
func (e *Engine) Settle() string { return `insert into search_text (search_text) values ('optimize')` }

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

func (e *Engine) MatchingTexts(parameter string) string {
	return `select 1 from search_text where search_text match ` + parameter
}

// MatchingAmong passes all that match by the few texts that may be meant: the + keeps SQLite from asking
// the full-text table anew for each of those.
func (e *Engine) MatchingAmong(entity, ids, parameter string) string {
	return `select entity_id as id, part as tier from search_text cross join search_doc
		where search_text match ` + parameter + ` and search_doc.doc = search_text.rowid and +search_text.rowid in (
			select doc from search_doc where workspace_id = $1 and entity = '` + entity + `' and entity_id in (` + ids + `))`
}

func (e *Engine) Terms() string {
	return `select d.entity, d.entity_id, d.part, d.comment_id, t.term, t.offset from search_term t cross join search_doc d
		where d.doc = t.doc and d.workspace_id = $1 and t.term <> '` + gap + `'`
}
