package v2

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

// EpicWorkflow is the one way of epics in the workspace.
type EpicWorkflow struct {
	CreatedAt          tracker.Time `json:"created_at"`
	DefaultEpicStateID int64        `json:"default_epic_state_id"`
	EntityType         string       `json:"entity_type"`
	EpicStates         []EpicState  `json:"epic_states"`
	ID                 int64        `json:"id"`
	UpdatedAt          tracker.Time `json:"updated_at"`
}

// EpicState is a station of epics.
type EpicState struct {
	Color       *string      `json:"color" is:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description string       `json:"description"`
	EntityType  string       `json:"entity_type"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Position    int64        `json:"position"`
	Type        string       `json:"type" is:"enum=unstarted|started|done"`
	UpdatedAt   tracker.Time `json:"updated_at"`
}

func renderEpicState(s tracker.EpicState) EpicState {
	return EpicState{
		Color: tracker.HexColor(s.Color), CreatedAt: s.CreatedAt, Description: s.Description, EntityType: s.EntityType(),
		ID: s.ID, Name: s.Name, Position: s.Position, Type: string(s.Type), UpdatedAt: s.UpdatedAt,
	}
}

func (a API) getEpicWorkflow(ctx context.Context, by tracker.Actor, _ rest.None) (EpicWorkflow, error) {
	w, err := a.Service.EpicWorkflow(ctx, by)
	return EpicWorkflow{
		CreatedAt: w.CreatedAt, DefaultEpicStateID: w.DefaultStateID, EntityType: w.EntityType(),
		EpicStates: v3.Each(w.States, renderEpicState), ID: w.ID, UpdatedAt: w.UpdatedAt,
	}, err
}
