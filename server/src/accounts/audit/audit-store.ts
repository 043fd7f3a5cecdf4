import { sql } from 'kysely'
import type { Page } from '../../platform/http/responses/paging.ts'
import type { Database, Queryable, Tx } from '../../platform/db/database.ts'
import { readPage, type PageOf } from '../../platform/db/keyset.ts'
import type { AuditChange } from '../../platform/db/tables/audit.ts'

export interface AuditEntryRow {
  readonly id: number
  readonly account_id: number
  readonly occurred_at: Date
  readonly action: string
  readonly user_id: number | null
  readonly user_email: string | null
  readonly user_name: string | null
  readonly api_key_id: string | null
  readonly session_id: string | null
  readonly address: string
  readonly request_id: string
  readonly subject: string
  readonly subject_id: string
  readonly changes: AuditChange[]
}

export interface AuditFilters {
  readonly actions?: readonly string[]
  readonly userIds?: readonly number[]
  readonly subjects?: readonly string[]
  readonly subjectIds?: readonly string[]
  readonly requestId?: string
  readonly from?: Date
  readonly to?: Date
}

/** `accountId` null selects the entries of all accounts. */
const entriesMatching = (queryable: Queryable, accountId: number | null, filters: AuditFilters) => {
  const { actions, userIds, subjects, subjectIds, requestId, from, to } = filters
  return queryable
    .selectFrom('audit_entries')
    .leftJoin('users', (join) =>
      join
        .onRef('users.account_id', '=', 'audit_entries.account_id')
        .onRef('users.id', '=', 'audit_entries.user_id'),
    )
    .$if(accountId !== null, (query) => query.where('audit_entries.account_id', '=', accountId ?? 0))
    .$if(actions !== undefined, (query) => query.where('action', 'in', [...(actions ?? []), '']))
    .$if(userIds !== undefined, (query) => query.where('user_id', 'in', [...(userIds ?? []), 0]))
    .$if(subjects !== undefined, (query) => query.where('subject', 'in', [...(subjects ?? []), '']))
    .$if(subjectIds !== undefined, (query) => query.where('subject_id', 'in', [...(subjectIds ?? []), '']))
    .$if(requestId !== undefined, (query) => query.where('request_id', '=', requestId ?? ''))
    .$if(from !== undefined, (query) => query.where('occurred_at', '>=', from ?? new Date()))
    .$if(to !== undefined, (query) => query.where('occurred_at', '<', to ?? new Date()))
}

const columns = [
  'audit_entries.id',
  'audit_entries.account_id',
  'occurred_at',
  'action',
  'user_id',
  'users.email as user_email',
  'users.name as user_name',
  'api_key_id',
  'session_id',
  'address',
  'request_id',
  'subject',
  'subject_id',
  'changes',
] as const

/** Newest first, with the number of all entries that match. */
export const listAuditEntries = async (
  queryable: Queryable,
  accountId: number,
  filters: AuditFilters,
  page: Page,
): Promise<PageOf<AuditEntryRow> & { totalCount: number }> => {
  const matching = entriesMatching(queryable, accountId, filters)
  const found = await readPage(matching.select([...columns]), page, null, sql`audit_entries.id`)
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

/**
 * Returns the id up to which the log is complete (migration 0066): no transaction that is still open adds an
 * entry at or below it. Call it before reading the entries, in a separate statement.
 */
export const readSettledId = async (queryable: Queryable): Promise<number> => {
  const { rows } = await sql<{ settledId: number }>`
    select audit_log_horizon() as "settledId"`.execute(queryable)
  return rows[0]?.settledId ?? 0
}

export interface AuditRange {
  readonly after: number
  readonly upTo: number
}

/** Oldest first; `accountId` null reads the entries of all accounts. */
export const readAuditEntries = (
  queryable: Queryable,
  accountId: number | null,
  filters: AuditFilters,
  { after, upTo }: AuditRange,
  limit: number,
): Promise<AuditEntryRow[]> =>
  entriesMatching(queryable, accountId, filters)
    .select([...columns])
    .where('audit_entries.id', '>', after)
    .where('audit_entries.id', '<=', upTo)
    .orderBy('audit_entries.id')
    .limit(limit)
    .execute()

/** Keeps the entries about these users, but removes what identifies them. */
export const eraseNames = async (tx: Tx, accountId: number, userIds: readonly number[]): Promise<void> => {
  await tx
    .updateTable('audit_entries')
    .set({
      changes: sql`coalesce((select jsonb_agg(change order by place)
        from jsonb_array_elements(changes) with ordinality as entry (change, place)
        where change ->> 'Field' not in ('Email', 'Name')), '[]')`,
    })
    .where('account_id', '=', accountId)
    .where('subject', '=', 'User')
    .where('subject_id', 'in', [...userIds.map(String), ''])
    .execute()
}

/** Limits how long a statement holds locks; finished batches survive a stop of the worker. */
const entriesAtOnce = 5_000

export const dropOldAuditEntries = async (database: Database, retentionDays: number): Promise<void> => {
  const before = new Date(Date.now() - retentionDays * 86_400_000)
  for (;;) {
    const { numDeletedRows } = await database.kysely
      .deleteFrom('audit_entries')
      .where('id', 'in', (select) =>
        select
          .selectFrom('audit_entries')
          .select('id')
          .where('occurred_at', '<', before)
          .orderBy('occurred_at')
          .limit(entriesAtOnce),
      )
      .executeTakeFirst()
    if (numDeletedRows < entriesAtOnce) return
  }
}
