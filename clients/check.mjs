import assert from "node:assert/strict";
import { createHmac } from "node:crypto";

// has checks that an answer has these values; it may have more.
export function has(answer, want) {
  for (const [key, value] of Object.entries(want)) {
    assert.deepEqual(answer[key], value, `${key} of ${JSON.stringify(answer)}`);
  }
}

// refused checks that a call is answered with the status and an error that says why.
export async function refused(status, call) {
  const error = await call.then(() => assert.fail(`not refused with ${status}`), (error) => error);
  assert.equal(error.status, status, error.message);
  assert.ok(error.data.message, error.message);
}

export function ids(list) {
  return list.map(({ id }) => id);
}

// hearOfRepository lets a version-control service speak of a repository, and returns what is known of it then.
export async function hearOfRepository(baseURL, token) {
  const made = await fetch(`${baseURL}/api/app/vcs-integrations`, {
    method: "POST",
    headers: { "Shortcut-Token": token },
    body: JSON.stringify({ name: "Code", provider: "github" }),
  });
  const { hook_url: hook, secret } = await made.json();
  const body = JSON.stringify({ repository: { id: 7, name: "engine", full_name: "acme/engine", html_url: "https://github.com/acme/engine" } });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const told = await fetch(hook, { method: "POST", headers: { "X-GitHub-Event": "ping", "X-Hub-Signature-256": signature }, body });
  assert.equal(told.status, 200);
  return { type: "github", name: "engine", full_name: "acme/engine", external_id: "7" };
}
