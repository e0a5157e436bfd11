package v3

import (
	"context"

	"milepost/internal/tracker"
)

// KeyResult measures how near an objective has come to its goal.
type KeyResult struct {
	CurrentObservedValue KeyResultValue `json:"current_observed_value"`
	CurrentTargetValue   KeyResultValue `json:"current_target_value"`
	ID                   tracker.UUID   `json:"id"`
	InitialObservedValue KeyResultValue `json:"initial_observed_value"`
	Name                 string         `json:"name"`
	ObjectiveID          int64          `json:"objective_id"`
	Progress             int64          `json:"progress"`
	Type                 string         `json:"type" is:"enum=percent|boolean|numeric"`
}

// KeyResultValue holds one of the two, by the type of the key result.
type KeyResultValue struct {
	BooleanValue *bool   `json:"boolean_value,omitzero"`
	NumericValue *string `json:"numeric_value,omitzero"`
}

// RenderKeyResult is the wire form of a key result.
func RenderKeyResult(k tracker.KeyResult) KeyResult {
	value := func(text string) KeyResultValue {
		if k.Type == tracker.BooleanResult {
			truth := text == "true"
			return KeyResultValue{BooleanValue: &truth}
		}
		return KeyResultValue{NumericValue: &text}
	}
	return KeyResult{
		CurrentObservedValue: value(k.Observed), CurrentTargetValue: value(k.Target), ID: k.ID, InitialObservedValue: value(k.Initial),
		Name: k.Name, ObjectiveID: k.MilestoneID, Progress: k.Progress(), Type: string(k.Type),
	}
}

type keyResultID struct {
	ID tracker.UUID `path:"key-result-public-id" doc:"The id of the key result."`
}

func (a API) getKeyResult(ctx context.Context, by tracker.Actor, in keyResultID) (KeyResult, error) {
	k, err := a.Service.KeyResult(ctx, by, in.ID)
	return RenderKeyResult(k), err
}

// KeyResultValueParams is a value in a request: one of the two, by the type of the key result.
type KeyResultValueParams struct {
	Numeric tracker.Opt[string] `json:"numeric_value" is:"decimal"`
	Boolean tracker.Opt[bool]   `json:"boolean_value"`
}

// ReadKeyResultValue is an optional value as the domain knows it.
func ReadKeyResultValue(v tracker.Opt[KeyResultValueParams]) tracker.Opt[tracker.KeyResultValue] {
	return tracker.Opt[tracker.KeyResultValue]{Value: tracker.KeyResultValue(v.Value), State: v.State}
}

type updateKeyResult struct {
	ID                   tracker.UUID                      `path:"key-result-public-id" doc:"The id of the key result."`
	InitialObservedValue tracker.Opt[KeyResultValueParams] `json:"initial_observed_value"`
	Name                 tracker.Opt[string]               `json:"name" is:"min=1,max=1024"`
	ObservedValue        tracker.Opt[KeyResultValueParams] `json:"observed_value"`
	TargetValue          tracker.Opt[KeyResultValueParams] `json:"target_value"`
}

func (a API) updateKeyResult(ctx context.Context, by tracker.Actor, in updateKeyResult) (KeyResult, error) {
	k, err := a.Service.UpdateKeyResult(ctx, by, in.ID, tracker.KeyResultChange{
		Name: in.Name, Initial: ReadKeyResultValue(in.InitialObservedValue), Observed: ReadKeyResultValue(in.ObservedValue),
		Target: ReadKeyResultValue(in.TargetValue),
	})
	return RenderKeyResult(k), err
}
