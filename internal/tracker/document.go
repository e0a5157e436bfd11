package tracker

import "slices"

// Document is a text of its own, kept as Markdown, that epics can be linked to. The lists of the
// epics hold the links.
type Document struct {
	ID             UUID
	Title          string
	Content        string
	Archived       bool
	CreatedBy      UUID
	FollowerIDs    []UUID
	MemberMentions []UUID
	GroupMentions  []UUID
	CreatedAt      Time
	UpdatedAt      Time
}

// DocumentTitle is what lists show of a document.
type DocumentTitle struct {
	ID    UUID
	Title string
}

// What bounds documents.
const (
	MaxDocumentContent = 400_000 // characters of Markdown
	MaxEpicDocuments   = 1_000
)

// DocumentChange is what can be changed of a document.
type DocumentChange struct {
	Title       Opt[string]
	Content     Opt[string] // Markdown
	Archived    Opt[bool]
	FollowerIDs Opt[[]UUID]
}

// Apply makes the changes that ch asks for.
func (d *Document) Apply(ch DocumentChange) {
	ch.Title.Apply(&d.Title)
	ch.Content.Apply(&d.Content)
	ch.Archived.Apply(&d.Archived)
	ch.FollowerIDs.Apply(&d.FollowerIDs)
}

// MayDelete reports whether the actor may delete the document for good.
func (d *Document) MayDelete(by Actor) bool { return by.Role.Administers() || d.CreatedBy == by.Member }

// Touch moves the time of the last update.
func (d *Document) Touch(now Time) { d.UpdatedAt = now }

func (d Document) EntityType() string { return "document" }
func (d Document) EntityID() string   { return string(d.ID) }

func (d Document) Fields() []Field {
	return []Field{
		{"title", d.Title}, {"content", d.Content}, {"archived", d.Archived}, {"created_by_id", d.CreatedBy},
		{"follower_ids", d.FollowerIDs}, {"mention_ids", d.MemberMentions}, {"group_mention_ids", d.GroupMentions},
	}
}

// LinkDocument adds a document to those of the epic.
func (e *Epic) LinkDocument(id UUID) error {
	if slices.Contains(e.DocumentIDs, id) {
		return nil
	}
	if len(e.DocumentIDs) >= MaxEpicDocuments {
		return Impossible("epic-public-id", "is linked to %d documents already", MaxEpicDocuments)
	}
	e.DocumentIDs = append(slices.Clip(e.DocumentIDs), id)
	return nil
}

// DocumentQuery asks for documents by their titles: each of the words must be in the title.
type DocumentQuery struct {
	Words      []string
	Archived   Opt[bool]
	CreatedBy  Opt[UUID]
	FollowedBy Opt[UUID]
	After      Opt[DocumentRank] // the last one that was served already
	Limit      int
}

// DocumentRank is the place of a document in a result: better matches first, 0 is the title itself,
// and of equal ones the newest.
type DocumentRank struct {
	Tier int64
	ID   UUID
}

// DocumentHit is a document that was asked for.
type DocumentHit struct {
	DocumentRank
	Title string
}
