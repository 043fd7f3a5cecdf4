import { Type, type TSchema } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { idSchema } from '../../platform/http/requests/schemas.ts'
import type { Database } from '../../platform/db/database.ts'
import { percentileMs } from '../../platform/base/latency-steps.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { findMediaFile } from '../../library/files/record/media-file-store.ts'
import type { AnalyticsDependencies } from './analytics-dependencies.ts'
import {
  hotspotsOf,
  playsOf,
  readFileStartups,
  readFileSums,
  readHeat,
  timesOf,
  type FileOfAccount,
} from './file-figures.ts'
import { metrics } from './metrics.ts'
import { parsePeriod, periodQuery, type Period } from './sums/period.ts'

const params = Type.Object({ projectId: idSchema, fileId: idSchema })
const querystring = Type.Object(periodQuery)

interface Asked {
  readonly database: Database
  readonly isCollecting: boolean
  readonly file: FileOfAccount
  readonly lengthSeconds: number
  readonly period: Period
}

const summary = async ({ database, isCollecting, file, period }: Asked): Promise<object> => {
  const sums = await readFileSums(database.kysely, file, period)
  const startups = await readFileStartups(database.kysely, file, period)
  return {
    IsCollecting: isCollecting,
    Views: sums.views,
    UniqueViewers: sums.viewers,
    WatchSeconds: metrics.watchtime.valueOf(sums),
    AverageViewSeconds: metrics.averageviewtime.valueOf(sums),
    CompleteViews: sums.complete_views,
    StartupMs: metrics.startuptime.valueOf(sums),
    StartupP50Ms: percentileMs(startups, 0.5),
    StartupP95Ms: percentileMs(startups, 0.95),
    Rebuffers: sums.rebuffers,
    RebufferRatio: metrics.rebuffering.valueOf(sums),
    BitRate: metrics.averagebitrate.valueOf(sums),
    UpscaledRatio: metrics.upscaling.valueOf(sums),
    Failures: sums.failures,
    Errors: sums.errors,
    Exits: sums.exits,
    Bytes: sums.bytes,
    BotViews: sums.bot_views,
    PreviewViews: sums.preview_views,
    Scores: {
      ViewerExperience: metrics.viewerexperiencescore.valueOf(sums),
      PlaybackSuccess: metrics.playbacksuccessscore.valueOf(sums),
      StartupTime: metrics.startuptimescore.valueOf(sums),
      Smoothness: metrics.smoothnessscore.valueOf(sums),
      VideoQuality: metrics.videoqualityscore.valueOf(sums),
    },
  }
}

const retention = async ({ database, file, lengthSeconds, period }: Asked): Promise<object> => {
  const { views, reached } = await readHeat(database.kysely, file, period)
  return {
    Views: views,
    Parts: reached.map((viewers, part) => ({
      ...timesOf(part, lengthSeconds),
      Viewers: viewers,
      Share: views === 0 ? null : viewers / views,
    })),
  }
}

const heatmap = async ({ database, file, lengthSeconds, period }: Asked): Promise<object> => ({
  Parts: playsOf(await readHeat(database.kysely, file, period), lengthSeconds),
})

const hotspots = async ({ database, file, lengthSeconds, period }: Asked): Promise<object> => ({
  Hotspots: hotspotsOf(playsOf(await readHeat(database.kysely, file, period), lengthSeconds)),
})

export const registerFileAnalyticsRoutes = (
  app: HttpServer,
  { database, isCollecting }: AnalyticsDependencies,
): void => {
  const register = (
    path: string,
    texts: { readonly operationId: string; readonly summary: string; readonly description: string },
    schema: TSchema,
    read: (asked: Asked) => Promise<object>,
  ): void => {
    app.get(
      `/projects/:projectId/files/:fileId/analytics${path}`,
      {
        config: { permission: 'analytics:read' },
        schema: {
          ...texts,
          tags: [tags.analytics],
          params,
          querystring,
          response: responses({ status: 200, schema, description: 'The figures of the file.' }, 404),
        },
      },
      async (request, reply) => {
        const { projectId, fileId } = request.params
        const { accountId } = request.principal
        const { properties } = await findMediaFile(database.kysely, { accountId, projectId, fileId })
        const period = parsePeriod(request.query, 'day')
        const figures = await read({
          database,
          isCollecting,
          period,
          file: { accountId, fileId },
          lengthSeconds: Number(properties?.['Length'] ?? 0),
        })
        const body = JSON.stringify({
          FileId: fileId,
          From: toTimestamp(period.from),
          To: toTimestamp(period.to),
          ...figures,
        })
        return sendJson(request, reply, body, etagOf(body))
      },
    )
  }

  register(
    '',
    {
      operationId: 'getFileAnalytics',
      summary: 'Get audience and quality of a file',
      description: 'Returns views, unique viewers, watch time and quality of a file, over whole days in UTC.',
    },
    schemaRef('FileAnalytics'),
    summary,
  )
  register(
    '/retention',
    {
      operationId: 'getFileRetention',
      summary: 'Get the retention of a file',
      description:
        'Returns the share of views that played each of 100 parts of the file. Views of players that do not report their playhead are left out.',
    },
    schemaRef('FileRetention'),
    retention,
  )
  register(
    '/heatmap',
    {
      operationId: 'getFileHeatmap',
      summary: 'Get the heat map of a file',
      description: 'Returns how often each of 100 parts of the file was played, repeats included.',
    },
    schemaRef('FileHeatmap'),
    heatmap,
  )
  register(
    '/hotspots',
    {
      operationId: 'getFileHotspots',
      summary: 'Get the hotspots of a file',
      description: 'Returns the parts of the heat map that are played far more often than the mean.',
    },
    schemaRef('FileHotspots'),
    hotspots,
  )
}
