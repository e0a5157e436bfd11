package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

type storyID struct {
	ID int64 `path:"story-public-id" doc:"The id of the story."`
}

func (a API) getStory(ctx context.Context, by tracker.Actor, in storyID) (Story, error) {
	return a.oneStory(by)(a.Service.Story(ctx, by, in.ID))
}

// oneStory renders what a use case returns for one story.
func (a API) oneStory(by tracker.Actor) func(service.StoryDetail, error) (Story, error) {
	return func(d service.StoryDetail, err error) (Story, error) {
		if err != nil {
			return Story{}, err
		}
		return a.RenderStory(by, d, 0), nil
	}
}

func (a API) createStory(ctx context.Context, by tracker.Actor, in CreateStoryParams) (Story, error) {
	return a.oneStory(by)(a.Service.CreateStory(ctx, by, in.params()))
}

type updateStory struct {
	ID   int64 `path:"story-public-id" doc:"The id of the story."`
	Body UpdateStoryParams
}

func (a API) updateStory(ctx context.Context, by tracker.Actor, in updateStory) (Story, error) {
	return a.oneStory(by)(a.Service.UpdateStory(ctx, by, in.ID, in.Body.change()))
}

func (a API) deleteStory(ctx context.Context, by tracker.Actor, in storyID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteStory(ctx, by, in.ID)
}

type createStories struct {
	Stories []CreateStoryParams `json:"stories" is:"required,minitems=1,maxitems=1000"`
}

func (a API) createStories(ctx context.Context, by tracker.Actor, in createStories) ([]StorySlim, error) {
	list, err := a.Service.CreateStories(ctx, by, Each(in.Stories, CreateStoryParams.params))
	return a.RenderStorySlims(by, list, true), err
}

type updateStories struct {
	StoryIDs []int64 `json:"story_ids" is:"required,minitems=1,maxitems=1000"`

	AfterID            tracker.Opt[int64]             `json:"after_id" doc:"Move the stories after this one in its state."`
	Archived           tracker.Opt[bool]              `json:"archived"`
	BeforeID           tracker.Opt[int64]             `json:"before_id" doc:"Move the stories before this one in its state."`
	CustomFieldsAdd    []CustomFieldValueParams       `json:"custom_fields_add"`
	CustomFieldsRemove []CustomFieldValueParams       `json:"custom_fields_remove"`
	Deadline           tracker.Opt[tracker.Time]      `json:"deadline" is:"null"`
	EpicID             tracker.Opt[int64]             `json:"epic_id" is:"null"`
	Estimate           tracker.Opt[int64]             `json:"estimate" is:"null,least=0"`
	ExternalLinks      tracker.Opt[[]string]          `json:"external_links" is:"min=1,max=2048"`
	FollowerIDsAdd     []tracker.UUID                 `json:"follower_ids_add"`
	FollowerIDsRemove  []tracker.UUID                 `json:"follower_ids_remove"`
	GroupID            tracker.Opt[tracker.UUID]      `json:"group_id" is:"null"`
	IterationID        tracker.Opt[int64]             `json:"iteration_id" is:"null"`
	LabelsAdd          []CreateLabelParams            `json:"labels_add"`
	LabelsRemove       []CreateLabelParams            `json:"labels_remove"`
	MoveTo             tracker.Opt[string]            `json:"move_to" is:"enum=last|first"`
	OwnerIDsAdd        []tracker.UUID                 `json:"owner_ids_add"`
	OwnerIDsRemove     []tracker.UUID                 `json:"owner_ids_remove"`
	ProjectID          tracker.Opt[int64]             `json:"project_id" is:"null"`
	RequestedByID      tracker.Opt[tracker.UUID]      `json:"requested_by_id"`
	StoryType          tracker.Opt[tracker.StoryType] `json:"story_type" is:"enum=feature|chore|bug"`
	WorkflowStateID    tracker.Opt[int64]             `json:"workflow_state_id"`
}

func (p updateStories) change() tracker.StoryChange {
	label := func(l CreateLabelParams) tracker.LabelParams { return tracker.LabelParams(l) }
	return tracker.StoryChange{
		Type: p.StoryType, StateID: p.WorkflowStateID, ProjectID: p.ProjectID, EpicID: p.EpicID, IterationID: p.IterationID,
		GroupID: p.GroupID, RequestedBy: p.RequestedByID, Estimate: p.Estimate, Deadline: p.Deadline, Archived: p.Archived,
		ExternalLinks: p.ExternalLinks, OwnersAdd: p.OwnerIDsAdd, OwnersRemove: p.OwnerIDsRemove, FollowersAdd: p.FollowerIDsAdd,
		FollowersRemove: p.FollowerIDsRemove, LabelsAdd: Each(p.LabelsAdd, label), LabelsRemove: Each(p.LabelsRemove, label),
		FieldsAdd: Each(p.CustomFieldsAdd, storyField), FieldsRemove: Each(p.CustomFieldsRemove, storyField),
		Place: tracker.StoryPlace{BeforeID: p.BeforeID, AfterID: p.AfterID, MoveTo: p.MoveTo},
	}
}

func (a API) updateStories(ctx context.Context, by tracker.Actor, in updateStories) ([]StorySlim, error) {
	list, err := a.Service.UpdateStories(ctx, by, in.StoryIDs, in.change())
	return a.RenderStorySlims(by, list, true), err
}

type deleteStories struct {
	StoryIDs []int64 `json:"story_ids" is:"required,minitems=1,maxitems=1000"`
}

func (a API) deleteStories(ctx context.Context, by tracker.Actor, in deleteStories) (rest.None, error) {
	return rest.None{}, a.Service.DeleteStories(ctx, by, in.StoryIDs)
}

func (a API) listSubTasks(ctx context.Context, by tracker.Actor, in storyID) ([]StorySlim, error) {
	list, err := a.Service.SubTasks(ctx, by, in.ID)
	return a.RenderStorySlims(by, list, true), err
}

type labelStories struct {
	ID           int64             `path:"label-public-id" doc:"The id of the label."`
	Descriptions tracker.Opt[bool] `query:"includes_description" doc:"Return the descriptions of the stories too."`
}

func (a API) listLabelStories(ctx context.Context, by tracker.Actor, in labelStories) (rest.Stream[StorySlim], error) {
	return a.StreamStorySlims(by, a.Service.StoriesOfLabel(ctx, by, in.ID), in.Descriptions.Or(false)), nil
}

type externalLink struct {
	Link string `query:"external_link" is:"required,min=1,max=2048" doc:"The external link of one or more stories."`
}

func (a API) listLinkStories(ctx context.Context, by tracker.Actor, in externalLink) (rest.Stream[StorySlim], error) {
	return a.StreamStorySlims(by, a.Service.StoriesWithLink(ctx, by, in.Link), true), nil
}
