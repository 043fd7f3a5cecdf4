import { sql } from 'kysely'
import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { idListText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { parseIdList } from '../../platform/http/requests/query-values.ts'
import type { Queryable } from '../../platform/db/database.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { bothScopes } from '../../library/usage/project-scope.ts'
import { isCollectingSchema, type AnalyticsDependencies } from './analytics-dependencies.ts'
import { arePresent, readPresentValues, type RealtimeScope } from '../store/present-viewers.ts'
import { within } from './sums/read-sums.ts'

const shownMinutes = 60
const mostPlayouts = 50

const valueCounts = (description: string) =>
  Type.Array(
    Type.Object({
      Value: Type.String({ description: 'Value of the dimension.' }),
      Viewers: Type.Integer({ minimum: 1, description: 'Views with this value that are playing now.' }),
    }),
    { description },
  )

export const realtimeSchema = Type.Object(
  {
    At: described(timestampSchema, 'Time of the count.'),
    IsCollecting: isCollectingSchema,
    Viewers: Type.Integer({ minimum: 0, description: 'Views that are playing now.' }),
    Playouts: Type.Array(
      Type.Object({
        ProjectId: described(idSchema, 'Identifier of the project.'),
        FileId: nullable(
          idSchema,
          'Identifier of the file. Null for the live stream and playlists of the project.',
        ),
        Viewers: Type.Integer({ minimum: 1, description: 'Views of it that are playing now.' }),
      }),
      { description: 'Files and projects that they play, the most watched first; at most 50.' },
    ),
    Countries: valueCounts(
      'Viewers by country. `other` is the sum of countries with few viewers, and of all after the 50th.',
    ),
    Renditions: valueCounts('Viewers by the rendition that plays, such as `1080p`.'),
    Minutes: Type.Array(
      Type.Object({
        Start: described(timestampSchema, 'Start of the minute.'),
        Viewers: Type.Integer({ minimum: 0, description: 'Views that played in this minute.' }),
        WatchSeconds: Type.Number({
          minimum: 0,
          description: 'Playing time that players reported in this minute.',
        }),
        RebufferSeconds: Type.Number({
          minimum: 0,
          description: 'Rebuffering time that players reported in this minute.',
        }),
      }),
      { description: 'The last 60 minutes, the current one included. Empty with `stream`.' },
    ),
  },
  {
    description: 'Current viewers.',
    examples: [
      {
        At: '2026-03-01T12:00:20.000+00:00',
        IsCollecting: true,
        Viewers: 42,
        Playouts: [{ ProjectId: 3, FileId: 5, Viewers: 40 }],
        Countries: [
          { Value: 'DE', Viewers: 31 },
          { Value: 'other', Viewers: 11 },
        ],
        Renditions: [
          { Value: '1080p', Viewers: 36 },
          { Value: '720p', Viewers: 6 },
        ],
        Minutes: [
          {
            ...{ Start: '2026-03-01T12:00:00.000+00:00', Viewers: 42 },
            ...{ WatchSeconds: 2_410.5, RebufferSeconds: 6.1 },
          },
        ],
      },
    ],
  },
)

const readPlayouts = async (queryable: Queryable, scope: RealtimeScope) => {
  const { rows } = await sql<{ project_id: number; file_id: number | null; viewers: number; total: number }>`
    select project_id, file_id, count(*)::bigint as viewers, sum(count(*)) over ()::bigint as total
    from open_views
    where ${arePresent(scope)}
    group by project_id, file_id order by viewers desc, project_id, file_id limit ${mostPlayouts}`.execute(
    queryable,
  )
  return rows
}

const minuteMs = 60_000

const readMinutes = async (queryable: Queryable, { accountId, projectIds }: RealtimeScope, nowMs: number) => {
  const lastMs = Math.floor(nowMs / minuteMs) * minuteMs
  const firstMs = lastMs - (shownMinutes - 1) * minuteMs
  const { rows } = await sql<{ minute: Date; viewers: number; watch_ms: number; rebuffer_ms: number }>`
    select minute, sum(viewers)::bigint as viewers, sum(watch_ms)::bigint as watch_ms,
      sum(rebuffer_ms)::bigint as rebuffer_ms
    from view_minutes
    where account_id = ${accountId} and ${within(sql`project_id`, projectIds)} and minute >= ${new Date(firstMs)}
    group by minute`.execute(queryable)
  const sumsAt = new Map(rows.map((row) => [row.minute.getTime(), row]))
  return Array.from({ length: shownMinutes }, (_, index) => {
    const startMs = firstMs + index * minuteMs
    const sums = sumsAt.get(startMs)
    return {
      Start: toTimestamp(new Date(startMs)),
      Viewers: sums?.viewers ?? 0,
      WatchSeconds: (sums?.watch_ms ?? 0) / 1_000,
      RebufferSeconds: (sums?.rebuffer_ms ?? 0) / 1_000,
    }
  })
}

export const registerRealtimeRoutes = (
  app: HttpServer,
  { database, isCollecting, smallestGroup }: AnalyticsDependencies,
): void => {
  app.get(
    '/analytics/realtime',
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'getRealtimeAnalytics',
        tags: [tags.analytics],
        summary: 'Get current viewers',
        description:
          'Returns the number of views that are playing now, by file, country and rendition, and the number for each of the last 60 minutes.',
        querystring: Type.Object({
          projectId: Type.Optional(idListText('Views of these projects only. Comma-separated list.')),
          stream: Type.Optional(
            Type.Enum(['live', 'vod'], { description: 'Views of `live` streams or of files (`vod`) only.' }),
          ),
        }),
        response: responses({
          status: 200,
          schema: schemaRef('RealtimeAnalytics'),
          description: 'The current viewers.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds } = request.principal
      const { projectId, stream = null } = request.query
      const asked = projectId === undefined ? null : parseIdList(projectId, 'projectId')
      const scope = { accountId, projectIds: bothScopes(projectIds, asked), stream }
      const now = new Date()
      const playouts = await readPlayouts(database.kysely, scope)
      const figures = {
        IsCollecting: isCollecting,
        Viewers: playouts[0]?.total ?? 0,
        Playouts: playouts.map(({ project_id, file_id, viewers }) => ({
          ProjectId: project_id,
          FileId: file_id,
          Viewers: viewers,
        })),
        ...(await readPresentValues(database.kysely, scope, smallestGroup)),
        Minutes: stream === null ? await readMinutes(database.kysely, scope, now.getTime()) : [],
      }
      const body = JSON.stringify({ At: toTimestamp(now), ...figures })
      // The same figures a moment later have not changed.
      return sendJson(request, reply, body, etagOf(JSON.stringify(figures)))
    },
  )
}
