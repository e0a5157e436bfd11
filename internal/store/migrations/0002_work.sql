-- Lists of ids live in the row they belong to, as text with commas, so that reading an entity is
-- reading one row; ref is the index that finds entities by what they refer to.
create table ref (
  workspace_id text not null references workspace (workspace_id),
  entity       text not null, -- what holds the list: story, epic, iteration or milestone
  kind         text not null, -- which list: owner, label, …
  target       text not null, -- the id (or link) in the list
  id           bigint not null, -- of the entity
  primary key (workspace_id, entity, kind, target, id)
);

create table member_group (
  workspace_id        text not null references workspace (workspace_id),
  group_id            text not null,
  name                text not null,
  mention_name        text not null,
  mention_key         text not null,
  description         text not null,
  color               text,
  color_key           text,
  display_icon_id     text,
  archived            boolean not null,
  default_workflow_id bigint,
  member_ids          text not null,
  workflow_ids        text not null,
  created_at          bigint not null,
  updated_at          bigint not null,
  primary key (workspace_id, group_id)
);
create unique index member_group_mention_key on member_group (workspace_id, mention_key);

create table icon (
  workspace_id text not null references workspace (workspace_id),
  icon_id      text not null,
  content_type text not null,
  content      text not null, -- base64: icons are small
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, icon_id)
);

create table project (
  workspace_id        text not null references workspace (workspace_id),
  id                  bigint not null,
  name                text not null,
  abbreviation        text,
  description         text,
  color               text,
  external_id         text,
  follower_ids        text not null,
  iteration_length    bigint not null,
  start_time          bigint not null,
  team_id             bigint not null,
  workflow_id         bigint not null,
  show_thermometer    boolean not null,
  days_to_thermometer bigint not null,
  archived            boolean not null,
  created_at          bigint not null,
  updated_at          bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, workflow_id) references workflow (workspace_id, id)
);

create table milestone (
  workspace_id          text not null references workspace (workspace_id),
  id                    bigint not null,
  name                  text not null,
  description           text not null,
  state                 text not null,
  position              bigint not null,
  archived              boolean not null,
  category_ids          text not null,
  started_at            bigint,
  started_at_override   bigint,
  completed_at          bigint,
  completed_at_override bigint,
  created_at            bigint not null,
  updated_at            bigint not null,
  primary key (workspace_id, id)
);

create table key_result (
  workspace_id           text not null references workspace (workspace_id),
  key_result_id          text not null,
  milestone_id           bigint not null,
  name                   text not null,
  type                   text not null,
  initial_observed_value text not null,
  current_observed_value text not null,
  current_target_value   text not null,
  position               bigint not null,
  created_at             bigint not null,
  updated_at             bigint not null,
  primary key (workspace_id, key_result_id),
  foreign key (workspace_id, milestone_id) references milestone (workspace_id, id)
);
create index key_result_by_milestone on key_result (workspace_id, milestone_id, position);

create table epic (
  workspace_id          text not null references workspace (workspace_id),
  id                    bigint not null,
  name                  text not null,
  description           text not null,
  epic_state_id         bigint not null,
  position              bigint not null,
  archived              boolean not null,
  deadline              bigint,
  planned_start_date    bigint,
  external_id           text,
  external_tickets      text not null,
  requested_by_id       text not null,
  owner_ids             text not null,
  follower_ids          text not null,
  label_ids             text not null,
  group_ids             text not null,
  objective_ids         text not null,
  member_mention_ids    text not null,
  group_mention_ids     text not null,
  started_at            bigint,
  started_at_override   bigint,
  completed_at          bigint,
  completed_at_override bigint,
  created_at            bigint not null,
  updated_at            bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, epic_state_id) references epic_state (workspace_id, id)
);
create index epic_by_state on epic (workspace_id, epic_state_id);
create index epic_by_position on epic (workspace_id, position);

create table epic_comment (
  workspace_id       text not null,
  id                 bigint not null,
  epic_id            bigint not null,
  parent_id          bigint,
  author_id          text not null,
  text               text not null,
  external_id        text,
  deleted            boolean not null,
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, epic_id) references epic (workspace_id, id)
);
create index epic_comment_by_epic on epic_comment (workspace_id, epic_id);

create table health (
  workspace_id text not null,
  health_id    text not null,
  epic_id      bigint not null,
  author_id    text not null,
  status       text not null,
  text         text not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, health_id),
  foreign key (workspace_id, epic_id) references epic (workspace_id, id)
);
create index health_by_epic on health (workspace_id, epic_id, created_at);

create table iteration (
  workspace_id       text not null references workspace (workspace_id),
  id                 bigint not null,
  name               text not null,
  description        text not null,
  start_date         bigint not null, -- midnight UTC of the first day
  end_date           bigint not null, -- midnight UTC of the last day
  follower_ids       text not null,
  group_ids          text not null,
  label_ids          text not null,
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id)
);

