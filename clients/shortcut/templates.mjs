import assert from "node:assert/strict";
import { has, ids, refused } from "./record.mjs";

export async function templates(api, { me }) {
  const contents = { name: "Bug report", story_type: "bug", labels: [{ name: "bug" }], tasks: [{ description: "Reproduce" }] };
  const template = await api.createEntityTemplate({ name: "Bug", story_contents: contents });
  has(template, { name: "Bug", author_id: me.id });
  has(template.story_contents, { name: "Bug report", story_type: "bug" });
  const updated = await api.updateEntityTemplate(template.id, { name: "Defect", story_contents: { estimate: 1 } });
  has(updated, { name: "Defect" });
  has(updated.story_contents, { name: "Bug report", estimate: 1 });
  assert.deepEqual(await api.getEntityTemplate(template.id), updated);
  assert.deepEqual(ids(await api.listEntityTemplates()), [template.id]);

  const story = await api.createStoryFromTemplate({
    story_template_id: template.id,
    name: "It crashes",
    labels_add: [{ name: "crash" }],
    labels_remove: [{ name: "bug" }],
  });
  has(story, { name: "It crashes", story_type: "bug", estimate: 1, story_template_id: template.id });
  assert.deepEqual(story.labels.map((l) => l.name), ["crash"]);
  assert.deepEqual(story.tasks.map((t) => t.description), ["Reproduce"]);

  await api.disableStoryTemplates();
  await refused(403, api.createEntityTemplate({ name: "No", story_contents: {} }));
  await api.enableStoryTemplates();
  await api.deleteEntityTemplate(template.id);
  await refused(404, api.getEntityTemplate(template.id));
}
