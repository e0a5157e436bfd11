package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// EpicSlim is an epic without its discussion.
type EpicSlim struct {
	Archived            bool           `json:"archived"`
	Completed           bool           `json:"completed"`
	CompletedAt         *tracker.Time  `json:"completed_at"`
	CompletedAtOverride *tracker.Time  `json:"completed_at_override"`
	CreatedAt           tracker.Time   `json:"created_at"`
	Deadline            *tracker.Time  `json:"deadline"`
	Description         string         `json:"description"`
	EntityType          string         `json:"entity_type"`
	EpicStateID         int64          `json:"epic_state_id"`
	ExternalID          *string        `json:"external_id"`
	FollowerIDs         []tracker.UUID `json:"follower_ids"`
	ID                  int64          `json:"id"`
	Labels              []Label        `json:"labels"`
	MentionIDs          []tracker.UUID `json:"mention_ids"`
	MilestoneID         *int64         `json:"milestone_id"`
	Name                string         `json:"name"`
	OwnerIDs            []tracker.UUID `json:"owner_ids"`
	Position            int64          `json:"position"`
	ProjectIDs          []int64        `json:"project_ids"`
	RequestedByID       tracker.UUID   `json:"requested_by_id"`
	Started             bool           `json:"started"`
	StartedAt           *tracker.Time  `json:"started_at"`
	StartedAtOverride   *tracker.Time  `json:"started_at_override"`
	State               string         `json:"state" is:"enum=to do|in progress|done"`
	Stats               EpicStats      `json:"stats"`
	UpdatedAt           tracker.Time   `json:"updated_at"`
}

// Epic is an epic with its discussion, in lists too.
type Epic struct {
	EpicSlim
	Comments []ThreadedComment `json:"comments"`
}

// EpicStats counts the stories of an epic; what is in a backlog counts as unstarted.
type EpicStats struct {
	LastStoryUpdate       *tracker.Time `json:"last_story_update"`
	NumPoints             int64         `json:"num_points"`
	NumPointsDone         int64         `json:"num_points_done"`
	NumPointsStarted      int64         `json:"num_points_started"`
	NumPointsUnstarted    int64         `json:"num_points_unstarted"`
	NumStoriesDone        int64         `json:"num_stories_done"`
	NumStoriesStarted     int64         `json:"num_stories_started"`
	NumStoriesUnestimated int64         `json:"num_stories_unestimated"`
	NumStoriesUnstarted   int64         `json:"num_stories_unstarted"`
}

// renderEpics renders what a use case returns for a list, with what only this version shows of it.
func (a API) renderEpics(ctx context.Context, by tracker.Actor, list service.EpicList, err error) ([]Epic, error) {
	if err != nil {
		return nil, err
	}
	contents, err := a.Service.EpicContents(ctx, by, list)
	if err != nil {
		return nil, err
	}
	return v3.Each(a.RenderEpicSlims(by, list, true), func(e v3.EpicSlim) Epic {
		out := Epic{showEpic(e), v3.Each(a.RenderThreads(by, contents.Threads[e.ID]), showThread)}
		out.Labels = v3.Each(e.LabelIDs, func(id int64) Label {
			return a.renderLabel(by, service.LabelWithStats{Label: list.Labels[id], Stats: contents.LabelStats[id]})
		})
		return out
	}), nil
}

func (a API) renderEpic(ctx context.Context, by tracker.Actor, d service.EpicDetail, err error) (Epic, error) {
	list, err := a.renderEpics(ctx, by, d.EpicList, err)
	if err != nil {
		return Epic{}, err
	}
	return list[0], nil
}

func showEpic(e v3.EpicSlim) EpicSlim {
	s := e.Stats
	return EpicSlim{
		Archived: e.Archived, Completed: e.Completed, CompletedAt: e.CompletedAt, CompletedAtOverride: e.CompletedAtOverride,
		CreatedAt: e.CreatedAt, Deadline: e.Deadline, Description: *e.Description, EntityType: e.EntityType, EpicStateID: e.EpicStateID,
		ExternalID: e.ExternalID, FollowerIDs: e.FollowerIDs, ID: e.ID, MentionIDs: e.MentionIDs, MilestoneID: e.MilestoneID, Name: e.Name,
		OwnerIDs: e.OwnerIDs, Position: e.Position, ProjectIDs: e.ProjectIDs, RequestedByID: e.RequestedByID, Started: e.Started,
		StartedAt: e.StartedAt, StartedAtOverride: e.StartedAtOverride, State: e.State, UpdatedAt: e.UpdatedAt,
		Stats: EpicStats{
			LastStoryUpdate: s.LastStoryUpdate, NumPoints: s.NumPoints, NumPointsDone: s.NumPointsDone, NumPointsStarted: s.NumPointsStarted,
			NumPointsUnstarted: s.NumPointsBacklog + s.NumPointsUnstarted, NumStoriesDone: s.NumStoriesDone,
			NumStoriesStarted: s.NumStoriesStarted, NumStoriesUnestimated: s.NumStoriesUnestimated,
			NumStoriesUnstarted: s.NumStoriesBacklog + s.NumStoriesUnstarted,
		},
	}
}

type epicID struct {
	ID int64 `path:"epic-public-id" doc:"The id of the epic."`
}

func (a API) listEpics(ctx context.Context, by tracker.Actor, _ rest.None) ([]Epic, error) {
	list, err := a.Service.Epics(ctx, by)
	return a.renderEpics(ctx, by, list, err)
}

func (a API) getEpic(ctx context.Context, by tracker.Actor, in epicID) (Epic, error) {
	d, err := a.Service.Epic(ctx, by, in.ID)
	return a.renderEpic(ctx, by, d, err)
}

func (a API) deleteEpic(ctx context.Context, by tracker.Actor, in epicID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEpic(ctx, by, in.ID)
}
