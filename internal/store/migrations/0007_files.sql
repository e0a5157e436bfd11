create table file (
  workspace_id       text not null,
  id                 bigint not null,
  content_id         text not null,
  name               text not null,
  filename           text not null,
  description        text,
  external_id        text,
  content_type       text not null,
  size               bigint not null,
  sha256             text not null,
  thumbnail_type     text not null,
  uploader_id        text not null,
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id)
);

create unique index file_content_id on file (workspace_id, content_id);

create table link_secret (
  workspace_id text not null,
  secret       text not null,
  primary key (workspace_id)
);
