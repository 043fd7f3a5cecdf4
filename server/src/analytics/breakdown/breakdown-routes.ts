import { Type } from 'typebox'
import { invalidField } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { idListText, integerText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { parseIdList } from '../../platform/http/requests/query-values.ts'
import { described, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { bothScopes } from '../../library/usage/project-scope.ts'
import { isDimension } from '../dimensions/names.ts'
import { parsePeriod, periodQuery } from '../ask/sums/period.ts'
import { largestGroups, type BreakdownQuestion, type Group } from './breakdown.ts'

const mostKeys = 3
const mostLimit = 500
const defaultLimit = 50
const ownKeys: readonly string[] = ['project', 'file', 'day']

const breakdownSchema = Type.Object(
  {
    By: Type.Array(Type.String(), { description: 'Dimensions by which the views are grouped.' }),
    From: described(timestampSchema, 'Effective start.'),
    To: described(timestampSchema, 'Effective end, exclusive.'),
    Groups: Type.Array(
      Type.Object({
        Keys: Type.Array(nullable(Type.String(), 'Null where it was not measured.'), {
          description: 'A value for each part of `By`.',
        }),
        Views: Type.Integer({ minimum: 0, description: 'Sessions that played for at least two seconds.' }),
        WatchSeconds: Type.Number({ minimum: 0, description: 'Time of playing.' }),
        AverageViewSeconds: nullable(Type.Number(), 'Watch time divided by views. Null without views.'),
        StartupMs: nullable(Type.Number(), 'Mean time to the first frame. Null if it was not measured.'),
        Rebuffers: Type.Integer({ minimum: 0, description: 'Number of interruptions to load media.' }),
        RebufferRatio: nullable(
          Type.Number(),
          'Share of rebuffering in the time of playing and rebuffering. Null without either.',
        ),
        Failures: Type.Integer({
          minimum: 0,
          description: 'Sessions that ended with an error before the first frame.',
        }),
        Errors: Type.Integer({
          minimum: 0,
          description: 'Sessions that ended with an error after the first frame.',
        }),
      }),
      { description: 'The largest group first.' },
    ),
  },
  {
    description: 'Views that have ended, in groups.',
    examples: [
      {
        By: ['site', 'day'],
        From: '2026-03-01T00:00:00.000+00:00',
        To: '2026-03-03T00:00:00.000+00:00',
        Groups: [
          {
            ...{ Keys: ['www.example.com', '2026-03-02'], Views: 214, WatchSeconds: 40_120.5 },
            ...{ AverageViewSeconds: 187.5, StartupMs: 480, Rebuffers: 31, RebufferRatio: 0.004 },
            ...{ Failures: 1, Errors: 2 },
          },
        ],
      },
    ],
  },
)

export const breakdownSchemas = { AnalyticsBreakdown: breakdownSchema }

const breakdownQuery = Type.Object({
  ...periodQuery,
  by: Type.Optional(
    Type.String({
      description: `Dimensions to group by: \`project\`, \`file\`, \`day\`, or a dimension of the views, such as \`site\`. Comma-separated list of at most ${mostKeys}. Default \`file\`.`,
      maxLength: 200,
      examples: ['site,day'],
    }),
  ),
  projectId: Type.Optional(idListText('Views of these projects only. Comma-separated list.')),
  fileId: Type.Optional(idListText('Views of these files only. Comma-separated list.')),
  limit: Type.Optional(
    integerText(
      {
        description: `Largest number of groups, 1–${mostLimit}. Default ${defaultLimit}.`,
        maxLength: 40,
        pattern: '^[0-9]+$',
      },
      { minimum: 1, maximum: mostLimit, example: defaultLimit },
    ),
  ),
})

const parseBy = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim())
  const isKnown = (name: string): boolean => ownKeys.includes(name) || isDimension(name)
  const isValid = names.every(isKnown) && new Set(names).size === names.length
  if (!isValid || names.length > mostKeys) throw invalidField('by', 'not_dimensions', { max: mostKeys })
  return names
}

const parseLimit = (text: string | undefined): number => {
  const limit = text === undefined ? defaultLimit : Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostLimit)
    throw invalidField('limit', 'not_whole_number_between', { min: 1, max: mostLimit })
  return limit
}

const quotient = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

const groupRecord = (group: Group) => ({
  Keys: group.keys,
  Views: group.views,
  WatchSeconds: group.watchMs / 1_000,
  AverageViewSeconds: quotient(group.watchMs / 1_000, group.views),
  StartupMs: quotient(group.startupMs, group.startups),
  Rebuffers: group.rebuffers,
  RebufferRatio: quotient(group.rebufferMs, group.rebufferMs + group.watchMs),
  Failures: group.failures,
  Errors: group.errors,
})

export const registerBreakdownRoutes = (
  app: HttpServer,
  {
    groupAll,
    smallestGroup,
  }: {
    readonly groupAll: (question: BreakdownQuestion) => Promise<readonly Group[]>
    readonly smallestGroup: number
  },
): void => {
  app.get(
    '/analytics/breakdown',
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'getAnalyticsBreakdown',
        tags: [tags.analytics],
        summary: 'Group views by several dimensions',
        description:
          'Returns views that have ended, grouped by up to three dimensions at a time. It reads the record of each view, so it is slower than a metric, and covers only the days for which records are kept. Bots and previews are not counted. Groups of fewer sessions than `ZOETROPE_ANALYTICS_SMALLEST_GROUP` (10 by default) are left out, unless you group only by project, file and day.',
        querystring: breakdownQuery,
        response: responses(
          { status: 200, schema: schemaRef('AnalyticsBreakdown'), description: 'The groups.' },
          503,
        ),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds: visible } = request.principal
      const { query } = request
      const by = parseBy(query.by ?? 'file')
      const limit = parseLimit(query.limit)
      const period = parsePeriod(query, 'hour')
      const asked = query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId')
      const fileIds = query.fileId === undefined ? null : parseIdList(query.fileId, 'fileId')
      const question = { accountId, projectIds: bothScopes(visible, asked), fileIds, by, ...period }
      const body = JSON.stringify({
        By: by,
        From: toTimestamp(period.from),
        To: toTimestamp(period.to),
        Groups: largestGroups(await groupAll(question), by, { limit, smallestGroup }).map(groupRecord),
      })
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
