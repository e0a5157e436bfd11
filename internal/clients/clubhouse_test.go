package clients_test

import (
	"testing"

	"milepost/internal/testkit"
)

// TestClubhouse runs the older JavaScript client, which also knows what v3 had in its first years.
func TestClubhouse(t *testing.T) {
	t.Parallel()
	exercise(t, "clubhouse", func(*testing.T, *testkit.Server) []string { return nil },
		"GET /user", "GET /stories/{}/tasks", "GET /teams", "GET /teams/{}")
}
