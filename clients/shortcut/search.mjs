// What is searched: everything by its text and by operators, page by page.
import assert from "node:assert/strict";
import { has, ids, refused } from "./record.mjs";

export async function search(api) {
  const epic = await api.createEpic({ name: "Zebra crossing" });
  const story = await api.createStory({ name: "Paint the zebra", description: "Black and white", epic_id: epic.id });
  const second = await api.createStory({ name: "Another zebra" });
  const iteration = await api.createIteration({ name: "Zebra sprint", start_date: "2026-01-05", end_date: "2026-01-09" });
  const objective = await api.createObjective({ name: "More zebras" });

  const all = await api.search({ query: "zebra", entity_types: ["story", "epic", "iteration", "objective"] });
  assert.deepEqual(ids(all.stories.data), [second.id, story.id]);
  assert.deepEqual(ids(all.epics.data), [epic.id]);
  assert.deepEqual(ids(all.iterations.data), [iteration.id]);
  assert.deepEqual(ids(all.milestones.data), [objective.id]);

  assert.deepEqual(ids((await api.searchEpics({ query: "zebra" })).data), [epic.id]);
  assert.deepEqual(ids((await api.searchIterations({ query: "zebra" })).data), [iteration.id]);
  assert.deepEqual(ids((await api.searchMilestones({ query: "zebra" })).data), [objective.id]);
  assert.deepEqual(ids((await api.searchObjectives({ query: "zebra" })).data), [objective.id]);
  has((await api.searchStories({ query: `zebra epic:${epic.id}` })).data[0], { id: story.id, description: "Black and white", tasks: [] });
  has((await api.searchStories({ query: "black zebra", detail: "slim" })).data[0], { id: story.id, task_ids: [] });

  const first = await api.searchStories({ query: "zebra", page_size: 1 });
  has(first, { total: 2 });
  const next = new URLSearchParams(first.next).get("next");
  const last = await api.searchStories({ query: "zebra", page_size: 1, next });
  assert.deepEqual(ids(last.data), [story.id]);
  has(last, { next: null });
  await refused(400, api.searchStories({ query: "is:nonsense" }));
}
