-- Views and their quality (docs/analytics.md). Reports of players wait in view_reports; one api process at a time adds them to the view that they
-- belong to (open_views) and to the sums below. So several api processes add up, and a killed one loses only what it has not stored yet.
create table view_reports (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  file_id bigint,
  stored_at timestamptz not null default now(),
  report jsonb not null
);

create table open_views (
  playout_id uuid not null,
  session_id text not null,
  account_id bigint not null,
  project_id bigint not null,
  file_id bigint,
  kind text not null check (kind in ('viewer', 'bot', 'preview')),
  is_playing boolean not null,
  seen_at timestamptz not null,
  state jsonb not null,
  primary key (playout_id, session_id)
) with (fillfactor = 70);
create index open_views_by_time on open_views (seen_at);
create index open_views_of_account on open_views (account_id, project_id);
comment on column open_views.file_id is 'null = the live stream or a playlist of the project';

create table views (
  id bigint generated always as identity primary key,
  account_id bigint not null,
  project_id bigint not null,
  file_id bigint,
  kind text not null check (kind in ('viewer', 'bot', 'preview')),
  source text not null check (source in ('reports', 'loads')),
  started_at timestamptz not null,
  ended_at timestamptz not null,
  watch_ms bigint not null,
  startup_ms bigint,
  rebuffers integer not null,
  rebuffer_ms bigint not null,
  has_started boolean not null,
  has_failed boolean not null,
  error_code text,
  dimensions jsonb not null,
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create index views_of_account on views (account_id, id);
create index views_of_file on views (account_id, file_id) where file_id is not null;
create index views_by_end on views (ended_at);

create table view_hours (
  account_id bigint not null,
  project_id bigint not null,
  hour timestamptz not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  exits bigint not null, latencies bigint not null, latency_ms bigint not null, bytes bigint not null,
  bot_views bigint not null, preview_views bigint not null,
  primary key (account_id, project_id, hour)
) with (fillfactor = 70);

create table file_view_days (
  account_id bigint not null,
  project_id bigint not null,
  file_id bigint not null,
  day date not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  exits bigint not null, latencies bigint not null, latency_ms bigint not null, bytes bigint not null,
  bot_views bigint not null, preview_views bigint not null,
  primary key (account_id, file_id, day, project_id),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
) with (fillfactor = 70);
create index file_view_days_of_project on file_view_days (account_id, project_id, day);

create table view_dimension_days (
  account_id bigint not null,
  project_id bigint not null,
  day date not null,
  dimension text not null,
  value text not null,
  views bigint not null, watch_ms bigint not null, startups bigint not null, startup_ms bigint not null,
  rebuffers bigint not null, rebuffer_ms bigint not null, failures bigint not null, errors bigint not null,
  exits bigint not null, latencies bigint not null, latency_ms bigint not null, bytes bigint not null,
  bot_views bigint not null, preview_views bigint not null,
  primary key (account_id, project_id, dimension, day, value)
) with (fillfactor = 70);

create table view_minutes (
  account_id bigint not null,
  project_id bigint not null,
  minute timestamptz not null,
  viewers bigint not null,
  primary key (account_id, project_id, minute)
);
create index view_minutes_by_time on view_minutes (minute);
comment on column view_minutes.viewers is 'views that played in this minute';

-- Unique viewers of a day. The hashes in the sketch have the salt of their day, which is deleted after it.
create table viewer_days (
  account_id bigint not null,
  project_id bigint not null,
  day date not null,
  viewers bigint not null,
  sketch bytea,
  primary key (account_id, project_id, day)
);
create table file_viewer_days (
  account_id bigint not null,
  file_id bigint not null,
  day date not null,
  viewers bigint not null,
  sketch bytea,
  primary key (account_id, file_id, day),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
create table viewer_salts (
  day date primary key,
  salt bytea not null
);

-- 100 equal parts of the length of the file: milliseconds that were played, and views that played the middle of the part.
create table file_heat_days (
  account_id bigint not null,
  file_id bigint not null,
  day date not null,
  played_ms bigint[] not null,
  reached bigint[] not null,
  primary key (account_id, file_id, day),
  foreign key (account_id, file_id) references media_files (account_id, id) on delete cascade
);
