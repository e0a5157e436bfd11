package app

import (
	"context"

	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Document is a document with what v3 does not show of it.
type Document struct {
	v3.Doc
	CreatedByID      tracker.UUID   `json:"created_by_id"`
	EntityType       string         `json:"entity_type"`
	FollowerIDs      []tracker.UUID `json:"follower_ids"`
	GroupMentionIDs  []tracker.UUID `json:"group_mention_ids"`
	MemberMentionIDs []tracker.UUID `json:"member_mention_ids"`
}

func (a API) renderDocument(by tracker.Actor, d tracker.Document, err error) (Document, error) {
	if err != nil {
		return Document{}, err
	}
	return Document{
		Doc: a.RenderDoc(by, d, "html"), CreatedByID: d.CreatedBy, EntityType: d.EntityType(), FollowerIDs: d.FollowerIDs,
		GroupMentionIDs: d.GroupMentions, MemberMentionIDs: d.MemberMentions,
	}, nil
}

type documentID struct {
	ID tracker.UUID `path:"doc-public-id" doc:"The id of the document."`
}

func (a API) getDocument(ctx context.Context, by tracker.Actor, in documentID) (Document, error) {
	d, err := a.Service.Document(ctx, by, in.ID)
	return a.renderDocument(by, d, err)
}

type updateDocument struct {
	ID          tracker.UUID                `path:"doc-public-id" doc:"The id of the document."`
	Archived    tracker.Opt[bool]           `json:"archived"`
	FollowerIDs tracker.Opt[[]tracker.UUID] `json:"follower_ids" is:"maxitems=1000"`
}

func (a API) updateDocument(ctx context.Context, by tracker.Actor, in updateDocument) (Document, error) {
	d, err := a.Service.UpdateDocument(ctx, by, in.ID, tracker.DocumentChange{Archived: in.Archived, FollowerIDs: in.FollowerIDs})
	return a.renderDocument(by, d, err)
}
