-- A webhook is a cursor into the change log: everything up to it has been delivered. next_at,
-- failing_since and lease_until are milliseconds since the Unix epoch. One node at a time delivers,
-- the one that holds the lease.
create table webhook (
  workspace_id  text not null references workspace (workspace_id),
  id            bigint not null,
  creator_id    text not null,
  url           text not null,
  secret        text,
  disabled      boolean not null,
  position      bigint not null,
  attempts      bigint not null, -- that failed since the last success
  failing_since bigint,
  next_at       bigint not null,
  lease_holder  text not null,
  lease_until   bigint not null,
  created_at    bigint not null,
  updated_at    bigint not null,
  primary key (workspace_id, id)
);

-- One attempt to deliver a change. Those of a webhook that was deleted stay until they are a week
-- old, like all others: deleting them at once could take long.
create table delivery (
  workspace_id text not null references workspace (workspace_id),
  delivery_id  text not null,
  webhook_id   bigint not null,
  number       bigint not null,
  attempt      bigint not null, -- at this change; 0 when it was asked for by hand
  at           bigint not null,
  duration_ms  bigint not null,
  status       bigint, -- that the receiver answered with, if it did
  answer       text not null,
  problem      text not null,
  primary key (workspace_id, delivery_id)
);
create index delivery_webhook on delivery (workspace_id, webhook_id, delivery_id);
create index delivery_at on delivery (workspace_id, at);
