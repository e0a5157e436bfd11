package api_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

func TestMemberAdministration(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		admin := s.NewMember(t, s.Owner, "ada", tracker.Admin)
		other := s.NewWorkspace(t, "second")
		const path = "/api/app/members"
		anna := func(extra string) string {
			return `{"name":"Anna","email":"anna@example.org","mention_name":"anna","role":"member"` + extra + `}`
		}
		testkit.Run(t, admin, []testkit.Case{
			{Name: "every bad field", Method: "POST", Path: path, Body: `{"name":" ","email":"anna","mention_name":"An na","role":"boss","x":1}`, Status: 400,
				Want: `{"errors":{"name":"must not be blank","email":"must be an e-mail address","mention_name":"must hold only a-z, 0-9, '-', '_' and '.'",
					"role":"must be one of: owner, admin, member, observer","x":"disallowed-key"}}`},
			{Name: "all are needed", Method: "POST", Path: path, Body: `{}`, Status: 400, Want: `{"errors":{"name":"missing-required-key",
				"email":"missing-required-key","mention_name":"missing-required-key","role":"missing-required-key"}}`},
			{Name: "an e-mail address of 255 characters", Method: "POST", Path: path, Status: 400,
				Body: map[string]any{"name": "x", "email": strings.Repeat("a", 253) + "@b", "mention_name": "x", "role": "member"}},
			{Name: "a mention name of 64 characters", Method: "POST", Path: path, Status: 400,
				Body: map[string]any{"name": "x", "email": "x@b", "mention_name": strings.Repeat("a", 64), "role": "member"}},
			{Name: "all at their limits", Method: "POST", Path: path, Status: 201,
				Body: map[string]any{"name": strings.Repeat("ü", 128), "email": strings.Repeat("a", 252) + "@b", "mention_name": strings.Repeat("a", 63), "role": "observer"}},
			{Name: "added", Method: "POST", Path: path, Body: anna(""), Status: 201, Want: `{"name":"Anna","email":"anna@example.org","mention_name":"anna",
				"role":"member","disabled":false,"entity_type":"member","created_at":"2026-01-05T10:00:00Z","updated_at":"2026-01-05T10:00:00Z"}`},
			{Name: "the same address", Method: "POST", Path: path, Body: `{"name":"A","email":"ANNA@example.org","mention_name":"a","role":"member"}`, Status: 422,
				Want: `{"errors":{"email":"already exists"}}`},
			{Name: "the same mention name", Method: "POST", Path: path, Body: `{"name":"A","email":"a@b","mention_name":"anna","role":"member"}`, Status: 422,
				Want: `{"errors":{"mention_name":"already exists"}}`},
			{Name: "a mention name like a column", Method: "POST", Path: path, Body: `{"name":"A","email":"u@b","mention_name":"user_id","role":"member"}`, Status: 201},
			{Name: "the same again", Method: "POST", Path: path, Body: `{"name":"A","email":"v@b","mention_name":"user_id","role":"member"}`, Status: 422,
				Want: `{"errors":{"mention_name":"already exists"}}`},
			{Name: "the same person elsewhere", As: other, Method: "POST", Path: path, Body: anna(""), Status: 201},
			{Name: "admins make no owners", Method: "POST", Path: path, Body: `{"name":"A","email":"o@b","mention_name":"o","role":"owner"}`, Status: 403,
				Want: `{"tag":"forbidden"}`},
			{Name: "owners do", As: s.Owner, Method: "POST", Path: path, Body: `{"name":"A","email":"o@b","mention_name":"o","role":"owner"}`, Status: 201,
				Want: `{"role":"owner"}`},
		})
		list := admin.Want(t, 200, "GET", path, nil).List(t)
		if len(list) != 6 || list[0]["email"] != "olivia@first.example" {
			t.Errorf("the members are %v", list)
		}

		mia := s.NewMember(t, s.Owner, "mia", tracker.Regular)
		id, olivia := path+"/"+string(mia.Member.ID), path+"/"+string(s.Owner.Member.ID)
		testkit.Run(t, admin, []testkit.Case{
			{Method: "PUT", Path: id, Body: `{"name":"Mia M.","mention_name":"mia.m","role":"observer"}`, Status: 200,
				Want: `{"name":"Mia M.","mention_name":"mia.m","role":"observer","disabled":false}`},
			{Name: "the role holds at once", As: mia, Method: "POST", Path: "/labels", Body: `{"name":"x"}`, Status: 403},
			{Name: "a taken mention name", Method: "PUT", Path: id, Body: `{"mention_name":"anna"}`, Status: 422, Want: `{"errors":{"mention_name":"already exists"}}`},
			{Name: "null", Method: "PUT", Path: id, Body: `{"name":null,"role":null,"disabled":null,"mention_name":null}`, Status: 400},
			{Name: "another workspace's", Method: "PUT", Path: path + "/" + string(other.Member.ID), Body: `{"name":"x"}`, Status: 404},
			{Name: "admins make no owners", Method: "PUT", Path: id, Body: `{"role":"owner"}`, Status: 403},
			{Name: "admins change no owners", Method: "PUT", Path: olivia, Body: `{"name":"x"}`, Status: 403},
			{Name: "disable", Method: "PUT", Path: id, Body: `{"disabled":true}`, Status: 200, Want: `{"disabled":true}`},
			{Name: "the tokens are dead", As: mia, Method: "GET", Path: "/member", Status: 401, Want: `{"tag":"unauthorized"}`},
			{Name: "enable", Method: "PUT", Path: id, Body: `{"disabled":false,"role":"admin"}`, Status: 200, Want: `{"disabled":false,"role":"admin"}`},
			{Name: "the tokens are back", As: mia, Method: "GET", Path: "/api/app/members", Status: 200},
		})
	})
}

