package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Comment is a remark on a story.
type Comment struct {
	AuthorID   *tracker.UUID  `json:"author_id"`
	CreatedAt  tracker.Time   `json:"created_at"`
	ID         int64          `json:"id"`
	MentionIDs []tracker.UUID `json:"mention_ids"`
	Position   int64          `json:"position"`
	StoryID    int64          `json:"story_id"`
	Text       string         `json:"text"`
	UpdatedAt  *tracker.Time  `json:"updated_at"`
}

func (p people) renderComment(c service.CommentInStory) Comment {
	out := Comment{
		CreatedAt: c.CreatedAt, ID: c.ID, MentionIDs: p.users(c.MemberMentions), Position: c.Position, StoryID: c.StoryID, Text: c.Text,
		UpdatedAt: &c.UpdatedAt,
	}
	if c.AuthorID != nil {
		author := p.user(*c.AuthorID)
		out.AuthorID = &author
	}
	return out
}

// CreateCommentParams is a comment to create, alone or with its story.
type CreateCommentParams struct {
	AuthorID   tracker.Opt[tracker.UUID] `json:"author_id" doc:"Who wrote it; the token's user by default."`
	CreatedAt  tracker.Opt[tracker.Time] `json:"created_at"`
	ExternalID tracker.Opt[string]       `json:"external_id" is:"max=1024"`
	Text       string                    `json:"text" is:"required,min=1,max=100000"`
	UpdatedAt  tracker.Opt[tracker.Time] `json:"updated_at"`
}

func (p people) commentParams(in CreateCommentParams) tracker.CommentParams {
	return tracker.CommentParams{
		Text: in.Text, AuthorID: p.memberOpt(in.AuthorID), ExternalID: in.ExternalID, CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	}
}

type commentID struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	ID      int64 `path:"comment-public-id" doc:"The id of the comment."`
}

func (a API) getComment(ctx context.Context, by tracker.Actor, p people, in commentID) (Comment, error) {
	c, err := a.Service.Comment(ctx, by, in.StoryID, in.ID)
	return p.renderComment(c), err
}

type createComment struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	Body    CreateCommentParams
}

func (a API) createComment(ctx context.Context, by tracker.Actor, p people, in createComment) (Comment, error) {
	c, err := a.Service.CreateComment(ctx, by, in.StoryID, p.commentParams(in.Body))
	return p.renderComment(c), err
}

type updateComment struct {
	StoryID int64  `path:"story-public-id" doc:"The id of the story."`
	ID      int64  `path:"comment-public-id" doc:"The id of the comment."`
	Text    string `json:"text" is:"required,min=1,max=100000"`
}

func (a API) updateComment(ctx context.Context, by tracker.Actor, p people, in updateComment) (Comment, error) {
	c, err := a.Service.UpdateComment(ctx, by, in.StoryID, in.ID, in.Text)
	return p.renderComment(c), err
}

func (a API) deleteComment(ctx context.Context, by tracker.Actor, in commentID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteComment(ctx, by, in.StoryID, in.ID)
}
