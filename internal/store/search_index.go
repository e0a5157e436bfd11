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
	bytes   int // of the terms
	// replaces says that the index may have the text as it was.
	replaces bool
}

func (d *document) key() documentKey {
	return documentKey{d.kind.name, d.id, tierOf(d.part), d.comment}
}

func (tx *Tx) document(kind searched, id int64, part query.Part, comment int64, text string) document {
	d := document{kind: kind, id: id, part: part, comment: comment}
	head, words, seen := tx.termHead(kind), query.Words(text), map[string]int{}
	d.terms = make([]string, 0, len(words))
	for _, word := range words {
		term := head + word
		if d.bytes += len(term); d.bytes > maxTermBytes || len(d.terms) == maxTerms {
			break
		}
		if len(words) > maxOccurrences { // or no word can come that often
			if seen[term]++; seen[term] > maxOccurrences {
				term = ""
			}
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
