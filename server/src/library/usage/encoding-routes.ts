import { sql } from 'kysely'
import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { encodeLadderJob, processFileJob } from '../files/queue/file-jobs.ts'
import { sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { listQuery, listSchema, parsePage, renderFreshList } from '../../platform/http/responses/paging.ts'
import { parseIdList } from '../../platform/http/requests/query-values.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { encodingRecord, placesOf, type QueuedWork } from './encoding-record.ts'
import { encodingOrders, listEncodings, listHead } from './encoding-store.ts'
import { bothScopes, projectIdParameter } from './project-scope.ts'

const encodingQuery = Type.Object({
  ...listQuery(encodingOrders),
  projectId: projectIdParameter('Files of any of these projects. Comma-separated list.'),
})

interface FileWork extends QueuedWork {
  readonly fileId: number
}

/** Remote workers encode without a job. */
const readRemoteWork = async (
  { kysely }: Database,
  accountId: number,
  fileIds: readonly number[],
): Promise<FileWork[]> => {
  if (fileIds.length === 0) return []
  const rows = await kysely
    .selectFrom('encode_chunks')
    .select('file_id')
    .distinct()
    .where('account_id', '=', accountId)
    .where('file_id', 'in', fileIds)
    .where('state', '=', 'running')
    .where('leased_until', '>=', sql<Date>`now()`)
    .execute()
  return rows.map(({ file_id }) => ({ fileId: file_id, isRunning: true, isLadder: true }))
}

const readWork = async (
  { database, jobs }: { readonly database: Database; readonly jobs: Jobs },
  accountId: number,
  fileIds: readonly number[],
): Promise<Map<number, FileWork[]>> => {
  const open = await jobs.listOpen([processFileJob, encodeLadderJob], { accountId, fileIds })
  const local = open.map(({ name, isRunning, fileId }) => ({
    fileId,
    isRunning,
    isLadder: name === encodeLadderJob.name,
  }))
  const remote = await readRemoteWork(database, accountId, fileIds)
  return Map.groupBy([...local, ...remote], ({ fileId }) => fileId)
}

export const registerEncodingRoutes = (
  app: HttpServer,
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
          'Returns the files that are encoding or waiting, over all projects that the key sees. Higher `EncodingPriority` goes first, then the longer wait. Change the priority of a file with `updateFile`.',
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
      const query = request.query
      const asked = query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId')
      const page = parsePage(query, encodingOrders)
      const found = await listEncodings(database.kysely, accountId, bothScopes(projectIds, asked), page)
      const head = found.rows.length === 0 ? [] : await listHead(database.kysely, accountId)
      const work = await readWork({ database, jobs }, accountId, [
        ...new Set([...head, ...found.rows.map(({ id }) => id)]),
      ])
      const places = placesOf(head, work)
      const records = found.rows.map((row) =>
        encodingRecord(row, work.get(row.id) ?? [], places.get(row.id) ?? null),
      )
      const { body, etag } = renderFreshList('Encodings', records, found, page)
      return sendJson(request, reply, body, etag)
    },
  )
}
