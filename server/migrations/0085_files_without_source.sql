-- Housekeeping looks for files whose upload was given up, which would read all files.
create index media_files_without_source on media_files (id)
  where state = 'created' and source_blob is null and deleted_at is null;
