// Package app is the part of the API that v3 has no operation for and the web application needs:
// one's own tokens, the changes of a workspace as they happen, and its administration.
package app

import (
	"net/http"
	"time"

	"milepost/internal/api/rest"
	"milepost/internal/api/v3"
	"milepost/internal/webhook"
)

// API holds what the operations need; what v3 shows too has the form that v3 gives it.
type API struct {
	v3.API
	Webhooks  *webhook.Dispatcher
	Stopping  <-chan struct{} // closed when requests that wait are to end
	Heartbeat time.Duration   // between two signs of life of an event stream
}

// Routes is every operation of app.
func (a API) Routes() []rest.Route {
	return []rest.Route{
		rest.Get("/audit", "List Audit Log", a.listAudit).ForAdmins(),

		rest.Get("/changes", "List Changes", a.listChanges),
		rest.Get("/changes/stream", "Stream Changes", a.streamChanges),

		rest.Post("/custom-fields", "Create Custom Field", a.createCustomField).ForAdmins().Fails(http.StatusConflict),

		rest.Get("/documents/{doc-public-id}", "Get Document", a.getDocument),
		rest.Put("/documents/{doc-public-id}", "Archive or Follow Document", a.updateDocument),

		rest.Get("/epic-workflow", "Get Epic Workflow", a.getEpicWorkflow),
		rest.Put("/epic-workflow", "Update Epic Workflow", a.updateEpicWorkflow).ForAdmins(),
		rest.Post("/epic-workflow/states", "Create Epic State", a.createEpicState).ForAdmins(),
		rest.Put("/epic-states/{epic-state-public-id}", "Update Epic State", a.updateEpicState).ForAdmins(),
		rest.Delete("/epic-states/{epic-state-public-id}", "Delete Epic State", a.deleteEpicState).ForAdmins(),

		rest.Get("/files/{file-public-id}/content/{file-name}", "Get File Content", a.getContent),
		rest.Post("/files/{file-public-id}/links", "Create File Link", a.createFileLink).ReadsOnly().Unrepeatable(),
		rest.Get("/files/{file-public-id}/thumbnail", "Get File Thumbnail", a.getThumbnail),

		rest.Post("/icons", "Upload Icon", a.createIcon).Receives(pictures{}).ForSelf(),
		rest.Get("/icons/{icon-public-id}", "Get Icon", a.getIcon),

		rest.Post("/objectives/{objective-public-id}/key-results", "Create Key Result", a.createKeyResult),
		rest.Delete("/key-results/{key-result-public-id}", "Delete Key Result", a.deleteKeyResult),

		rest.Put("/member", "Update Own Member", a.updateSelf).ForSelf(),
		rest.Get("/members", "List Members", a.listMembers).ForAdmins(),
		rest.Post("/members", "Add Member", a.addMember).ForAdmins(),
		rest.Put("/members/{member-public-id}", "Update Member", a.updateMember).ForAdmins(),
		rest.Get("/members/{member-public-id}/tokens", "List Tokens of Member", a.listTokensOfMember).ForAdmins(),

		rest.Get("/tokens", "List Own Tokens", a.listTokens),
		rest.Post("/tokens", "Create Own Token", a.createToken).ForSelf().Unrepeatable(),
		rest.Delete("/tokens/{token-public-id}", "Revoke Token", a.revokeToken).ForSelf(),

		rest.Get("/webhooks", "List Webhooks", a.listWebhooks).ForAdmins(),
		rest.Get("/webhooks/{webhook-public-id}", "Get Webhook", a.getWebhook).ForAdmins(),
		rest.Put("/webhooks/{webhook-public-id}", "Update Webhook", a.updateWebhook).ForAdmins(),
		rest.Get("/webhooks/{webhook-public-id}/deliveries", "List Webhook Deliveries", a.listDeliveries).ForAdmins(),
		rest.Post("/webhooks/{webhook-public-id}/deliveries", "Deliver Change Again", a.redeliver).ForAdmins().Unrepeatable(),
		rest.Get("/vcs-integrations", "List Version-Control Integrations", a.listVCSIntegrations).ForAdmins(),
		rest.Post("/vcs-integrations", "Create Version-Control Integration", a.createVCSIntegration).ForAdmins().Unrepeatable(),
		rest.Get("/vcs-integrations/{vcs-integration-public-id}", "Get Version-Control Integration", a.getVCSIntegration).ForAdmins(),
		rest.Put("/vcs-integrations/{vcs-integration-public-id}", "Update Version-Control Integration", a.updateVCSIntegration).ForAdmins(),
		rest.Delete("/vcs-integrations/{vcs-integration-public-id}", "Delete Version-Control Integration", a.deleteVCSIntegration).ForAdmins(),
		rest.Post("/vcs-integrations/{vcs-integration-public-id}/secret", "Replace Secret", a.replaceVCSSecret).ForAdmins().Unrepeatable(),

		rest.Get("/workflows", "List Workflows", a.listWorkflows),
		rest.Post("/workflows", "Create Workflow", a.createWorkflow).ForAdmins(),
		rest.Put("/workflows/{workflow-public-id}", "Update Workflow", a.updateWorkflow).ForAdmins(),
		rest.Delete("/workflows/{workflow-public-id}", "Delete Workflow", a.deleteWorkflow).ForAdmins(),
		rest.Post("/workflows/{workflow-public-id}/states", "Create Workflow State", a.createState).ForAdmins(),
		rest.Put("/states/{state-public-id}", "Update Workflow State", a.updateState).ForAdmins(),
		rest.Delete("/states/{state-public-id}", "Delete Workflow State", a.deleteState).ForAdmins(),

		rest.Get("/workspace", "Get Workspace Settings", a.getWorkspace),
		rest.Put("/workspace", "Update Workspace Settings", a.updateWorkspace).ForAdmins(),
	}
}
