package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// EpicSlim is an epic as lists show it.
type EpicSlim struct {
	AppURL                 string                `json:"app_url"`
	Archived               bool                  `json:"archived"`
	AssociatedGroups       []EpicAssociatedGroup `json:"associated_groups"`
	Completed              bool                  `json:"completed"`
	CompletedAt            *tracker.Time         `json:"completed_at"`
	CompletedAtOverride    *tracker.Time         `json:"completed_at_override"`
	CreatedAt              tracker.Time          `json:"created_at"`
	Deadline               *tracker.Time         `json:"deadline"`
	Description            *string               `json:"description,omitzero"`
	EntityType             string                `json:"entity_type"`
	EpicStateID            int64                 `json:"epic_state_id"`
	ExternalID             *string               `json:"external_id"`
	ExternalTickets        []ExternalTicket      `json:"external_tickets"`
	FollowerIDs            []tracker.UUID        `json:"follower_ids"`
	GlobalID               string                `json:"global_id"`
	GroupID                *tracker.UUID         `json:"group_id"`
	GroupIDs               []tracker.UUID        `json:"group_ids"`
	GroupMentionIDs        []tracker.UUID        `json:"group_mention_ids"`
	ID                     int64                 `json:"id"`
	LabelIDs               []int64               `json:"label_ids"`
	Labels                 []Label               `json:"labels"`
	MemberMentionIDs       []tracker.UUID        `json:"member_mention_ids"`
	MentionIDs             []tracker.UUID        `json:"mention_ids"`
	MilestoneID            *int64                `json:"milestone_id"`
	Name                   string                `json:"name"`
	ObjectiveIDs           []int64               `json:"objective_ids"`
	OwnerIDs               []tracker.UUID        `json:"owner_ids"`
	PlannedStartDate       *tracker.Time         `json:"planned_start_date"`
	Position               int64                 `json:"position"`
	ProductboardID         *tracker.UUID         `json:"productboard_id"`
	ProductboardName       *string               `json:"productboard_name"`
	ProductboardPluginID   *tracker.UUID         `json:"productboard_plugin_id"`
	ProductboardURL        *string               `json:"productboard_url"`
	ProjectIDs             []int64               `json:"project_ids"`
	RequestedByID          tracker.UUID          `json:"requested_by_id"`
	Started                bool                  `json:"started"`
	StartedAt              *tracker.Time         `json:"started_at"`
	StartedAtOverride      *tracker.Time         `json:"started_at_override"`
	State                  string                `json:"state" is:"enum=to do|in progress|done"`
	Stats                  EpicStats             `json:"stats"`
	StoriesWithoutProjects int64                 `json:"stories_without_projects"`
	UpdatedAt              tracker.Time          `json:"updated_at"`
}

// Epic is a single epic with its discussion.
type Epic struct {
	EpicSlim
	Comments []ThreadedComment `json:"comments"`
	Health   *Health           `json:"health,omitzero"`
}

// EpicAssociatedGroup is a group that has stories in the epic.
type EpicAssociatedGroup struct {
	AssociatedStoriesCount int64        `json:"associated_stories_count"`
	GroupID                tracker.UUID `json:"group_id"`
}

// ExternalTicket is a ticket of another tool that the epic stands for.
type ExternalTicket struct {
	ExternalID  string       `json:"external_id"`
	ExternalURL string       `json:"external_url"`
	ID          tracker.UUID `json:"id"`
	StoryIDs    []int64      `json:"story_ids"`
}

