-- The text of stories, epics, iterations, milestones and comments, cut into words. A word carries what
-- it was found in and the workspace (see store/search_index.go), so that looking it up meets nothing else.
create table search (
  workspace_id text not null references workspace (workspace_id),
  entity       text not null, -- what is found: story, epic, iteration or milestone
  entity_id    bigint not null,
  comment_id   bigint not null, -- 0 for the entity's own texts
  words        tsvector not null,
  primary key (workspace_id, entity, entity_id, comment_id)
);
create index search_words on search using gin (words);

-- Workspaces that are older than the index are not in it yet.
alter table workspace add column search_ready boolean not null default true;
update workspace set search_ready = false;

create index story_by_created on story (workspace_id, created_at);
create index story_by_moved on story (workspace_id, moved_at);
create index story_by_requester on story (workspace_id, requested_by_id, id);
create index story_by_completed on story (workspace_id, completed_at) where completed_at is not null;
create index story_by_deadline on story (workspace_id, deadline) where deadline is not null;
create index story_by_estimate on story (workspace_id, estimate);
create index story_by_type on story (workspace_id, story_type);
create index story_archived on story (workspace_id, id) where archived;
create index story_blocked on story (workspace_id, id) where blocked;
create index story_blocker on story (workspace_id, id) where blocker;
