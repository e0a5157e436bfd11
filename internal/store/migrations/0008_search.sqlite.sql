-- The text of stories, epics, iterations, milestones and comments, cut into words. A word carries what
-- it was found in and the workspace (see store/search_index.go), so that looking it up meets nothing else.
-- The full-text table keeps only the index; it knows a text by a number.
create table search_doc (
  doc          integer primary key,
  workspace_id text not null references workspace (workspace_id),
  entity       text not null, -- what is found: story, epic, iteration or milestone
  entity_id    bigint not null,
  comment_id   bigint not null -- 0 for the entity's own texts
);
create unique index search_doc_comment_id on search_doc (workspace_id, entity, entity_id, comment_id);

-- The words come cut and folded; this tokenizer leaves them as they are. Prefixes of two and three
-- letters, behind six that are not the word's, have an index of their own: the many words that begin
-- with them would take long to gather.
create virtual table search_text using fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '8 9'
);
create virtual table search_term using fts5vocab (search_text, instance);

-- What PostgreSQL has as a table.
create view search as select workspace_id, entity, entity_id, comment_id, null as words from search_doc;
create trigger search_insert instead of insert on search begin
  insert into search_doc (workspace_id, entity, entity_id, comment_id)
    values (new.workspace_id, new.entity, new.entity_id, new.comment_id);
  insert into search_text (rowid, words) values (last_insert_rowid(), new.words);
end;
create trigger search_delete instead of delete on search begin
  delete from search_text where rowid = (select doc from search_doc where workspace_id = old.workspace_id
    and entity = old.entity and entity_id = old.entity_id and comment_id = old.comment_id);
  delete from search_doc where workspace_id = old.workspace_id
    and entity = old.entity and entity_id = old.entity_id and comment_id = old.comment_id;
end;

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
