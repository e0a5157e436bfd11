package store

import (
	"fmt"
	"strings"

	"milepost/internal/store/db"
	"milepost/internal/tracker"
)

var documents = newTable("document", "document_id", nil, func(d *tracker.Document) []column {
	return []column{
		{"document_id", &d.ID}, {"title", &d.Title}, {"title_key", derived{titleKey(tracker.TitleWords(d.Title))}}, {"archived", &d.Archived},
		{"created_by_id", &d.CreatedBy}, {"follower_ids", uuids{&d.FollowerIDs}}, {"member_mention_ids", uuids{&d.MemberMentions}},
		{"group_mention_ids", uuids{&d.GroupMentions}}, {"created_at", &d.CreatedAt}, {"updated_at", &d.UpdatedAt}, {"content", &d.Content},
	}
})

// documentTitles reads documents without their contents.
var documentTitles = newTable("document", "document_id", nil, func(d *tracker.DocumentTitle) []column {
	return []column{{"document_id", &d.ID}, {"title", &d.Title}}
})

func (tx *Tx) Documents() ([]tracker.DocumentTitle, error)        { return documentTitles.find(tx, "") }
func (tx *Tx) Document(id tracker.UUID) (tracker.Document, error) { return documents.get(tx, id) }
func (tx *Tx) InsertDocument(d *tracker.Document) error           { return documents.insert(tx, d) }
func (tx *Tx) UpdateDocument(d *tracker.Document) error           { return documents.update(tx, d) }
func (tx *Tx) DeleteDocument(id tracker.UUID) error               { return documents.delete(tx, id) }

// DocumentsByID lists the documents with the ids.
func (tx *Tx) DocumentsByID(ids []tracker.UUID) ([]tracker.DocumentTitle, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return documentTitles.find(tx, tx.anyOf("document_id", "$2"), tx.list(ids))
}

// SearchDocuments lists the documents that are asked for, best match first. The tiers are: the whole
// title, its beginning, beginnings of its words, anything in it.
func (tx *Tx) SearchDocuments(q tracker.DocumentQuery) ([]tracker.DocumentHit, error) {
	out := []tracker.DocumentHit{}
	var s documentSearch
	condition := s.condition(q)
	whole := titleKey(q.Words)
	tier := fmt.Sprintf("case when title_key = %s then 0 when %s then 1 when %s then 2 else 3 end", s.arg(whole),
		s.like(likeText.Replace(strings.TrimSuffix(whole, " "))+"%"), s.all(q.Words, "% "))
	after := "true"
	if a, ok := q.After.Get(); ok {
		after = fmt.Sprintf("tier > %[1]s or (tier = %[1]s and document_id < %[2]s)", s.arg(a.Tier), s.arg(a.ID))
	}
	err := tx.each(func(row db.Row) error {
		var h tracker.DocumentHit
		err := row.Scan(&h.ID, &h.Title, &h.Tier)
		out = append(out, h)
		return err
	}, fmt.Sprintf(`select document_id, title, tier from (select document_id, title, %s as tier from document where workspace_id = $1 and (%s)) as hit
		where (%s) order by tier, document_id desc limit %s`, tier, condition, after, s.arg(q.Limit)), s.args...)
	return out, err
}

// CountDocuments counts all documents that are asked for.
func (tx *Tx) CountDocuments(q tracker.DocumentQuery) (n int64, err error) {
	var s documentSearch
	err = tx.one([]any{&n}, `select count(*) from document where workspace_id = $1 and (`+s.condition(q)+`)`, s.args...)
	return n, err
}

// titleKey is how titles are searched: words between blanks.
func titleKey(words []string) string { return " " + strings.Join(words, " ") + " " }

// documentSearch collects the parameters of a search.
type documentSearch struct{ args []any }

func (s *documentSearch) arg(v any) string {
	s.args = append(s.args, v)
	return fmt.Sprintf("$%d", len(s.args)+1)
}

func (s *documentSearch) condition(q tracker.DocumentQuery) string {
	all := s.all(q.Words, "%")
	if archived, ok := q.Archived.Get(); ok {
		all += " and archived = " + s.arg(archived)
	}
	if member, ok := q.CreatedBy.Get(); ok {
		all += " and created_by_id = " + s.arg(member)
	}
	if member, ok := q.FollowedBy.Get(); ok {
		all += " and ',' || follower_ids || ',' like " + s.arg("%,"+string(member)+",%")
	}
	return all
}

// all is the condition that the title has each of the words behind what stands before it.
func (s *documentSearch) all(words []string, before string) string {
	conditions := make([]string, len(words))
	for i, w := range words {
		conditions[i] = s.like(before + likeText.Replace(w) + "%")
	}
	return strings.Join(conditions, " and ")
}

func (s *documentSearch) like(pattern string) string {
	return "title_key like " + s.arg(pattern) + ` escape '\'`
}

var likeText = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
