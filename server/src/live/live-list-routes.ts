import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { sendJson } from '../http/etag.ts'
import { responses, schemaRef, tags } from '../http/openapi.ts'
import {
  listQuery,
  listSchema,
  parsePage,
  renderFreshList,
  type ListQuery,
  type Page,
} from '../http/paging.ts'
import type { Queryable } from '../kernel/db/database.ts'
import type { PageOf } from '../kernel/db/keyset.ts'
import { findProject } from '../projects/project-store.ts'
import { listLog, logRecord } from './live-log.ts'
import { listRecordings, recordingRecord } from './live-recordings.ts'
import { liveParams, livePath, ownerOf, type LiveRouteDependencies } from './live-request.ts'
import type { LiveStreamOwner } from './live-stream-store.ts'
import { listTargets, targetRecord } from './live-targets.ts'

interface LiveList<Row> {
  readonly name: string
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly key: string
  readonly schema: string
  readonly read: (
    queryable: Queryable,
    owner: LiveStreamOwner,
    page: Page,
  ) => Promise<PageOf<Row> & { totalCount: number }>
  readonly record: (row: Row) => object
}

/** Registers the lists of a live stream. */
export const registerLiveListRoutes = (
  app: FastifyInstance,
  { database, secrets }: Pick<LiveRouteDependencies, 'database' | 'secrets'>,
): void => {
  const register = <Row>({ name, key, schema, read, record, ...docs }: LiveList<Row>): void => {
    app.get(
      `${livePath}/${name}`,
      {
        config: { permission: 'live:read' },
        schema: {
          ...docs,
          tags: [tags.live],
          params: liveParams,
          querystring: Type.Object(listQuery()),
          response: responses(
            { status: 200, schema: listSchema(key, schemaRef(schema)), description: 'One page of them.' },
            404,
          ),
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request)
        const page = parsePage(request.query as ListQuery)
        await findProject(database.kysely, owner.accountId, owner.projectId)
        const found = await read(database.kysely, owner, page)
        const { body, etag } = renderFreshList(key, found.rows.map(record), found, page)
        return sendJson(request, reply, body, etag)
      },
    )
  }

  register({
    name: 'log',
    operationId: 'listLiveLog',
    summary: 'Read the log of a live stream',
    description:
      'Newest first: connects, refusals with their reasons, warnings, ends. Kept as long as events are.',
    key: 'LogEntries',
    schema: 'LiveLogEntry',
    read: listLog,
    record: logRecord,
  })

  register({
    name: 'recordings',
    operationId: 'listLiveRecordings',
    summary: 'List the recordings of a live stream',
    description:
      'Recordings and clips, newest first; `Kind` tells them apart. A finished one is the file `FileId` of the project.',
    key: 'Recordings',
    schema: 'LiveRecording',
    read: listRecordings,
    record: recordingRecord,
  })

  register({
    name: 'targets',
    operationId: 'listLiveTargets',
    summary: 'List the targets of a live stream',
    description: 'Where the stream is pushed on to while it is live; newest first.',
    key: 'Targets',
    schema: 'LiveTarget',
    read: listTargets,
    record: (row) => targetRecord(row, secrets),
  })
}
