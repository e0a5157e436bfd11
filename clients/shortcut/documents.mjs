import assert from "node:assert/strict";
import { has, ids, refused } from "./record.mjs";

export async function documents(api) {
  const doc = await api.createDoc({ title: "Launch plan", content: "<h1>Plan</h1><p>Go <b>now</b></p>" });
  has(doc, { title: "Launch plan" });
  has(await api.getDoc(doc.id), { content_markdown: "# Plan\n\nGo **now**", content_html: undefined, archived: false });
  has(await api.getDoc(doc.id, { content_format: "html" }), { content_html: "<h1>Plan</h1>\n<p>Go <strong>now</strong></p>\n" });
  has(await api.updateDoc(doc.id, { content: "- [ ] *later*", content_format: "markdown" }), { content_markdown: "- [ ] *later*" });
  assert.ok(ids(await api.listDocs()).includes(doc.id));
  has(await api.searchDocuments({ title: "laun", created_by_me: true, page_size: 5 }), { total: 1, data: [doc], next: null });

  const epic = await api.createEpic({ name: "Documented" });
  await api.linkDocumentToEpic(doc.id, epic.id);
  assert.deepEqual(await api.listEpicDocuments(epic.id), [doc]);
  const [linked] = await api.listDocumentEpics(doc.id);
  has(linked.stats, { num_related_documents: 1 });
  await api.unlinkDocumentFromEpic(doc.id, epic.id);
  assert.deepEqual(await api.listDocumentEpics(doc.id), []);

  await api.deleteDoc(doc.id, { content_format: "html" });
  await refused(404, api.getDoc(doc.id));
}
