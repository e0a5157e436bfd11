package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Iteration is a stretch of days that stories are planned into, in lists too.
type Iteration struct {
	AppURL           string                     `json:"app_url"`
	AssociatedGroups []IterationAssociatedGroup `json:"associated_groups"`
	CreatedAt        tracker.Time               `json:"created_at"`
	Description      string                     `json:"description"`
	EndDate          tracker.Time               `json:"end_date"`
	EntityType       string                     `json:"entity_type"`
	FollowerIDs      []tracker.UUID             `json:"follower_ids"`
	GlobalID         string                     `json:"global_id"`
	GroupIDs         []tracker.UUID             `json:"group_ids"`
	GroupMentionIDs  []tracker.UUID             `json:"group_mention_ids"`
	ID               int64                      `json:"id"`
	LabelIDs         []int64                    `json:"label_ids"`
	Labels           []Label                    `json:"labels"`
	MemberMentionIDs []tracker.UUID             `json:"member_mention_ids"`
	MentionIDs       []tracker.UUID             `json:"mention_ids"`
	Name             string                     `json:"name"`
	StartDate        tracker.Time               `json:"start_date"`
	Stats            IterationStats             `json:"stats"`
	Status           string                     `json:"status" is:"enum=unstarted|started|done"`
	UpdatedAt        tracker.Time               `json:"updated_at"`
}

// IterationAssociatedGroup is a group with stories in an iteration.
type IterationAssociatedGroup struct {
	AssociatedStoriesCount int64        `json:"associated_stories_count"`
	GroupID                tracker.UUID `json:"group_id"`
}

// IterationStats counts the stories of an iteration.
type IterationStats struct {
	AverageCycleTime      *int64 `json:"average_cycle_time,omitzero"`
	AverageLeadTime       *int64 `json:"average_lead_time,omitzero"`
	NumPoints             int64  `json:"num_points"`
	NumPointsBacklog      int64  `json:"num_points_backlog"`
	NumPointsDone         int64  `json:"num_points_done"`
	NumPointsStarted      int64  `json:"num_points_started"`
	NumPointsUnstarted    int64  `json:"num_points_unstarted"`
	NumRelatedDocuments   int64  `json:"num_related_documents"`
	NumStoriesBacklog     int64  `json:"num_stories_backlog"`
	NumStoriesDone        int64  `json:"num_stories_done"`
	NumStoriesStarted     int64  `json:"num_stories_started"`
	NumStoriesUnestimated int64  `json:"num_stories_unestimated"`
	NumStoriesUnstarted   int64  `json:"num_stories_unstarted"`
}

func (a API) renderIteration(by tracker.Actor, i service.IterationView) Iteration {
	s := i.Stories
	return Iteration{
		AppURL: a.AppURL(by, "iteration", i.ID), CreatedAt: i.CreatedAt, Description: i.Description, EndDate: i.EndDate,
		AssociatedGroups: Each(i.Groups, func(g tracker.GroupStories) IterationAssociatedGroup {
			return IterationAssociatedGroup{AssociatedStoriesCount: g.Stories, GroupID: g.GroupID}
		}),
		EntityType: i.EntityType(), FollowerIDs: i.FollowerIDs, GlobalID: globalID(by, "i", i.ID), GroupIDs: i.GroupIDs,
		GroupMentionIDs: i.GroupMentions, ID: i.ID, LabelIDs: i.LabelIDs,
		Labels:           Each(i.Labels, func(l service.LabelWithStats) Label { return a.RenderLabelWithStats(by, l) }),
		MemberMentionIDs: i.MemberMentions, MentionIDs: i.MemberMentions, Name: i.Name, StartDate: i.StartDate,
		Stats: IterationStats{
			AverageCycleTime: s.AverageCycleTime(), AverageLeadTime: s.AverageLeadTime(), NumPoints: s.Points,
			NumPointsBacklog: s.PointsBacklog, NumPointsDone: s.PointsDone, NumPointsStarted: s.PointsStarted,
			NumPointsUnstarted: s.PointsUnstarted, NumStoriesBacklog: s.Backlog, NumStoriesDone: s.Done, NumStoriesStarted: s.Started,
			NumStoriesUnestimated: s.Unestimated, NumStoriesUnstarted: s.Unstarted,
		},
		Status: string(i.Status), UpdatedAt: i.UpdatedAt,
	}
}