create table custom_field (
  workspace_id        text not null references workspace (workspace_id),
  field_id            text not null,
  name                text not null,
  description         text,
  canonical_name      text,
  field_type          text not null,
  icon_set_identifier text,
  position            bigint not null,
  enabled             boolean not null,
  fixed_position      boolean not null,
  story_types         text not null,
  field_values        text not null,
  created_at          bigint not null,
  updated_at          bigint not null,
  primary key (workspace_id, field_id)
);

create table entity_template (
  workspace_id   text not null references workspace (workspace_id),
  template_id    text not null,
  name           text not null,
  author_id      text not null,
  story_contents text not null,
  last_used_at   bigint not null,
  created_at     bigint not null,
  updated_at     bigint not null,
  primary key (workspace_id, template_id)
);

create table story (
  workspace_id           text not null references workspace (workspace_id),
  id                     bigint not null,
  name                   text not null,
  description            text not null,
  story_type             text not null,
  workflow_id            bigint not null,
  workflow_state_id      bigint not null,
  position               bigint not null,
  project_id             bigint,
  epic_id                bigint,
  iteration_id           bigint,
  iteration_since        bigint, -- when the story entered its iteration
  group_id               text,
  parent_story_id        bigint,
  requested_by_id        text not null,
  estimate               bigint,
  deadline               bigint,
  external_id            text,
  story_template_id      text,
  source_task_id         bigint,
  archived               boolean not null,
  blocked                boolean not null,
  blocker                boolean not null,
  owner_ids              text not null,
  follower_ids           text not null,
  label_ids              text not null,
  member_mention_ids     text not null,
  group_mention_ids      text not null,
  previous_iteration_ids text not null,
  sub_task_story_ids     text not null,
  task_ids               text not null,
  num_tasks_completed    bigint not null,
  comment_ids            text not null,
  blocker_comment_ids    text not null, -- unresolved ones
  subject_link_ids       text not null,
  object_link_ids        text not null,
  file_ids               text not null,
  linked_file_ids        text not null,
  external_links         text not null, -- JSON
  custom_fields          text not null, -- JSON: field id, value id
  started_at             bigint,
  started_at_override    bigint,
  completed_at           bigint,
  completed_at_override  bigint,
  moved_at               bigint not null,
  created_at             bigint not null,
  updated_at             bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, workflow_state_id) references workflow_state (workspace_id, id),
  foreign key (workspace_id, epic_id) references epic (workspace_id, id),
  foreign key (workspace_id, iteration_id) references iteration (workspace_id, id),
  foreign key (workspace_id, project_id) references project (workspace_id, id)
);
create index story_by_state on story (workspace_id, workflow_state_id, position);
-- Lists of stories are in the order of their ids, which therefore ends the indexes: without it SQLite
-- would rather read all stories in order than sort a few.
create index story_by_epic on story (workspace_id, epic_id, id);
create index story_by_iteration on story (workspace_id, iteration_id, id);
create index story_by_project on story (workspace_id, project_id, id);
create index story_by_group on story (workspace_id, group_id, id);
create index story_by_parent on story (workspace_id, parent_story_id, id);
-- The head only: PostgreSQL takes no index entries as long as an external id may be.
create index story_by_external_id on story (workspace_id, substr(external_id, 1, 64), id);
create index story_by_updated on story (workspace_id, updated_at);

create table task (
  workspace_id       text not null,
  id                 bigint not null,
  story_id           bigint not null,
  description        text not null,
  complete           boolean not null,
  completed_at       bigint,
  external_id        text,
  owner_ids          text not null,
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, story_id) references story (workspace_id, id)
);
create index task_by_story on task (workspace_id, story_id);

create table comment (
  workspace_id       text not null,
  id                 bigint not null,
  story_id           bigint not null,
  parent_id          bigint,
  author_id          text,
  text               text not null,
  external_id        text,
  deleted            boolean not null,
  blocker            boolean not null,
  unblocks_parent    boolean not null,
  linked_to_slack    boolean not null,
  reactions          text not null, -- JSON
  member_mention_ids text not null,
  group_mention_ids  text not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, story_id) references story (workspace_id, id)
);
create index comment_by_story on comment (workspace_id, story_id);

create table story_link (
  workspace_id text not null,
  id           bigint not null,
  subject_id   bigint not null,
  verb         text not null,
  object_id    bigint not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, subject_id) references story (workspace_id, id),
  foreign key (workspace_id, object_id) references story (workspace_id, id)
);
create unique index story_link_object_id on story_link (workspace_id, subject_id, verb, object_id);
create index story_link_by_object on story_link (workspace_id, object_id);
