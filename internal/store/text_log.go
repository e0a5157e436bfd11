package store

// textLog is what the use cases of a transaction have to say in the index. It is written once for all
// of them, since SQLite makes a piece of its index of whatever stands between two savepoints and has to
// merge the pieces later; or before anything else is done to the index.
type textLog struct {
	documents []document
	bytes     int
}

// maxTextLog is how many bytes of terms wait at most.
const maxTextLog = 4 << 20

// insertDocument puts a text into the index that it does not have yet.
func (tx *Tx) insertDocument(d document) error {
	log := &tx.row.texts
	log.documents = append(log.documents, d)
	if log.bytes += d.bytes; log.bytes > maxTextLog {
		return tx.writeTexts()
	}
	return nil
}

func (tx *Tx) replaceDocument(d document) error {
	d.replaces = true
	return tx.insertDocument(d)
}

// writeTexts writes the texts that wait, each as it is now.
func (tx *Tx) writeTexts() error {
	documents := tx.row.texts.documents
	tx.row.texts = textLog{} // not cut to nothing: a use case that fails gets back what was there before it
	newest := make(map[documentKey]int, len(documents))
	var replaced []documentKey
	for i, d := range documents {
		if _, known := newest[d.key()]; !known && d.replaces {
			replaced = append(replaced, d.key())
		}
		newest[d.key()] = i
	}
	if err := tx.deleteTexts(replaced); err != nil {
		return err
	}
	var rows [][]any
	for i, d := range documents {
		if newest[d.key()] == i && len(d.terms) > 0 {
			rows = append(rows, []any{d.kind.name, d.id, tierOf(d.part), d.comment, tx.store.engine.Document(d.terms)})
		}
	}
	return tx.insertRows(`insert into search (workspace_id, entity, entity_id, part, comment_id, words) values `, rows)
}

// deleteTexts takes texts out of the index, those of a part by one statement.
func (tx *Tx) deleteTexts(keys []documentKey) error {
	type group struct {
		entity string
		part   int64
	}
	ids, comments := map[group][]int64{}, map[group][]int64{}
	for _, k := range keys {
		g := group{k.entity, k.part}
		ids[g], comments[g] = append(ids[g], k.id), append(comments[g], k.comment)
	}
	for g := range ids { // no two entities share a comment
		_, err := tx.exec(`delete from search where workspace_id = $1 and entity = $2 and `+tx.anyOf("entity_id", "$3")+
			` and part = $4 and `+tx.anyOf("comment_id", "$5"), g.entity, tx.list(ids[g]), g.part, tx.list(comments[g]))
		if err != nil {
			return err
		}
	}
	return nil
}

// forget takes an entity with its comments out of the index.
func (tx *Tx) forget(kind searched, id int64) error {
	return tx.forgetTexts(`entity = $2 and entity_id = $3`, kind.name, id)
}

// forgetTexts takes out of the index what the condition picks; its parameters start at $2.
func (tx *Tx) forgetTexts(condition string, args ...any) error {
	if err := tx.writeTexts(); err != nil {
		return err
	}
	_, err := tx.exec(`delete from search where workspace_id = $1 and `+condition, args...)
	return err
}
