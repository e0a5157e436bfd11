-- Conditions of searches give ids. With the id at its end an index answers them alone; without it, each
-- id would be read from the wide row of a story.
drop index story_by_state;
drop index story_by_type;
drop index story_by_estimate;
drop index story_by_created;
drop index story_by_updated;
drop index story_by_moved;
drop index story_by_completed;
drop index story_by_deadline;
create index story_by_state on story (workspace_id, workflow_state_id, position, id);
create index story_by_type on story (workspace_id, story_type, id);
create index story_by_estimate on story (workspace_id, estimate, id);
create index story_by_created on story (workspace_id, created_at, id);
create index story_by_updated on story (workspace_id, updated_at, id);
create index story_by_moved on story (workspace_id, moved_at, id);
create index story_by_completed on story (workspace_id, completed_at, id) where completed_at is not null;
create index story_by_deadline on story (workspace_id, deadline, id) where deadline is not null;

-- SQLite takes an index only for a column that is compared with something.
drop index story_archived;
drop index story_blocked;
drop index story_blocker;
create index story_archived on story (workspace_id, archived, id) where archived = true;
create index story_blocked on story (workspace_id, blocked, id) where blocked = true;
create index story_blocker on story (workspace_id, blocker, id) where blocker = true;

-- The name of a label as searches compare it (query.Key); what is there already gets it with the new index.
alter table label add column search_key text not null default '';
create index label_by_search_key on label (workspace_id, search_key);
