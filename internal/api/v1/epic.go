package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Epic is a body of work made of stories, with its discussion.
type Epic struct {
	Archived    bool              `json:"archived"`
	Comments    []ThreadedComment `json:"comments"`
	CreatedAt   tracker.Time      `json:"created_at"`
	Deadline    *tracker.Time     `json:"deadline"`
	Description string            `json:"description"`
	FollowerIDs []tracker.UUID    `json:"follower_ids"`
	ID          int64             `json:"id"`
	Name        string            `json:"name"`
	OwnerIDs    []tracker.UUID    `json:"owner_ids"`
	Position    int64             `json:"position"`
	State       string            `json:"state" is:"enum=to do|in progress|done"`
	UpdatedAt   tracker.Time      `json:"updated_at"`
}

// ThreadedComment is a comment on an epic with the replies to it. A deleted one is shown, without
// its text, while it has replies.
type ThreadedComment struct {
	AuthorID  tracker.UUID      `json:"author_id"`
	Comments  []ThreadedComment `json:"comments"`
	CreatedAt tracker.Time      `json:"created_at"`
	Deleted   bool              `json:"deleted"`
	ID        int64             `json:"id"`
	Text      string            `json:"text"`
	UpdatedAt tracker.Time      `json:"updated_at"`
}

func (p people) renderThread(t tracker.Thread) ThreadedComment {
	return ThreadedComment{
		AuthorID: p.user(t.AuthorID), Comments: v3.Each(t.Answers, p.renderThread), CreatedAt: t.CreatedAt, Deleted: t.Deleted,
		ID: t.ID, Text: t.Text, UpdatedAt: t.UpdatedAt,
	}
}

func (p people) renderEpic(list *service.EpicList, e *tracker.Epic, comments []tracker.Thread) Epic {
	return Epic{
		Archived: e.Archived, Comments: v3.Each(comments, p.renderThread), CreatedAt: e.CreatedAt, Deadline: e.Deadline,
		Description: e.Description, FollowerIDs: p.users(e.FollowerIDs), ID: e.ID, Name: e.Name, OwnerIDs: p.users(e.OwnerIDs),
		Position: e.Position, State: list.States[e.StateID].Word(), UpdatedAt: e.UpdatedAt,
	}
}

func (p people) oneEpic(d service.EpicDetail, err error) (Epic, error) {
	if err != nil {
		return Epic{}, err
	}
	return p.renderEpic(&d.EpicList, &d.Epics[0], d.Comments), nil
}

func (a API) listEpics(ctx context.Context, by tracker.Actor, p people, _ rest.None) ([]Epic, error) {
	list, err := a.Service.Epics(ctx, by)
	if err != nil {
		return nil, err
	}
	contents, err := a.Service.EpicContents(ctx, by, list)
	out := make([]Epic, len(list.Epics))
	for i := range list.Epics {
		out[i] = p.renderEpic(&list, &list.Epics[i], contents.Threads[list.Epics[i].ID])
	}
	return out, err
}

type epicID struct {
	ID int64 `path:"epic-public-id" doc:"The id of the epic."`
}

func (a API) getEpic(ctx context.Context, by tracker.Actor, p people, in epicID) (Epic, error) {
	return p.oneEpic(a.Service.Epic(ctx, by, in.ID))
}

type createEpic struct {
	CreatedAt   tracker.Opt[tracker.Time]   `json:"created_at"`
	Deadline    tracker.Opt[tracker.Time]   `json:"deadline" is:"null"`
	Description tracker.Opt[string]         `json:"description" is:"max=100000"`
	ExternalID  tracker.Opt[string]         `json:"external_id" is:"max=128"`
	FollowerIDs tracker.Opt[[]tracker.UUID] `json:"follower_ids"`
	Name        string                      `json:"name" is:"required,min=1,max=256"`
	OwnerIDs    tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
	State       tracker.Opt[string]         `json:"state" is:"enum=to do|in progress|done"`
	UpdatedAt   tracker.Opt[tracker.Time]   `json:"updated_at"`
}

func (a API) createEpic(ctx context.Context, by tracker.Actor, p people, in createEpic) (Epic, error) {
	return p.oneEpic(a.Service.CreateEpic(ctx, by, tracker.EpicParams{
		EpicChange: tracker.EpicChange{
			Name: tracker.Some(in.Name), Description: in.Description, State: in.State, Deadline: in.Deadline, ExternalID: in.ExternalID,
			OwnerIDs: p.membersOpt(in.OwnerIDs), FollowerIDs: p.membersOpt(in.FollowerIDs),
		},
		CreatedAt: in.CreatedAt, UpdatedAt: in.UpdatedAt,
	}))
}

type updateEpic struct {
	ID          int64                       `path:"epic-public-id" doc:"The id of the epic."`
	AfterID     tracker.Opt[int64]          `json:"after_id" doc:"The epic to stand after."`
	Archived    tracker.Opt[bool]           `json:"archived"`
	BeforeID    tracker.Opt[int64]          `json:"before_id" doc:"The epic to stand before."`
	Deadline    tracker.Opt[tracker.Time]   `json:"deadline" is:"null"`
	Description tracker.Opt[string]         `json:"description" is:"max=100000"`
	FollowerIDs tracker.Opt[[]tracker.UUID] `json:"follower_ids"`
	Name        tracker.Opt[string]         `json:"name" is:"min=1,max=256"`
	OwnerIDs    tracker.Opt[[]tracker.UUID] `json:"owner_ids"`
	State       tracker.Opt[string]         `json:"state" is:"enum=to do|in progress|done"`
}

func (a API) updateEpic(ctx context.Context, by tracker.Actor, p people, in updateEpic) (Epic, error) {
	return p.oneEpic(a.Service.UpdateEpic(ctx, by, in.ID, tracker.EpicChange{
		Name: in.Name, Description: in.Description, State: in.State, Archived: in.Archived, Deadline: in.Deadline,
		OwnerIDs: p.membersOpt(in.OwnerIDs), FollowerIDs: p.membersOpt(in.FollowerIDs), BeforeID: in.BeforeID, AfterID: in.AfterID,
	}))
}

func (a API) deleteEpic(ctx context.Context, by tracker.Actor, in epicID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEpic(ctx, by, in.ID)
}
