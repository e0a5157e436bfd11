package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// ThreadedComment is a comment on an epic with the replies to it. A deleted one is shown, without
// its text, while it has replies.
type ThreadedComment struct {
	AuthorID   tracker.UUID      `json:"author_id"`
	Comments   []ThreadedComment `json:"comments"`
	CreatedAt  tracker.Time      `json:"created_at"`
	Deleted    bool              `json:"deleted"`
	EntityType string            `json:"entity_type"`
	ExternalID *string           `json:"external_id"`
	ID         int64             `json:"id"`
	MentionIDs []tracker.UUID    `json:"mention_ids"`
	Text       string            `json:"text"`
	UpdatedAt  tracker.Time      `json:"updated_at"`
}

func showThread(t v3.ThreadedComment) ThreadedComment {
	return ThreadedComment{
		AuthorID: t.AuthorID, Comments: v3.Each(t.Comments, showThread), CreatedAt: t.CreatedAt, Deleted: t.Deleted, EntityType: t.EntityType,
		ExternalID: t.ExternalID, ID: t.ID, MentionIDs: t.MentionIDs, Text: t.Text, UpdatedAt: t.UpdatedAt,
	}
}

func (a API) listEpicComments(ctx context.Context, by tracker.Actor, in epicID) ([]ThreadedComment, error) {
	list, err := a.Service.EpicComments(ctx, by, in.ID)
	return v3.Each(a.RenderThreads(by, list), showThread), err
}

type epicCommentParams struct {
	AuthorID   tracker.Opt[tracker.UUID] `json:"author_id" doc:"The member who wrote it; the token's own unless given."`
	CreatedAt  tracker.Opt[tracker.Time] `json:"created_at"`
	ExternalID tracker.Opt[string]       `json:"external_id" is:"max=128"`
	Text       string                    `json:"text" is:"required,min=1,max=100000"`
	UpdatedAt  tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (p epicCommentParams) params() tracker.EpicCommentParams {
	return tracker.EpicCommentParams{
		Text: p.Text, AuthorID: p.AuthorID, ExternalID: p.ExternalID, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

type createEpicComment struct {
	EpicID int64 `path:"epic-public-id" doc:"The id of the epic."`
	Body   epicCommentParams
}

func (a API) createEpicComment(ctx context.Context, by tracker.Actor, in createEpicComment) (ThreadedComment, error) {
	t, err := a.Service.CreateEpicComment(ctx, by, in.EpicID, in.Body.params())
	return showThread(a.RenderThread(by, t)), err
}

type answerEpicComment struct {
	EpicID    int64 `path:"epic-public-id" doc:"The id of the epic."`
	CommentID int64 `path:"comment-public-id" doc:"The id of the comment to answer."`
	Body      epicCommentParams
}

func (a API) answerEpicComment(ctx context.Context, by tracker.Actor, in answerEpicComment) (ThreadedComment, error) {
	t, err := a.Service.AnswerEpicComment(ctx, by, in.EpicID, in.CommentID, in.Body.params())
	return showThread(a.RenderThread(by, t)), err
}

type updateEpicComment struct {
	EpicID    int64  `path:"epic-public-id" doc:"The id of the epic."`
	CommentID int64  `path:"comment-public-id" doc:"The id of the comment."`
	Text      string `json:"text" is:"required,min=1,max=100000"`
}

func (a API) updateEpicComment(ctx context.Context, by tracker.Actor, in updateEpicComment) (ThreadedComment, error) {
	t, err := a.Service.UpdateEpicComment(ctx, by, in.EpicID, in.CommentID, in.Text)
	return showThread(a.RenderThread(by, t)), err
}

type epicCommentID struct {
	EpicID    int64 `path:"epic-public-id" doc:"The id of the epic."`
	CommentID int64 `path:"comment-public-id" doc:"The id of the comment."`
}

func (a API) deleteEpicComment(ctx context.Context, by tracker.Actor, in epicCommentID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEpicComment(ctx, by, in.EpicID, in.CommentID)
}
