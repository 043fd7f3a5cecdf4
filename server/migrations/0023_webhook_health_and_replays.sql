-- How the endpoint of a webhook has answered. The engine writes it, apart from the webhook, so that neither the version of the record nor
-- the locks of those who change it are in the way. A webhook without a row has never been tried.
create table webhook_health (
  webhook_id bigint primary key,
  account_id bigint not null,
  -- Counts the writes, so that who reads knows the later of two.
  revision bigint not null default 1,
  failures_in_row integer not null default 0,
  failing_since timestamptz,
  -- The circuit breaker: nothing is sent before paused_until, and then one request at a time until one is delivered.
  pause_count integer not null default 0,
  paused_until timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_status integer,
  last_failure_error text,
  foreign key (account_id, webhook_id) references webhooks (account_id, id)
) with (fillfactor = 50);

-- When Zoetrope disabled it; the reason was there before.
alter table webhooks add column disabled_at timestamptz;
-- Was never written; webhook_health says it.
alter table webhooks drop column failing_since;

-- The events of a time range, sent once more. Its bounds are ids of events, found when it was asked for.
create table webhook_replays (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  webhook_id bigint not null,
  project_id bigint,
  event_names text[] not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  -- Events up to this one have their deliveries; written in the transaction that makes them.
  reached_event_id bigint not null,
  last_event_id bigint not null,
  event_count integer not null,
  delivery_count integer not null default 0,
  skipped_count integer not null default 0,
  state text not null default 'running' check (state in ('running', 'finished', 'cancelled')),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  foreign key (account_id, webhook_id) references webhooks (account_id, id),
  foreign key (account_id, project_id) references projects (account_id, id)
);
create index webhook_replays_of_webhook on webhook_replays (webhook_id, id desc);
create index webhook_replays_by_age on webhook_replays (created_at);

-- What waits longest of one webhook, and its dead letters. Both are written only when something has failed.
create index deliveries_waiting_of_webhook on deliveries (webhook_id, id) where state = 'waiting';
create index deliveries_failed on deliveries (webhook_id, id) where state = 'failed';
