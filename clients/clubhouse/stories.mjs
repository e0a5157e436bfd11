import assert from "node:assert/strict";
import { has, ids, refused } from "../check.mjs";

export async function stories(api, { me, team }) {
  const { states } = team.workflow;
  const done = states.find(({ type }) => type === "done");
  const story = await api.createStory({ name: "Pump", story_type: "bug", owner_ids: [me.id], labels: [{ name: "wet" }] });
  has(story, { name: "Pump", story_type: "bug", owner_ids: [me.id], completed: false });
  has(await api.updateStory(story.id, { workflow_state_id: done.id, estimate: 2 }), { completed: true, estimate: 2 });
  has(await api.getStory(story.id), { name: "Pump", workflow_state_id: done.id });
  await api.deleteStory(story.id);
  await refused(404, api.getStory(story.id));
}

export async function comments(api, { me }) {
  const story = await api.createStory({ name: "Discussed" });
  const comment = await api.createStoryComment(story.id, "First");
  has(await api.updateStoryComment(story.id, comment.id, "Better"), { text: "Better", author_id: me.id });
  const [reaction] = await api.addReaction(story.id, comment.id, ":thumbsup:");
  has(reaction, { emoji: ":thumbsup:", permission_ids: [me.id] });
  await api.deleteReaction(story.id, comment.id, ":thumbsup:");
  await api.deleteStoryComment(story.id, comment.id);
  assert.deepEqual((await api.getStory(story.id)).comments, []);
}

export async function tasks(api) {
  const story = await api.createStory({ name: "With tasks" });
  const task = await api.createTask(story.id, { description: "Find it" });
  has(await api.updateTask(story.id, task.id, { complete: true }), { complete: true });
  has(await api.getTask(story.id, task.id), { description: "Find it", complete: true });
  assert.deepEqual(ids(await api.listTasks(story.id)), [task.id]);
  await api.deleteTask(story.id, task.id);
  assert.deepEqual(await api.listTasks(story.id), []);
}

export async function storyLinks(api) {
  const [first, second] = [await api.createStory({ name: "First" }), await api.createStory({ name: "Second" })];
  const link = await api.createStoryLink({ subject_id: first.id, verb: "blocks", object_id: second.id });
  has(await api.getStoryLink(link.id), { subject_id: first.id, verb: "blocks", object_id: second.id });
  has(await api.getStory(second.id), { blocked: true });
  await api.deleteStoryLink(link.id);
  await refused(404, api.getStoryLink(link.id));
}

export async function linkedFiles(api) {
  const story = await api.createStory({ name: "With files" });
  const file = await api.createLinkedFile({ name: "Plan", type: "google", url: "https://docs.example.com/plan", story_id: story.id });
  has(await api.updateLinkedFile(file.id, { name: "New plan" }), { name: "New plan", story_ids: [story.id] });
  assert.ok(ids(await api.listLinkedFiles()).includes(file.id));
  await api.deleteLinkedFile(file.id);
  assert.ok(!ids(await api.listLinkedFiles()).includes(file.id));
}

// The client uploads nothing itself.
export async function files(api, { baseURL, token }) {
  const form = new FormData();
  form.append("file0", new Blob(["Hello"], { type: "text/plain" }), "hello.txt");
  const sent = await fetch(`${baseURL}/api/v3/files`, { method: "POST", headers: { "Shortcut-Token": token }, body: form });
  const [file] = await sent.json();
  has(await api.updateFile(file.id, { description: "A greeting" }), { filename: "hello.txt", description: "A greeting" });
  assert.ok(ids(await api.listFiles()).includes(file.id));
  await api.deleteFile(file.id);
  assert.ok(!ids(await api.listFiles()).includes(file.id));
}

export async function search(api) {
  const made = [await api.createStory({ name: "A zebra" }), await api.createStory({ name: "Two zebras" })];
  const found = await api.searchStories("zebra", 1);
  has(found, { total: 2 });
  const rest = await found.fetchNext();
  assert.deepEqual([...ids(found.data), ...ids(rest.data)], ids(made).reverse());
  assert.equal(rest.next, null);
}
