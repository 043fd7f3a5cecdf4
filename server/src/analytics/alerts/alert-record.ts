import type { Selectable } from 'kysely'
import { Type } from 'typebox'
import { described, idSchema, nullable, timestampSchema } from '../../platform/http/requests/schemas.ts'
import type { AnalyticsAlertsTable } from '../../platform/db/tables/analytics.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { metrics, type MetricName } from '../ask/metrics.ts'

export type AlertRow = Selectable<AnalyticsAlertsTable>

/** Metrics that can be calculated from the sums of single minutes. */
export const alertMetrics = [
  'rebuffering',
  'startuptime',
  'failures',
  'errors',
  'livelatency',
  'views',
  'watchtime',
  'concurrentviewers',
] as const satisfies readonly MetricName[]

export type AlertMetric = (typeof alertMetrics)[number]

export const alertStates = ['firing', 'resolved'] as const
const operators = ['above', 'below'] as const
export const longestWindowMinutes = 60

const oneOf = <Value extends string>(values: readonly Value[], description: string) =>
  Type.Unsafe<Value>({ type: 'string', enum: [...values], description })

const units = alertMetrics.map((name) => `\`${name}\` in ${metrics[name].unit}`).join(', ')

const fields = {
  Label: Type.String({ maxLength: 255, description: 'Name of the alert, for your team. May be empty.' }),
  ProjectId: nullable(idSchema, 'Project whose views count. Null means every project of the account.'),
  FileId: nullable(idSchema, 'File whose views count. Null means all that is played in the project.'),
  Metric: oneOf(alertMetrics, 'Name of the metric.'),
  Operator: oneOf(operators, 'Whether the alert fires above or below the threshold.'),
  Threshold: Type.Number({
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    description: `Limit of the metric. The alert does not fire at exactly this value. Units: ${units}.`,
  }),
  WindowMinutes: Type.Integer({
    minimum: 1,
    maximum: longestWindowMinutes,
    description: 'Number of past whole minutes over which the metric is computed. Default 5.',
  }),
  MinimumViewers: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    description: 'The alert fires only with at least this mean number of concurrent viewers. Default 0.',
  }),
  IsEnabled: Type.Boolean({ description: 'Whether the condition is evaluated each minute. Default true.' }),
}

const exampleRule = {
  ...{ Label: 'Buffering', ProjectId: 3, FileId: null, Metric: 'rebuffering', Operator: 'above' },
  ...{ Threshold: 0.02, WindowMinutes: 5, MinimumViewers: 50, IsEnabled: true },
}

export const defaults = { Label: '', WindowMinutes: 5, MinimumViewers: 0, IsEnabled: true } as const

const clearable = {
  Label: Type.Optional(nullable(fields.Label)),
  ProjectId: Type.Optional(fields.ProjectId),
  FileId: Type.Optional(fields.FileId),
  WindowMinutes: Type.Optional(nullable(fields.WindowMinutes)),
  MinimumViewers: Type.Optional(nullable(fields.MinimumViewers)),
  IsEnabled: Type.Optional(nullable(fields.IsEnabled)),
}

export const alertCreateSchema = Type.Object(
  { ...clearable, Metric: fields.Metric, Operator: fields.Operator, Threshold: fields.Threshold },
  { examples: [exampleRule] },
)

export const alertUpdateSchema = Type.Object(
  {
    ...clearable,
    Metric: Type.Optional(fields.Metric),
    Operator: Type.Optional(fields.Operator),
    Threshold: Type.Optional(fields.Threshold),
  },
  { examples: [{ Threshold: 0.03 }] },
)

export const alertSchema = Type.Object(
  {
    Id: described(idSchema, 'Identifier of the alert.'),
    ...fields,
    State: oneOf(
      alertStates,
      '`firing` while the condition is met, `resolved` otherwise. `analytics.alert` reports each change.',
    ),
    StateSince: described(timestampSchema, 'Time of the last change of `State`, or of the creation.'),
    Value: nullable(
      Type.Number(),
      'Value of the metric when `State` last changed. Null if nothing was measured, or before the first change.',
    ),
    Viewers: nullable(
      Type.Number({ minimum: 0 }),
      'Mean number of concurrent viewers when `State` last changed. Null before the first change.',
    ),
    CreatedAt: described(timestampSchema, 'Time at which the alert was created.'),
    LastUpdateAt: described(timestampSchema, 'Time of the last change of the rule.'),
  },
  {
    description: 'A rule on a metric of the last minutes, and whether its condition is met.',
    examples: [
      {
        ...{ Id: 4, ...exampleRule, State: 'firing', StateSince: '2026-03-01T12:05:00.000+00:00' },
        ...{ Value: 0.041, Viewers: 212 },
        ...{ CreatedAt: '2026-02-01T09:00:00.000+00:00', LastUpdateAt: '2026-02-01T09:00:00.000+00:00' },
      },
    ],
  },
)

/** The rule without its state. */
export const alertRule = (row: AlertRow) => ({
  Id: row.id,
  Label: row.label,
  ProjectId: row.project_id,
  FileId: row.file_id,
  Metric: row.metric,
  Operator: row.operator,
  Threshold: row.threshold,
  WindowMinutes: row.window_minutes,
  MinimumViewers: row.minimum_viewers,
  IsEnabled: row.is_enabled,
})

export const alertRecord = (row: AlertRow) => ({
  ...alertRule(row),
  State: row.state,
  StateSince: toTimestamp(row.state_since),
  Value: row.value,
  Viewers: row.viewers,
  CreatedAt: toTimestamp(row.created_at),
  LastUpdateAt: toTimestamp(row.updated_at),
})
