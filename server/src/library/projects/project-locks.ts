import { sql } from 'kysely'
import type { Tx } from '../../platform/db/database.ts'
import { foldProjectCounts } from './project-counts.ts'
import type { ProjectRow } from './project-record.ts'
import { projectNotFound } from './project-store.ts'

type Hold = 'alone' | 'shared'
type Reach = 'live' | 'any'

/** In the upper 16 bits of a lock; no other code uses this constant there. */
const lockPrefix = 23_111

/**
 * Waits for the turn of the transaction. Row locks alone would let shared holders overtake an exclusive one
 * for as long as new ones come; advisory locks are granted in the order of the requests.
 */
const queueUp = async (tx: Tx, accountId: number, projectId: number, hold: Hold): Promise<void> => {
  await sql`
    select case when ${hold} = 'shared' and storage_quota_bytes is null
      then pg_advisory_xact_lock_shared((${lockPrefix}::bigint << 48) | id)::text
      else pg_advisory_xact_lock((${lockPrefix}::bigint << 48) | id)::text end
    from projects where account_id = ${accountId} and id = ${projectId}`.execute(tx)
}

const findFor = (tx: Tx, accountId: number, projectId: number, reach: Reach) =>
  tx
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where(reach === 'live' ? 'deleted_at' : 'purged_at', 'is', null)

/**
 * The row lock conflicts with that of processes of the former release. Its kind cannot change while it is
 * held: a change of the quota locks the row.
 */
const holdProject = async (
  tx: Tx,
  accountId: number,
  projectId: number,
  { hold, reach }: { readonly hold: Hold; readonly reach: Reach },
): Promise<ProjectRow> => {
  await queueUp(tx, accountId, projectId, hold)
  const found = findFor(tx, accountId, projectId, reach)
  if (hold === 'shared') {
    const shared = await found.where('storage_quota_bytes', 'is', null).forShare().executeTakeFirst()
    if (shared !== undefined) return shared
  }
  const locked = await found.forNoKeyUpdate().executeTakeFirst()
  if (locked === undefined) throw projectNotFound(projectId)
  return (await foldProjectCounts(tx, projectId)) ?? locked
}

/**
 * Returns a live project with its row locked until the transaction ends, and its counts exact. For changes of
 * the project itself.
 */
export const lockProject = (tx: Tx, accountId: number, projectId: number): Promise<ProjectRow> =>
  holdProject(tx, accountId, projectId, { hold: 'alone', reach: 'live' })

/** Like `lockProject`, for a live or deleted project, as long as it is not purged. */
export const lockAnyProject = (tx: Tx, accountId: number, projectId: number): Promise<ProjectRow> =>
  holdProject(tx, accountId, projectId, { hold: 'alone', reach: 'any' })

/**
 * Returns a live project that no other transaction can delete or change until this one ends. For changes of
 * its files: with a quota only one transaction holds the project and its counts are exact; without one, any
 * number of transactions do.
 */
export const shareProject = (tx: Tx, accountId: number, projectId: number): Promise<ProjectRow> =>
  holdProject(tx, accountId, projectId, { hold: 'shared', reach: 'live' })

/** Like `shareProject`, for a live or deleted project, as long as it is not purged. */
export const shareAnyProject = (tx: Tx, accountId: number, projectId: number): Promise<ProjectRow> =>
  holdProject(tx, accountId, projectId, { hold: 'shared', reach: 'any' })
