import assert from "node:assert/strict";
import { has, hearOfRepository, ids, refused } from "../check.mjs";

export async function people(api, { me, team }) {
  assert.ok(ids(await api.listMembers()).includes(me.id));
  has(await api.getMember(me.id), { id: me.id, role: "owner" });
  assert.deepEqual(await api.getCurrentUser(), me);
  const got = await api.getTeam(team.id);
  has(got, { id: team.id, name: team.name });
  const [workflow] = await api.listWorkflows();
  assert.equal(got.workflow.id, workflow.id);
  assert.deepEqual([...new Set(workflow.states.map(({ type }) => type))], ["unstarted", "started", "done"]);
}

export async function projects(api, { team }) {
  const project = await api.createProject({ name: "Engine", team_id: team.id });
  has(await api.updateProject(project.id, { description: "Under the hood" }), { name: "Engine", description: "Under the hood" });
  has(await api.getProject(project.id), { description: "Under the hood" });
  assert.ok(ids(await api.listProjects()).includes(project.id));
  const story = await api.createStory({ name: "Part", project_id: project.id, description: "Long" });
  const [slim] = await api.listStories(project.id, true);
  has(slim, { id: story.id, description: "Long" });
  has((await api.listStories(project.id))[0], { id: story.id, description: undefined });
  await api.deleteStory(story.id);
  await api.deleteProject(project.id);
  await refused(404, api.getProject(project.id));
}

export async function epics(api) {
  const epic = await api.createEpic({ name: "Launch", description: "Long", state: "in progress" });
  has(await api.updateEpic(epic.id, { state: "done" }), { state: "done", completed: true });
  has(await api.getEpic(epic.id), { name: "Launch", description: "Long" });
  has((await api.listEpics(true)).find(({ id }) => id === epic.id), { description: "Long" });
  const story = await api.createStory({ name: "Part", epic_id: epic.id, description: "Long" });
  const [slim] = await api.listEpicStories(epic.id, true);
  has(slim, { id: story.id, description: "Long" });
  await api.deleteEpic(epic.id);
  await refused(404, api.getEpic(epic.id));
}

export async function iterations(api) {
  const iteration = await api.createIteration({ name: "Sprint", start_date: "2026-02-01", end_date: "2026-02-14" });
  has(await api.updateIteration(iteration.id, { name: "Second sprint" }), { name: "Second sprint", start_date: "2026-02-01T00:00:00Z" });
  has(await api.getIteration(iteration.id), { name: "Second sprint" });
  assert.ok(ids(await api.listIterations()).includes(iteration.id));
  await api.deleteIteration(iteration.id);
  await refused(404, api.getIteration(iteration.id));
}

export async function milestones(api) {
  const milestone = await api.createMilestone({ name: "Beta", description: "Soon", categories: [{ name: "Growth" }] });
  has(await api.updateMilestone(milestone.id, { state: "in progress" }), { name: "Beta", state: "in progress" });
  has(await api.getMilestone(milestone.id), { description: "Soon" });
  assert.ok(ids(await api.listMilestones()).includes(milestone.id));
  const epic = await api.createEpic({ name: "Of it", milestone_id: milestone.id });
  assert.deepEqual(ids(await api.listMilestoneEpics(milestone.id)), [epic.id]);
}

export async function labels(api) {
  const label = await api.createLabel("warm", "#ff8800");
  has(label, { name: "warm", color: "#ff8800" });
  assert.ok(ids(await api.listLabels()).includes(label.id));
  await refused(422, api.createLabel("Warm", "#000000"));
}

// A repository is known from the first thing that its service tells.
export async function repositories(api, { baseURL, token }) {
  const repository = await hearOfRepository(baseURL, token);
  const [listed] = await api.listRepositories();
  has(listed, repository);
  assert.deepEqual(await api.getRepository(listed.id), listed);
}
