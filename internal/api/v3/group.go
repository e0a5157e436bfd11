package v3

import (
	"context"

	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Group is a team of members.
type Group struct {
	AppURL            string         `json:"app_url"`
	Archived          bool           `json:"archived"`
	Color             *string        `json:"color" is:"color"`
	ColorKey          *string        `json:"color_key" is:"enum=black|blue|brass|fuchsia|gray|green|midnight-blue|orange|pink|purple|red|sky-blue|slate|turquoise|yellow|yellow-green"`
	CreatedAt         tracker.Time   `json:"created_at"`
	DefaultWorkflowID *int64         `json:"default_workflow_id"`
	Description       string         `json:"description"`
	DisplayIcon       *Icon          `json:"display_icon"`
	EntityType        string         `json:"entity_type"`
	GlobalID          string         `json:"global_id"`
	ID                tracker.UUID   `json:"id"`
	MemberIDs         []tracker.UUID `json:"member_ids"`
	MentionName       string         `json:"mention_name"`
	Name              string         `json:"name"`
	NumEpicsStarted   int64          `json:"num_epics_started"`
	NumStories        int64          `json:"num_stories"`
	NumStoriesBacklog int64          `json:"num_stories_backlog"`
	NumStoriesStarted int64          `json:"num_stories_started"`
	UpdatedAt         tracker.Time   `json:"updated_at"`
	WorkflowIDs       []int64        `json:"workflow_ids"`
}

// RenderGroup is the wire form of a group.
func (a API) RenderGroup(by tracker.Actor, g service.GroupView) Group {
	return Group{
		AppURL: a.AppURL(by, "group", g.ID), Archived: g.Archived, Color: a.color(g.Color), ColorKey: g.ColorKey,
		CreatedAt: g.CreatedAt, DefaultWorkflowID: g.DefaultWorkflowID, Description: g.Description, DisplayIcon: a.RenderIcon(g.Icon),
		EntityType: g.EntityType(), GlobalID: globalID(by, "g", g.ID), ID: g.ID, MemberIDs: g.MemberIDs, MentionName: g.MentionName,
		Name: g.Name, NumEpicsStarted: g.EpicsStarted, NumStories: g.Stories.Total, NumStoriesBacklog: g.Stories.Backlog,
		NumStoriesStarted: g.Stories.Started, UpdatedAt: g.UpdatedAt, WorkflowIDs: g.WorkflowIDs,
	}
}

// RenderIcon is the wire form of an icon, if there is one.
func (a API) RenderIcon(i *tracker.Icon) *Icon {
	if i == nil {
		return nil
	}
	return &Icon{
		CreatedAt: i.CreatedAt, EntityType: i.EntityType(), ID: i.ID, UpdatedAt: i.UpdatedAt,
		URL: a.PublicURL + "/api/app/icons/" + string(i.ID),
	}
}

type listGroups struct {
	Archived tracker.Opt[bool] `query:"archived" doc:"Only groups that are (true) or are not (false) archived."`
}

func (a API) listGroups(ctx context.Context, by tracker.Actor, in listGroups) ([]Group, error) {
	list, err := a.Service.Groups(ctx, by, in.Archived)
	return Each(list, func(g service.GroupView) Group { return a.RenderGroup(by, g) }), err
}

type groupID struct {
	ID tracker.UUID `path:"group-public-id" doc:"The id of the group."`
}

func (a API) getGroup(ctx context.Context, by tracker.Actor, in groupID) (Group, error) {
	g, err := a.Service.Group(ctx, by, in.ID)
	return a.RenderGroup(by, g), err
}

type createGroup struct {
	Name          string                    `json:"name" is:"required,min=1,max=63"`
	MentionName   string                    `json:"mention_name" is:"required,min=1,max=63,mention"`
	Description   string                    `json:"description" is:"max=4096"`
	Color         tracker.Opt[string]       `json:"color" is:"color"`
	ColorKey      tracker.Opt[string]       `json:"color_key" is:"enum=black|blue|brass|fuchsia|gray|green|midnight-blue|orange|pink|purple|red|sky-blue|slate|turquoise|yellow|yellow-green"`
	DisplayIconID tracker.Opt[tracker.UUID] `json:"display_icon_id"`
	MemberIDs     []tracker.UUID            `json:"member_ids"`
	WorkflowIDs   []int64                   `json:"workflow_ids" doc:"The workflows that the group works in; by default that of the workspace."`
}

func (a API) createGroup(ctx context.Context, by tracker.Actor, in createGroup) (Group, error) {
	g, err := a.Service.CreateGroup(ctx, by, tracker.GroupParams(in))
	return a.RenderGroup(by, g), err
}

type updateGroup struct {
	ID                tracker.UUID                `path:"group-public-id" doc:"The id of the group."`
	Archived          tracker.Opt[bool]           `json:"archived" is:"null" doc:"Null means false."`
	Color             tracker.Opt[string]         `json:"color" is:"null,color"`
	ColorKey          tracker.Opt[string]         `json:"color_key" is:"enum=black|blue|brass|fuchsia|gray|green|midnight-blue|orange|pink|purple|red|sky-blue|slate|turquoise|yellow|yellow-green"`
	DefaultWorkflowID tracker.Opt[int64]          `json:"default_workflow_id" is:"null" doc:"One of the group's workflows."`
	Description       tracker.Opt[string]         `json:"description" is:"max=4096"`
	DisplayIconID     tracker.Opt[tracker.UUID]   `json:"display_icon_id" is:"null"`
	MemberIDs         tracker.Opt[[]tracker.UUID] `json:"member_ids"`
	MentionName       tracker.Opt[string]         `json:"mention_name" is:"min=1,max=63,mention"`
	Name              tracker.Opt[string]         `json:"name" is:"min=1,max=63"`
	WorkflowIDs       tracker.Opt[[]int64]        `json:"workflow_ids"`
}

func (a API) updateGroup(ctx context.Context, by tracker.Actor, in updateGroup) (Group, error) {
	g, err := a.Service.UpdateGroup(ctx, by, in.ID, tracker.GroupChange{
		Name: in.Name, MentionName: in.MentionName, Description: in.Description, Color: in.Color, ColorKey: in.ColorKey,
		DisplayIconID: in.DisplayIconID, Archived: in.Archived, DefaultWorkflowID: in.DefaultWorkflowID, MemberIDs: in.MemberIDs,
		WorkflowIDs: in.WorkflowIDs,
	})
	return a.RenderGroup(by, g), err
}

const maxGroupStories = 1000

type groupStories struct {
	ID     tracker.UUID       `path:"group-public-id" doc:"The id of the group."`
	Limit  tracker.Opt[int64] `query:"limit" json:"limit" is:"least=0,most=1000" doc:"How many stories to list at most; 1000 by default."`
	Offset tracker.Opt[int64] `query:"offset" json:"offset" is:"least=0" doc:"How many stories to leave out first; 0 by default."`
}

func (a API) listGroupStories(ctx context.Context, by tracker.Actor, in groupStories) ([]StorySlim, error) {
	list, err := a.Service.StoriesOfGroup(ctx, by, in.ID, in.Limit.Or(maxGroupStories), in.Offset.Or(0))
	return a.RenderStorySlims(by, list, true), err
}
