import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type, type Static } from 'typebox'
import { encodeLadderJob, processFileJob } from '../files/file-jobs.ts'
import { sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList, type Page } from '../http/paging.ts'
import { parseIdList } from '../http/query-values.ts'
import type { Database, Queryable } from '../kernel/db/database.ts'
import { readPage, type PageOf, type SortColumn } from '../kernel/db/keyset.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { encodingRecord, type EncodingRow, type QueuedWork } from './encoding-record.ts'
import { bothScopes, projectIdParameter } from './project-scope.ts'

/** More than there will be files: in each priority the oldest file goes first. */
const idRange = 1_000_000_000_000

const orders: Record<string, SortColumn> = {
  priority: {
    expression: sql`media_files.encoding_priority * ${sql.lit(idRange)} - media_files.id`,
    type: 'bigint',
  },
  created: null,
}
const orderNames = Object.keys(orders)

const encodingQuery = Type.Object({
  ...listQuery(orderNames),
  projectId: projectIdParameter('Only files of these projects; several with commas between them.'),
})

const listEncodings = async (
  queryable: Queryable,
  accountId: number,
  projectIds: readonly number[] | null,
  page: Page,
): Promise<PageOf<EncodingRow> & { readonly totalCount: number }> => {
  const matching = queryable
    .selectFrom('media_files')
    .innerJoin('projects', 'projects.id', 'media_files.project_id')
    .where('media_files.account_id', '=', accountId)
    .where('media_files.deleted_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    // As the index says it. Of what plays while it arrives nothing is queued yet.
    .where(sql<boolean>`(state in ('uploaded', 'encoding', 'playable') or rework is not null)`)
    .where('arriving_upload', 'is', null)
    .$if(projectIds !== null, (query) => query.where('project_id', 'in', [...(projectIds ?? []), 0]))
  const found = await readPage(
    matching.select([
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
  const { count } = await matching
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { ...found, totalCount: count }
}

const readWork = async (
  jobs: Jobs,
  accountId: number,
  fileIds: readonly number[],
): Promise<Map<number, QueuedWork[]>> => {
  const open = await jobs.listOpen([processFileJob, encodeLadderJob], { accountId, fileIds })
  return Map.groupBy(
    open.map(({ name, isRunning, fileId }) => ({
      fileId,
      isRunning,
      isLadder: name === encodeLadderJob.name,
    })),
    ({ fileId }) => fileId,
  )
}

export const registerEncodingRoutes = (
  app: FastifyInstance,
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
): void => {
  app.get(
    '/encodings',
    {
      config: { permission: 'files:read' },
      schema: {
        operationId: 'listEncodings',
        tags: [tags.usage],
        summary: 'List the encode queue',
        description:
          'The files whose renditions are still being made, waiting and running, of all projects that the key sees. Higher EncodingPriority goes first, then what has waited longer; the priority of a file can be changed (`updateFile`).',
        querystring: encodingQuery,
        response: responses({
          status: 200,
          schema: listSchema('Encodings', schemaRef('Encoding')),
          description: 'One page of the queue.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds } = request.principal
      const query = request.query as Static<typeof encodingQuery>
      const asked = query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId')
      const page = parsePage(query, orderNames)
      const found = await listEncodings(database.kysely, accountId, bothScopes(projectIds, asked), page)
      const work = await readWork(
        jobs,
        accountId,
        found.rows.map(({ id }) => id),
      )
      const records = found.rows.map((row) => encodingRecord(row, work.get(row.id) ?? []))
      const { body, etag } = renderFreshList('Encodings', records, found, page)
      return sendJson(request, reply, body, etag)
    },
  )
}
