import { sql } from 'kysely'
import type { Page } from '../../../platform/http/responses/paging.ts'
import type { Queryable, Tx } from '../../../platform/db/database.ts'
import { isUnchanged } from '../../../platform/db/is-unchanged.ts'
import { readPage, type PageOf, type SortColumn } from '../../../platform/db/keyset.ts'
import { Problem } from '../../../platform/base/problem.ts'
import type { ApiKeyRow } from './api-key-record.ts'
import { holdsWords } from './list-filters.ts'

/** Limits the visible keys: a key of some projects sees only keys within these. Null = all. */
export interface ApiKeyScope {
  readonly accountId: number
  readonly projectIds: readonly number[] | null
}

const apiKeyNotFound = (jti: string): Problem => new Problem('api_key_not_found', { apiKeyId: jti })

const visible = (queryable: Queryable, { accountId, projectIds }: ApiKeyScope) =>
  queryable
    .selectFrom('api_keys')
    .where('account_id', '=', accountId)
    .$if(projectIds !== null, (query) =>
      query.where(sql<boolean>`project_ids <@ ${[...(projectIds ?? [])]}::bigint[]`),
    )

/** Throws 'not_found' for revoked keys and for keys outside of the scope. */
export const findApiKey = async (
  queryable: Queryable,
  scope: ApiKeyScope,
  jti: string,
): Promise<ApiKeyRow> => {
  const row = await visible(queryable, scope)
    .selectAll()
    .where('jti', '=', jti)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (row === undefined) throw apiKeyNotFound(jti)
  return row
}

/** Sort orders of the list; a key that was never used sorts before all others. */
export const apiKeyOrders: Record<string, SortColumn> = {
  created: null,
  name: { expression: sql`fold_text(label) collate "C"`, type: 'text' },
  lastUsed: { expression: sql`coalesce(last_used_at, '-infinity')`, type: 'timestamptz' },
}

export interface ApiKeyFilters {
  readonly userIds?: readonly number[]
  readonly isRevoked?: boolean
  readonly isEnabled?: boolean
  readonly search?: string
}

const isLive = sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > now()))`

export const listApiKeys = async (
  queryable: Queryable,
  scope: ApiKeyScope,
  filters: ApiKeyFilters,
  page: Page,
): Promise<PageOf<ApiKeyRow> & { totalCount: number }> => {
  const { userIds, isRevoked, isEnabled, search } = filters
  const matching = visible(queryable, scope)
    .$if(userIds !== undefined, (query) => query.where('user_id', 'in', [...(userIds ?? []), 0]))
    .$if(isRevoked !== undefined, (query) => query.where('revoked_at', isRevoked ? 'is not' : 'is', null))
    .$if(isEnabled !== undefined, (query) => query.where(sql<boolean>`${isLive} = ${isEnabled}`))
    .$if(search !== undefined, (query) => query.where(holdsWords(sql`label`, search ?? '')))
  const found = await readPage(
    matching.selectAll().select('ordinal as id'),
    page,
    apiKeyOrders[page.orderBy] ?? null,
    sql`ordinal`,
  )
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

export interface ApiKeyChange {
  readonly label?: string
  readonly scopes?: string[]
  readonly project_ids?: number[] | null
  readonly expires_at?: Date | null
  readonly allowed_networks?: string[] | null
  readonly revoked_at?: Date
}

export const changeApiKey = async (tx: Tx, key: ApiKeyRow, change: ApiKeyChange): Promise<ApiKeyRow> => {
  if (isUnchanged(key, change)) return key
  return tx
    .updateTable('api_keys')
    .set(change)
    .where('account_id', '=', key.account_id)
    .where('jti', '=', key.jti)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Returns the first id that is not a live project of the account. Returns undefined when all are, and locks
 * them until the transaction ends.
 */
export const findUnknownProject = async (
  tx: Tx,
  accountId: number,
  projectIds: readonly number[],
): Promise<number | undefined> => {
  const rows = await tx
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .where('id', 'in', [...projectIds, 0])
    .orderBy('id')
    .forShare()
    .execute()
  const existing = new Set(rows.map(({ id }) => id))
  return projectIds.find((id) => !existing.has(id))
}
