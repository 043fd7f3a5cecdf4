import { sql } from 'kysely'
import type { Page } from '../../platform/http/responses/paging.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { readPage, type PageOf, type SortColumn } from '../../platform/db/keyset.ts'
import type { EncodingRow } from './encoding-record.ts'

/**
 * Exceeds any file id: within a priority, the oldest file comes first. The index uses the same expression.
 */
const idRange = 1_000_000_000_000

const turn = sql`(media_files.encoding_priority * ${sql.lit(idRange)} - media_files.id)`

const orders: Record<string, SortColumn> = {
  priority: { expression: turn, type: 'bigint' },
  created: null,
}
export const encodingOrders = Object.keys(orders)

/** `projectIds` null = all projects. */
const inWork = (queryable: Queryable, accountId: number, projectIds: readonly number[] | null) =>
  queryable
    .selectFrom('media_files')
    .where('media_files.account_id', '=', accountId)
    .where('media_files.deleted_at', 'is', null)
    // The index has the same condition. An upload that plays while it arrives has nothing in the queue yet.
    .where('arriving_upload', 'is', null)
    .where(
      sql<boolean>`(state in ('uploaded', 'encoding', 'playable') or rework is not null
        or (state = 'created' and source_blob is not null))`,
    )
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))

/** Groups by project first: the index alone answers it, and few projects remain to be filtered. */
const countEncodings = async (
  queryable: Queryable,
  accountId: number,
  projectIds: readonly number[] | null,
): Promise<number> => {
  const { count } = await queryable
    .selectFrom(
      inWork(queryable, accountId, projectIds)
        .select((select) => ['project_id', select.fn.countAll<number>().as('count')])
        .groupBy('project_id')
        .as('waiting'),
    )
    .innerJoin('projects', 'projects.id', 'waiting.project_id')
    .where('projects.deleted_at', 'is', null)
    .select((select) => sql<number>`coalesce(${select.fn.sum('waiting.count')}, 0)::float8`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Files after these get no position in the queue. */
const headLength = 100

/** Returns the ids of the next files in the queue, over all projects. */
export const listHead = async (queryable: Queryable, accountId: number): Promise<number[]> => {
  const rows = await inWork(queryable, accountId, null)
    .innerJoin('projects', 'projects.id', 'media_files.project_id')
    .where('projects.deleted_at', 'is', null)
    .select('media_files.id')
    .orderBy(turn, 'desc')
    .limit(headLength)
    .execute()
  return rows.map(({ id }) => id)
}

export const listEncodings = async (
  queryable: Queryable,
  accountId: number,
  projectIds: readonly number[] | null,
  page: Page,
): Promise<PageOf<EncodingRow> & { readonly totalCount: number }> => {
  const found = await readPage(
    inWork(queryable, accountId, projectIds)
      .innerJoin('projects', 'projects.id', 'media_files.project_id')
      .where('projects.deleted_at', 'is', null)
      .select([
        'media_files.id',
        'project_id',
        'projects.name as project_name',
        sql<string>`metadata ->> 'Title'`.as('title'),
        'state',
        sql<boolean>`state in ('playable', 'finished', 'degraded')`.as('is_playable'),
        'encoding_progress',
        'encoding_priority',
        sql<Date>`case when rework is null then coalesce(uploaded_at, media_files.created_at)
          else coalesce((rework -> 'source' ->> 'uploadedAt')::timestamptz, media_files.updated_at) end`.as(
          'waiting_since',
        ),
        'estimated_ready_at',
      ]),
    page,
    orders[page.orderBy] ?? null,
    sql`media_files.id`,
  )
  return { ...found, totalCount: await countEncodings(queryable, accountId, projectIds) }
}
