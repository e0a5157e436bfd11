package store

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"

	"milepost/internal/query"
	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

// indexed says where the texts of a kind of entity are, and those of its comments.
var indexed = []struct {
	searched
	comments, parent string // table and column; empty for entities without comments
}{
	{searchedStory, "comment", "story_id"},
	{searchedEpic, "epic_comment", "epic_id"},
	{searchedIteration, "", ""},
	{searchedMilestone, "", ""},
}

// reindexChunk is how many entities are indexed in one transaction.
const reindexChunk = 200

// Reindex builds the search index of a workspace anew from its tables, in chunks, so that others
// can write meanwhile. It tells done after each chunk how many entities it has indexed in all.
func (s *Store) Reindex(ctx context.Context, workspace tracker.UUID, done func(entities int)) error {
	if err := s.Write(ctx, workspace, (*Tx).nameLabels); err != nil {
		return err
	}
	total := 0
	for i := range indexed {
		for after, more := int64(0), true; more; {
			err := s.Write(ctx, workspace, func(tx *Tx) error {
				docs, n, last, err := tx.documents(i, after)
				if err != nil {
					return err
				}
				if err := tx.replaceDocuments(indexed[i].name, after, last, docs); err != nil {
					return err
				}
				total += n
				after, more = last, last < math.MaxInt64
				return nil
			})
			if err != nil {
				return err
			}
			done(total)
		}
	}
	return nil
}

// nameLabels gives all labels the names that searches compare.
func (tx *Tx) nameLabels() error {
	list, err := tx.Labels()
	for i := range list {
		if err == nil {
			err = tx.UpdateLabel(&list[i])
		}
	}
	return err
}

// replaceDocuments puts the documents in the place of all that the index has of entities with ids
// after the one and up to the other.
func (tx *Tx) replaceDocuments(entity string, after, last int64, docs []document) error {
	err := tx.forgetTexts(`entity = $2 and entity_id > $3 and entity_id <= $4`, entity, after, last)
	for _, d := range docs {
		if err == nil {
			err = tx.insertDocument(d)
		}
	}
	return err
}

// documents makes those of the next entities of a kind, and tells how many these are and up to which
// id they go.
func (tx *Tx) documents(kind int, after int64) (docs []document, entities int, last int64, err error) {
	k := indexed[kind]
	err = tx.each(func(row db.Row) error {
		var title, description string
		if err := row.Scan(&last, &title, &description); err != nil {
			return err
		}
		entities++
		docs = append(docs, tx.document(k.searched, last, query.Title, 0, title), tx.document(k.searched, last, query.Description, 0, description))
		return nil
	}, fmt.Sprintf(`select id, name, description from %s where workspace_id = $1 and id > $2 order by id limit $3`, k.name), after, reindexChunk)
	if entities < reindexChunk {
		last = math.MaxInt64
	}
	if err != nil || k.comments == "" {
		return docs, entities, last, err
	}
	err = tx.each(func(row db.Row) error {
		var id, comment int64
		var text string
		err := row.Scan(&id, &comment, &text)
		docs = append(docs, tx.commentText(k.searched, id, comment, text))
		return err
	}, fmt.Sprintf(`select %[2]s, id, text from %[1]s where workspace_id = $1 and %[2]s > $2 and %[2]s <= $3`, k.comments, k.parent), after, last)
	return docs, entities, last, err
}

// completeSearch indexes the workspaces that are older than the index.
func (s *Store) completeSearch(ctx context.Context) error {
	pending, err := s.unsearchable(ctx)
	for _, workspace := range pending {
		if err == nil {
			err = s.Reindex(ctx, workspace, func(int) {})
		}
		if err == nil {
			err = s.Write(ctx, workspace, func(tx *Tx) error {
				_, err := tx.exec(`update workspace set search_ready = true where workspace_id = $1`)
				return err
			})
		}
	}
	return err
}

func (s *Store) unsearchable(ctx context.Context) ([]tracker.UUID, error) {
	var out []tracker.UUID
	err := s.engine.Each(ctx, func(row db.Row) error {
		var id tracker.UUID
		err := row.Scan(&id)
		out = append(out, id)
		return err
	}, `select workspace_id from workspace where search_ready = false`)
	return out, err
}

// SearchCheck is how the search index of a workspace compares with its tables.
type SearchCheck struct {
	Texts int // that the tables hold
	// Wrong lists texts that the index lacks, has differently, or has and the tables have not.
	Wrong []string
}

type documentKey struct {
	entity            string
	id, part, comment int64
}

// CheckSearch holds everything that the index has of the workspace against the tables.
func (s *Store) CheckSearch(ctx context.Context, workspace tracker.UUID) (check SearchCheck, err error) {
	err = s.Read(ctx, workspace, func(tx *Tx) error {
		if err := tx.checkLabels(&check); err != nil {
			return err
		}
		kept, err := tx.indexedTerms()
		if err != nil {
			return err
		}
		for i := range indexed {
			for after := int64(0); after < math.MaxInt64; {
				docs, _, last, err := tx.documents(i, after)
				if err != nil {
					return err
				}
				for _, d := range docs {
					check.compare(d, kept)
				}
				after = last
			}
		}
		for key := range kept {
			check.note(key, "is in the index only")
		}
		return nil
	})
	return check, err
}

func (tx *Tx) checkLabels(check *SearchCheck) error {
	return tx.each(func(row db.Row) error {
		var id int64
		var name, key string
		err := row.Scan(&id, &name, &key)
		if key != query.Key(name) {
			check.Wrong = append(check.Wrong, fmt.Sprintf("label %d is not found by its name", id))
		}
		return err
	}, `select id, name, search_key from label where workspace_id = $1`)
}

func (c *SearchCheck) compare(d document, kept map[documentKey]uint64) {
	if len(d.terms) == 0 {
		return
	}
	c.Texts++
	key := d.key()
	sum, known := kept[key]
	delete(kept, key)
	switch {
	case !known:
		c.note(key, "is not in the index")
	case sum != d.sum():
		c.note(key, "stands differently in the index")
	}
}

func (c *SearchCheck) note(key documentKey, what string) {
	part := [...]string{"the title", "the description", fmt.Sprintf("comment %d", key.comment)}[key.part]
	c.Wrong = append(c.Wrong, fmt.Sprintf("%s of %s %d %s", part, key.entity, key.id, what))
}

// indexedTerms sums up what the index has of each document.
func (tx *Tx) indexedTerms() (map[documentKey]uint64, error) {
	kept := map[documentKey]uint64{}
	err := tx.each(func(row db.Row) error {
		var key documentKey
		err := row.Scan(&key.entity, &key.id, &key.part, &key.comment)
		kept[key] = 0
		return err
	}, `select entity, entity_id, part, comment_id from search where workspace_id = $1`)
	if err != nil {
		return nil, err
	}
	err = tx.each(func(row db.Row) error {
		var key documentKey
		var term string
		var place int
		err := row.Scan(&key.entity, &key.id, &key.part, &key.comment, &term, &place)
		kept[key] += termSum(term, place)
		return err
	}, tx.store.engine.Terms())
	return kept, err
}

// sum is the same for the same terms in the same places, in whatever order they are met.
func (d document) sum() (sum uint64) {
	for place, term := range d.terms {
		if term != "" {
			sum += termSum(term, place)
		}
	}
	return sum
}

func termSum(term string, place int) uint64 {
	h := fnv.New64a()
	_, _ = fmt.Fprint(h, place, " ", term) // a hash takes everything
	return h.Sum64()
}
