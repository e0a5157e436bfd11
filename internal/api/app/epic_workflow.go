package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

func (a API) getEpicWorkflow(ctx context.Context, by tracker.Actor, _ rest.None) (v3.EpicWorkflow, error) {
	w, err := a.Service.EpicWorkflow(ctx, by)
	return v3.RenderEpicWorkflow(by, w), err
}

type updateEpicWorkflow struct {
	DefaultEpicStateID tracker.Opt[int64] `json:"default_epic_state_id" doc:"The state that new epics enter."`
}

func (a API) updateEpicWorkflow(ctx context.Context, by tracker.Actor, in updateEpicWorkflow) (v3.EpicWorkflow, error) {
	w, err := a.Service.UpdateEpicWorkflow(ctx, by, in.DefaultEpicStateID)
	return v3.RenderEpicWorkflow(by, w), err
}

type createEpicState struct {
	AfterID     tracker.Opt[int64]  `json:"after_id" doc:"The state of the same type after which this one is to stand; it is the last by default."`
	BeforeID    tracker.Opt[int64]  `json:"before_id" doc:"The state of the same type before which this one is to stand."`
	Color       tracker.Opt[string] `json:"color" is:"color"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Name        string              `json:"name" is:"required,min=1,max=128"`
	Type        tracker.StateType   `json:"type" is:"required,enum=unstarted|started|done,anycase"`
}

func (a API) createEpicState(ctx context.Context, by tracker.Actor, in createEpicState) (v3.EpicState, error) {
	s, err := a.Service.CreateEpicState(ctx, by, tracker.StateParams{
		Name: in.Name, Type: in.Type, Description: in.Description, Color: in.Color,
		Place: tracker.Place{BeforeID: in.BeforeID, AfterID: in.AfterID},
	})
	return v3.RenderEpicState(by, s), err
}

type updateEpicState struct {
	ID          int64               `path:"epic-state-public-id" doc:"The id of the state."`
	AfterID     tracker.Opt[int64]  `json:"after_id" doc:"The state of the same type after which this one is to stand."`
	BeforeID    tracker.Opt[int64]  `json:"before_id" doc:"The state of the same type before which this one is to stand."`
	Color       tracker.Opt[string] `json:"color" is:"null,color"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Name        tracker.Opt[string] `json:"name" is:"min=1,max=128"`
}

func (a API) updateEpicState(ctx context.Context, by tracker.Actor, in updateEpicState) (v3.EpicState, error) {
	s, err := a.Service.UpdateEpicState(ctx, by, in.ID, tracker.StateChange{
		Name: in.Name, Description: in.Description, Color: in.Color,
		Place: tracker.Place{BeforeID: in.BeforeID, AfterID: in.AfterID},
	})
	return v3.RenderEpicState(by, s), err
}

type deleteEpicState struct {
	ID          int64              `path:"epic-state-public-id" doc:"The id of the state, which must be neither the default one nor the last of its type."`
	Replacement tracker.Opt[int64] `query:"replacement_state_id" json:"replacement_state_id" doc:"The state to which the epics go; needed when there are any."`
}

func (a API) deleteEpicState(ctx context.Context, by tracker.Actor, in deleteEpicState) (rest.None, error) {
	return rest.None{}, a.Service.DeleteEpicState(ctx, by, in.ID, in.Replacement)
}
