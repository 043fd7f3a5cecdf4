-- What viewers have encoded changes the record of a file without a client. Its ETag is new then, but `If-Match` accepts the earlier
-- ones, back to the last change by a client. Ordinary changes leave both columns alone, also those of nodes of an earlier release.
alter table media_files
  add column edited_version integer,
  add column watched_version integer;
comment on column media_files.edited_version is 'if watched_version is the current version: the oldest version since which only rungs on demand have changed';
comment on column media_files.watched_version is 'version that the last change of rungs on demand has made';
-- Chunks of files that were deleted while an encoder had them were counted as failed, and never encoded again after a restore.
update on_demand_chunks set failures = 0 where failures > 0;
