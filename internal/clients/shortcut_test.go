package clients_test

import (
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// TestShortcut runs the official JavaScript client.
func TestShortcut(t *testing.T) {
	t.Parallel()
	exercise(t, "shortcut", func(t *testing.T, s *testkit.Server) []string { return []string{string(putKeyResult(t, s))} })
}

// putKeyResult makes a key result, which no operation of v3 does, and returns its id.
func putKeyResult(t *testing.T, s *testkit.Server) tracker.UUID {
	t.Helper()
	by := testkit.Operator(s.Owner.Workspace)
	objective := s.Owner.Want(t, 201, "POST", "/objectives", map[string]any{"name": "Sell"}).ID(t)
	number := func(n string) tracker.KeyResultValue { return tracker.KeyResultValue{Numeric: tracker.Some(n)} }
	k, err := s.Service.CreateKeyResult(t.Context(), by, objective, tracker.KeyResultParams{
		Name: "Revenue", Type: tracker.NumericResult, Initial: number("0"), Target: number("100"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return k.ID
}
