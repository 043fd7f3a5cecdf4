import { Type } from 'typebox'
import type { HttpServer } from '../../../platform/http/http-server.ts'
import { sendJson } from '../../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../../platform/http/openapi/openapi.ts'
import {
  listQuery,
  listSchema,
  parsePage,
  renderFreshList,
  type Page,
} from '../../../platform/http/responses/paging.ts'
import type { Queryable } from '../../../platform/db/database.ts'
import type { PageOf } from '../../../platform/db/keyset.ts'
import { findProject } from '../../../library/projects/project-store.ts'
import { listLog, logRecord } from './live-log.ts'
import { listRecordings, recordingRecord } from '../store/live-recordings.ts'
import { liveParams, livePath, ownerOf, type LiveRouteDependencies } from './live-request.ts'
import type { LiveStreamOwner } from '../store/live-stream-store.ts'
import { listTargets, targetRecord } from '../targets/live-targets.ts'

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

export const registerLiveListRoutes = (
  app: HttpServer,
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
            { status: 200, schema: listSchema(key, schemaRef(schema)), description: 'One page of the list.' },
            404,
          ),
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request)
        const page = parsePage(request.query)
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
    summary: 'List live log entries',
    description:
      'Returns connections, refusals with their reasons, warnings and ends of broadcasts, newest first. Zoetrope keeps entries as long as events.',
    key: 'LogEntries',
    schema: 'LiveLogEntry',
    read: listLog,
    record: logRecord,
  })

  register({
    name: 'recordings',
    operationId: 'listLiveRecordings',
    summary: 'List live recordings',
    description:
      'Returns recordings and clips, newest first. `Kind` distinguishes them. `FileId` is the file of a finished recording.',
    key: 'Recordings',
    schema: 'LiveRecording',
    read: listRecordings,
    record: recordingRecord,
  })

  register({
    name: 'targets',
    operationId: 'listLiveTargets',
    summary: 'List simulcast targets',
    description: 'Returns the simulcast targets of the stream, newest first.',
    key: 'Targets',
    schema: 'LiveTarget',
    read: listTargets,
    record: (row) => targetRecord(row, secrets),
  })
}
