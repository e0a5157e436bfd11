import assert from "node:assert/strict";
import { has, hearOfRepository, ids, refused } from "./record.mjs";

export async function members(api, { me }) {
  has(me, { mention_name: "olivia", role: "owner" });
  assert.deepEqual(ids(await api.listMembers({ disabled: false })), [me.id]);
  assert.deepEqual(await api.listMembers({ disabled: true }), []);
  const member = await api.getMember(me.id, { "org-public-id": me.organization2.id });
  has(member, { id: me.id, role: "owner", disabled: false });
  has(member.profile, { name: me.name, email_address: "olivia@first.example" });
}

export async function workflows(api, { workflow }) {
  const now = await api.getWorkflow(workflow.id);
  assert.deepEqual(await api.listWorkflows(), [now]);
  assert.ok(ids(workflow.states).includes(workflow.default_state_id));
  const epicWorkflow = await api.getEpicWorkflow();
  assert.ok(ids(epicWorkflow.epic_states).includes(epicWorkflow.default_epic_state_id));
}

export async function categories(api) {
  const category = await api.createCategory({ name: "Growth", color: "#00ff00", type: "milestone" });
  has(category, { name: "Growth", color: "#00ff00", archived: false });
  await refused(422, api.createCategory({ name: "Growth", type: "milestone" }));
  has(await api.updateCategory(category.id, { name: "Reach", color: null }), { name: "Reach", color: null });
  has(await api.getCategory(category.id), { id: category.id, name: "Reach" });
  assert.ok(ids(await api.listCategories()).includes(category.id));

  const milestone = await api.createMilestone({ name: "More users", categories: [{ name: "Reach" }] });
  assert.deepEqual(ids(await api.listCategoryMilestones(category.id)), [milestone.id]);
  assert.deepEqual(ids(await api.listCategoryObjectives(category.id)), [milestone.id]);
  await api.deleteCategory(category.id);
  await refused(404, api.getCategory(category.id));
}

export async function customFields(api) {
  const fields = await api.listCustomFields();
  const [first] = fields;
  assert.deepEqual(await api.getCustomField(first.id), first);
  const [one, two] = first.values;
  const updated = await api.updateCustomField(first.id, {
    name: "Area",
    description: "Where it is",
    enabled: true,
    values: [{ id: two.id }, { id: one.id, value: "Renamed", color_key: "green" }, { value: "New" }],
  });
  has(updated, { name: "Area", description: "Where it is" });
  assert.deepEqual(updated.values.map((v) => v.value), [two.value, "Renamed", "New"]);
  await api.deleteCustomField(first.id);
  assert.equal((await api.listCustomFields()).length, fields.length - 1);
}

export async function groups(api, { me, workflow }) {
  const group = await api.createGroup({ name: "Crew", mention_name: "crew", member_ids: [me.id], workflow_ids: [workflow.id] });
  has(group, { mention_name: "crew", member_ids: [me.id], archived: false, num_stories: 0 });
  await refused(422, api.createGroup({ name: "Other", mention_name: "crew" }));
  has(await api.updateGroup(group.id, { description: "All hands", color: "#123456" }), { description: "All hands" });
  const first = await api.createStory({ name: "First", group_id: group.id });
  const second = await api.createStory({ name: "Second", group_id: group.id });
  has(await api.getGroup(group.id), { num_stories: 2 });
  assert.deepEqual(ids(await api.listGroupStories(group.id, { limit: 1, offset: 1 })), [second.id]);
  assert.deepEqual(ids(await api.listGroupStories(group.id)), [first.id, second.id]);

  has(await api.updateGroup(group.id, { archived: true }), { archived: true });
  assert.deepEqual(ids(await api.listGroups({ archived: true })), [group.id]);
  assert.deepEqual(await api.listGroups({ archived: false }), []);
}

export async function iterations(api) {
  const iteration = await api.createIteration({ name: "Sprint", start_date: "2026-01-05", end_date: "2026-01-16", labels: [{ name: "sprint" }] });
  has(iteration, { name: "Sprint", status: "started", start_date: "2026-01-05T00:00:00Z" });
  assert.deepEqual(iteration.labels.map((l) => l.name), ["sprint"]);
  const moved = await api.updateIteration(iteration.id, { start_date: "2026-01-06", description: "Later" });
  has(moved, { status: "unstarted", description: "Later" });
  const story = await api.createStory({ name: "In it", iteration_id: iteration.id, estimate: 3, description: "Long" });
  assert.equal((await api.getIteration(iteration.id)).stats.num_points, 3);
  assert.deepEqual(ids(await api.listIterations()), [iteration.id]);
  const [slim] = await api.listIterationStories(iteration.id, { includes_description: true });
  has(slim, { id: story.id, description: "Long" });

  await api.disableIterations();
  await refused(403, api.createIteration({ name: "No", start_date: "2026-01-05", end_date: "2026-01-16" }));
  await api.enableIterations();
  await api.deleteIteration(iteration.id);
  has(await api.getStory(story.id), { iteration_id: null });
}

