// Calls every method of the older client that the server serves and checks what comes back:
//
//   node run.mjs http://127.0.0.1:8080 <token of an owner>
//
// Prints lines of JSON (see record.mjs). internal/clients/clubhouse_test.go runs it.
import { record } from "./record.mjs";
import * as planning from "./planning.mjs";
import * as stories from "./stories.mjs";

const [baseURL, token] = process.argv.slice(2);
const api = record(baseURL, token);

const me = await api.getCurrentMember();
const [team] = await api.listTeams();

// None relies on what another leaves behind.
for (const families of [planning, stories]) {
  for (const run of Object.values(families)) {
    await run(api, { me, team, baseURL, token });
  }
}
