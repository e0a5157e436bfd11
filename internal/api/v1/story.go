package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// Story is a piece of work with everything that belongs to it. v1 has no shorter form: lists show
// the same.
type Story struct {
	Archived        bool             `json:"archived"`
	Comments        []Comment        `json:"comments"`
	CreatedAt       tracker.Time     `json:"created_at"`
	Deadline        *tracker.Time    `json:"deadline"`
	Description     string           `json:"description"`
	EpicID          *int64           `json:"epic_id"`
	Estimate        *int64           `json:"estimate"`
	FileIDs         []int64          `json:"file_ids"`
	FollowerIDs     []tracker.UUID   `json:"follower_ids"`
	ID              int64            `json:"id"`
	Labels          []Label          `json:"labels"`
	LinkedFileIDs   []int64          `json:"linked_file_ids"`
	Name            string           `json:"name"`
	OwnerIDs        []tracker.UUID   `json:"owner_ids"`
	Position        int64            `json:"position"`
	ProjectID       *int64           `json:"project_id"`
	RequestedByID   tracker.UUID     `json:"requested_by_id"`
	StoryLinks      []TypedStoryLink `json:"story_links"`
	StoryType       string           `json:"story_type" is:"enum=feature|bug|chore"`
	Tasks           []Task           `json:"tasks"`
	UpdatedAt       tracker.Time     `json:"updated_at"`
	WorkflowStateID int64            `json:"workflow_state_id"`
}

// Label is a free tag as a story shows it.
type Label struct {
	CreatedAt tracker.Time `json:"created_at"`
	ID        int64        `json:"id"`
	Name      string       `json:"name"`
	UpdatedAt tracker.Time `json:"updated_at"`
}

func (p people) renderStory(d *service.StoryDetail, s *tracker.Story) Story {
	out := Story{
		Archived: s.Archived, CreatedAt: s.CreatedAt, Deadline: s.Deadline, Description: s.Description, EpicID: s.EpicID,
		Estimate: s.Estimate, FileIDs: s.FileIDs, FollowerIDs: p.users(s.FollowerIDs), ID: s.ID,
		Labels: v3.Each(s.LabelIDs, func(id int64) Label {
			l := d.Labels[id]
			return Label{CreatedAt: l.CreatedAt, ID: l.ID, Name: l.Name, UpdatedAt: l.UpdatedAt}
		}),
		LinkedFileIDs: s.LinkedFileIDs, Name: s.Name, OwnerIDs: p.users(s.OwnerIDs), Position: s.Position, ProjectID: s.ProjectID,
		RequestedByID: p.user(s.RequestedBy),
		StoryLinks:    v3.Each(s.LinkIDs(), func(id int64) TypedStoryLink { return renderLinkOf(s.ID, d.Links[id]) }),
		StoryType:     string(s.Type), UpdatedAt: s.UpdatedAt, WorkflowStateID: s.StateID,
	}
	for i, id := range s.TaskIDs {
		out.Tasks = append(out.Tasks, p.renderTask(service.TaskInStory{Task: d.Tasks[id], Position: int64(i + 1)}))
	}
	for i, id := range s.CommentIDs {
		// v1 has no word for a deleted comment, which stays for the answers that v1 does not know either.
		if c := d.Comments[id]; !c.Deleted {
			out.Comments = append(out.Comments, p.renderComment(service.CommentInStory{Comment: c, Position: int64(i + 1)}))
		}
	}
	return out
}

func (p people) oneStory(d service.StoryDetail, err error) (Story, error) {
	if err != nil {
		return Story{}, err
	}
	return p.renderStory(&d, &d.Stories[0]), nil
}

func (p people) allStories(d service.StoryDetail, err error) ([]Story, error) {
	out := make([]Story, len(d.Stories))
	for i := range d.Stories {
		out[i] = p.renderStory(&d, &d.Stories[i])
	}
	return out, err
}

// streamStories renders a list that may be long while it is read.
func (p people) streamStories(pages service.FullStoryPages) rest.Stream[Story] {
	return rest.Stream[Story]{Items: func(yield func(*Story, error) bool) {
		var story Story
		for page, err := range pages {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range page.Stories {
				story = p.renderStory(&page, &page.Stories[i])
				if !yield(&story, nil) {
					return
				}
			}
		}
	}}
}

type storyID struct {
	ID int64 `path:"story-public-id" doc:"The id of the story."`
}

func (a API) getStory(ctx context.Context, by tracker.Actor, p people, in storyID) (Story, error) {
	return p.oneStory(a.Service.Story(ctx, by, in.ID))
}

func (a API) createStory(ctx context.Context, by tracker.Actor, p people, in CreateStoryParams) (Story, error) {
	return p.oneStory(a.Service.CreateStory(ctx, by, p.storyParams(in)))
}

func (a API) updateStory(ctx context.Context, by tracker.Actor, p people, in updateStory) (Story, error) {
	return p.oneStory(a.Service.UpdateStory(ctx, by, in.ID, p.storyChange(in)))
}

func (a API) deleteStory(ctx context.Context, by tracker.Actor, in storyID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteStory(ctx, by, in.ID)
}

func (a API) createStories(ctx context.Context, by tracker.Actor, p people, in createStories) ([]Story, error) {
	return p.allStories(a.Service.CreateFullStories(ctx, by, v3.Each(in.Stories, p.storyParams)))
}

func (a API) updateStories(ctx context.Context, by tracker.Actor, p people, in updateStories) ([]Story, error) {
	return p.allStories(a.Service.UpdateFullStories(ctx, by, in.StoryIDs, p.storiesChange(in)))
}

func (a API) searchStories(ctx context.Context, by tracker.Actor, p people, in searchStories) (rest.Stream[Story], error) {
	return p.streamStories(a.Service.FindFullStories(ctx, by, p.storyFilter(in))), nil
}
