package v3

import (
	"context"

	"milepost/internal/api/rest"
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
	Color       *string      `json:"color,omitzero" is:"color"`
	CreatedAt   tracker.Time `json:"created_at"`
	Description string       `json:"description"`
	EntityType  string       `json:"entity_type"`
	GlobalID    string       `json:"global_id"`
	ID          int64        `json:"id"`
	Name        string       `json:"name"`
	Position    int64        `json:"position"`
	Type        string       `json:"type" is:"enum=unstarted|started|done"`
	UpdatedAt   tracker.Time `json:"updated_at"`
}

// RenderEpicState is the wire form of an epic state.
func RenderEpicState(by tracker.Actor, s tracker.EpicState) EpicState {
	return EpicState{
		Color: tracker.HexColor(s.Color), CreatedAt: s.CreatedAt, Description: s.Description, EntityType: s.EntityType(),
		GlobalID: globalID(by, "es", s.ID), ID: s.ID, Name: s.Name, Position: s.Position, Type: string(s.Type), UpdatedAt: s.UpdatedAt,
	}
}

// RenderEpicWorkflow is the wire form of the epic workflow.
func RenderEpicWorkflow(by tracker.Actor, w tracker.EpicWorkflow) EpicWorkflow {
	return EpicWorkflow{
		CreatedAt: w.CreatedAt, DefaultEpicStateID: w.DefaultStateID, EntityType: w.EntityType(), ID: w.ID, UpdatedAt: w.UpdatedAt,
		EpicStates: Each(w.States, func(s tracker.EpicState) EpicState { return RenderEpicState(by, s) }),
	}
}

func (a API) getEpicWorkflow(ctx context.Context, by tracker.Actor, _ rest.None) (EpicWorkflow, error) {
	w, err := a.Service.EpicWorkflow(ctx, by)
	return RenderEpicWorkflow(by, w), err
}
