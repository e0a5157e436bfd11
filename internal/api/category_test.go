package api_test

import (
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestCategories(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/categories", Status: 200, Want: `[]`},
			{Method: "POST", Path: "/categories", Body: `{"name":"Größe","color":"#AAbbcc","external_id":"x1","type":"milestone"}`, Status: 201,
				Want: `{"id":2,"name":"Größe","color":"#AAbbcc","external_id":"x1","archived":false,"entity_type":"category",
					"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`},
			{Name: "the same name folded", Method: "POST", Path: "/categories", Body: `{"name":" GRÖSSE"}`, Status: 422,
				Want: `{"errors":{"name":"already exists"}}`},
			{Name: "every bad field", Method: "POST", Path: "/categories", Body: `{"nme":1,"color":"red","external_id":null,"type":"x"}`, Status: 400,
				Want: `{"message":"The request included invalid or missing parameters.","errors":{"nme":"disallowed-key","name":"missing-required-key",
					"color":"must be a colour of the form #rrggbb","external_id":"must not be null","type":"must be one of: milestone"}}`},
			{Name: "blank", Method: "POST", Path: "/categories", Body: `{"name":"  "}`, Status: 400, Want: `{"errors":{"name":"must not be blank"}}`},
			{Name: "128 characters", Method: "POST", Path: "/categories", Body: map[string]any{"name": strings.Repeat("ü", 128)}, Status: 201},
			{Name: "129 characters", Method: "POST", Path: "/categories", Body: map[string]any{"name": strings.Repeat("ü", 129)}, Status: 400,
				Want: `{"errors":{"name":"must have at most 128 characters"}}`},
			{Name: "observer", As: observer, Method: "POST", Path: "/categories", Body: `{"name":"x"}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "observer reads", As: observer, Method: "GET", Path: "/categories/2", Status: 200, Want: `{"id":2}`},
			{Method: "GET", Path: "/categories/2", Status: 200, Want: `{"id":2,"name":"Größe"}`},
			{Method: "GET", Path: "/categories/0", Status: 404, Want: `{"message":"Resource not found."}`},
			{Method: "GET", Path: "/categories/-2", Status: 404},
			{Method: "GET", Path: "/categories/two", Status: 400, Want: `{"errors":{"category-public-id":"must be an integer"}}`},
			{Method: "GET", Path: "/categories/9223372036854775808", Status: 400},
			{Method: "PUT", Path: "/categories/2", Body: `{"color":null,"archived":true,"name":"Size"}`, Status: 200,
				Want: `{"color":null,"archived":true,"name":"Size","external_id":"x1"}`},
			{Name: "taken name", Method: "PUT", Path: "/categories/2", Body: map[string]any{"name": strings.Repeat("Ü", 128)}, Status: 422},
			{Method: "PUT", Path: "/categories/99", Body: `{"name":"x"}`, Status: 404},
			{Method: "PUT", Path: "/categories/2", Body: `{"name":null}`, Status: 400, Want: `{"errors":{"name":"must not be null"}}`},
			{Method: "DELETE", Path: "/categories/2", Status: 204},
			{Method: "DELETE", Path: "/categories/2", Status: 404},
		})
	})
}

func TestWritesAreRecorded(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		id := s.Owner.Want(t, 201, "POST", "/categories", `{"name":"Size"}`).ID(t)
		s.Clock.Advance(60e9)
		path := "/categories/" + tracker.Category{ID: id}.EntityID()
		updated := s.Owner.Want(t, 200, "PUT", path, `{"color":"#112233"}`).Object(t)["updated_at"]
		s.Clock.Advance(60e9)
		if again := s.Owner.Want(t, 200, "PUT", path, `{"color":"#112233"}`).Object(t)["updated_at"]; again != updated {
			t.Errorf("an update that changes nothing moved updated_at from %v to %v", updated, again)
		}
		s.Owner.Want(t, 204, "DELETE", path, nil)

		changes := s.Changes(t, s.Owner.Workspace, int64(before))
		if len(changes) != 3 {
			t.Fatalf("%d changes, want 3", len(changes))
		}
		for i, want := range []string{"create", "update", "delete"} {
			c := changes[i]
			if c.Number != int64(before+i+1) || len(c.Items) != 1 || c.Items[0].Action != want || c.Member != s.Owner.Member.ID || c.Via != "v3" {
				t.Errorf("change %d is %+v, want a single %s", i, c, want)
			}
		}
		if got := changes[2].Items[0].Data["color"]; got != "#112233" {
			t.Errorf("the deletion keeps color %v", got)
		}
	})
}
