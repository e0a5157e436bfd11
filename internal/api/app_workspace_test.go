package api_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestWorkspaceSettings(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		admin, observer := s.NewMember(t, s.Owner, "ada", tracker.Admin), s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		const path = "/api/app/workspace"
		scale := make([]int64, 101)
		for i := range scale {
			scale[i] = int64(i)
		}
		testkit.Run(t, admin, []testkit.Case{
			{As: observer, Method: "GET", Path: path, Status: 200, Want: `{"name":"Workspace first","url_slug":"first","utc_offset":"+00:00","entity_type":"workspace2",
				"estimate_scale":[0,1,2,4,8],"working_days":["monday","tuesday","wednesday","thursday","friday"],"group_allowance":null,"default_workflow_id":500000004,
				"features":{"groups":true,"iterations":true,"entity-templates":true,"objectives":true,"projects":true,"custom-fields":true,"sub-tasks":true,"documents":true}}`},
			{Method: "PUT", Path: path, Body: `{"name":"Acme","utc_offset":"-03:30","estimate_scale":[0,100],"working_days":["sunday","monday"]}`, Status: 200,
				Want: `{"name":"Acme","utc_offset":"-03:30","estimate_scale":[0,100],"working_days":["monday","sunday"]}`},
			{Name: "v3 shows it", Method: "GET", Path: "/member", Status: 200, Want: `{"workspace2":{"name":"Acme","utc_offset":"-03:30","estimate_scale":[0,100]}}`},
			{Name: "every bad field", Method: "PUT", Path: path, Status: 400,
				Body: `{"name":null,"utc_offset":"UTC","estimate_scale":[-1,101],"working_days":["funday"],"group_allowance":-1,"features":{"groups":1,"magic":true},"slug":"x"}`,
				Want: `{"errors":{"name":"must not be null","utc_offset":"must be an offset such as +02:00","estimate_scale":["must be from 0 to 100","must be from 0 to 100"],
					"group_allowance":"must be from 0 to 1000000","features":{"groups":"must be true or false","magic":"disallowed-key"},"slug":"disallowed-key"}}`},
			{Name: "no estimates", Method: "PUT", Path: path, Body: `{"estimate_scale":[]}`, Status: 400},
			{Name: "no days", Method: "PUT", Path: path, Body: `{"working_days":[]}`, Status: 400},
			{Name: "every estimate", Method: "PUT", Path: path, Body: map[string]any{"estimate_scale": scale}, Status: 200},
			{Name: "an estimate twice", Method: "PUT", Path: path, Body: `{"estimate_scale":[1,1]}`, Status: 422, Want: `{"errors":{"estimate_scale":"must ascend"}}`},
			{Name: "estimates that fall", Method: "PUT", Path: path, Body: `{"estimate_scale":[2,1]}`, Status: 422},
			{Name: "a day twice", Method: "PUT", Path: path, Body: `{"working_days":["monday","friday","monday"]}`, Status: 422,
				Want: `{"errors":{"working_days":"must name each day once"}}`},
			{Name: "129 characters", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("x", 129)}, Status: 400},
			{Name: "128 characters", Method: "PUT", Path: path, Body: map[string]any{"name": strings.Repeat("x", 128)}, Status: 200},
			{Name: "the allowance is the owners'", Method: "PUT", Path: path, Body: `{"name":"x","group_allowance":3}`, Status: 403, Want: `{"tag":"forbidden"}`},
			{Name: "also to lift it", Method: "PUT", Path: path, Body: `{"group_allowance":null}`, Status: 403},
			{As: s.Owner, Method: "PUT", Path: path, Body: `{"group_allowance":0}`, Status: 200, Want: `{"group_allowance":0}`},
			{As: s.Owner, Method: "PUT", Path: path, Body: `{"group_allowance":null}`, Status: 200, Want: `{"group_allowance":null}`},
		})
	})
}

func TestFeaturesBySettings(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		const path = "/api/app/workspace"
		before := int64(len(s.Changes(t, s.Owner.Workspace, 0)))
		for _, f := range tracker.Features {
			s.Clock.Advance(time.Second)
			off := s.Owner.Want(t, 200, "PUT", path, map[string]any{"features": map[string]bool{string(f): false}})
			s.Clock.Advance(time.Second)
			on := s.Owner.Want(t, 200, "PUT", path, map[string]any{"features": map[string]bool{string(f): true}})
			for a, want := range map[*testkit.Answer]bool{&off: false, &on: true} {
				features := a.Object(t)["features"].(map[string]any)
				if features[string(f)] != want || len(features) != len(tracker.Features) {
					t.Errorf("%s switched to %v: %v", f, want, features)
				}
			}
			rows := audited(t, s.Owner, 2)
			if rows[0]["action"] != "feature.disable" || rows[1]["action"] != "feature.enable" || rows[0]["subject"] != string(f) || rows[1]["subject"] != string(f) {
				t.Errorf("the switches of %s are audited as %v", f, rows)
			}
		}
		s.Owner.Want(t, 200, "PUT", path, `{"features":{"groups":true}}`)
		if changes := s.Changes(t, s.Owner.Workspace, before); len(changes) != 2*len(tracker.Features) {
			t.Errorf("%d changes, want two for each feature", len(changes))
		} else if item := changes[0].Items[0]; item.EntityType != "workspace2" || item.Action != "update" || item.Data["disabled_features"] == nil {
			t.Errorf("a switch is recorded as %+v", item)
		}
	})
}

func TestAuditLog(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		other := s.NewWorkspace(t, "second")
		all := s.Owner.Want(t, 200, "GET", "/api/app/audit", nil).List(t)
		// The workspace was made with an owner and a token, by the command line.
		if len(all) != 2 || all[1]["action"] != "member.add" || all[0]["action"] != "token.create" || all[0]["member_id"] != nil || all[0]["via"] != "cli" {
			t.Fatalf("the audit log starts with %v", all)
		}
		for i := range 4 {
			s.Clock.Advance(time.Second)
			s.Owner.Want(t, 201, "POST", "/api/app/tokens", map[string]any{"name": fmt.Sprint(i)})
		}
		all = s.Owner.Want(t, 200, "GET", "/api/app/audit?limit=1000", nil).List(t)
		if len(all) != 6 {
			t.Fatalf("the audit log has %d entries", len(all))
		}
		var read []map[string]any
		for path := "/api/app/audit?limit=4"; ; {
			page := s.Owner.Want(t, 200, "GET", path, nil).List(t)
			if read = append(read, page...); len(page) == 0 {
				break
			}
			path = "/api/app/audit?limit=4&before=" + page[len(page)-1]["id"].(string)
		}
		if !reflect.DeepEqual(read, all) {
			t.Errorf("in pages of four it reads %v, want %v", read, all)
		}
		testkit.Run(t, s.Owner, []testkit.Case{
			{Method: "GET", Path: "/api/app/audit?limit=1", Status: 200, Want: `[{"action":"token.create","entity_type":"audit-entry","at":"2026-01-05T10:00:04Z","detail":{"name":"3"}}]`},
			{Method: "GET", Path: "/api/app/audit?limit=0", Status: 400, Want: `{"errors":{"limit":"must be from 1 to 1000"}}`},
			{Method: "GET", Path: "/api/app/audit?limit=1001", Status: 400},
			{Method: "GET", Path: "/api/app/audit?before=x", Status: 400, Want: `{"errors":{"before":"must be a UUID"}}`},
		})
		if got := other.Want(t, 200, "GET", "/api/app/audit", nil).List(t); len(got) != 2 {
			t.Errorf("the other workspace sees %v", got)
		}
	})
}
