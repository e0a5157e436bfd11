package v1

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// Workflow is the way of a story. v1 knows a single one, the workspace's default.
type Workflow struct {
	CreatedAt      tracker.Time    `json:"created_at"`
	DefaultStateID int64           `json:"default_state_id"`
	ID             int64           `json:"id"`
	States         []WorkflowState `json:"states"`
	UpdatedAt      tracker.Time    `json:"updated_at"`
}

// WorkflowState is one column of a board.
type WorkflowState struct {
	Color       *string      `json:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description string       `json:"description"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	NumStories  int64        `json:"num_stories"`
	Position    int64        `json:"position"`
	Type        string       `json:"type" is:"enum=unstarted|started|done"`
	UpdatedAt   tracker.Time `json:"updated_at"`
	Verb        *string      `json:"verb"`
}

func renderWorkflowState(s tracker.WorkflowState) WorkflowState {
	return WorkflowState{
		Color: s.Color, CreatedAt: s.CreatedAt, Description: s.Description, ID: s.ID, Name: s.Name, NumStories: s.NumStories,
		Position: s.Position, Type: v3.LegacyStateType(s.Type), UpdatedAt: s.UpdatedAt, Verb: s.Verb,
	}
}

func (a API) listWorkflows(ctx context.Context, by tracker.Actor, _ rest.None) ([]Workflow, error) {
	w, err := a.Service.DefaultWorkflow(ctx, by)
	return []Workflow{{
		CreatedAt: w.CreatedAt, DefaultStateID: w.DefaultStateID, ID: w.ID, States: v3.Each(w.States, renderWorkflowState),
		UpdatedAt: w.UpdatedAt,
	}}, err
}
