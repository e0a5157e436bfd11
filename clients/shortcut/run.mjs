// Calls every method of the official client that the server serves and checks what comes back:
//
//   node run.mjs http://127.0.0.1:8080 <token of an owner> <id of a numeric key result>
//
// Prints lines of JSON (see record.mjs). internal/clients/shortcut_test.go runs it.
import { record } from "./record.mjs";
import * as documents from "./documents.mjs";
import * as epics from "./epics.mjs";
import * as planning from "./planning.mjs";
import * as searches from "./search.mjs";
import * as stories from "./stories.mjs";
import * as templates from "./templates.mjs";

const [baseURL, token, keyResultID] = process.argv.slice(2);
const api = record(baseURL, token);

const me = await api.getCurrentMemberInfo();
const workflow = await api.getWorkflow(me.workspace2.default_workflow_id);
const known = { me, workflow, keyResultID, baseURL, token };

// None relies on what another leaves behind.
for (const families of [planning, documents, epics, stories, templates, searches]) {
  for (const run of Object.values(families)) {
    await run(api, known);
  }
}
