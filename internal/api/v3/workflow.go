package v3

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/tracker"
)

// Workflow is the way of a story: an ordered list of states.
type Workflow struct {
	AutoAssignOwner bool            `json:"auto_assign_owner"`
	CreatedAt       tracker.Time    `json:"created_at"`
	DefaultStateID  int64           `json:"default_state_id"`
	Description     string          `json:"description"`
	EntityType      string          `json:"entity_type"`
	ID              int64           `json:"id"`
	Name            string          `json:"name"`
	ProjectIDs      []int64         `json:"project_ids"`
	States          []WorkflowState `json:"states"`
	TeamID          int64           `json:"team_id"`
	UpdatedAt       tracker.Time    `json:"updated_at"`
}

// WorkflowState is one column of a board.
type WorkflowState struct {
	Color             *string      `json:"color,omitzero" is:"color"`
	CreatedAt         tracker.Time `json:"created_at"`
	Description       string       `json:"description"`
	EntityType        string       `json:"entity_type"`
	GlobalID          string       `json:"global_id"`
	ID                int64        `json:"id"`
	Name              string       `json:"name"`
	NumStories        int64        `json:"num_stories"`
	NumStoryTemplates int64        `json:"num_story_templates"`
	Position          int64        `json:"position"`
	Type              string       `json:"type" is:"enum=backlog|unstarted|started|done"`
	UpdatedAt         tracker.Time `json:"updated_at"`
	Verb              *string      `json:"verb"`
}

// RenderWorkflow is the wire form of a workflow.
func RenderWorkflow(by tracker.Actor, w tracker.Workflow) Workflow {
	return Workflow{
		AutoAssignOwner: w.AutoAssignOwner, CreatedAt: w.CreatedAt, DefaultStateID: w.DefaultStateID, Description: w.Description,
		EntityType: w.EntityType(), ID: w.ID, Name: w.Name, ProjectIDs: w.ProjectIDs, TeamID: w.TeamID, UpdatedAt: w.UpdatedAt,
		States: Each(w.States, func(s tracker.WorkflowState) WorkflowState { return RenderWorkflowState(by, s) }),
	}
}

// RenderWorkflowState is the wire form of a workflow state.
func RenderWorkflowState(by tracker.Actor, s tracker.WorkflowState) WorkflowState {
	return WorkflowState{
		Color: tracker.HexColor(s.Color), CreatedAt: s.CreatedAt, Description: s.Description, EntityType: s.EntityType(),
		GlobalID: globalID(by, "w", s.ID), ID: s.ID, Name: s.Name, NumStories: s.NumStories,
		NumStoryTemplates: s.NumTemplates, Position: s.Position, Type: string(s.Type), UpdatedAt: s.UpdatedAt, Verb: s.Verb,
	}
}

// LegacyStateType is the type of a state in the words of v1 and v2, which know no backlog.
func LegacyStateType(t tracker.StateType) string {
	if t == tracker.Backlog {
		t = tracker.Unstarted
	}
	return string(t)
}

func (a API) listWorkflows(ctx context.Context, by tracker.Actor, _ rest.None) ([]Workflow, error) {
	list, err := a.Service.Workflows(ctx, by)
	return Each(list, func(w tracker.Workflow) Workflow { return RenderWorkflow(by, w) }), err
}

type workflowID struct {
	ID int64 `path:"workflow-public-id" doc:"The id of the workflow."`
}

func (a API) getWorkflow(ctx context.Context, by tracker.Actor, in workflowID) (Workflow, error) {
	w, err := a.Service.Workflow(ctx, by, in.ID)
	return RenderWorkflow(by, w), err
}

// Team is the legacy owner of one workflow.
type Team struct {
	CreatedAt   tracker.Time `json:"created_at"`
	Description string       `json:"description"`
	EntityType  string       `json:"entity_type"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Position    int64        `json:"position"`
	ProjectIDs  []int64      `json:"project_ids"`
	UpdatedAt   tracker.Time `json:"updated_at"`
	Workflow    Workflow     `json:"workflow"`
}

func renderTeam(by tracker.Actor, w tracker.Workflow) Team {
	return Team{
		CreatedAt: w.CreatedAt, Description: w.Description, EntityType: "team", ID: w.TeamID, Name: w.Name, Position: w.Position,
		ProjectIDs: w.ProjectIDs, UpdatedAt: w.UpdatedAt, Workflow: RenderWorkflow(by, w),
	}
}

func (a API) listTeams(ctx context.Context, by tracker.Actor, _ rest.None) ([]Team, error) {
	list, err := a.Service.Workflows(ctx, by)
	return Each(list, func(w tracker.Workflow) Team { return renderTeam(by, w) }), err
}

type teamID struct {
	ID int64 `path:"team-public-id" doc:"The id of the team."`
}

func (a API) getTeam(ctx context.Context, by tracker.Actor, in teamID) (Team, error) {
	w, err := a.Service.WorkflowOfTeam(ctx, by, in.ID)
	return renderTeam(by, w), err
}
