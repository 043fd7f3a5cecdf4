import { sql } from 'kysely'
import { accountSetting } from '../db/account-scope.ts'
import type { Queryable } from '../db/database.ts'

/**
 * Requests work behind the wall between accounts (decision 0010), where the jobs of others cannot be seen, nor changed. This function can, and
 * changes those of the account of the request alone. Finished jobs are kept for a day; state and policy are as the index of the others has them.
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
  /** A priority is a multiple of this, its class, which stays, and what is changed. */
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
