-- When a deleted record is removed for good; null for those that were deleted before this column existed.
alter table media_files add column purge_at timestamptz;
alter table projects add column purge_at timestamptz;
alter table playlists add column purge_at timestamptz;
-- Files that went with the project are still on their way back.
alter table projects add column is_restoring boolean not null default false;

update media_files
  set record = substr(record, 1, length(record) - 1) || ',"DeletedAt":'
    || coalesce(to_char(deleted_at at time zone 'UTC', '"\""YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00\""'), 'null')
    || ',"PurgeAt":null}', version = version + 1
  where record like '{%}';
