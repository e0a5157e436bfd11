package api_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func number(decimal string) tracker.KeyResultValue {
	return tracker.KeyResultValue{Numeric: tracker.Some(decimal)}
}

func truth(b bool) tracker.KeyResultValue { return tracker.KeyResultValue{Boolean: tracker.Some(b)} }

func newKeyResult(t *testing.T, s *testkit.Server, milestone int64, kind tracker.KeyResultType, initial, target tracker.KeyResultValue) tracker.KeyResult {
	t.Helper()
	k, err := s.Service.CreateKeyResult(t.Context(), testkit.Operator(s.Owner.Workspace), milestone,
		tracker.KeyResultParams{Name: "k", Type: kind, Initial: initial, Target: target})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestKeyResults(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		member := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		stranger := s.NewWorkspace(t, "second")
		m := s.Owner.Want(t, 201, "POST", "/objectives", `{"name":"m"}`).ID(t)
		numeric := "/key-results/" + string(newKeyResult(t, s, m, tracker.NumericResult, number("10.50"), number("20.50")).ID)
		percent := "/key-results/" + string(newKeyResult(t, s, m, tracker.PercentResult, number("0"), number("80")).ID)
		boolean := "/key-results/" + string(newKeyResult(t, s, m, tracker.BooleanResult, truth(false), truth(true)).ID)
		value := func(v string) string { return fmt.Sprintf(`{"observed_value":{"numeric_value":%q}}`, v) }
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: fmt.Sprintf("/milestones/%d", m), Status: 200,
				Want: fmt.Sprintf(`{"key_result_ids":[%q,%q,%q]}`, numeric[13:], percent[13:], boolean[13:])},
			{Method: "GET", Path: numeric, Status: 200, Want: fmt.Sprintf(`{"id":%q,"name":"k","objective_id":%d,"type":"numeric","progress":0,
				"initial_observed_value":{"numeric_value":"10.50"},"current_observed_value":{"numeric_value":"10.50"},"current_target_value":{"numeric_value":"20.50"}}`, numeric[13:], m)},
			{Method: "GET", Path: boolean, Status: 200, Want: `{"type":"boolean","progress":0,"initial_observed_value":{"boolean_value":false},"current_target_value":{"boolean_value":true}}`},
			{As: observer, Method: "GET", Path: numeric, Status: 200},
			{As: observer, Method: "PUT", Path: numeric, Body: `{}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{As: stranger, Method: "GET", Path: numeric, Status: 404, Want: `{"message":"Resource not found."}`},
			{As: stranger, Method: "PUT", Path: numeric, Body: `{}`, Status: 404},
			{Method: "GET", Path: "/key-results/1", Status: 400, Want: `{"errors":{"key-result-public-id":"must be a UUID"}}`},

			{As: member, Method: "PUT", Path: numeric, Body: value("12"), Status: 200, Want: `{"progress":15,"current_observed_value":{"numeric_value":"12"},"initial_observed_value":{"numeric_value":"10.50"}}`},
			{Name: "just below a half", Method: "PUT", Path: numeric, Body: value("12.04"), Status: 200, Want: `{"progress":15}`},
			{Name: "a half is rounded up", Method: "PUT", Path: numeric, Body: value("12.05"), Status: 200, Want: `{"progress":16}`},
			{Name: "below the start", Method: "PUT", Path: numeric, Body: value("-3.5"), Status: 200, Want: `{"progress":0}`},
			{Name: "above the target", Method: "PUT", Path: numeric, Body: value("9999999999999.99"), Status: 200, Want: `{"progress":100}`},
			{Name: "another start", Method: "PUT", Path: numeric, Body: `{"initial_observed_value":{"numeric_value":"30"},"observed_value":{"numeric_value":"25"},"target_value":{"numeric_value":"20"}}`,
				Status: 200, Want: `{"progress":50}`},
			{Name: "nowhere to go, and there", Method: "PUT", Path: numeric, Body: `{"initial_observed_value":{"numeric_value":"20"},"observed_value":{"numeric_value":"20.0"}}`,
				Status: 200, Want: `{"progress":100}`},
			{Name: "nowhere to go, and not there", Method: "PUT", Path: numeric, Body: value("21"), Status: 200, Want: `{"progress":0}`},
			{Method: "PUT", Path: percent, Body: value("40"), Status: 200, Want: `{"progress":50,"type":"percent"}`},
			{Method: "PUT", Path: boolean, Body: `{"observed_value":{"boolean_value":true}}`, Status: 200, Want: `{"progress":100,"current_observed_value":{"boolean_value":true}}`},

			{Name: "three decimals", Method: "PUT", Path: numeric, Body: value("1.234"), Status: 400,
				Want: `{"errors":{"observed_value":{"numeric_value":"must be a decimal number with at most 13 digits and 2 decimals"}}}`},
			{Name: "fourteen digits", Method: "PUT", Path: numeric, Body: value("10000000000000"), Status: 400},
			{Name: "no number", Method: "PUT", Path: numeric, Body: value("many"), Status: 400},
			{Name: "a bare dot", Method: "PUT", Path: numeric, Body: value("1."), Status: 400},
			{Name: "not a string", Method: "PUT", Path: numeric, Body: `{"observed_value":{"numeric_value":1}}`, Status: 400,
				Want: `{"errors":{"observed_value":{"numeric_value":"must be a string"}}}`},
			{Name: "null", Method: "PUT", Path: numeric, Body: `{"observed_value":null,"target_value":{"numeric_value":null},"name":null}`, Status: 400,
				Want: `{"errors":{"observed_value":"must not be null","target_value":{"numeric_value":"must not be null"},"name":"must not be null"}}`},
			{Name: "boolean for a number", Method: "PUT", Path: numeric, Body: `{"target_value":{"boolean_value":true}}`, Status: 422,
				Want: `{"errors":{"target_value":"must hold numeric_value alone, since the key result is of type numeric"}}`},
			{Name: "both", Method: "PUT", Path: percent, Body: `{"initial_observed_value":{"boolean_value":true,"numeric_value":"1"}}`, Status: 422,
				Want: `{"errors":{"initial_observed_value":"must hold numeric_value alone, since the key result is of type percent"}}`},
			{Name: "neither", Method: "PUT", Path: numeric, Body: `{"observed_value":{}}`, Status: 422},
			{Name: "a number for a boolean", Method: "PUT", Path: boolean, Body: value("1"), Status: 422,
				Want: `{"errors":{"observed_value":"must hold boolean_value alone, since the key result is of type boolean"}}`},
			{Name: "name of 1024", Method: "PUT", Path: numeric, Body: map[string]any{"name": strings.Repeat("é", 1024)}, Status: 200},
			{Name: "name of 1025", Method: "PUT", Path: numeric, Body: map[string]any{"name": strings.Repeat("é", 1025)}, Status: 400,
				Want: `{"errors":{"name":"must have at most 1024 characters"}}`},
			{Name: "no name", Method: "PUT", Path: numeric, Body: `{"name":""}`, Status: 400},
			{Method: "PUT", Path: "/key-results/00000000-0000-7000-8000-000000000000", Body: `{}`, Status: 404},
		})
		if err := s.Service.SwitchFeature(t.Context(), testkit.Operator(s.Owner.Workspace), tracker.Objectives, false); err != nil {
			t.Fatal(err)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "PUT", Path: numeric, Body: `{"name":"x"}`, Status: 403, Want: `{"feature_tag":"objectives"}`},
			{Method: "GET", Path: numeric, Status: 200},
		})
	})
}

func TestKeyResultsAreMadeAndDeleted(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		by := testkit.Operator(s.Owner.Workspace)
		answer := s.Owner.Want(t, 201, "POST", "/milestones", `{"name":"m"}`)
		m, path := answer.ID(t), fmt.Sprintf("/milestones/%d", answer.ID(t))
		before := int64(len(s.Changes(t, by.Workspace, 0)))

		observed, err := s.Service.CreateKeyResult(t.Context(), by, m, tracker.KeyResultParams{
			Name: "k", Type: tracker.NumericResult, Initial: number("0"), Target: number("8"), Observed: tracker.Some(number("2")),
		})
		if err != nil || observed.Progress() != 25 {
			t.Errorf("a key result created at 2 of 8 is %+v with %d %%: %v", observed, observed.Progress(), err)
		}
		gone := newKeyResult(t, s, m, tracker.BooleanResult, truth(false), truth(true))
		last := newKeyResult(t, s, m, tracker.PercentResult, number("0"), number("100"))
		if err := s.Service.DeleteKeyResult(t.Context(), by, gone.ID); err != nil {
			t.Fatal(err)
		}
		s.Clock.Advance(time.Minute)
		s.Owner.Want(t, 200, "PUT", "/key-results/"+string(last.ID), `{"name":"k","target_value":{"numeric_value":"100"}}`)
		s.Owner.Want(t, 200, "PUT", "/key-results/"+string(last.ID), `{"name":"renamed"}`)
		s.Owner.Want(t, 404, "GET", "/key-results/"+string(gone.ID), nil)
		testkit.Run(t, s.Owner, []testkit.Case{{Method: "GET", Path: path, Status: 200, Want: fmt.Sprintf(`{"key_result_ids":[%q,%q]}`, observed.ID, last.ID)}})

		const want = "create key-result, create key-result, create key-result, delete key-result, update key-result"
		if got := itemsOf(s.Changes(t, by.Workspace, before)); got != want {
			t.Errorf("the changes are %s, want %s", got, want)
		}

		refused := func(milestone int64, p tracker.KeyResultParams, want tracker.Code) {
			t.Helper()
			_, err := s.Service.CreateKeyResult(t.Context(), by, milestone, p)
			var e *tracker.Error
			if !errors.As(err, &e) || e.Code != want {
				t.Errorf("%+v: %v, want code %d", p, err, want)
			}
		}
		refused(m, tracker.KeyResultParams{Type: tracker.NumericResult, Initial: number("0"), Target: number("1.234")}, tracker.Unprocessable)
		refused(m, tracker.KeyResultParams{Type: tracker.BooleanResult, Initial: number("0"), Target: truth(true)}, tracker.Unprocessable)
		refused(99999, tracker.KeyResultParams{Type: tracker.BooleanResult, Initial: truth(false), Target: truth(true)}, tracker.NotFound)
		if err := s.Service.DeleteKeyResult(t.Context(), by, gone.ID); !errors.Is(err, tracker.ErrNotFound) {
			t.Errorf("deleting it twice: %v", err)
		}
		if err := s.Service.SwitchFeature(t.Context(), by, tracker.Objectives, false); err != nil {
			t.Fatal(err)
		}
		refused(m, tracker.KeyResultParams{Type: tracker.BooleanResult, Initial: truth(false), Target: truth(true)}, tracker.FeatureOff)
		if err := s.Service.DeleteKeyResult(t.Context(), by, last.ID); err != nil {
			t.Error(err)
		}
	})
}
