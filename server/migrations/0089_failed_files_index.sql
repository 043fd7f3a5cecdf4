-- Concurrently: Home lists the files that failed lately, which would read all files of the account.
drop index concurrently if exists file_list_by_failure;
create index concurrently file_list_by_failure on file_list (project_id, updated_at, file_id)
  where state in ('failed', 'degraded') and not is_deleted;
