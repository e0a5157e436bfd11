package store

import (
	"milepost/internal/query"
	"milepost/internal/tracker"
)

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

// partLetters say in which part of an entity a word stands.
var partLetters = map[query.Part]string{query.Title: "t", query.Description: "d", query.Comment: "c"}

// Both engines keep the same of a text, within what PostgreSQL takes: positions of words up to
// 16,383, 255 of each word, and a megabyte in all.
const (
	maxTerms       = 16_000
	maxOccurrences = 255
	maxTermBytes   = 768 << 10
)

// termHead is what stands before a word in the index: what kind of entity it is of, in which part,
// and the end of the workspace's id. The latter only spares lookups the words of other
// workspaces; what is found is held against the whole id.
func (tx *Tx) termHead(kind searched, part query.Part) string {
	return kind.letter + partLetters[part] + string(tx.id[len(tx.id)-tagBytes:])
}

const (
	tagBytes  = 4
	headBytes = 2 + tagBytes
)

// A document is one row of the index.
type document struct {
	kind    searched
	id      int64 // of the entity
	comment int64 // 0 for the entity's own texts
	terms   []string
	bytes   int // of the terms
}

// ownTexts is the document of a title and a description.
func (tx *Tx) ownTexts(kind searched, id int64, title, description string) document {
	d := document{kind: kind, id: id}
	seen := map[string]int{}
	d.add(seen, tx.termHead(kind, query.Title), title)
	d.add(seen, tx.termHead(kind, query.Description), description)
	return d
}

func (tx *Tx) commentText(kind searched, id, comment int64, text string) document {
	d := document{kind: kind, id: id, comment: comment}
	d.add(map[string]int{}, tx.termHead(kind, query.Comment), text)
	return d
}

func (d *document) add(seen map[string]int, head, text string) {
	for _, word := range query.Words(text) {
		term := head + word
		if d.bytes += len(term); d.bytes > maxTermBytes || len(d.terms) == maxTerms {
			return
		}
		if seen[term]++; seen[term] > maxOccurrences {
			term = ""
		}
		d.terms = append(d.terms, term)
	}
}

func (tx *Tx) insertDocument(d document) error {
	if len(d.terms) == 0 {
		return nil
	}
	_, err := tx.exec(`insert into search (workspace_id, entity, entity_id, comment_id, words) values ($1, $2, $3, $4, $5)`,
		d.kind.name, d.id, d.comment, tx.store.engine.Document(d.terms))
	return err
}

func (tx *Tx) replaceDocument(d document) error {
	_, err := tx.exec(`delete from search where workspace_id = $1 and entity = $2 and entity_id = $3 and comment_id = $4`,
		d.kind.name, d.id, d.comment)
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

func (tx *Tx) storyText(s *tracker.Story) document {
	return tx.ownTexts(searchedStory, s.ID, s.Name, s.Description)
}

func (tx *Tx) epicText(e *tracker.Epic) document {
	return tx.ownTexts(searchedEpic, e.ID, e.Name, e.Description)
}

func (tx *Tx) iterationText(i *tracker.Iteration) document {
	return tx.ownTexts(searchedIteration, i.ID, i.Name, i.Description)
}

func (tx *Tx) milestoneText(m *tracker.Milestone) document {
	return tx.ownTexts(searchedMilestone, m.ID, m.Name, m.Description)
}
