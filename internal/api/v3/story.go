package v3

import (
	"strconv"

	"milepost/internal/api/rest"
	"milepost/internal/service"
	"milepost/internal/tracker"
)

// StoryBase is what the slim and the full form of a story share.
type StoryBase struct {
	AppURL                    string             `json:"app_url"`
	Archived                  bool               `json:"archived"`
	Blocked                   bool               `json:"blocked"`
	Blocker                   bool               `json:"blocker"`
	Completed                 bool               `json:"completed"`
	CompletedAt               *tracker.Time      `json:"completed_at"`
	CompletedAtOverride       *tracker.Time      `json:"completed_at_override"`
	CreatedAt                 tracker.Time       `json:"created_at"`
	CustomFields              []StoryCustomField `json:"custom_fields"`
	CycleTime                 *int64             `json:"cycle_time,omitzero"`
	Deadline                  *tracker.Time      `json:"deadline"`
	EntityType                string             `json:"entity_type"`
	EpicID                    *int64             `json:"epic_id"`
	Estimate                  *int64             `json:"estimate"`
	ExternalID                *string            `json:"external_id"`
	ExternalLinks             []string           `json:"external_links"`
	FollowerIDs               []tracker.UUID     `json:"follower_ids"`
	FormattedVCSBranchName    *string            `json:"formatted_vcs_branch_name"`
	GlobalID                  string             `json:"global_id"`
	GroupID                   *tracker.UUID      `json:"group_id"`
	GroupMentionIDs           []tracker.UUID     `json:"group_mention_ids"`
	ID                        int64              `json:"id"`
	IterationID               *int64             `json:"iteration_id"`
	LabelIDs                  []int64            `json:"label_ids"`
	Labels                    []StoryLabel       `json:"labels"`
	LeadTime                  *int64             `json:"lead_time,omitzero"`
	MemberMentionIDs          []tracker.UUID     `json:"member_mention_ids"`
	MentionIDs                []tracker.UUID     `json:"mention_ids"`
	MovedAt                   *tracker.Time      `json:"moved_at"`
	Name                      string             `json:"name"`
	OwnerIDs                  []tracker.UUID     `json:"owner_ids"`
	ParentStoryID             *int64             `json:"parent_story_id"`
	Position                  int64              `json:"position"`
	PreviousIterationIDs      []int64            `json:"previous_iteration_ids"`
	ProjectID                 *int64             `json:"project_id"`
	RequestedByID             tracker.UUID       `json:"requested_by_id"`
	Started                   bool               `json:"started"`
	StartedAt                 *tracker.Time      `json:"started_at"`
	StartedAtOverride         *tracker.Time      `json:"started_at_override"`
	Stats                     StoryStats         `json:"stats"`
	StoryLinks                []TypedStoryLink   `json:"story_links"`
	StoryTemplateID           *tracker.UUID      `json:"story_template_id"`
	StoryType                 string             `json:"story_type" is:"enum=feature|bug|chore"`
	SubTaskStoryIDs           []int64            `json:"sub_task_story_ids"`
	SyncedItem                *SyncedItem        `json:"synced_item,omitzero"`
	UnresolvedBlockerComments []int64            `json:"unresolved_blocker_comments"`
	UpdatedAt                 tracker.Time       `json:"updated_at"`
	WorkflowID                int64              `json:"workflow_id"`
	WorkflowStateID           int64              `json:"workflow_state_id"`
}

// StoryLabel is a label, which many stories of a list may have.
type StoryLabel = rest.Shared[Label]

// StorySlim is a story as lists show it: ids instead of tasks, comments and files.
type StorySlim struct {
	StoryBase
	CommentIDs        []int64 `json:"comment_ids"`
	Description       *string `json:"description,omitzero"`
	FileIDs           []int64 `json:"file_ids"`
	LinkedFileIDs     []int64 `json:"linked_file_ids"`
	NumTasksCompleted int64   `json:"num_tasks_completed"`
	TaskIDs           []int64 `json:"task_ids"`
}