func (a API) listIterations(ctx context.Context, by tracker.Actor, _ rest.None) ([]Iteration, error) {
	list, err := a.Service.Iterations(ctx, by)
	return Each(list, func(i service.IterationView) Iteration { return a.renderIteration(by, i) }), err
}

type iterationID struct {
	ID int64 `path:"iteration-public-id" doc:"The id of the iteration."`
}

func (a API) getIteration(ctx context.Context, by tracker.Actor, in iterationID) (Iteration, error) {
	i, err := a.Service.Iteration(ctx, by, in.ID)
	return a.renderIteration(by, i), err
}

type createIteration struct {
	Description tracker.Opt[string]              `json:"description" is:"max=100000"`
	EndDate     string                           `json:"end_date" is:"required,date" doc:"The last day, such as 2026-01-31."`
	FollowerIDs tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	GroupIDs    tracker.Opt[[]tracker.UUID]      `json:"group_ids"`
	Labels      tracker.Opt[[]CreateLabelParams] `json:"labels" doc:"Found by name, or created."`
	Name        string                           `json:"name" is:"required,min=1,max=256"`
	StartDate   string                           `json:"start_date" is:"required,date" doc:"The first day, such as 2026-01-18."`
}

func (a API) createIteration(ctx context.Context, by tracker.Actor, in createIteration) (Iteration, error) {
	i, err := a.Service.CreateIteration(ctx, by, tracker.IterationChange{
		Name: tracker.Some(in.Name), Description: in.Description, StartDate: dayOf(tracker.Some(in.StartDate)),
		EndDate: dayOf(tracker.Some(in.EndDate)), FollowerIDs: in.FollowerIDs, GroupIDs: in.GroupIDs, Labels: labelParams(in.Labels),
	})
	return a.renderIteration(by, i), err
}

type updateIteration struct {
	ID          int64                            `path:"iteration-public-id" doc:"The id of the iteration."`
	Description tracker.Opt[string]              `json:"description" is:"max=100000"`
	EndDate     tracker.Opt[string]              `json:"end_date" is:"date" doc:"The last day, such as 2026-01-31."`
	FollowerIDs tracker.Opt[[]tracker.UUID]      `json:"follower_ids"`
	GroupIDs    tracker.Opt[[]tracker.UUID]      `json:"group_ids"`
	Labels      tracker.Opt[[]CreateLabelParams] `json:"labels" doc:"Found by name, or created."`
	Name        tracker.Opt[string]              `json:"name" is:"min=1,max=256"`
	StartDate   tracker.Opt[string]              `json:"start_date" is:"date" doc:"The first day, such as 2026-01-18."`
}

func (a API) updateIteration(ctx context.Context, by tracker.Actor, in updateIteration) (Iteration, error) {
	i, err := a.Service.UpdateIteration(ctx, by, in.ID, tracker.IterationChange{
		Name: in.Name, Description: in.Description, StartDate: dayOf(in.StartDate), EndDate: dayOf(in.EndDate),
		FollowerIDs: in.FollowerIDs, GroupIDs: in.GroupIDs, Labels: labelParams(in.Labels),
	})
	return a.renderIteration(by, i), err
}

// dayOf is the midnight UTC of a date, whose form has been checked.
func dayOf(date tracker.Opt[string]) tracker.Opt[tracker.Time] {
	day, err := tracker.ParseDay(date.Value)
	if date.State != tracker.Given || err != nil {
		return tracker.Opt[tracker.Time]{State: date.State}
	}
	return tracker.Some(day)
}

func (a API) deleteIteration(ctx context.Context, by tracker.Actor, in iterationID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteIteration(ctx, by, in.ID)
}

type iterationStories struct {
	ID                  int64             `path:"iteration-public-id" doc:"The id of the iteration."`
	IncludesDescription tracker.Opt[bool] `query:"includes_description" doc:"Whether the stories carry their descriptions."`
}

func (a API) listIterationStories(ctx context.Context, by tracker.Actor, in iterationStories) (rest.Stream[StorySlim], error) {
	return a.StreamStorySlims(by, a.Service.StoriesOfIteration(ctx, by, in.ID), in.IncludesDescription.Or(false)), nil
}
