-- What webhooks sent to the built-in inspector, for an hour: the newest fifty of each. Nothing of it has left the installation.
create table inspected_requests (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  webhook_id bigint not null,
  -- Of the event: the webhook may be of another one by now.
  project_id bigint,
  received_at timestamptz not null default now(),
  path text not null,
  headers jsonb not null,
  body text not null,
  is_genuine boolean not null,
  foreign key (account_id, webhook_id) references webhooks (account_id, id)
);
create index inspected_requests_of_webhook on inspected_requests (webhook_id, id desc);
create index inspected_requests_by_age on inspected_requests (received_at);

-- Links that sign the first administrator in, once, printed on the terminal at each start.
create table sign_in_links (
  token_hash bytea primary key,
  account_id bigint not null,
  user_id bigint not null,
  expires_at timestamptz not null,
  foreign key (account_id, user_id) references users (account_id, id)
);
