import assert from "node:assert/strict";

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
