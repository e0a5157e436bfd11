package v3

import (
	"context"
	"fmt"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// StoryComment is a remark on a story.
type StoryComment struct {
	AppURL           string          `json:"app_url"`
	AuthorID         *tracker.UUID   `json:"author_id"`
	Blocker          bool            `json:"blocker"`
	CreatedAt        tracker.Time    `json:"created_at"`
	Deleted          bool            `json:"deleted"`
	EntityType       string          `json:"entity_type"`
	ExternalID       *string         `json:"external_id"`
	GroupMentionIDs  []tracker.UUID  `json:"group_mention_ids"`
	ID               int64           `json:"id"`
	LinkedToSlack    bool            `json:"linked_to_slack"`
	MemberMentionIDs []tracker.UUID  `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID  `json:"mention_ids"`
	ParentID         *int64          `json:"parent_id"`
	Position         int64           `json:"position"`
	Reactions        []StoryReaction `json:"reactions"`
	StoryID          int64           `json:"story_id"`
	Text             *string         `json:"text"`
	UnblocksParent   bool            `json:"unblocks_parent"`
	UpdatedAt        tracker.Time    `json:"updated_at"`
}

// StoryReaction is who answered a comment with one emoji.
type StoryReaction struct {
	Emoji         string         `json:"emoji"`
	PermissionIDs []tracker.UUID `json:"permission_ids"`
}

// RenderComment is the wire form of a comment.
func (a API) RenderComment(by tracker.Actor, c service.CommentInStory) StoryComment {
	out := StoryComment{
		AppURL: a.AppURL(by, "story", c.StoryID) + fmt.Sprintf("#activity-%d", c.ID), AuthorID: c.AuthorID, Blocker: c.Blocker,
		CreatedAt: c.CreatedAt, Deleted: c.Deleted, EntityType: c.EntityType(), ExternalID: c.ExternalID,
		GroupMentionIDs: c.GroupMentions, ID: c.ID, LinkedToSlack: c.LinkedToSlack, MemberMentionIDs: c.MemberMentions,
		MentionIDs: c.MemberMentions, ParentID: c.ParentID, Position: c.Position, Reactions: renderReactions(c.Reactions),
		StoryID: c.StoryID, UnblocksParent: c.UnblocksParent, UpdatedAt: c.UpdatedAt,
	}
	if !c.Deleted {
		out.Text = &c.Text
	}
	return out
}

func renderReactions(list []tracker.Reaction) []StoryReaction {
	return Each(list, func(r tracker.Reaction) StoryReaction { return StoryReaction{r.Emoji, r.Members} })
}

// CreateStoryCommentParams is a comment to create, alone or with its story.
type CreateStoryCommentParams struct {
	Text           string                    `json:"text" is:"required,min=1,max=100000"`
	AuthorID       tracker.Opt[tracker.UUID] `json:"author_id" doc:"Who wrote it; the token's member by default."`
	ParentID       tracker.Opt[int64]        `json:"parent_id" is:"null" doc:"The comment that this one answers."`
	ExternalID     tracker.Opt[string]       `json:"external_id" is:"max=1024"`
	Blocker        tracker.Opt[bool]         `json:"blocker" doc:"The story is stuck until an answer unblocks it."`
	UnblocksParent tracker.Opt[bool]         `json:"unblocks_parent" doc:"Resolves the blocker that this comment answers."`
	CreatedAt      tracker.Opt[tracker.Time] `json:"created_at"`
	UpdatedAt      tracker.Opt[tracker.Time] `json:"updated_at"`
}

type commentID struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	ID      int64 `path:"comment-public-id" doc:"The id of the comment."`
}

func (a API) listComments(ctx context.Context, by tracker.Actor, in storyID) ([]StoryComment, error) {
	list, err := a.Service.Comments(ctx, by, in.ID)
	return Each(list, func(c service.CommentInStory) StoryComment { return a.RenderComment(by, c) }), err
}

func (a API) getComment(ctx context.Context, by tracker.Actor, in commentID) (StoryComment, error) {
	c, err := a.Service.Comment(ctx, by, in.StoryID, in.ID)
	return a.RenderComment(by, c), err
}

type createComment struct {
	StoryID int64 `path:"story-public-id" doc:"The id of the story."`
	Body    CreateStoryCommentParams
}

func (a API) createComment(ctx context.Context, by tracker.Actor, in createComment) (StoryComment, error) {
	c, err := a.Service.CreateComment(ctx, by, in.StoryID, tracker.CommentParams(in.Body))
	return a.RenderComment(by, c), err
}

type updateComment struct {
	StoryID int64  `path:"story-public-id" doc:"The id of the story."`
	ID      int64  `path:"comment-public-id" doc:"The id of the comment."`
	Text    string `json:"text" is:"required,min=1,max=100000"`
}

func (a API) updateComment(ctx context.Context, by tracker.Actor, in updateComment) (StoryComment, error) {
	c, err := a.Service.UpdateComment(ctx, by, in.StoryID, in.ID, in.Text)
	return a.RenderComment(by, c), err
}

func (a API) deleteComment(ctx context.Context, by tracker.Actor, in commentID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteComment(ctx, by, in.StoryID, in.ID)
}

type reaction struct {
	StoryID int64  `path:"story-public-id" doc:"The id of the story."`
	ID      int64  `path:"comment-public-id" doc:"The id of the comment."`
	Emoji   string `json:"emoji" is:"required,min=1,max=128" doc:"A short code such as :thumbsup:."`
}

func (a API) addReaction(ctx context.Context, by tracker.Actor, in reaction) ([]StoryReaction, error) {
	list, err := a.Service.React(ctx, by, in.StoryID, in.ID, in.Emoji, true)
	return renderReactions(list), err
}

func (a API) removeReaction(ctx context.Context, by tracker.Actor, in reaction) (rest.None, error) {
	_, err := a.Service.React(ctx, by, in.StoryID, in.ID, in.Emoji, false)
	return rest.None{}, err
}

func (a API) unlinkFromSlack(ctx context.Context, by tracker.Actor, in commentID) (StoryComment, error) {
	c, err := a.Service.UnlinkFromSlack(ctx, by, in.StoryID, in.ID)
	return a.RenderComment(by, c), err
}
