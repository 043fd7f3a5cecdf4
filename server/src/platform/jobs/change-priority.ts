import { sql } from 'kysely'
import { accountSetting } from '../db/account-scope.ts'
import type { Queryable } from '../db/database.ts'

/**
 * Requests run under row-level security (decision 0010), where jobs of other accounts are neither visible nor
 * writable. This function can change jobs, but only those of the request's account. Finished jobs stay for a
 * day, so the condition repeats state and policy of the open-jobs index.
 */
export const changePriorityFunction = `
  begin;
  -- Others may start at this moment.
  select pg_advisory_xact_lock(hashtext('pgboss.change_priority'));
  create or replace function pgboss.change_priority(names text, account bigint, file bigint, new_priority int, class_size int)
    returns void language sql security definer set search_path = pg_catalog, pg_temp as $$
      update pgboss.job set priority = priority - priority % class_size + new_priority
      where name = any(string_to_array(names, ',')) and state <= 'active' and policy = 'exclusive'
        and data ->> 'accountId' = account::text and data ->> 'fileId' = file::text
        and coalesce(nullif(current_setting('${accountSetting}', true), ''), account::text) = account::text
    $$;
  commit`

export interface PriorityChange {
  readonly accountId: number
  readonly fileId: number
  readonly priority: number
  /** A priority is a multiple of `classSize`, the class, which stays, plus the changed rest. */
  readonly classSize: number
}

export const changePriority = async (
  tx: Queryable,
  names: readonly string[],
  { accountId, fileId, priority, classSize }: PriorityChange,
): Promise<void> => {
  await sql`select pgboss.change_priority(${names.join(',')}, ${accountId}, ${fileId}, ${priority}::int, ${classSize}::int)`.execute(
    tx,
  )
}
