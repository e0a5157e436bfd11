-- What epics, iterations, projects, groups and states tell of their stories (counts, points, times) is summed up whenever
-- it is read. These indexes have all of it, so the wide rows of the stories are not touched. Only epics tell of their last
-- update: an index with updated_at is written with every change.
drop index story_by_epic;
drop index story_by_iteration;
drop index story_by_project;
drop index story_by_group;
drop index story_by_state;
create index story_by_epic on story (workspace_id, epic_id, id, archived, workflow_state_id, group_id, project_id, estimate,
  created_at, updated_at, started_at, started_at_override, completed_at, completed_at_override);
create index story_by_iteration on story (workspace_id, iteration_id, id, archived, workflow_state_id, group_id, estimate,
  created_at, started_at, started_at_override, completed_at, completed_at_override);
create index story_by_project on story (workspace_id, project_id, id, archived, workflow_state_id, estimate,
  created_at, started_at, started_at_override, completed_at, completed_at_override);
create index story_by_group on story (workspace_id, group_id, id, archived, workflow_state_id, estimate,
  created_at, started_at, started_at_override, completed_at, completed_at_override);
create index story_by_state on story (workspace_id, workflow_state_id, position, id, archived);
