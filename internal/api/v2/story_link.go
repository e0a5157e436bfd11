package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// StoryLink says how one story stands to another.
type StoryLink struct {
	CreatedAt  tracker.Time `json:"created_at"`
	EntityType string       `json:"entity_type"`
	ID         int64        `json:"id"`
	ObjectID   int64        `json:"object_id"`
	SubjectID  int64        `json:"subject_id"`
	UpdatedAt  tracker.Time `json:"updated_at"`
	Verb       string       `json:"verb" is:"enum=blocks|duplicates|relates to"`
}

// TypedStoryLink is a story link as one of its two stories shows it.
type TypedStoryLink struct {
	StoryLink
	Type string `json:"type" is:"enum=subject|object"`
}

func renderStoryLink(l tracker.StoryLink) StoryLink {
	return StoryLink{
		CreatedAt: l.CreatedAt, EntityType: l.EntityType(), ID: l.ID, ObjectID: l.ObjectID, SubjectID: l.SubjectID, UpdatedAt: l.UpdatedAt,
		Verb: string(l.Verb),
	}
}

func showStoryLink(l v3.TypedStoryLink) TypedStoryLink {
	return TypedStoryLink{
		StoryLink: StoryLink{
			CreatedAt: l.CreatedAt, EntityType: l.EntityType, ID: l.ID, ObjectID: l.ObjectID, SubjectID: l.SubjectID, UpdatedAt: l.UpdatedAt,
			Verb: l.Verb,
		},
		Type: l.Type,
	}
}

type storyLinkID struct {
	ID int64 `path:"story-link-public-id" doc:"The id of the story link."`
}

func (a API) getStoryLink(ctx context.Context, by tracker.Actor, in storyLinkID) (StoryLink, error) {
	l, err := a.Service.StoryLink(ctx, by, in.ID)
	return renderStoryLink(l), err
}

type createStoryLink struct {
	ObjectID  int64        `json:"object_id" is:"required"`
	SubjectID int64        `json:"subject_id" is:"required"`
	Verb      tracker.Verb `json:"verb" is:"required,enum=blocks|duplicates|relates to"`
}

func (a API) createStoryLink(ctx context.Context, by tracker.Actor, in createStoryLink) (StoryLink, error) {
	l, err := a.Service.CreateStoryLink(ctx, by, tracker.StoryLinkParams{
		SubjectID: tracker.Some(in.SubjectID), Verb: in.Verb, ObjectID: tracker.Some(in.ObjectID),
	})
	return renderStoryLink(l), err
}

func (a API) deleteStoryLink(ctx context.Context, by tracker.Actor, in storyLinkID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteStoryLink(ctx, by, in.ID)
}
