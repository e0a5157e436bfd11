-- Each part of an entity is a text of its own: a word is looked up once, whatever part it stands in, and
-- a new title leaves the words of the description alone.
drop trigger search_insert;
drop trigger search_delete;
drop view search;
drop table search_term;
drop table search_text;
drop table search_doc;

create table search_doc (
  doc          integer primary key,
  workspace_id text not null references workspace (workspace_id),
  entity       text not null, -- what is found: story, epic, iteration or milestone
  entity_id    bigint not null,
  part         smallint not null, -- 0 title, 1 description, 2 comment
  comment_id   bigint not null -- 0 but for comments
);
create unique index search_doc_comment_id on search_doc (workspace_id, entity, entity_id, part, comment_id);

-- The words come cut and folded; this tokenizer leaves them as they are. Prefixes of one to three
-- letters, behind five that are not the word's, have an index of their own: the many words that begin
-- with them would take long to gather.
create virtual table search_text using fts5 (
  words, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '6 7 8'
);
create virtual table search_term using fts5vocab (search_text, instance);

-- What PostgreSQL has as a table.
create view search as select workspace_id, entity, entity_id, part, comment_id, null as words from search_doc;
create trigger search_insert instead of insert on search begin
  insert into search_doc (workspace_id, entity, entity_id, part, comment_id)
    values (new.workspace_id, new.entity, new.entity_id, new.part, new.comment_id);
  insert into search_text (rowid, words) values (last_insert_rowid(), new.words);
end;
create trigger search_delete instead of delete on search begin
  delete from search_text where rowid = (select doc from search_doc where workspace_id = old.workspace_id
    and entity = old.entity and entity_id = old.entity_id and part = old.part and comment_id = old.comment_id);
  delete from search_doc where workspace_id = old.workspace_id
    and entity = old.entity and entity_id = old.entity_id and part = old.part and comment_id = old.comment_id;
end;

update workspace set search_ready = false;
