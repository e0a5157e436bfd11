package v2

import (
	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// StoryBase is what the slim and the full form of a story share.
type StoryBase struct {
	AppURL              string           `json:"app_url"`
	Archived            bool             `json:"archived"`
	Blocked             bool             `json:"blocked"`
	Blocker             bool             `json:"blocker"`
	Completed           bool             `json:"completed"`
	CompletedAt         *tracker.Time    `json:"completed_at"`
	CompletedAtOverride *tracker.Time    `json:"completed_at_override"`
	CreatedAt           tracker.Time     `json:"created_at"`
	Deadline            *tracker.Time    `json:"deadline"`
	EntityType          string           `json:"entity_type"`
	EpicID              *int64           `json:"epic_id"`
	Estimate            *int64           `json:"estimate"`
	ExternalID          *string          `json:"external_id"`
	FollowerIDs         []tracker.UUID   `json:"follower_ids"`
	ID                  int64            `json:"id"`
	IterationID         *int64           `json:"iteration_id"`
	Labels              []LabelSlim      `json:"labels"`
	MentionIDs          []tracker.UUID   `json:"mention_ids"`
	MovedAt             *tracker.Time    `json:"moved_at"`
	Name                string           `json:"name"`
	OwnerIDs            []tracker.UUID   `json:"owner_ids"`
	Position            int64            `json:"position"`
	ProjectID           *int64           `json:"project_id"`
	RequestedByID       tracker.UUID     `json:"requested_by_id"`
	Started             bool             `json:"started"`
	StartedAt           *tracker.Time    `json:"started_at"`
	StartedAtOverride   *tracker.Time    `json:"started_at_override"`
	StoryLinks          []TypedStoryLink `json:"story_links"`
	StoryType           string           `json:"story_type" is:"enum=feature|bug|chore"`
	UpdatedAt           tracker.Time     `json:"updated_at"`
	WorkflowStateID     int64            `json:"workflow_state_id"`
}

// StorySlim is a story as lists show it: ids instead of tasks, comments and files, no description.
type StorySlim struct {
	StoryBase
	CommentIDs    []int64 `json:"comment_ids"`
	FileIDs       []int64 `json:"file_ids"`
	LinkedFileIDs []int64 `json:"linked_file_ids"`
	TaskIDs       []int64 `json:"task_ids"`
}

// Story is a story with everything that belongs to it.
type Story struct {
	StoryBase
	Branches    []Branch       `json:"branches"`
	Comments    []Comment      `json:"comments"`
	Commits     []Commit       `json:"commits"`
	Description string         `json:"description"`
	Files       []UploadedFile `json:"files"`
	LinkedFiles []LinkedFile   `json:"linked_files"`
	Tasks       []Task         `json:"tasks"`
}

func showStoryBase(s v3.StoryBase) StoryBase {
	return StoryBase{
		AppURL: s.AppURL, Archived: s.Archived, Blocked: s.Blocked, Blocker: s.Blocker, Completed: s.Completed, CompletedAt: s.CompletedAt,
		CompletedAtOverride: s.CompletedAtOverride, CreatedAt: s.CreatedAt, Deadline: s.Deadline, EntityType: s.EntityType,
		EpicID: s.EpicID, Estimate: s.Estimate, ExternalID: s.ExternalID, FollowerIDs: s.FollowerIDs, ID: s.ID, IterationID: s.IterationID,
		Labels: v3.Each(s.Labels, func(l rest.Shared[v3.Label]) LabelSlim { return showLabelSlim(l.Value()) }), MentionIDs: s.MentionIDs, MovedAt: s.MovedAt, Name: s.Name, OwnerIDs: s.OwnerIDs,
		Position: s.Position, ProjectID: s.ProjectID, RequestedByID: s.RequestedByID, Started: s.Started, StartedAt: s.StartedAt,
		StartedAtOverride: s.StartedAtOverride, StoryLinks: v3.Each(s.StoryLinks, showStoryLink), StoryType: s.StoryType,
		UpdatedAt: s.UpdatedAt, WorkflowStateID: s.WorkflowStateID,
	}
}

func showStorySlim(s v3.StorySlim) StorySlim {
	return StorySlim{
		StoryBase: showStoryBase(s.StoryBase), CommentIDs: s.CommentIDs, FileIDs: s.FileIDs, LinkedFileIDs: s.LinkedFileIDs, TaskIDs: s.TaskIDs,
	}
}

// renderStory renders what a use case returns for one story.
func (a API) renderStory(by tracker.Actor) func(service.StoryDetail, error) (Story, error) {
	return func(d service.StoryDetail, err error) (Story, error) {
		if err != nil {
			return Story{}, err
		}
		return showStory(a.RenderStory(by, d, 0)), nil
	}
}

func showStory(s v3.Story) Story {
	return Story{
		StoryBase: showStoryBase(s.StoryBase), Branches: v3.Each(s.Branches, showBranch), Comments: v3.Each(s.Comments, showComment),
		Commits: v3.Each(s.Commits, showCommit), Description: s.Description, Tasks: v3.Each(s.Tasks, showTask),
		Files:       v3.Each(s.Files, func(f v3.UploadedFile) UploadedFile { return UploadedFile(f) }),
		LinkedFiles: v3.Each(s.LinkedFiles, func(f v3.LinkedFile) LinkedFile { return LinkedFile(f) }),
	}
}

// renderStories renders what a use case returns for a list.
func (a API) renderStories(by tracker.Actor) func(service.StoryList, error) ([]StorySlim, error) {
	return func(list service.StoryList, err error) ([]StorySlim, error) {
		return v3.Each(a.RenderStorySlims(by, list, false), showStorySlim), err
	}
}

// streamStories renders a list that may be long while it is read.
func (a API) streamStories(by tracker.Actor, pages service.StoryPages) rest.Stream[StorySlim] {
	slims := a.StreamStorySlims(by, pages, false)
	return rest.Stream[StorySlim]{Items: func(yield func(*StorySlim, error) bool) {
		var shown StorySlim
		for s, err := range slims.Items {
			if err == nil {
				shown = showStorySlim(*s)
			}
			if !yield(&shown, err) {
				return
			}
		}
	}}
}