// EpicStats counts the stories of an epic; the averages are in seconds and absent until a story
// is done.
type EpicStats struct {
	AverageCycleTime      *int64        `json:"average_cycle_time,omitzero"`
	AverageLeadTime       *int64        `json:"average_lead_time,omitzero"`
	LastStoryUpdate       *tracker.Time `json:"last_story_update"`
	NumPoints             int64         `json:"num_points"`
	NumPointsBacklog      int64         `json:"num_points_backlog"`
	NumPointsDone         int64         `json:"num_points_done"`
	NumPointsStarted      int64         `json:"num_points_started"`
	NumPointsUnstarted    int64         `json:"num_points_unstarted"`
	NumRelatedDocuments   int64         `json:"num_related_documents"`
	NumStoriesBacklog     int64         `json:"num_stories_backlog"`
	NumStoriesDone        int64         `json:"num_stories_done"`
	NumStoriesStarted     int64         `json:"num_stories_started"`
	NumStoriesTotal       int64         `json:"num_stories_total"`
	NumStoriesUnestimated int64         `json:"num_stories_unestimated"`
	NumStoriesUnstarted   int64         `json:"num_stories_unstarted"`
}

// RenderEpicSlims renders a list; descriptions are left out unless asked for.
func (a API) RenderEpicSlims(by tracker.Actor, list service.EpicList, descriptions bool) []EpicSlim {
	out := make([]EpicSlim, len(list.Epics))
	for i := range list.Epics {
		out[i] = a.renderEpicSlim(by, &list, &list.Epics[i])
		if descriptions {
			out[i].Description = &list.Epics[i].Description
		}
	}
	return out
}

// RenderEpic renders a single epic.
func (a API) RenderEpic(by tracker.Actor, d service.EpicDetail, err error) (Epic, error) {
	if err != nil {
		return Epic{}, err
	}
	out := Epic{EpicSlim: a.RenderEpicSlims(by, d.EpicList, true)[0], Comments: a.RenderThreads(by, d.Comments)}
	if d.Health != nil {
		health := renderHealth(*d.Health)
		out.Health = &health
	}
	return out, nil
}

func (a API) renderEpicSlim(by tracker.Actor, list *service.EpicList, e *tracker.Epic) EpicSlim {
	stats := list.Stats[e.ID]
	return EpicSlim{
		AppURL: a.AppURL(by, "epic", e.ID), Archived: e.Archived, Completed: e.Completed(), CompletedAt: e.CompletedAt,
		AssociatedGroups: Each(stats.Groups, func(g tracker.GroupStories) EpicAssociatedGroup {
			return EpicAssociatedGroup{AssociatedStoriesCount: g.Stories, GroupID: g.GroupID}
		}),
		CompletedAtOverride: e.CompletedAtOverride, CreatedAt: e.CreatedAt, Deadline: e.Deadline, EntityType: e.EntityType(),
		EpicStateID: e.StateID, ExternalID: e.ExternalID,
		ExternalTickets: Each(e.ExternalTickets, func(t tracker.ExternalTicket) ExternalTicket {
			return ExternalTicket{ExternalID: t.ExternalID, ExternalURL: t.ExternalURL, ID: t.ID, StoryIDs: t.StoryIDs}
		}),
		FollowerIDs: e.FollowerIDs, GlobalID: globalID(by, "e", e.ID), GroupID: firstOf(e.GroupIDs), GroupIDs: e.GroupIDs,
		GroupMentionIDs: e.GroupMentions, ID: e.ID, LabelIDs: e.LabelIDs,
		Labels:           Each(e.LabelIDs, func(id int64) Label { return a.RenderLabel(by, list.Labels[id]) }),
		MemberMentionIDs: e.MemberMentions, MentionIDs: e.MemberMentions, MilestoneID: firstOf(e.ObjectiveIDs), Name: e.Name,
		ObjectiveIDs: e.ObjectiveIDs, OwnerIDs: e.OwnerIDs, PlannedStartDate: e.PlannedStartDate, Position: e.Position,
		ProjectIDs: stats.ProjectIDs, RequestedByID: e.RequestedBy, Started: e.Started(), StartedAt: e.StartedAt,
		StartedAtOverride: e.StartedAtOverride, State: list.States[e.StateID].Word(), Stats: renderEpicStats(e, stats),
		StoriesWithoutProjects: stats.WithoutProjects, UpdatedAt: e.UpdatedAt,
	}
}

