package store_test

import (
	"testing"

	"milepost/internal/store/storetest"
	"milepost/internal/testkit"
)

func TestEngines(t *testing.T) {
	t.Parallel()
	testkit.Engines(t, storetest.Exercise)
}
