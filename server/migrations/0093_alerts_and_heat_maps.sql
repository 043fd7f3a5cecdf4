-- Alerts on figures of the last minutes (docs/analytics.md#alerts). A process of an older version still adds only viewers to a minute.
alter table view_minutes
  add column views bigint not null default 0,
  add column watch_ms bigint not null default 0,
  add column startups bigint not null default 0,
  add column startup_ms bigint not null default 0,
  add column rebuffers bigint not null default 0,
  add column rebuffer_ms bigint not null default 0,
  add column failures bigint not null default 0,
  add column errors bigint not null default 0,
  add column latencies bigint not null default 0,
  add column latency_ms bigint not null default 0;

-- Only of files that an alert names.
create table file_view_minutes (
  account_id bigint not null,
  file_id bigint not null,
  minute timestamptz not null,
  viewers bigint not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  latencies bigint not null, latency_ms bigint not null,
  primary key (account_id, file_id, minute),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
) with (fillfactor = 70);
create index file_view_minutes_by_time on file_view_minutes (minute);

create table analytics_alerts (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts,
  project_id bigint,
  file_id bigint,
  label text not null default '',
  metric text not null,
  operator text not null check (operator in ('above', 'below')),
  threshold double precision not null,
  window_minutes integer not null default 5,
  minimum_viewers integer not null default 0,
  is_enabled boolean not null default true,
  state text not null default 'resolved' check (state in ('firing', 'resolved')),
  state_since timestamptz not null default now(),
  value double precision,
  viewers double precision,
  evaluated_at timestamptz not null default now(),
  event_sequence bigint not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (account_id, project_id) references projects (account_id, id),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
) with (fillfactor = 70);
create index analytics_alerts_of_account on analytics_alerts (account_id, id);
create index analytics_alerts_of_file on analytics_alerts (file_id) where file_id is not null;
comment on column analytics_alerts.project_id is 'null = all projects of the account; that of the file when the rule was written';
comment on column analytics_alerts.evaluated_at is 'end of the last window that was evaluated';

-- Whether players may show viewers which parts of a file are played most.
alter table projects add column has_heat_map boolean not null default false;
