package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Comment is a remark on a story. The text of a deleted one that was answered is null.
type Comment struct {
	AppURL           string         `json:"app_url"`
	AuthorID         *tracker.UUID  `json:"author_id"`
	CreatedAt        tracker.Time   `json:"created_at"`
	EntityType       string         `json:"entity_type"`
	ExternalID       *string        `json:"external_id"`
	GroupMentionIDs  []tracker.UUID `json:"group_mention_ids"`
	ID               int64          `json:"id"`
	MemberMentionIDs []tracker.UUID `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID `json:"mention_ids"`
	Position         int64          `json:"position"`
	StoryID          int64          `json:"story_id"`
	Text             *string        `json:"text"`
	UpdatedAt        tracker.Time   `json:"updated_at"`
}

func showComment(c v3.StoryComment) Comment {
	return Comment{
		AppURL: c.AppURL, AuthorID: c.AuthorID, CreatedAt: c.CreatedAt, EntityType: c.EntityType, ExternalID: c.ExternalID,
		GroupMentionIDs: c.GroupMentionIDs, ID: c.ID, MemberMentionIDs: c.MemberMentionIDs, MentionIDs: c.MentionIDs, Position: c.Position,
		StoryID: c.StoryID, Text: c.Text, UpdatedAt: c.UpdatedAt,
	}
}

func (a API) renderComment(by tracker.Actor, c service.CommentInStory) Comment {
	return showComment(a.RenderComment(by, c))
}

// CreateStoryCommentParams is a comment to create, alone or with its story.
type CreateStoryCommentParams struct {
	AuthorID   tracker.Opt[tracker.UUID] `json:"author_id" doc:"Who wrote it; the token's member by default."`
	CreatedAt  tracker.Opt[tracker.Time] `json:"created_at"`
	ExternalID tracker.Opt[string]       `json:"external_id" is:"max=1024"`
	Text       string                    `json:"text" is:"required,min=1,max=100000"`
	UpdatedAt  tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (p CreateStoryCommentParams) params() tracker.CommentParams {
	return tracker.CommentParams{
		Text: p.Text, AuthorID: p.AuthorID, ExternalID: p.ExternalID, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
}

type commentID struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	ID      int64 `path:"comment-public-id" doc:"The id of the comment."`
}

func (a API) listComments(ctx context.Context, by tracker.Actor, in storyID) ([]Comment, error) {
	list, err := a.Service.Comments(ctx, by, in.ID)
	return v3.Each(list, func(c service.CommentInStory) Comment { return a.renderComment(by, c) }), err
}

func (a API) getComment(ctx context.Context, by tracker.Actor, in commentID) (Comment, error) {
	c, err := a.Service.Comment(ctx, by, in.StoryID, in.ID)
	return a.renderComment(by, c), err
}

type createComment struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	Body    CreateStoryCommentParams
}

func (a API) createComment(ctx context.Context, by tracker.Actor, in createComment) (Comment, error) {
	c, err := a.Service.CreateComment(ctx, by, in.StoryID, in.Body.params())
	return a.renderComment(by, c), err
}

type updateComment struct {
	StoryID int64  `path:"story-public-id" doc:"The id of the story."`
	ID      int64  `path:"comment-public-id" doc:"The id of the comment."`
	Text    string `json:"text" is:"required,min=1,max=100000"`
}

func (a API) updateComment(ctx context.Context, by tracker.Actor, in updateComment) (Comment, error) {
	c, err := a.Service.UpdateComment(ctx, by, in.StoryID, in.ID, in.Text)
	return a.renderComment(by, c), err
}

func (a API) deleteComment(ctx context.Context, by tracker.Actor, in commentID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteComment(ctx, by, in.StoryID, in.ID)
}
