/**
 * Index of open jobs by file, for the encode queue and for priority changes, which would otherwise read the
 * whole queue. The statement first checks for the index, because even `if not exists` locks the table.
 */
export const openJobsIndex = `
  do $$ begin
    if to_regclass('pgboss.open_jobs_of_file') is null then
      -- Others may start at this moment.
      perform pg_advisory_xact_lock(hashtext('pgboss.open_jobs_of_file'));
      create index if not exists open_jobs_of_file on pgboss.job ((data ->> 'fileId'))
        where state <= 'active' and policy = 'exclusive';
    end if;
  end $$`