func renderEpicStats(e *tracker.Epic, s tracker.EpicStats) EpicStats {
	return EpicStats{
		AverageCycleTime: s.AverageCycleTime(), AverageLeadTime: s.AverageLeadTime(), LastStoryUpdate: s.LastUpdate,
		NumPoints: s.Points, NumPointsBacklog: s.PointsBacklog, NumPointsDone: s.PointsDone, NumPointsStarted: s.PointsStarted,
		NumPointsUnstarted: s.PointsUnstarted, NumRelatedDocuments: int64(len(e.DocumentIDs)), NumStoriesBacklog: s.Backlog, NumStoriesDone: s.Done, NumStoriesStarted: s.Started,
		NumStoriesTotal: s.Total, NumStoriesUnestimated: s.Unestimated, NumStoriesUnstarted: s.Unstarted,
	}
}

// firstOf is what a field for one shows of a list; nil when it is empty.
func firstOf[T any](list []T) *T {
	if len(list) == 0 {
		return nil
	}
	return &list[0]
}

type listEpics struct {
	IncludesDescription tracker.Opt[bool] `query:"includes_description" doc:"Whether to return the descriptions."`
}

func (a API) listEpics(ctx context.Context, by tracker.Actor, in listEpics) ([]EpicSlim, error) {
	list, err := a.Service.Epics(ctx, by)
	return a.RenderEpicSlims(by, list, in.IncludesDescription.Or(false)), err
}

func (a API) listLabelEpics(ctx context.Context, by tracker.Actor, in labelID) ([]EpicSlim, error) {
	list, err := a.Service.EpicsOfLabel(ctx, by, in.ID)
	return a.RenderEpicSlims(by, list, true), err
}

// EpicPaginatedResults is one page of all epics.
type EpicPaginatedResults struct {
	Data  []EpicSlim `json:"data"`
	Next  *int64     `json:"next"`
	Total int64      `json:"total"`
}

type pageEpics struct {
	IncludesDescription tracker.Opt[bool]  `query:"includes_description" doc:"Whether to return the descriptions."`
	Page                tracker.Opt[int64] `query:"page" is:"least=1" doc:"The number of the page, from 1."`
	PageSize            tracker.Opt[int64] `query:"page_size" is:"least=1,most=250" doc:"How many epics a page has; 10 unless given."`
}

func (a API) pageEpics(ctx context.Context, by tracker.Actor, in pageEpics) (EpicPaginatedResults, error) {
	page, err := a.Service.EpicPage(ctx, by, in.Page.Or(1), in.PageSize.Or(10))
	return EpicPaginatedResults{
		Data: a.RenderEpicSlims(by, page.EpicList, in.IncludesDescription.Or(false)), Next: page.Next, Total: page.Total,
	}, err
}

type epicID struct {
	ID int64 `path:"epic-public-id" doc:"The id of the epic."`
}

func (a API) getEpic(ctx context.Context, by tracker.Actor, in epicID) (Epic, error) {
	d, err := a.Service.Epic(ctx, by, in.ID)
	return a.RenderEpic(by, d, err)
}

func (a API) deleteEpic(ctx context.Context, by tracker.Actor, in epicID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEpic(ctx, by, in.ID)
}

type unlinkEpic struct {
	ID   int64  `path:"epic-public-id" doc:"The id of the epic."`
	Tool string `path:"planning-tool" is:"min=1" doc:"The name of the planning tool."`
}

func (a API) unlinkEpic(ctx context.Context, by tracker.Actor, in unlinkEpic) (rest.None, error) {
	return rest.None{}, a.Service.UnlinkEpic(ctx, by, in.ID)
}

type listEpicStories struct {
	ID                  int64             `path:"epic-public-id" doc:"The id of the epic."`
	IncludesDescription tracker.Opt[bool] `query:"includes_description" doc:"Whether to return the descriptions."`
}

func (a API) listEpicStories(ctx context.Context, by tracker.Actor, in listEpicStories) (rest.Stream[StorySlim], error) {
	return a.StreamStorySlims(by, a.Service.StoriesOfEpic(ctx, by, in.ID), in.IncludesDescription.Or(false)), nil
}