export async function labels(api) {
  const label = await api.createLabel({ name: "urgent", color: "#ff0000", description: "Now" });
  has(label, { name: "urgent", color: "#ff0000", description: "Now" });
  has(await api.updateLabel(label.id, { name: "soon", color: null }), { name: "soon", color: null });
  const story = await api.createStory({ name: "Labelled", labels: [{ name: "soon" }] });
  const epic = await api.createEpic({ name: "Labelled", labels: [{ name: "soon" }] });
  has((await api.getLabel(label.id)).stats, { num_stories_total: 1, num_epics: 1 });
  assert.equal((await api.listLabels({ slim: true })).find(({ id }) => id === label.id).stats, undefined);
  assert.ok((await api.listLabels()).find(({ id }) => id === label.id).stats);
  assert.deepEqual(ids(await api.listLabelStories(label.id, { includes_description: false })), [story.id]);
  assert.deepEqual(ids(await api.listLabelEpics(label.id)), [epic.id]);
  await api.deleteLabel(label.id);
  has(await api.getStory(story.id), { label_ids: [] });
}

export async function milestones(api) {
  const milestone = await api.createMilestone({ name: "Beta", state: "in progress" });
  has(milestone, { name: "Beta", started: true, completed: false });
  has(await api.updateMilestone(milestone.id, { state: "done", description: "Out" }), { completed: true, description: "Out" });
  has(await api.getMilestone(milestone.id), { name: "Beta", state: "done" });
  assert.ok(ids(await api.listMilestones()).includes(milestone.id));
  const epic = await api.createEpic({ name: "For beta", milestone_id: milestone.id });
  assert.deepEqual(ids(await api.listMilestoneEpics(milestone.id)), [epic.id]);
  await api.deleteMilestone(milestone.id);
  has(await api.getEpic(epic.id), { milestone_id: null });
}

export async function objectives(api, { keyResultID }) {
  const objective = await api.createObjective({ name: "Win", categories: [{ name: "Market", color: "#0000ff" }] });
  has(objective, { name: "Win", state: "to do", key_result_ids: [] });
  has(await api.updateObjective(objective.id, { name: "Win more", archived: true }), { name: "Win more", archived: true });
  assert.deepEqual(await api.getObjective(objective.id), await api.getMilestone(objective.id));
  assert.deepEqual(await api.listObjectives(), await api.listMilestones());
  const epic = await api.createEpic({ name: "To win", objective_ids: [objective.id] });
  assert.deepEqual(ids(await api.listObjectiveEpics(objective.id)), [epic.id]);
  await api.deleteObjective(objective.id);
  await refused(404, api.getObjective(objective.id));

  const keyResult = await api.getKeyResult(keyResultID);
  has(keyResult, { type: "numeric", progress: 0 });
  const half = await api.updateKeyResult(keyResultID, { name: "Sales", observed_value: { numeric_value: "50" } });
  has(half, { name: "Sales", progress: 50, current_observed_value: { numeric_value: "50" } });
  has(await api.getObjective(keyResult.objective_id), { key_result_ids: [keyResultID] });
}

export async function projects(api, { me, workflow }) {
  const project = await api.createProject({ name: "Site", team_id: workflow.team_id, abbreviation: "ST", follower_ids: [me.id] });
  has(project, { name: "Site", workflow_id: workflow.id, abbreviation: "ST", follower_ids: [me.id] });
  has(await api.updateProject(project.id, { name: "New site", show_thermometer: false }), { name: "New site", show_thermometer: false });
  const story = await api.createStory({ name: "Page", project_id: project.id, description: "Long" });
  assert.equal((await api.getProject(project.id)).stats.num_stories, 1);
  assert.deepEqual(ids(await api.listProjects()), [project.id]);
  const [slim] = await api.listStories(project.id, { includes_description: true });
  has(slim, { id: story.id, description: "Long" });
  await refused(422, api.deleteProject(project.id));
  await api.deleteStory(story.id);
  await api.deleteProject(project.id);
  assert.deepEqual(await api.listProjects(), []);
}

export async function webhooks(api) {
  const webhook = await api.createGenericIntegration({ webhook_url: "https://example.com/hook", secret: "s3cret" });
  has(webhook, { entity_type: "integration", type: "generic", webhook_url: "https://example.com/hook", has_secret: true, disabled: false });
  has(await api.getGenericIntegration(webhook.id), { id: webhook.id });
  await api.deleteGenericIntegration(webhook.id);
  await refused(404, api.getGenericIntegration(webhook.id));
}

// A repository is known from the first thing that its service tells.
export async function repositories(api, { baseURL, token }) {
  const known = await hearOfRepository(baseURL, token);
  const [repository] = await api.listRepositories();
  has(repository, known);
  assert.deepEqual(await api.getRepository(repository.id), repository);
}
