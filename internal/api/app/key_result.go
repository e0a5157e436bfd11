package app

import (
	"context"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/tracker"
)

type createKeyResult struct {
	MilestoneID          int64                                `path:"objective-public-id" doc:"The id of the objective."`
	InitialObservedValue v3.KeyResultValueParams              `json:"initial_observed_value" is:"required"`
	Name                 string                               `json:"name" is:"required,min=1,max=1024"`
	ObservedValue        tracker.Opt[v3.KeyResultValueParams] `json:"observed_value" doc:"The initial value by default."`
	TargetValue          v3.KeyResultValueParams              `json:"target_value" is:"required"`
	Type                 tracker.KeyResultType                `json:"type" is:"required,enum=percent|boolean|numeric"`
}

func (a API) createKeyResult(ctx context.Context, by tracker.Actor, in createKeyResult) (v3.KeyResult, error) {
	k, err := a.Service.CreateKeyResult(ctx, by, in.MilestoneID, tracker.KeyResultParams{
		Name: in.Name, Type: in.Type, Initial: tracker.KeyResultValue(in.InitialObservedValue),
		Target: tracker.KeyResultValue(in.TargetValue), Observed: v3.ReadKeyResultValue(in.ObservedValue),
	})
	return v3.RenderKeyResult(k), err
}

type keyResultID struct {
	ID tracker.UUID `path:"key-result-public-id" doc:"The id of the key result."`
}

func (a API) deleteKeyResult(ctx context.Context, by tracker.Actor, in keyResultID) (rest.None, error) {
	return rest.None{}, a.Service.DeleteKeyResult(ctx, by, in.ID)
}
