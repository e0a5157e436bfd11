package api_test

import (
	"strings"
	"testing"

	"milepost/internal/api"
	"milepost/internal/testkit"
	"milepost/internal/tracker"
)

// appAccess says who may use each operation of app: everybody, members but not observers, admins, or
// everybody whose token may write, since it changes only what is their own. Readers are everybody, also
// with a token that may only read.
var appAccess = map[string]string{
	"GET /audit":                                                "admins",
	"GET /changes":                                              "all",
	"GET /changes/stream":                                       "all",
	"POST /custom-fields":                                       "admins",
	"GET /documents/{doc-public-id}":                            "all",
	"PUT /documents/{doc-public-id}":                            "members",
	"GET /epic-workflow":                                        "all",
	"PUT /epic-workflow":                                        "admins",
	"POST /epic-workflow/states":                                "admins",
	"PUT /epic-states/{epic-state-public-id}":                   "admins",
	"DELETE /epic-states/{epic-state-public-id}":                "admins",
	"GET /files/{file-public-id}/content/{file-name}":           "all",
	"POST /files/{file-public-id}/links":                        "readers",
	"GET /files/{file-public-id}/thumbnail":                     "all",
	"POST /icons":                                               "self",
	"GET /icons/{icon-public-id}":                               "all",
	"POST /objectives/{objective-public-id}/key-results":        "members",
	"DELETE /key-results/{key-result-public-id}":                "members",
	"PUT /member":                                               "self",
	"GET /members":                                              "admins",
	"POST /members":                                             "admins",
	"PUT /members/{member-public-id}":                           "admins",
	"GET /members/{member-public-id}/tokens":                    "admins",
	"GET /tokens":                                               "all",
	"POST /tokens":                                              "self",
	"DELETE /tokens/{token-public-id}":                          "self",
	"GET /vcs-integrations":                                     "admins",
	"POST /vcs-integrations":                                    "admins",
	"GET /vcs-integrations/{vcs-integration-public-id}":         "admins",
	"PUT /vcs-integrations/{vcs-integration-public-id}":         "admins",
	"DELETE /vcs-integrations/{vcs-integration-public-id}":      "admins",
	"POST /vcs-integrations/{vcs-integration-public-id}/secret": "admins",
	"GET /webhooks":                                             "admins",
	"GET /webhooks/{webhook-public-id}":                         "admins",
	"PUT /webhooks/{webhook-public-id}":                         "admins",
	"GET /webhooks/{webhook-public-id}/deliveries":              "admins",
	"POST /webhooks/{webhook-public-id}/deliveries":             "admins",
	"GET /workflows":                                            "all",
	"POST /workflows":                                           "admins",
	"PUT /workflows/{workflow-public-id}":                       "admins",
	"DELETE /workflows/{workflow-public-id}":                    "admins",
	"POST /workflows/{workflow-public-id}/states":               "admins",
	"PUT /states/{state-public-id}":                             "admins",
	"DELETE /states/{state-public-id}":                          "admins",
	"GET /workspace":                                            "all",
	"PUT /workspace":                                            "admins",
}

func TestAppAccess(t *testing.T) {
	t.Parallel()
	testkit.OnEngines(t, func(t *testing.T, address string) {
		s := testkit.New(t, address)
		clients := map[string]*testkit.Client{"owner": s.Owner}
		for _, role := range []tracker.Role{tracker.Admin, tracker.Regular, tracker.Observer} {
			clients[string(role)] = s.NewMember(t, s.Owner, string(role), role)
		}
		readOnly := s.Owner.Want(t, 201, "POST", "/api/app/tokens", `{"name":"look","read_only":true}`).Object(t)
		clients["read-only"] = &testkit.Client{URL: s.URL, Token: readOnly["token"].(string)}
		clients["nobody"] = &testkit.Client{URL: s.URL}

		served := 0
		for _, version := range api.Versions(api.Config{}) {
			if version.Version != "app" {
				continue
			}
			for _, r := range version.Routes {
				if r.Path == "/openapi.json" { // for everybody, without a token
					continue
				}
				who, ok := appAccess[r.Method+" "+r.Path]
				if !ok {
					t.Errorf("%s %s: say in appAccess who may use it", r.Method, r.Path)
				}
				served++
				path := strings.NewReplacer("{member-public-id}", missingUUID, "{token-public-id}", missingUUID,
					"{workflow-public-id}", "7", "{epic-state-public-id}", "7", "{state-public-id}", "7",
					"{icon-public-id}", missingUUID, "{objective-public-id}", "7", "{key-result-public-id}", missingUUID,
					"{webhook-public-id}", "7").Replace(r.Path)
				for name, client := range clients {
					a := client.Do(t, r.Method, "/api/app"+path, map[string]any{"unknown": 1})
					if name == "nobody" {
						if a.Status != 401 {
							t.Errorf("%s %s without a token: status %d", r.Method, r.Path, a.Status)
						}
						continue
					}
					allowed := name == "owner" || name == "admin" || who != "admins" && !(who == "members" && name == "observer")
					if name == "read-only" {
						allowed = r.Method == "GET" || who == "readers"
					}
					if allowed != (a.Status == 400) || !allowed && a.Status != 403 {
						t.Errorf("%s %s as %s: status %d, allowed %v", r.Method, r.Path, name, a.Status, allowed)
					}
				}
			}
		}
		if served != len(appAccess) {
			t.Errorf("%d operations are served, appAccess has %d", served, len(appAccess))
		}
	})
}

const missingUUID = "00000000-0000-7000-8000-000000000000"