func TestLastOwnerStays(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		second := s.NewMember(t, s.Owner, "otto", tracker.Owner)
		olivia, otto := "/api/app/members/"+string(s.Owner.Member.ID), "/api/app/members/"+string(second.Member.ID)
		testkit.Run(t, s.Owner, []testkit.Case{
			{Name: "one of two", Method: "PUT", Path: otto, Body: `{"disabled":true}`, Status: 200},
			{Name: "a disabled owner does not count", Method: "PUT", Path: olivia, Body: `{"role":"admin"}`, Status: 422,
				Want: `{"errors":{"role":"cannot change: this is the last owner of the workspace"}}`},
			{Method: "PUT", Path: olivia, Body: `{"disabled":true,"name":"Gone"}`, Status: 422, Want: `{"errors":{"disabled":"cannot change: this is the last owner of the workspace"}}`},
			{Name: "nothing of it remains", Method: "GET", Path: "/member", Status: 200, Want: `{"role":"owner","name":"Olivia Owner"}`},
			{Name: "the name may change", Method: "PUT", Path: olivia, Body: `{"name":"Olivia"}`, Status: 200},
			{Name: "the other comes back", Method: "PUT", Path: otto, Body: `{"disabled":false}`, Status: 200},
			{Name: "now the first may go", Method: "PUT", Path: olivia, Body: `{"role":"member"}`, Status: 200, Want: `{"role":"member"}`},
			{Name: "and is a member", Method: "PUT", Path: olivia, Body: `{"role":"owner"}`, Status: 403},
		})
	})
}

func TestOwnMember(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		observer := s.NewMember(t, s.Owner, "oscar", tracker.Observer)
		testkit.Run(t, observer, []testkit.Case{
			{Method: "PUT", Path: "/api/app/member", Body: `{"name":"Oscar O.","mention_name":"oo"}`, Status: 200, Want: `{"name":"Oscar O.","mention_name":"oo","role":"observer"}`},
			{Method: "PUT", Path: "/api/app/member", Body: `{"mention_name":"olivia"}`, Status: 422, Want: `{"errors":{"mention_name":"already exists"}}`},
			{Name: "no role", Method: "PUT", Path: "/api/app/member", Body: `{"role":"admin"}`, Status: 400, Want: `{"errors":{"role":"disallowed-key"}}`},
			{Name: "129 characters", Method: "PUT", Path: "/api/app/member", Body: map[string]any{"name": strings.Repeat("x", 129)}, Status: 400},
			{Method: "GET", Path: "/member", Status: 200, Want: `{"name":"Oscar O.","mention_name":"oo"}`},
			{Name: "owners too", As: s.Owner, Method: "PUT", Path: "/api/app/member", Body: `{"name":"Olivia"}`, Status: 200, Want: `{"role":"owner"}`},
		})
	})
}

func TestMembersAreRecordedAndAudited(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		before := len(s.Changes(t, s.Owner.Workspace, 0))
		var id string
		send := func(status int, method, path, body string) testkit.Answer {
			s.Clock.Advance(time.Second)
			return s.Owner.Want(t, status, method, path, body)
		}
		id = send(201, "POST", "/api/app/members", `{"name":"Anna","email":"anna@example.org","mention_name":"anna","role":"member"}`).Object(t)["id"].(string)
		for _, body := range []string{`{"role":"admin"}`, `{"disabled":true}`, `{"disabled":true}`, `{"disabled":false}`, `{"name":"Ann"}`} {
			send(200, "PUT", "/api/app/members/"+id, body)
		}
		send(422, "PUT", "/api/app/members/"+string(s.Owner.Member.ID), `{"role":"admin"}`)

		changes := s.Changes(t, s.Owner.Workspace, int64(before))
		want := []string{"create ", "update role", "update disabled", "update disabled", "update name"}
		if len(changes) != len(want) {
			t.Fatalf("%d changes, want %d", len(changes), len(want))
		}
		for i, c := range changes {
			action, field, _ := strings.Cut(want[i], " ")
			item := c.Items[0]
			if len(c.Items) != 1 || item.EntityType != "member" || item.EntityID != id || item.Action != action || field != "" && (len(item.Data) != 1 || item.Data[field] == nil) {
				t.Errorf("change %d is %+v, want %s", i, c, want[i])
			}
		}
		rows := audited(t, s.Owner, 4)
		for i, want := range []struct {
			action string
			detail map[string]any
		}{
			{"member.add", map[string]any{"role": "member"}}, {"member.role", map[string]any{"old": "member", "new": "admin"}},
			{"member.disable", map[string]any{}}, {"member.enable", map[string]any{}},
		} {
			e := rows[i]
			if e["action"] != want.action || e["subject"] != id || e["member_id"] != string(s.Owner.Member.ID) || !reflect.DeepEqual(e["detail"], want.detail) {
				t.Errorf("entry %d is %v, want %v", i, e, want)
			}
		}
	})
}
