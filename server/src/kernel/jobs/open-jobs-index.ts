/**
 * By what file an open job is about: for the list of the encode queue, and for a file whose priority changes, which would read the whole queue
 * otherwise. Looked for before it is made, for even an index that is there already makes everybody else wait.
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