// Story is a story with everything that belongs to it.
type Story struct {
	StoryBase
	Branches     []Branch       `json:"branches"`
	Comments     []StoryComment `json:"comments"`
	Commits      []Commit       `json:"commits"`
	Description  string         `json:"description"`
	Files        []UploadedFile `json:"files"`
	LinkedFiles  []LinkedFile   `json:"linked_files"`
	PullRequests []PullRequest  `json:"pull_requests"`
	Tasks        []Task         `json:"tasks"`
}

// StoryStats counts what is related to a story.
type StoryStats struct {
	NumRelatedDocuments int64 `json:"num_related_documents"`
}

// StoryCustomField is the value of one custom field.
type StoryCustomField struct {
	FieldID tracker.UUID `json:"field_id"`
	Value   string       `json:"value"`
	ValueID tracker.UUID `json:"value_id"`
}

// SyncedItem is the twin of a story in another tool.
type SyncedItem struct {
	ExternalID string `json:"external_id"`
	URL        string `json:"url"`
}

// TypedStoryLink is a story link as one of its two stories shows it.
type TypedStoryLink struct {
	CreatedAt              tracker.Time `json:"created_at"`
	EntityType             string       `json:"entity_type"`
	ID                     int64        `json:"id"`
	ObjectID               int64        `json:"object_id"`
	SubjectID              int64        `json:"subject_id"`
	SubjectWorkflowStateID int64        `json:"subject_workflow_state_id"`
	Type                   string       `json:"type" is:"enum=subject|object"`
	UpdatedAt              tracker.Time `json:"updated_at"`
	Verb                   string       `json:"verb" is:"enum=blocks|duplicates|relates to"`
}

// RenderStorySlims renders a list; descriptions are left out unless asked for.
func (a API) RenderStorySlims(by tracker.Actor, list service.StoryList, descriptions bool) []StorySlim {
	out, r := make([]StorySlim, len(list.Stories)), a.stories(by, &list)
	for i := range list.Stories {
		r.slim(&out[i], i, descriptions)
	}
	return out
}

// StreamStorySlims renders a list that may be long while it is read.
func (a API) StreamStorySlims(by tracker.Actor, pages service.StoryPages, descriptions bool) rest.Stream[StorySlim] {
	return rest.Stream[StorySlim]{Items: func(yield func(*StorySlim, error) bool) {
		var slim StorySlim
		for page, err := range pages(descriptions) {
			if err != nil {
				yield(nil, err)
				return
			}
			r := a.stories(by, &page)
			for i := range page.Stories {
				if r.slim(&slim, i, descriptions); !yield(&slim, nil) {
					return
				}
			}
		}
	}}
}

// RenderStory renders the story at the index of a detailed list.
func (a API) RenderStory(by tracker.Actor, d service.StoryDetail, index int) Story {
	return a.stories(by, &d.StoryList).full(&d, index)
}

// storyRenderer renders the stories of one list.
type storyRenderer struct {
	API
	by     tracker.Actor
	list   *service.StoryList
	labels map[int64]StoryLabel
	// What the addresses and the global ids of all stories begin with.
	address, global string
}

func (a API) stories(by tracker.Actor, list *service.StoryList) storyRenderer {
	return storyRenderer{a, by, list, map[int64]StoryLabel{}, a.AppURL(by, "story", ""), globalID(by, "s", "")}
}

// slim renders the story at the index; its form is large, so it is written in its place.
func (r storyRenderer) slim(out *StorySlim, index int, description bool) {
	s := &r.list.Stories[index]
	r.base(&out.StoryBase, s)
	out.CommentIDs, out.FileIDs, out.LinkedFileIDs, out.TaskIDs = s.CommentIDs, s.FileIDs, s.LinkedFileIDs, s.TaskIDs
	out.NumTasksCompleted = s.TasksCompleted
	if description {
		out.Description = &s.Description
	}
}

// full renders the story at the index of a detailed list.
func (r storyRenderer) full(d *service.StoryDetail, index int) Story {
	s := &d.Stories[index]
	out := Story{Description: s.Description}
	r.base(&out.StoryBase, s)
	for i, id := range s.TaskIDs {
		out.Tasks = append(out.Tasks, RenderTask(r.by, service.TaskInStory{Task: d.Tasks[id], Position: int64(i + 1)}))
	}
	for i, id := range s.CommentIDs {
		out.Comments = append(out.Comments, r.RenderComment(r.by, service.CommentInStory{Comment: d.Comments[id], Position: int64(i + 1)}))
	}
	out.Files = r.filesOf(d.Files, s.FileIDs)
	out.LinkedFiles = linkedFiles(d.LinkedFiles, s.LinkedFileIDs)
	out.Branches, out.Commits = branches(&d.VCS, s.BranchIDs), commits(&d.VCS, s.CommitIDs)
	out.PullRequests = pullRequests(&d.VCS, s.PullRequestIDs)
	return out
}

