import assert from "node:assert/strict";
import { has, ids, refused } from "./record.mjs";

export async function epics(api, { me }) {
  const before = (await api.listEpics()).length;
  const epic = await api.createEpic({
    name: "Launch",
    description: "Long",
    deadline: "2026-03-01T00:00:00Z",
    labels: [{ name: "big" }],
    owner_ids: [me.id],
  });
  has(epic, { name: "Launch", deadline: "2026-03-01T00:00:00Z", owner_ids: [me.id], started: false, requested_by_id: me.id });
  const second = await api.createEpic({ name: "After", state: "in progress" });
  has(second, { started: true, state: "in progress" });
  has(await api.updateEpic(epic.id, { after_id: second.id, deadline: null, name: "Big launch" }), { name: "Big launch", deadline: null });

  const story = await api.createStory({ name: "Part", epic_id: epic.id, estimate: 2, description: "Long" });
  has((await api.getEpic(epic.id)).stats, { num_stories_total: 1, num_points: 2 });
  const list = await api.listEpics({ includes_description: true });
  assert.deepEqual(ids(list.slice(before)), [second.id, epic.id]);
  assert.equal(list.at(-1).description, "Long");
  const page = await api.listEpicsPaginated({ page: 1, page_size: 1, includes_description: false });
  has(page, { next: 2, total: before + 2 });
  assert.equal(page.data.length, 1);
  const [slim] = await api.listEpicStories(epic.id, { includes_description: true });
  has(slim, { id: story.id, epic_id: epic.id, description: "Long" });

  await api.unlinkProductboardFromEpic(epic.id);
  await api.deleteEpic(epic.id);
  await refused(404, api.getEpic(epic.id));
  has(await api.getStory(story.id), { epic_id: null });
}

export async function epicComments(api, { me }) {
  const epic = await api.createEpic({ name: "Discussed" });
  const comment = await api.createEpicComment(epic.id, { text: `[@olivia](shortcutapp://members/${me.id}) look` });
  has(comment, { author_id: me.id, member_mention_ids: [me.id], comments: [], deleted: false });
  const answer = await api.createEpicCommentComment(epic.id, comment.id, { text: "Yes" });
  has(await api.updateEpicComment(epic.id, answer.id, { text: "Yes!" }), { text: "Yes!" });
  const thread = await api.getEpicComment(epic.id, comment.id);
  assert.deepEqual(ids(thread.comments), [answer.id]);
  assert.deepEqual(await api.listEpicComments(epic.id), [thread]);
  await api.deleteEpicComment(epic.id, comment.id);
  const [left] = await api.listEpicComments(epic.id);
  has(left, { id: comment.id, deleted: true });
  has(left.comments[0], { id: answer.id, text: "Yes!", deleted: false });
}

export async function epicHealth(api, { me }) {
  const epic = await api.createEpic({ name: "Watched" });
  has(await api.getEpicHealth(epic.id), { epic_id: epic.id, status: "No Health", id: null });
  const health = await api.createEpicHealth(epic.id, { status: "At Risk", text: "Late" });
  has(health, { status: "At Risk", text: "Late", author_id: me.id });
  has(await api.updateHealth(health.id, { status: "On Track" }), { id: health.id, status: "On Track", text: "Late" });
  has(await api.getEpicHealth(epic.id), { id: health.id, status: "On Track" });
  assert.deepEqual(ids(await api.listEpicHealths(epic.id)), [health.id]);
}
