import { Type } from 'typebox'
import type { HttpServer } from '../../platform/http/http-server.ts'
import { etagOf, sendJson } from '../../platform/http/responses/etag.ts'
import { idListText, integerText } from '../../platform/http/openapi/openapi-query.ts'
import { responses, schemaRef, tags } from '../../platform/http/openapi/openapi.ts'
import { described, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import { parseIdList } from '../../platform/http/requests/query-values.ts'
import { invalidField } from '../../platform/base/problem.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { isCollectingSchema, type AnalyticsDependencies } from './analytics-dependencies.ts'
import { checkDimension, dimensionQuery, groupingNames, parseGrouping } from './dimension-query.ts'
import { answerMetric } from './answer-metric.ts'
import { histogramOf, metricNames, metrics, type MetricName } from './metrics.ts'
import { intervals, parsePeriod, periodQuery, type Interval } from './sums/period.ts'
import { bothScopes } from '../../library/usage/project-scope.ts'
import type { Grouping } from './sums/read-sums.ts'

const mostKeys = 500
const defaultKeys = 50

const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], description })

export const analyticsSchema = Type.Object(
  {
    Metric: oneOf(metricNames, 'Name of the metric.'),
    IsCollecting: isCollectingSchema,
    Unit: Type.String({ description: 'Unit of the values.' }),
    Percentile: nullable(
      Type.Integer({ minimum: 1, maximum: 99 }),
      'Percentile of the values. Null for a mean, a sum or a score.',
    ),
    From: described(timestampSchema, 'Effective start.'),
    To: described(timestampSchema, 'Effective end, exclusive.'),
    Total: nullable(
      Type.Number(),
      'Value of the whole period. Null if nothing was measured, or if it is hidden because of few views.',
    ),
    Buckets: Type.Array(
      Type.Object({
        Start: nullable(timestampSchema, 'Start of the interval. Null with `groupBy`.'),
        Key: nullable(
          Type.String(),
          'Id of the project or file, or the value of the dimension. Null without `groupBy`. `unknown`: neither the request nor the player named it. `other`: values with fewer views than are shown, and values beyond 500 a day. The site `direct` is a page of this server, or none.',
        ),
        Value: nullable(
          Type.Number(),
          'Value of the interval or key. Null if nothing was measured, or if it is hidden because of few views.',
        ),
      }),
      { description: 'One bucket for each interval, or for each key, the largest value first.' },
    ),
  },
  {
    description: 'Values of one metric.',
    examples: [
      {
        Metric: 'views',
        IsCollecting: true,
        Unit: 'views',
        Percentile: null,
        From: '2026-03-01T00:00:00.000+00:00',
        To: '2026-03-03T00:00:00.000+00:00',
        Total: 412,
        Buckets: [
          { Start: '2026-03-01T00:00:00.000+00:00', Key: null, Value: 198 },
          { Start: '2026-03-02T00:00:00.000+00:00', Key: null, Value: 214 },
        ],
      },
    ],
  },
)

const metricQuery = Type.Object({
  ...periodQuery,
  interval: Type.Optional(oneOf(intervals, 'Length of a bucket, in UTC. Default `day`.')),
  groupBy: Type.Optional(
    Type.String({
      description: `Return one bucket for each project, file or value of a dimension instead of each interval: ${groupingNames.map((name) => `\`${name}\``).join(', ')}.`,
      maxLength: 40,
      examples: ['country'],
    }),
  ),
  projectId: Type.Optional(idListText('Views of these projects only. Comma-separated list.')),
  fileId: Type.Optional(
    idListText('Views of these files only. Comma-separated list. Intervals are days or months.'),
  ),
  percentile: Type.Optional(
    integerText(
      {
        description:
          'Return this percentile instead of the mean, 1–99, such as 50, 75 or 95. For `startuptime` and `livelatency`.',
        maxLength: 40,
        pattern: '^[0-9]+$',
      },
      { minimum: 1, maximum: 99, example: 95 },
    ),
  ),
  ...dimensionQuery,
  limit: Type.Optional(
    integerText(
      {
        description: `Largest number of buckets with \`groupBy\`, 1–${mostKeys}. Default ${defaultKeys}.`,
        maxLength: 40,
        pattern: '^[0-9]+$',
      },
      { minimum: 1, maximum: mostKeys, example: defaultKeys },
    ),
  ),
})

