package store

import "milepost/internal/query"

// searched is a kind of entity that search finds.
type searched struct {
	name   string // as in the table search
	letter string
}

var (
	searchedStory     = searched{"story", "s"}
	searchedEpic      = searched{"epic", "e"}
	searchedIteration = searched{"iteration", "i"}
	searchedMilestone = searched{"milestone", "m"}
)

// tierOf is the place of a part in the order of results; the column search.part has it.
func tierOf(part query.Part) int64 { return int64(part - query.Title) }

// noTier is that of results without a hit on a text.
const noTier = 3

// Both engines keep the same of a text, within what PostgreSQL takes: positions of words up to
// 16,383, 255 of each word, and a megabyte in all.
const (
	maxTerms       = 16_000
	maxOccurrences = 255
	maxTermBytes   = 768 << 10
)

// termHead is what stands before a word in the index: what kind of entity it is of and the end of the
// workspace's id. The latter only spares lookups the words of other workspaces; what is found is
// held against the whole id.
func (tx *Tx) termHead(kind searched) string {
	return kind.letter + string(tx.id[len(tx.id)-tagBytes:])
}

const (
	tagBytes  = 4
	headBytes = 1 + tagBytes
)

// A document is one row of the index: the words of one text.
type document struct {
	kind    searched
	id      int64 // of the entity
	part    query.Part
	comment int64 // 0 but for comments
	terms   []string
}

func (tx *Tx) document(kind searched, id int64, part query.Part, comment int64, text string) document {
	d := document{kind: kind, id: id, part: part, comment: comment}
	head, seen, bytes := tx.termHead(kind), map[string]int{}, 0
	for _, word := range query.Words(text) {
		term := head + word
		if bytes += len(term); bytes > maxTermBytes || len(d.terms) == maxTerms {
			break
		}
		if seen[term]++; seen[term] > maxOccurrences {
			term = ""
		}
		d.terms = append(d.terms, term)
	}
	return d
}

func (tx *Tx) commentText(kind searched, id, comment int64, text string) document {
	return tx.document(kind, id, query.Comment, comment, text)
}

// texts are those of an entity itself.
type texts struct{ title, description string }

// saveTexts indexes those texts of an entity that are not what they were.
func (tx *Tx) saveTexts(kind searched, id int64, before, after texts) error {
	for _, of := range []struct {
		part          query.Part
		before, after string
	}{{query.Title, before.title, after.title}, {query.Description, before.description, after.description}} {
		if of.before == of.after {
			continue
		}
		save := tx.insertDocument
		if of.before != "" {
			save = tx.replaceDocument
		}
		if err := save(tx.document(kind, id, of.part, 0, of.after)); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) insertDocument(d document) error {
	if len(d.terms) == 0 {
		return nil
	}
	_, err := tx.exec(`insert into search (workspace_id, entity, entity_id, part, comment_id, words) values ($1, $2, $3, $4, $5, $6)`,
		d.kind.name, d.id, tierOf(d.part), d.comment, tx.store.engine.Document(d.terms))
	return err
}

func (tx *Tx) replaceDocument(d document) error {
	_, err := tx.exec(`delete from search where workspace_id = $1 and entity = $2 and entity_id = $3 and part = $4 and comment_id = $5`,
		d.kind.name, d.id, tierOf(d.part), d.comment)
	if err != nil {
		return err
	}
	return tx.insertDocument(d)
}

// forget takes an entity with its comments out of the index.
func (tx *Tx) forget(kind searched, id int64) error {
	_, err := tx.exec(`delete from search where workspace_id = $1 and entity = $2 and entity_id = $3`, kind.name, id)
	return err
}
