create table linked_file (
  workspace_id       text not null,
  id                 bigint not null,
  name               text not null,
  description        text,
  type               text not null,
  url                text not null,
  thumbnail_url      text,
  content_type       text,
  size               bigint,
  uploader_id        text not null,
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id)
);
