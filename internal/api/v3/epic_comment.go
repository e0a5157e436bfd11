package v3

import (
	"context"
	"fmt"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// ThreadedComment is a comment on an epic with the replies to it. A deleted one is shown, without
// its text, while it has replies.
type ThreadedComment struct {
	AppURL           string            `json:"app_url"`
	AuthorID         tracker.UUID      `json:"author_id"`
	Comments         []ThreadedComment `json:"comments"`
	CreatedAt        tracker.Time      `json:"created_at"`
	Deleted          bool              `json:"deleted"`
	EntityType       string            `json:"entity_type"`
	ExternalID       *string           `json:"external_id"`
	GroupMentionIDs  []tracker.UUID    `json:"group_mention_ids"`
	ID               int64             `json:"id"`
	MemberMentionIDs []tracker.UUID    `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID    `json:"mention_ids"`
	Text             string            `json:"text"`
	UpdatedAt        tracker.Time      `json:"updated_at"`
}

// RenderThread is the wire form of a comment and the replies to it.
func (a API) RenderThread(by tracker.Actor, t tracker.Thread) ThreadedComment {
	return ThreadedComment{
		AppURL: fmt.Sprintf("%s#activity-%d", a.AppURL(by, "epic", t.EpicID), t.ID), AuthorID: t.AuthorID,
		Comments: a.RenderThreads(by, t.Answers), CreatedAt: t.CreatedAt, Deleted: t.Deleted, EntityType: t.EntityType(),
		ExternalID: t.ExternalID, GroupMentionIDs: t.GroupMentions, ID: t.ID, MemberMentionIDs: t.MemberMentions,
		MentionIDs: t.MemberMentions, Text: t.Text, UpdatedAt: t.UpdatedAt,
	}
}

// RenderThreads is the wire form of a discussion.
func (a API) RenderThreads(by tracker.Actor, list []tracker.Thread) []ThreadedComment {
	return Each(list, func(t tracker.Thread) ThreadedComment { return a.RenderThread(by, t) })
}

func (a API) listEpicComments(ctx context.Context, by tracker.Actor, in epicID) ([]ThreadedComment, error) {
	list, err := a.Service.EpicComments(ctx, by, in.ID)
	return a.RenderThreads(by, list), err
}

type createEpicComment struct {
	EpicID     int64                     `path:"epic-public-id" doc:"The id of the epic."`
	AuthorID   tracker.Opt[tracker.UUID] `json:"author_id" doc:"The member who wrote it; the token's own unless given."`
	CreatedAt  tracker.Opt[tracker.Time] `json:"created_at"`
	ExternalID tracker.Opt[string]       `json:"external_id" is:"max=128"`
	Text       string                    `json:"text" is:"required,min=1,max=100000"`
	UpdatedAt  tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (a API) createEpicComment(ctx context.Context, by tracker.Actor, in createEpicComment) (ThreadedComment, error) {
	t, err := a.Service.CreateEpicComment(ctx, by, in.EpicID, tracker.EpicCommentParams{
		Text: in.Text, AuthorID: in.AuthorID, ExternalID: in.ExternalID, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.RenderThread(by, t), err
}

type answerEpicComment struct {
	EpicID     int64                     `path:"epic-public-id" doc:"The id of the epic."`
	CommentID  int64                     `path:"comment-public-id" doc:"The id of the comment to answer."`
	AuthorID   tracker.Opt[tracker.UUID] `json:"author_id" doc:"The member who wrote it; the token's own unless given."`
	CreatedAt  tracker.Opt[tracker.Time] `json:"created_at"`
	ExternalID tracker.Opt[string]       `json:"external_id" is:"max=128"`
	Text       string                    `json:"text" is:"required,min=1,max=100000"`
	UpdatedAt  tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (a API) answerEpicComment(ctx context.Context, by tracker.Actor, in answerEpicComment) (ThreadedComment, error) {
	t, err := a.Service.AnswerEpicComment(ctx, by, in.EpicID, in.CommentID, tracker.EpicCommentParams{
		Text: in.Text, AuthorID: in.AuthorID, ExternalID: in.ExternalID, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	})
	return a.RenderThread(by, t), err
}

type epicCommentID struct {
	EpicID    int64 `path:"epic-public-id" doc:"The id of the epic."`
	CommentID int64 `path:"comment-public-id" doc:"The id of the comment."`
}

func (a API) getEpicComment(ctx context.Context, by tracker.Actor, in epicCommentID) (ThreadedComment, error) {
	t, err := a.Service.EpicComment(ctx, by, in.EpicID, in.CommentID)
	return a.RenderThread(by, t), err
}

type updateEpicComment struct {
	EpicID    int64  `path:"epic-public-id" doc:"The id of the epic."`
	CommentID int64  `path:"comment-public-id" doc:"The id of the comment."`
	Text      string `json:"text" is:"required,min=1,max=100000"`
}

func (a API) updateEpicComment(ctx context.Context, by tracker.Actor, in updateEpicComment) (ThreadedComment, error) {
	t, err := a.Service.UpdateEpicComment(ctx, by, in.EpicID, in.CommentID, in.Text)
	return a.RenderThread(by, t), err
}

func (a API) deleteEpicComment(ctx context.Context, by tracker.Actor, in epicCommentID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEpicComment(ctx, by, in.EpicID, in.CommentID)
}
