-- Parquet files with the views of one account and day (docs/analytics.md). A row exists before its blob does, so that a crash leaves no
-- orphans. Files that were purged are found by the ids of an archive, and their views removed by writing it again.
create table view_archives (
  id bigint generated always as identity primary key,
  account_id bigint not null references accounts (id),
  day date not null,
  blob text not null unique,
  state text not null check (state in ('writing', 'current', 'obsolete')),
  changed_at timestamptz not null default now(),
  views bigint not null default 0,
  dimensions text[] not null default '{}',
  project_ids bigint[] not null default '{}',
  file_ids bigint[] not null default '{}'
);
create index view_archives_of_account on view_archives (account_id, day) where state = 'current';
