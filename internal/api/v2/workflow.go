package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Workflow is the way of a story: an ordered list of states.
type Workflow struct {
	CreatedAt      tracker.Time    `json:"created_at"`
	DefaultStateID int64           `json:"default_state_id"`
	Description    string          `json:"description"`
	EntityType     string          `json:"entity_type"`
	ID             int64           `json:"id"`
	Name           string          `json:"name"`
	ProjectIDs     []int64         `json:"project_ids"`
	States         []WorkflowState `json:"states"`
	TeamID         int64           `json:"team_id"`
	UpdatedAt      tracker.Time    `json:"updated_at"`
}

// WorkflowState is one column of a board.
type WorkflowState struct {
	Color       *string      `json:"color" is:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description string       `json:"description"`
	EntityType  string       `json:"entity_type"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	NumStories  int64        `json:"num_stories"`
	Position    int64        `json:"position"`
	Type        string       `json:"type" is:"enum=unstarted|started|done"`
	UpdatedAt   tracker.Time `json:"updated_at"`
	Verb        *string      `json:"verb"`
}

func renderWorkflow(w tracker.Workflow) Workflow {
	return Workflow{
		CreatedAt: w.CreatedAt, DefaultStateID: w.DefaultStateID, Description: w.Description, EntityType: w.EntityType(), ID: w.ID,
		Name: w.Name, ProjectIDs: w.ProjectIDs, States: v3.Each(w.States, renderWorkflowState), TeamID: w.TeamID, UpdatedAt: w.UpdatedAt,
	}
}

func renderWorkflowState(s tracker.WorkflowState) WorkflowState {
	return WorkflowState{
		Color: tracker.HexColor(s.Color), CreatedAt: s.CreatedAt, Description: s.Description, EntityType: s.EntityType(), ID: s.ID,
		Name: s.Name, NumStories: s.NumStories, Position: s.Position, Type: v3.LegacyStateType(s.Type), UpdatedAt: s.UpdatedAt, Verb: s.Verb,
	}
}

func (a API) listWorkflows(ctx context.Context, by tracker.Actor, _ rest.None) ([]Workflow, error) {
	list, err := a.Service.Workflows(ctx, by)
	return v3.Each(list, renderWorkflow), err
}

// Team owns one workflow.
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

func renderTeam(w tracker.Workflow) Team {
	flow := renderWorkflow(w)
	return Team{
		CreatedAt: w.CreatedAt, Description: w.Description, EntityType: "team", ID: w.TeamID, Name: w.Name, Position: w.Position,
		ProjectIDs: flow.ProjectIDs, UpdatedAt: w.UpdatedAt, Workflow: flow,
	}
}

func (a API) listTeams(ctx context.Context, by tracker.Actor, _ rest.None) ([]Team, error) {
	list, err := a.Service.Workflows(ctx, by)
	return v3.Each(list, renderTeam), err
}

type teamID struct {
	ID int64 `path:"team-public-id" doc:"The id of the team."`
}

func (a API) getTeam(ctx context.Context, by tracker.Actor, in teamID) (Team, error) {
	w, err := a.Service.WorkflowOfTeam(ctx, by, in.ID)
	return renderTeam(w), err
}
