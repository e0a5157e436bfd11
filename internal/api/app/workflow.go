package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

func (a API) listWorkflows(ctx context.Context, by tracker.Actor, _ rest.None) ([]v3.Workflow, error) {
	list, err := a.Service.Workflows(ctx, by)
	return v3.Each(list, func(w tracker.Workflow) v3.Workflow { return v3.RenderWorkflow(by, w) }), err
}

type createWorkflow struct {
	AutoAssignOwner tracker.Opt[bool]   `json:"auto_assign_owner" doc:"An unowned story that is started gets the mover as owner; true by default."`
	Description     tracker.Opt[string] `json:"description" is:"max=1024"`
	Name            string              `json:"name" is:"required,min=1,max=128"`
}

func (a API) createWorkflow(ctx context.Context, by tracker.Actor, in createWorkflow) (v3.Workflow, error) {
	w, err := a.Service.CreateWorkflow(ctx, by, tracker.WorkflowParams{
		Name: in.Name, Description: in.Description, AutoAssignOwner: in.AutoAssignOwner,
	})
	return v3.RenderWorkflow(by, w), err
}

type updateWorkflow struct {
	ID              int64               `path:"workflow-public-id" doc:"The id of the workflow."`
	AfterID         tracker.Opt[int64]  `json:"after_id" doc:"The workflow after which this one is to stand."`
	AutoAssignOwner tracker.Opt[bool]   `json:"auto_assign_owner" doc:"An unowned story that is started gets the mover as owner."`
	BeforeID        tracker.Opt[int64]  `json:"before_id" doc:"The workflow before which this one is to stand."`
	Default         tracker.Opt[bool]   `json:"default" doc:"True makes it the workspace's default workflow."`
	DefaultStateID  tracker.Opt[int64]  `json:"default_state_id" doc:"The state that new stories enter."`
	Description     tracker.Opt[string] `json:"description" is:"max=1024"`
	Name            tracker.Opt[string] `json:"name" is:"min=1,max=128"`
}

func (a API) updateWorkflow(ctx context.Context, by tracker.Actor, in updateWorkflow) (v3.Workflow, error) {
	w, err := a.Service.UpdateWorkflow(ctx, by, in.ID, tracker.WorkflowChange{
		Name: in.Name, Description: in.Description, AutoAssignOwner: in.AutoAssignOwner, DefaultStateID: in.DefaultStateID,
		Default: in.Default, Place: tracker.Place{BeforeID: in.BeforeID, AfterID: in.AfterID},
	})
	return v3.RenderWorkflow(by, w), err
}

type deleteWorkflow struct {
	ID          int64              `path:"workflow-public-id" doc:"The id of the workflow, which must not be the default one."`
	Replacement tracker.Opt[int64] `query:"replacement_state_id" json:"replacement_state_id" doc:"The state of another workflow to which the stories go; needed when there are any."`
}

func (a API) deleteWorkflow(ctx context.Context, by tracker.Actor, in deleteWorkflow) (rest.None, error) {
	return rest.None{}, a.Service.DeleteWorkflow(ctx, by, in.ID, in.Replacement)
}

type createState struct {
	WorkflowID  int64               `path:"workflow-public-id" doc:"The id of the workflow."`
	AfterID     tracker.Opt[int64]  `json:"after_id" doc:"The state of the same type after which this one is to stand; it is the last by default."`
	BeforeID    tracker.Opt[int64]  `json:"before_id" doc:"The state of the same type before which this one is to stand."`
	Color       tracker.Opt[string] `json:"color" is:"color"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Name        string              `json:"name" is:"required,min=1,max=128"`
	Type        tracker.StateType   `json:"type" is:"required,enum=backlog|unstarted|started|done,anycase"`
	Verb        tracker.Opt[string] `json:"verb" is:"min=1,max=64" doc:"The word that moves a story here when a commit message names it."`
}

func (a API) createState(ctx context.Context, by tracker.Actor, in createState) (v3.WorkflowState, error) {
	s, err := a.Service.CreateWorkflowState(ctx, by, in.WorkflowID, tracker.StateParams{
		Name: in.Name, Type: in.Type, Description: in.Description, Color: in.Color, Verb: in.Verb,
		Place: tracker.Place{BeforeID: in.BeforeID, AfterID: in.AfterID},
	})
	return v3.RenderWorkflowState(by, s), err
}

type updateState struct {
	ID          int64               `path:"state-public-id" doc:"The id of the state."`
	AfterID     tracker.Opt[int64]  `json:"after_id" doc:"The state of the same type after which this one is to stand."`
	BeforeID    tracker.Opt[int64]  `json:"before_id" doc:"The state of the same type before which this one is to stand."`
	Color       tracker.Opt[string] `json:"color" is:"null,color"`
	Description tracker.Opt[string] `json:"description" is:"max=1024"`
	Name        tracker.Opt[string] `json:"name" is:"min=1,max=128"`
	Verb        tracker.Opt[string] `json:"verb" is:"null,min=1,max=64"`
}

func (a API) updateState(ctx context.Context, by tracker.Actor, in updateState) (v3.WorkflowState, error) {
	s, err := a.Service.UpdateWorkflowState(ctx, by, in.ID, tracker.StateChange{
		Name: in.Name, Description: in.Description, Color: in.Color, Verb: in.Verb,
		Place: tracker.Place{BeforeID: in.BeforeID, AfterID: in.AfterID},
	})
	return v3.RenderWorkflowState(by, s), err
}

type deleteState struct {
	ID          int64              `path:"state-public-id" doc:"The id of the state, which must be neither the default one nor the last of its type, but for backlog."`
	Replacement tracker.Opt[int64] `query:"replacement_state_id" json:"replacement_state_id" doc:"The state of the same workflow to which the stories go; needed when there are any."`
}

func (a API) deleteState(ctx context.Context, by tracker.Actor, in deleteState) (rest.None, error) {
	return rest.None{}, a.Service.DeleteWorkflowState(ctx, by, in.ID, in.Replacement)
}
