-- The log of what happened. `record` is the subject as the API showed it at that moment.
create table events (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  project_id bigint,
  file_id bigint,
  name text not null,
  sequence bigint not null,
  subject text not null,
  record text not null,
  occurred_at timestamptz not null default now()
);
create index events_of_account on events (account_id, id);
create index events_by_age on events (occurred_at);

create table webhooks (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  project_id bigint,
  label text not null default '',
  target_url text not null,
  sealed_secret bytea not null,
  secret_last_four text not null,
  -- Signs beside the present one until then, so that receivers can change over.
  previous_sealed_secret bytea,
  previous_secret_until timestamptz,
  event_types text[] not null,
  custom_headers jsonb not null default '{}',
  is_enabled boolean not null default true,
  disabled_reason text,
  failing_since timestamptz,
  event_sequence bigint not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  unique (account_id, id),
  foreign key (account_id, project_id) references projects (account_id, id)
);
create index webhooks_of_account on webhooks (account_id, id) where deleted_at is null;

-- One event for one webhook; written by `emit` in the transaction of the change that the event tells of.
-- pending: to be sent now; waiting: not before next_attempt_at.
create table deliveries (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  webhook_id bigint not null,
  event_id bigint not null references events on delete cascade,
  file_id bigint,
  state text not null default 'pending' check (state in ('pending', 'waiting', 'delivered', 'failed', 'cancelled')),
  attempt_count integer not null default 0,
  -- attempt_count when the retry schedule last began: above 0 after a redelivery by hand, which keeps no order.
  schedule_start integer not null default 0,
  -- It failed one to three times: the later deliveries of the same webhook and file stay behind it.
  blocks_lane boolean not null default false,
  next_attempt_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (account_id, webhook_id) references webhooks (account_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.1);
-- What the engine reads every 50 ms holds only what can be sent: what waits is in indexes of its own.
create index deliveries_pending on deliveries (webhook_id, id) where state = 'pending';
create index deliveries_waiting on deliveries (next_attempt_at) where state = 'waiting';
create index deliveries_waiting_of_lane on deliveries (webhook_id, file_id) where state = 'waiting';
create index deliveries_blocking on deliveries (webhook_id, file_id) where blocks_lane;
create index deliveries_of_webhook on deliveries (webhook_id, id desc);
create index deliveries_of_event on deliveries (event_id);

create table delivery_attempts (
  delivery_id bigint not null references deliveries on delete cascade,
  number integer not null,
  started_at timestamptz not null,
  duration_ms integer not null,
  status_code integer,
  response_excerpt text,
  error text,
  primary key (delivery_id, number)
);
