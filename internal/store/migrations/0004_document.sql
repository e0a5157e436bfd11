create table document (
  workspace_id       text not null references workspace (workspace_id),
  document_id        text not null,
  title              text not null,
  title_key          text not null, -- the folded words of the title, each between blanks
  archived           boolean not null,
  created_by_id      text not null,
  follower_ids       text not null,
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  content            text not null, -- Markdown; last, so that lists of titles need not read it
  primary key (workspace_id, document_id)
);

-- The documents that an epic is linked to; the table ref finds epics by them.
alter table epic add column document_ids text not null default '';