// base writes over what is there, whose lists it uses again.
func (r storyRenderer) base(out *StoryBase, s *tracker.Story) {
	id := strconv.FormatInt(s.ID, 10)
	*out = StoryBase{
		AppURL: r.address + id, Archived: s.Archived, Blocked: s.Blocked, Blocker: s.Blocker,
		Completed: s.Completed(), CompletedAt: s.CompletedAt, CompletedAtOverride: s.CompletedAtOverride, CreatedAt: s.CreatedAt,
		CustomFields: storyFields(out.CustomFields[:0], r.list, s), CycleTime: s.CycleTime(), Deadline: s.Deadline, EntityType: s.EntityType(), EpicID: s.EpicID,
		Estimate: s.Estimate, ExternalID: s.ExternalID, ExternalLinks: s.ExternalLinks, FollowerIDs: s.FollowerIDs,
		FormattedVCSBranchName: branchName(r.by, s), GlobalID: r.global + id, GroupID: s.GroupID, GroupMentionIDs: s.GroupMentions,
		ID: s.ID, IterationID: s.IterationID, LabelIDs: s.LabelIDs, Labels: appendEach(out.Labels[:0], s.LabelIDs, r.label), LeadTime: s.LeadTime(s.CreatedAt),
		MemberMentionIDs: s.MemberMentions, MentionIDs: s.MemberMentions, MovedAt: &s.MovedAt, Name: s.Name,
		OwnerIDs: s.OwnerIDs, ParentStoryID: s.ParentID, Position: s.Position,
		PreviousIterationIDs: s.PreviousIterations, ProjectID: s.ProjectID, RequestedByID: s.RequestedBy, Started: s.Started(),
		StartedAt: s.StartedAt, StartedAtOverride: s.StartedAtOverride, StoryLinks: typedLinks(out.StoryLinks[:0], r.list, s), StoryTemplateID: s.TemplateID,
		StoryType: string(s.Type), SubTaskStoryIDs: s.SubTaskIDs, UnresolvedBlockerComments: s.BlockerComments,
		UpdatedAt: s.UpdatedAt, WorkflowID: s.WorkflowID, WorkflowStateID: s.StateID,
	}
}

func (r storyRenderer) label(id int64) StoryLabel {
	l, known := r.labels[id]
	if !known {
		l = rest.Share(r.RenderLabel(r.by, r.list.Labels[id]))
		r.labels[id] = l
	}
	return l
}

// branchName proposes a branch where the workspace has version control.
func branchName(by tracker.Actor, s *tracker.Story) *string {
	if !by.HasVCS {
		return nil
	}
	name := s.BranchName(by.Mention)
	return &name
}

func storyFields(out []StoryCustomField, list *service.StoryList, s *tracker.Story) []StoryCustomField {
	for _, f := range s.CustomFields {
		if value, shown := list.Fields[f.ValueID]; shown {
			out = append(out, StoryCustomField{FieldID: f.FieldID, Value: value, ValueID: f.ValueID})
		}
	}
	return out
}

func typedLinks(out []TypedStoryLink, list *service.StoryList, s *tracker.Story) []TypedStoryLink {
	return appendEach(out, s.LinkIDs(), func(id int64) TypedStoryLink {
		l := list.Links[id]
		side := "object"
		if l.SubjectID == s.ID {
			side = "subject"
		}
		return TypedStoryLink{
			CreatedAt: l.CreatedAt, EntityType: l.EntityType(), ID: l.ID, ObjectID: l.ObjectID, SubjectID: l.SubjectID,
			SubjectWorkflowStateID: l.SubjectStateID, Type: side, UpdatedAt: l.UpdatedAt, Verb: string(l.Verb),
		}
	})
}
