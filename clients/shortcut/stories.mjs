import assert from "node:assert/strict";
import { has, ids, refused } from "./record.mjs";

export async function stories(api, { me, workflow }) {
  const done = workflow.states.find((s) => s.type === "done");
  const [builtIn] = await api.listCustomFields();
  const field = await api.updateCustomField(builtIn.id, { enabled: true });
  const value = { field_id: field.id, value_id: field.values[0].id };
  const epic = await api.createEpic({ name: "Home" });
  const story = await api.createStory({
    name: "Write it",
    description: `For [@olivia](shortcutapp://members/${me.id})`,
    story_type: "chore",
    estimate: 5,
    deadline: "2026-02-01T00:00:00Z",
    epic_id: epic.id,
    owner_ids: [me.id],
    labels: [{ name: "text" }],
    custom_fields: [value],
    external_links: ["https://example.com/1"],
    tasks: [{ description: "Think" }],
    comments: [{ text: "Soon" }],
  });
  has(story, { story_type: "chore", estimate: 5, epic_id: epic.id, owner_ids: [me.id], member_mention_ids: [me.id], started: false });
  has(story.custom_fields[0], value);
  assert.equal(story.tasks.length + story.comments.length, 2);
  assert.deepEqual(await api.getStory(story.id), story);
  const updated = await api.updateStory(story.id, { workflow_state_id: done.id, estimate: null, deadline: null, epic_id: null });
  has(updated, { completed: true, estimate: null, deadline: null, epic_id: null, workflow_state_id: done.id });
  assert.deepEqual(ids(await api.getExternalLinkStories({ external_link: "https://example.com/1" })), [story.id]);
  assert.deepEqual(ids(await api.queryStories({ label_name: "text", owner_ids: [me.id], includes_description: true })), [story.id]);
  assert.deepEqual(await api.queryStories({ label_name: "text", archived: true }), []);

  const history = await api.storyHistory(story.id);
  assert.deepEqual(history.map(({ actions }) => actions.find(({ id }) => id === story.id).action), ["create", "update"]);
  has(history[1].actions[0].changes.estimate, { old: 5 });
  assert.ok(ids(history[1].references).includes(done.id));

  await api.deleteStory(story.id);
  await refused(404, api.getStory(story.id));
  await refused(400, api.createStory({ description: "No name" }));
}

export async function bulk(api) {
  const created = await api.createMultipleStories({ stories: [{ name: "One" }, { name: "Two", story_type: "bug" }] });
  assert.deepEqual(created.map((s) => s.name), ["One", "Two"]);
  const story_ids = ids(created);
  const updated = await api.updateMultipleStories({ story_ids, archived: true, labels_add: [{ name: "old" }] });
  assert.deepEqual(updated.map((s) => [s.archived, s.labels[0].name]), [[true, "old"], [true, "old"]]);
  await api.deleteMultipleStories({ story_ids });
  await refused(404, api.getStory(story_ids[0]));
}

export async function comments(api, { me }) {
  const story = await api.createStory({ name: "Discussed" });
  const comment = await api.createStoryComment(story.id, { text: "What?" });
  has(comment, { text: "What?", author_id: me.id, story_id: story.id, parent_id: null });
  const answer = await api.createStoryComment(story.id, { text: "That.", parent_id: comment.id });
  has(await api.updateStoryComment(story.id, answer.id, { text: "That!" }), { text: "That!", parent_id: comment.id });
  const reactions = await api.createStoryReaction(story.id, answer.id, { emoji: ":tada:" });
  assert.deepEqual(reactions.map((r) => [r.emoji, r.permission_ids]), [[":tada:", [me.id]]]);
  assert.equal((await api.getStoryComment(story.id, answer.id)).reactions.length, 1);
  await api.deleteStoryReaction(story.id, answer.id, { emoji: ":tada:" });
  assert.deepEqual((await api.getStoryComment(story.id, answer.id)).reactions, []);
  has(await api.unlinkCommentThreadFromSlack(story.id, comment.id), { linked_to_slack: false });
  assert.deepEqual(ids(await api.listStoryComment(story.id)), [comment.id, answer.id]);
  await api.deleteStoryComment(story.id, comment.id);
  has((await api.listStoryComment(story.id)).find(({ id }) => id === answer.id), { text: "That!", deleted: false });
}

