-- Each part of an entity is a text of its own: a word is looked up once, whatever part it stands in, and
-- a new title leaves the words of the description alone.
drop table search;
create table search (
  workspace_id text not null references workspace (workspace_id),
  entity       text not null, -- what is found: story, epic, iteration or milestone
  entity_id    bigint not null,
  part         smallint not null, -- 0 title, 1 description, 2 comment
  comment_id   bigint not null, -- 0 but for comments
  words        tsvector not null,
  primary key (workspace_id, entity, entity_id, part, comment_id)
);
create index search_words on search using gin (words);

update workspace set search_ready = false;
