-- What was kept on a day, for charts: one row for each project that had files, noted once a day and kept for 400 days.
create table usage_days (
  account_id bigint not null,
  day date not null,
  project_id bigint not null,
  file_count bigint not null,
  playable_seconds double precision not null,
  storage_bytes bigint not null,
  source_bytes bigint not null,
  picture_bytes bigint not null,
  caption_bytes bigint not null,
  primary key (account_id, day, project_id)
);
create index usage_days_by_day on usage_days (day);

-- Few of many: the files whose renditions are still being made, for the list of them.
create index media_files_in_work on media_files (account_id, project_id)
  where deleted_at is null and (state in ('uploaded', 'encoding', 'playable') or rework is not null);