export async function tasks(api, { me }) {
  const story = await api.createStory({ name: "With steps" });
  const first = await api.createTask(story.id, { description: "First" });
  const second = await api.createTask(story.id, { description: "Second", owner_ids: [me.id] });
  has(second, { owner_ids: [me.id], complete: false, completed_at: null, story_id: story.id });
  const moved = await api.updateTask(story.id, second.id, { complete: true, before_id: first.id });
  assert.ok(moved.complete && moved.completed_at);
  assert.deepEqual(await api.getTask(story.id, second.id), moved);
  assert.deepEqual(ids((await api.getStory(story.id)).tasks), [second.id, first.id]);
  await api.deleteTask(story.id, second.id);
  assert.deepEqual(ids((await api.getStory(story.id)).tasks), [first.id]);
}

export async function subTasks(api) {
  const parent = await api.createStory({ name: "Parent", sub_tasks: [{ name: "Child" }] });
  const other = await api.createStory({ name: "Other child", parent_story_id: parent.id });
  const list = await api.listStorySubTasks(parent.id);
  assert.deepEqual(list.map((s) => s.name), ["Child", "Other child"]);
  has(other, { parent_story_id: parent.id });
}

export async function storyLinks(api) {
  const subject = await api.createStory({ name: "Blocker" });
  const object = await api.createStory({ name: "Blocked" });
  const link = await api.createStoryLink({ subject_id: subject.id, object_id: object.id, verb: "blocks" });
  has(link, { subject_id: subject.id, object_id: object.id, verb: "blocks" });
  await refused(422, api.createStoryLink({ subject_id: subject.id, object_id: object.id, verb: "blocks" }));
  has(await api.getStory(object.id), { blocked: true });
  has(await api.getStory(subject.id), { blocker: true });
  has(await api.updateStoryLink(link.id, { verb: "relates to" }), { verb: "relates to" });
  has(await api.getStoryLink(link.id), { id: link.id, verb: "relates to" });
  has(await api.getStory(object.id), { blocked: false });
  await api.deleteStoryLink(link.id);
  await refused(404, api.getStoryLink(link.id));
}

export async function linkedFiles(api, { me }) {
  const story = await api.createStory({ name: "With a file" });
  const file = await api.createLinkedFile({ name: "Plan", type: "google", url: "https://example.com/plan", size: 5, story_id: story.id });
  has(file, { type: "google", size: 5, uploader_id: me.id, story_ids: [story.id], description: null });
  has(await api.getStory(story.id), { linked_files: [file] });
  has(await api.updateLinkedFile(file.id, { name: "Old plan", type: "url" }), { name: "Old plan", type: "url" });
  has(await api.getLinkedFile(file.id), { id: file.id, name: "Old plan" });
  assert.deepEqual(ids(await api.listLinkedFiles()), [file.id]);
  await refused(422, api.createLinkedFile({ name: "No", type: "url", url: "https://example.com", story_id: 999 }));
  await api.deleteLinkedFile(file.id);
  has(await api.getStory(story.id), { linked_files: [] });
}

export async function files(api, { me }) {
  const story = await api.createStory({ name: "With an upload" });
  const part = (name, text) => new File([text], name, { type: "text/plain" });
  const uploaded = await api.uploadFiles({ story_id: story.id, file0: part("plan.txt", "One"), file1: part("größe.txt", "Two!") });
  assert.deepEqual(uploaded.map((f) => [f.name, f.size, f.content_type]), [["plan.txt", 3, "text/plain"], ["größe.txt", 4, "text/plain"]]);
  const [file, second] = uploaded;
  has(file, { filename: "plan.txt", uploader_id: me.id, story_ids: [story.id], description: null, thumbnail_url: null });
  has(await api.getStory(story.id), { files: uploaded });
  has(await api.updateFile(file.id, { name: "Plan", description: "The plan" }), { name: "Plan", description: "The plan" });
  has(await api.getFile(file.id), { id: file.id, name: "Plan" });
  assert.deepEqual(ids(await api.listFiles()), [file.id, second.id]);
  await refused(422, api.uploadFiles({ story_id: 999, file0: part("no.txt", "No") }));
  await api.deleteFile(file.id);
  has(await api.getStory(story.id), { files: [second] });
}
