package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

type storyID struct {
	ID int64 `path:"story-public-id" doc:"The id of the story."`
}

func (a API) getStory(ctx context.Context, by tracker.Actor, in storyID) (Story, error) {
	return a.renderStory(by)(a.Service.Story(ctx, by, in.ID))
}

func (a API) createStory(ctx context.Context, by tracker.Actor, in CreateStoryParams) (Story, error) {
	return a.renderStory(by)(a.Service.CreateStory(ctx, by, in.params()))
}

type updateStory struct {
	ID   int64 `path:"story-public-id" doc:"The id of the story."`
	Body UpdateStoryParams
}

func (a API) updateStory(ctx context.Context, by tracker.Actor, in updateStory) (Story, error) {
	return a.renderStory(by)(a.Service.UpdateStory(ctx, by, in.ID, in.Body.change()))
}

func (a API) deleteStory(ctx context.Context, by tracker.Actor, in storyID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteStory(ctx, by, in.ID)
}

type createStories struct {
	Stories []CreateStoryParams `json:"stories" is:"required,minitems=1,maxitems=1000"`
}

func (a API) createStories(ctx context.Context, by tracker.Actor, in createStories) ([]StorySlim, error) {
	return a.renderStories(by)(a.Service.CreateStories(ctx, by, v3.Each(in.Stories, CreateStoryParams.params)))
}

type updateStories struct {
	StoryIDs []int64 `json:"story_ids" is:"required,minitems=1,maxitems=1000"`

	AfterID           tracker.Opt[int64]             `json:"after_id" doc:"Move the stories after this one in its state."`
	Archived          tracker.Opt[bool]              `json:"archived"`
	BeforeID          tracker.Opt[int64]             `json:"before_id" doc:"Move the stories before this one in its state."`
	Deadline          tracker.Opt[tracker.Time]      `json:"deadline" is:"null"`
	EpicID            tracker.Opt[int64]             `json:"epic_id" is:"null"`
	Estimate          tracker.Opt[int64]             `json:"estimate" is:"null,least=0"`
	FollowerIDsAdd    []tracker.UUID                 `json:"follower_ids_add"`
	FollowerIDsRemove []tracker.UUID                 `json:"follower_ids_remove"`
	LabelsAdd         []CreateLabelParams            `json:"labels_add"`
	LabelsRemove      []CreateLabelParams            `json:"labels_remove"`
	OwnerIDsAdd       []tracker.UUID                 `json:"owner_ids_add"`
	OwnerIDsRemove    []tracker.UUID                 `json:"owner_ids_remove"`
	ProjectID         tracker.Opt[int64]             `json:"project_id" is:"null"`
	RequestedByID     tracker.Opt[tracker.UUID]      `json:"requested_by_id"`
	StoryType         tracker.Opt[tracker.StoryType] `json:"story_type" is:"enum=feature|chore|bug"`
	WorkflowStateID   tracker.Opt[int64]             `json:"workflow_state_id"`
}

func (a API) updateStories(ctx context.Context, by tracker.Actor, in updateStories) ([]StorySlim, error) {
	return a.renderStories(by)(a.Service.UpdateStories(ctx, by, in.StoryIDs, tracker.StoryChange{
		Type: in.StoryType, StateID: in.WorkflowStateID, ProjectID: in.ProjectID, EpicID: in.EpicID, RequestedBy: in.RequestedByID,
		Estimate: in.Estimate, Deadline: in.Deadline, Archived: in.Archived, OwnersAdd: in.OwnerIDsAdd, OwnersRemove: in.OwnerIDsRemove,
		FollowersAdd: in.FollowerIDsAdd, FollowersRemove: in.FollowerIDsRemove, LabelsAdd: v3.Each(in.LabelsAdd, CreateLabelParams.params),
		LabelsRemove: v3.Each(in.LabelsRemove, CreateLabelParams.params), Place: tracker.StoryPlace{BeforeID: in.BeforeID, AfterID: in.AfterID},
	}))
}

type deleteStories struct {
	StoryIDs []int64 `json:"story_ids" is:"required,minitems=1,maxitems=1000"`
}

func (a API) deleteStories(ctx context.Context, by tracker.Actor, in deleteStories) (rest.None, error) {
	return rest.None{}, a.Service.DeleteStories(ctx, by, in.StoryIDs)
}
