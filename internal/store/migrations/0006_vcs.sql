-- Version control: what arrives from the services that host repositories. Only branches, commits
-- and pull requests that have to do with a story are kept.
create table vcs_integration (
  workspace_id text not null references workspace (workspace_id),
  id           bigint not null,
  hook_id      text not null, -- in the address that the service calls
  provider     text not null,
  name         text not null,
  secret       text not null, -- as it is: signatures are made with it
  disabled     boolean not null,
  rules        text not null, -- JSON
  creator_id   text not null,
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id)
);
create unique index vcs_integration_hook_id on vcs_integration (workspace_id, hook_id);

-- The deliveries of the last days, so that none is worked through twice.
create table vcs_delivery (
  workspace_id   text not null,
  integration_id bigint not null,
  delivery_id    text not null,
  at             bigint not null,
  primary key (workspace_id, integration_id, delivery_id),
  foreign key (workspace_id, integration_id) references vcs_integration (workspace_id, id)
);
create index vcs_delivery_by_time on vcs_delivery (workspace_id, at);

create table repository (
  workspace_id text not null references workspace (workspace_id),
  id           bigint not null,
  provider     text not null,
  external_id  text not null,
  name         text not null,
  full_name    text not null,
  url          text not null,
  told_at      bigint not null, -- the provider's time of the newest thing heard
  created_at   bigint not null,
  updated_at   bigint not null,
  primary key (workspace_id, id)
);
create unique index repository_external_id on repository (workspace_id, provider, external_id);

create table branch (
  workspace_id      text not null,
  id                bigint not null,
  repository_id     bigint not null,
  name              text not null,
  url               text not null,
  head              text not null, -- hash of the newest commit
  previous_head     text not null,
  deleted           boolean not null,
  merged_branch_ids text not null,
  mentioned_ids     text not null, -- stories that its name names
  told_at           bigint not null,
  created_at        bigint not null,
  updated_at        bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, repository_id) references repository (workspace_id, id)
);
create unique index branch_name on branch (workspace_id, repository_id, name);

create table vcs_commit (
  workspace_id      text not null,
  id                bigint not null,
  repository_id     bigint not null,
  branch_id         bigint, -- to which it was first pushed, if that is kept
  hash              text not null,
  message           text not null,
  url               text not null,
  author_email      text not null,
  author_id         text, -- a member
  author_identity   text not null, -- the name that the provider knows the author by
  provider          text not null,
  merged_branch_ids text not null,
  mentioned_ids     text not null,
  committed_at      bigint not null,
  created_at        bigint not null,
  updated_at        bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, repository_id) references repository (workspace_id, id)
);
create unique index vcs_commit_hash on vcs_commit (workspace_id, repository_id, hash);
create index vcs_commit_by_branch on vcs_commit (workspace_id, branch_id);
create index vcs_commit_by_identity on vcs_commit (workspace_id, provider, author_identity);

create table pull_request (
  workspace_id       text not null,
  id                 bigint not null,
  repository_id      bigint not null,
  number             bigint not null,
  title              text not null,
  url                text not null,
  branch_id          bigint not null,
  branch_name        text not null,
  target_branch_id   bigint not null,
  target_branch_name text not null,
  head               text not null,
  closed             boolean not null,
  merged             boolean not null,
  draft              boolean not null,
  num_added          bigint not null,
  num_removed        bigint not null,
  num_modified       bigint,
  num_commits        bigint,
  labels             text not null, -- JSON
  requested          text not null, -- JSON: whose review is asked for
  reviews            text not null, -- JSON: the last verdict of each reviewer
  builds             text not null, -- JSON: the last result of each check
  mentioned_ids      text not null,
  told_at            bigint not null,
  created_at         bigint not null,
  updated_at         bigint not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, repository_id) references repository (workspace_id, id)
);
create unique index pull_request_number on pull_request (workspace_id, repository_id, number);
create index pull_request_by_branch on pull_request (workspace_id, branch_id);
create index pull_request_by_head on pull_request (workspace_id, repository_id, head);

alter table story add column branch_ids text not null default '';
alter table story add column commit_ids text not null default '';
alter table story add column pull_request_ids text not null default '';

-- With the row that every request reads, so that stories need no query to know.
alter table workspace add column has_vcs boolean not null default false;

-- Where a change came from that no request of a member made.
alter table change add column webhook_id text not null default '';
alter table change add column external_id text not null default '';
