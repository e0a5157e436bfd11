-- Times are seconds since the Unix epoch (changed_at of change: milliseconds), ids of people and
-- the like are UUIDs as text, JSON is text: the same in both engines. Every key starts with the
-- workspace, so that a workspace can move to another database.

-- The row of a workspace holds its change number and both id counters; every write locks it
-- first, so writers take turns and cannot deadlock.
create table workspace (
  workspace_id        text primary key,
  organization_id     text not null,
  slug                text not null,
  name                text not null,
  utc_offset          text not null,
  estimate_scale      text not null,
  working_days        text not null,
  disabled_features   text not null,
  group_allowance     bigint,
  default_workflow_id bigint not null,
  created_at          bigint not null,
  updated_at          bigint not null,
  change_number       bigint not null,
  next_id             bigint not null,
  next_high_id        bigint not null
);
create unique index workspace_slug on workspace (slug);

-- One person is one account in all workspaces; this table belongs to none of them.
create table account (
  user_id    text primary key,
  email_key  text not null,
  created_at bigint not null
);
create unique index account_email_key on account (email_key);

create table member (
  workspace_id text not null references workspace (workspace_id),
  member_id    text not null,
  user_id      text not null references account (user_id),
  name         text not null,
  email        text not null,
  mention_name text not null,
  mention_key  text not null,
  role         text not null,
  disabled     boolean not null,
  icon_id      text,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, member_id)
);
create unique index member_user_id on member (workspace_id, user_id);
create unique index member_mention_key on member (workspace_id, mention_key);

create table token (
  workspace_id text not null,
  token_id     text not null,
  member_id    text not null,
  name         text not null,
  hash         text not null,
  read_only    boolean not null,
  created_at   bigint not null,
  expires_at   bigint,
  last_used_at bigint,
  revoked_at   bigint,
  primary key (workspace_id, token_id),
  foreign key (workspace_id, member_id) references member (workspace_id, member_id)
);
create unique index token_hash on token (hash);
create index token_member on token (workspace_id, member_id);

create table audit (
  workspace_id text not null references workspace (workspace_id),
  audit_id     text not null,
  at           bigint not null,
  member_id    text not null,
  action       text not null,
  subject      text not null,
  detail       text not null,
  via          text not null,
  address      text not null,
  primary key (workspace_id, audit_id)
);

-- What requests with an Idempotency-Key were answered with, for a day.
create table answer (
  workspace_id text not null references workspace (workspace_id),
  key          text not null,
  body_hash    text not null,
  body         text not null,
  at           bigint not null,
  primary key (workspace_id, key)
);

create table change (
  workspace_id text not null references workspace (workspace_id),
  number       bigint not null,
  change_id    text not null,
  primary_id   text not null, -- of the entity that the request was about; empty for many at once
  member_id    text not null,
  actor_name   text not null,
  via          text not null,
  request_id   text not null,
  changed_at   bigint not null,
  primary key (workspace_id, number)
);

create table change_item (
  workspace_id   text not null,
  number         bigint not null,
  ordinal        bigint not null,
  entity_type    text not null,
  entity_id      text not null,
  action         text not null,
  story_id       bigint, -- the story in whose history the item stands
  other_story_id bigint, -- the second one, of a link
  about          text not null,
  data           text not null,
  primary key (workspace_id, number, ordinal),
  foreign key (workspace_id, number) references change (workspace_id, number)
);
create index change_item_entity on change_item (workspace_id, entity_type, entity_id, number);
create index change_item_story on change_item (workspace_id, story_id, number, ordinal);
create index change_item_other_story on change_item (workspace_id, other_story_id, number, ordinal) where other_story_id is not null;

create table category (
  workspace_id text not null references workspace (workspace_id),
  id           bigint not null,
  name         text not null,
  name_key     text not null,
  color        text,
  external_id  text,
  archived     boolean not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id)
);
create unique index category_name_key on category (workspace_id, name_key);

create table label (
  workspace_id text not null references workspace (workspace_id),
  id           bigint not null,
  name         text not null,
  name_key     text not null,
  description  text,
  color        text,
  external_id  text,
  archived     boolean not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id)
);
create unique index label_name_key on label (workspace_id, name_key);

create table workflow (
  workspace_id      text not null references workspace (workspace_id),
  id                bigint not null,
  team_id           bigint not null,
  name              text not null,
  description       text not null,
  auto_assign_owner boolean not null,
  default_state_id  bigint not null,
  position          bigint not null,
  created_at        bigint not null,
  updated_at        bigint not null,
  primary key (workspace_id, id)
);
create unique index workflow_team_id on workflow (workspace_id, team_id);

create table workflow_state (
  workspace_id text not null,
  id           bigint not null,
  workflow_id  bigint not null,
  name         text not null,
  description  text not null,
  color        text,
  type         text not null,
  verb         text,
  position     bigint not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, workflow_id) references workflow (workspace_id, id)
);
create index workflow_state_workflow on workflow_state (workspace_id, workflow_id);

create table epic_workflow (
  workspace_id     text not null references workspace (workspace_id),
  id               bigint not null,
  default_state_id bigint not null,
  created_at       bigint not null,
  updated_at       bigint not null,
  primary key (workspace_id, id)
);

create table epic_state (
  workspace_id text not null references workspace (workspace_id),
  id           bigint not null,
  name         text not null,
  description  text not null,
  color        text,
  type         text not null,
  position     bigint not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id)
);