const parseLimit = (text: string | undefined): number => {
  const limit = text === undefined ? defaultKeys : Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > mostKeys)
    throw invalidField('limit', 'not_whole_number_between', { min: 1, max: mostKeys })
  return limit
}

const parsePercentile = (text: string | undefined): number | null => {
  if (text === undefined) return null
  const percentile = Number(text)
  if (percentile < 1 || percentile > 99)
    throw invalidField('percentile', 'not_whole_number_between', { min: 1, max: 99 })
  return percentile
}

interface Shape {
  readonly percentile: number | null
  readonly name: MetricName
  readonly groupBy: Grouping
  readonly interval: Interval
  readonly hasFiles: boolean
  readonly hasDimension: boolean
}

/** Throws 'invalid' for what the sums cannot answer. */
const checkShape = ({ name, groupBy, interval, hasFiles, hasDimension, percentile }: Shape): void => {
  if (percentile !== null && histogramOf(name) === null)
    throw invalidField('percentile', 'not_combinable', { other: name })
  if (percentile !== null && hasDimension)
    throw invalidField('percentile', 'not_combinable', { other: 'dimension' })
  if (name === 'concurrentviewers' && (hasFiles || groupBy === 'file'))
    throw invalidField(hasFiles ? 'fileId' : 'groupBy', 'not_combinable', { other: 'concurrentviewers' })
  const hasOnlyDays = hasFiles || hasDimension || name === 'uniqueviewers'
  if (interval === 'hour' && groupBy === 'interval' && hasOnlyDays)
    throw invalidField('interval', 'not_among_values', { values: 'day, month' })
}

export const registerMetricRoutes = (
  app: HttpServer,
  { database, isCollecting, smallestGroup }: AnalyticsDependencies,
): void => {
  app.get(
    '/analytics/:metric',
    {
      config: { permission: 'analytics:read' },
      schema: {
        operationId: 'getAnalytics',
        tags: [tags.analytics],
        summary: 'Get a metric of the audience',
        description: `Returns a metric over time, or by project, file or dimension. Bots and previews are not counted. A request can name one dimension, in \`groupBy\` or as a filter, but not together with a file. \`uniqueviewers\` and \`concurrentviewers\` are not available by dimension, \`bytes\` only by country. ${metricNames
          .map((name) => `\`${name}\`: ${metrics[name].definition}`)
          .join(' ')}`,
        params: Type.Object({ metric: oneOf(metricNames, 'Name of the metric.') }),
        querystring: metricQuery,
        response: responses({
          status: 200,
          schema: schemaRef('Analytics'),
          description: 'The values of the metric.',
        }),
      },
    },
    async (request, reply) => {
      const { accountId, projectIds: visible } = request.principal
      const { query } = request
      const name = request.params.metric
      const grouped = parseGrouping(query)
      const { groupBy, dimension } = grouped
      const interval = query.interval ?? 'day'
      const fileIds = query.fileId === undefined ? null : parseIdList(query.fileId, 'fileId')
      const hasFiles = fileIds !== null
      const percentile = parsePercentile(query.percentile)
      checkDimension(name, grouped, hasFiles)
      checkShape({ name, groupBy, interval, hasFiles, hasDimension: dimension !== null, percentile })
      const hasHours = !hasFiles && dimension === null && name !== 'uniqueviewers' && groupBy !== 'file'
      const period = parsePeriod(query, hasHours ? 'hour' : 'day')
      const asked = query.projectId === undefined ? null : parseIdList(query.projectId, 'projectId')
      const { total, buckets } = await answerMetric(
        database.kysely,
        name,
        {
          ...{ accountId, projectIds: bothScopes(visible, asked), fileIds, dimension, interval, groupBy },
          ...period,
        },
        { limit: parseLimit(query.limit), percentile, smallestGroup },
      )
      const body = JSON.stringify({
        Metric: name,
        IsCollecting: isCollecting,
        Unit: metrics[name].unit,
        Percentile: percentile,
        From: toTimestamp(period.from),
        To: toTimestamp(period.to),
        Total: total,
        Buckets: buckets,
      })
      return sendJson(request, reply, body, etagOf(body))
    },
  )
}
