package api_test

import (
	"fmt"
	"strings"
	"testing"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

const webhookPath = "/integrations/webhook"

func TestWebhooks(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		admin, mia := s.NewMember(t, s.Owner, "ada", tracker.Admin), s.NewMember(t, s.Owner, "mia", tracker.Regular)
		secret := strings.Repeat("ß", 128)
		a := admin.Want(t, 201, "POST", webhookPath, map[string]any{"webhook_url": "https://hooks.example/in?key=k", "secret": secret})
		id := a.ID(t)
		form := fmt.Sprintf(`{"entity_type":"integration","type":"generic","id":%d,"webhook_url":"https://hooks.example/in?key=k","disabled":false,
			"has_secret":true,"creator_id":%q,"created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`, id, admin.Member.ID)
		if id < 500_000_000 || strings.Contains(a.Text, "ß") {
			t.Errorf("the webhook is %s", a.Text)
		}
		one := fmt.Sprintf("%s/%d", webhookPath, id)
		managed := fmt.Sprintf("/api/app/webhooks/%d", id)
		long := "https://e.example/" + strings.Repeat("x", 2048-len("https://e.example/"))
		cases := []testkit.Case{
			{Name: "v3", Method: "GET", Path: one, Status: 200, Want: form},
			{Name: "beta", Method: "GET", Path: "/api/beta" + one, Status: 200, Want: form},
			{Name: "without a secret", Method: "POST", Path: "/api/beta" + webhookPath, Body: `{"webhook_url":"http://hooks.example"}`, Status: 201, Want: `{"has_secret":false}`},
			{Name: "longest address", Method: "POST", Path: webhookPath, Body: map[string]any{"webhook_url": long}, Status: 201},
			{Name: "too long an address", Method: "POST", Path: webhookPath, Body: map[string]any{"webhook_url": long + "x"}, Status: 400},
			{Name: "too long a secret", Method: "POST", Path: webhookPath, Body: map[string]any{"webhook_url": "https://e.example", "secret": secret + "x"}, Status: 400},
			{Name: "empty secret", Method: "POST", Path: webhookPath, Body: `{"webhook_url":"https://e.example","secret":""}`, Status: 400},
			{Name: "no address", Method: "POST", Path: webhookPath, Body: `{}`, Status: 400, Want: `{"errors":{"webhook_url":"missing-required-key"}}`},
			{Name: "another scheme", Method: "POST", Path: webhookPath, Body: `{"webhook_url":"ftp://e.example"}`, Status: 400},
			{Name: "no host", Method: "POST", Path: webhookPath, Body: `{"webhook_url":"https://:80/x"}`, Status: 422, Want: `{"errors":{"webhook_url":"is not a complete address"}}`},
			{Name: "an impossible host", Method: "POST", Path: webhookPath, Body: `{"webhook_url":"https://[::1/x"}`, Status: 422},
			{Name: "member creates", As: mia, Method: "POST", Path: webhookPath, Body: `{"webhook_url":"https://e.example"}`, Status: 403},
			{Name: "member reads", As: mia, Method: "GET", Path: one, Status: 403},
			{Name: "member deletes", As: mia, Method: "DELETE", Path: one, Status: 403},
			{Name: "unknown", Method: "GET", Path: webhookPath + "/7", Status: 404},
			{Name: "unknown, app", Method: "GET", Path: "/api/app/webhooks/7", Status: 404},
			{Name: "unknown, deliveries", Method: "GET", Path: "/api/app/webhooks/7/deliveries", Status: 404},
			{Name: "unknown, redelivery", Method: "POST", Path: "/api/app/webhooks/7/deliveries", Body: `{"number":1}`, Status: 404},

			{Method: "GET", Path: managed, Status: 200, Want: form},
			{Method: "GET", Path: managed, Status: 200, Want: `{"delivered_up_to":3,"failed_attempts":0,"failing_since":null,"next_attempt_at":null}`},
			{Method: "PUT", Path: managed, Body: `{"disabled":true}`, Status: 200, Want: `{"disabled":true}`},
			{Name: "twice", Method: "PUT", Path: managed, Body: `{"disabled":true}`, Status: 200, Want: `{"disabled":true}`},
			{Method: "PUT", Path: managed, Body: `{"disabled":null}`, Status: 400},
			{Method: "PUT", Path: managed, Body: `{}`, Status: 400},
			{Method: "PUT", Path: "/api/app/webhooks/7", Body: `{"disabled":true}`, Status: 404},
			{Method: "PUT", Path: managed, Body: `{"disabled":false}`, Status: 200, Want: `{"disabled":false}`},
			{Method: "GET", Path: managed + "/deliveries", Status: 200, Want: `[]`},
			{Method: "GET", Path: managed + "/deliveries?limit=0", Status: 400},
			{Method: "GET", Path: managed + "/deliveries?limit=1001", Status: 400},
			{Name: "no such change", Method: "POST", Path: managed + "/deliveries", Body: `{"number":99}`, Status: 422, Want: `{"errors":{"number":"is not the number of a change"}}`},
			{Name: "zero", Method: "POST", Path: managed + "/deliveries", Body: `{"number":0}`, Status: 400},
			{Name: "administration stays inside", Method: "POST", Path: managed + "/deliveries", Body: `{"number":2}`, Status: 422,
				Want: `{"errors":{"number":"is of a change that webhooks are not told of"}}`},
			{Method: "DELETE", Path: one, Status: 204},
			{Method: "DELETE", Path: one, Status: 404},
			{Method: "GET", Path: one, Status: 404},
		}
		testkit.Run(t, s.Owner, cases)
		if list := s.Owner.Want(t, 200, "GET", "/api/app/webhooks", nil).List(t); len(list) != 2 {
			t.Errorf("the list is %v", list)
		}
		if n := len(s.Changes(t, s.Owner.Workspace, 0)); n != 3 {
			t.Errorf("webhooks stand in the change log, which has %d changes", n)
		}
		audit := s.Owner.Want(t, 200, "GET", "/api/app/audit?limit=6", nil)
		for i, want := range []string{"delete", "enable", "disable", "create", "create", "create"} {
			entry := audit.List(t)[i]
			if entry["action"] != "webhook."+want || strings.Contains(audit.Text, "key=k") {
				t.Errorf("entry %d is %v, want %s", i, entry, want)
			}
		}
	})
}

// TestWebhookBound fills a workspace with webhooks.
func TestWebhookBound(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		create := func(status int) testkit.Answer {
			t.Helper()
			return s.Owner.Want(t, status, "POST", webhookPath, `{"webhook_url":"https://e.example"}`)
		}
		for range tracker.MaxWebhooks - 1 {
			create(201)
		}
		id := create(201).ID(t)
		if a := create(422); !strings.Contains(a.Text, "at most 50 webhooks") {
			t.Error(a.Text)
		}
		s.Owner.Want(t, 204, "DELETE", fmt.Sprintf("%s/%d", webhookPath, id), nil)
		create(201)
	})
}
