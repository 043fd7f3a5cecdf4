import { sql, type RawBuilder } from 'kysely'
import type { Queryable } from '../../../platform/db/database.ts'
import { stepCount } from '../../../platform/base/latency-steps.ts'
import type { ViewHistograms, ViewMeasures } from '../../../platform/db/tables/analytics.ts'
import { measureNames } from '../../store/measures.ts'
import { splitPeriod, type Edge } from './split-period.ts'
import type { Interval, Period } from './period.ts'

/** `value` stands for the values of the dimension. */
export type Grouping = 'interval' | 'project' | 'file' | 'value'

/** One dimension of views; the value is null where all values are asked for. */
export interface AskedDimension {
  readonly name: string
  readonly value: string | null
}

export interface Question extends Period {
  readonly accountId: number
  /** Null = all. */
  readonly projectIds: readonly number[] | null
  readonly fileIds: readonly number[] | null
  readonly dimension: AskedDimension | null
  readonly interval: Interval
  readonly groupBy: Grouping
}

/** The key is an id, a value, or the start of an interval in milliseconds. */
export interface SumRow extends ViewMeasures {
  readonly key: string
}

export interface HistogramRow {
  readonly key: string
  readonly counts: readonly number[]
}

export const within = (column: RawBuilder<unknown>, ids: readonly number[] | null): RawBuilder<unknown> =>
  ids === null ? sql`true` : sql`${column} = any(${[...ids]}::bigint[])`

/** Sums of hours or days, and those of the days or months that follow from them. */
interface Tables {
  readonly fine: RawBuilder<unknown>
  readonly fineAt: RawBuilder<unknown>
  readonly whole: RawBuilder<unknown>
  readonly wholeAt: RawBuilder<unknown>
  readonly unit: 'day' | 'month'
}

const dayAt = sql.ref('day')
const ofProjects: Tables = {
  fine: sql`from view_hours`,
  fineAt: sql.ref('hour'),
  whole: sql`from view_days`,
  wholeAt: dayAt,
  unit: 'day',
}
const daysAndMonths = { fineAt: dayAt, wholeAt: sql.ref('month'), unit: 'month' } as const
const ofFiles: Tables = {
  ...daysAndMonths,
  fine: sql`from file_view_days`,
  whole: sql`from file_view_months`,
}
const ofDimensions: Tables = {
  ...daysAndMonths,
  fine: sql`from view_dimension_days`,
  whole: sql`from view_dimension_months`,
}
export const ofFileViewers: Tables = {
  ...daysAndMonths,
  fine: sql`from file_viewer_days`,
  whole: sql`from file_viewer_months`,
}

const tablesOf = ({ dimension, groupBy, fileIds }: Question): Tables => {
  if (dimension !== null) return ofDimensions
  return groupBy === 'file' || fileIds !== null ? ofFiles : ofProjects
}

const conditionOf = ({ accountId, projectIds, fileIds, dimension }: Question): RawBuilder<unknown> => {
  const scope = sql`account_id = ${accountId} and ${within(sql`project_id`, projectIds)}`
  if (dimension !== null)
    return sql`${scope} and dimension = ${dimension.name} and ${dimension.value === null ? sql`true` : sql`value = ${dimension.value}`}`
  return fileIds === null ? scope : sql`${scope} and ${within(sql`file_id`, fileIds)}`
}

/** Column that the key of a group follows from. */
const keyColumns = { project: 'project_id', file: 'file_id', value: 'value' } as const

/** Key of a group; `at` is its time in UTC, or what the rows are grouped by. */
export const keyOf = (
  { groupBy, interval }: Question,
  at: RawBuilder<unknown> = sql.ref('at'),
): RawBuilder<string> =>
  groupBy === 'interval'
    ? sql`(extract(epoch from date_trunc(${sql.lit(interval)}, ${at}))::bigint * 1000)::text`
    : sql`${at}::text`

interface PartsQuestion {
  readonly question: Question
  readonly tables: Tables
  readonly condition: RawBuilder<unknown>
  /** Expressions of each part, with their names. They can use `sign`. */
  readonly summed: RawBuilder<unknown>
}

const withoutTime = (instant: Date): string => instant.toISOString().slice(0, 10)

/**
 * Parts of a period, added up by a column before its key is computed, because that takes longer than to add a row. `row_count` is
 * the number of rows in a part: a group is an answer only if any are left.
 */
export const partsOf = ({ question, tables, condition, summed }: PartsQuestion): RawBuilder<unknown> => {
  const { from, to, groupBy, interval } = question
  const { fine, fineAt, whole, wholeAt, unit } = tables
  const isFiner = groupBy === 'interval' && (interval === 'hour' || (interval === 'day' && unit === 'month'))
  const split = isFiner
    ? { whole: null, edges: [{ from, to, sign: 1 } as const] }
    : splitPeriod({ from, to }, unit)
  const columnOf = (at: RawBuilder<unknown>) => (groupBy === 'interval' ? at : sql.ref(keyColumns[groupBy]))
  const timeOf = (at: RawBuilder<unknown>, isHour: boolean): RawBuilder<unknown> => {
    if (groupBy !== 'interval') return sql.ref(keyColumns[groupBy])
    return isHour ? sql`${at} at time zone 'utc'` : sql`${at}::timestamp`
  }
  const isHour = unit === 'day'
  const during = (period: Period) =>
    isHour
      ? sql`hour >= ${period.from} and hour < ${period.to}`
      : sql`day >= ${withoutTime(period.from)}::date and day < ${withoutTime(period.to)}::date`
  const edgeOf = (edge: Edge) => sql`
    select ${timeOf(fineAt, isHour)} as at, ${sql.lit(edge.sign)} as sign, count(*) as row_count, ${summed}
    ${fine} where ${condition} and ${during(edge)} group by ${columnOf(fineAt)}`
  const parts = split.edges.map(edgeOf)
  if (split.whole !== null)
    parts.push(sql`
      select ${timeOf(wholeAt, false)} as at, 1 as sign, sum(row_count) as row_count, ${summed}
      ${whole} where ${condition} and ${wholeAt} >= ${withoutTime(split.whole.from)}::date
        and ${wholeAt} < ${withoutTime(split.whole.to)}::date group by ${columnOf(wholeAt)}`)
  return sql.join(parts, sql` union all `)
}

const hasRows = sql`having sum(sign * row_count) > 0`

/** Reads sums of measures from the smallest tables that have them. Others than the wanted measures are 0. */
export const readSums = async (
  queryable: Queryable,
  question: Question,
  measures: ReadonlySet<keyof ViewMeasures>,
): Promise<SumRow[]> => {
  const wanted = measureNames.filter((name) => measures.has(name))
  const summed = sql.raw(wanted.map((name) => `sum(${name}) as ${name}`).join(', '))
  const total = sql.raw(
    measureNames
      .map((name) => `${measures.has(name) ? `sum(sign * ${name})::bigint` : '0::bigint'} as ${name}`)
      .join(', '),
  )
  const parts = partsOf({ question, tables: tablesOf(question), condition: conditionOf(question), summed })
  const { rows } = await sql<SumRow>`
    select ${keyOf(question)} as key, ${total} from (${parts}) parts group by 1 ${hasRows}`.execute(queryable)
  return rows
}

const stepsOf = (sumOf: (step: number) => string): RawBuilder<number[]> =>
  sql.raw(
    `array[${Array.from({ length: stepCount }, (_, step) => `coalesce(${sumOf(step + 1)}, 0)`).join(', ')}]`,
  )

/** Adds up a histogram, step by step. */
export const summedSteps = (column: keyof ViewHistograms): RawBuilder<number[]> =>
  stepsOf((step) => `sum(${column}[${step}])`)

/** Reads histograms, which projects and files have. */
export const readHistograms = async (
  queryable: Queryable,
  question: Question,
  column: keyof ViewHistograms,
): Promise<HistogramRow[]> => {
  const parts = partsOf({
    question,
    tables: tablesOf(question),
    condition: conditionOf(question),
    summed: sql`${summedSteps(column)} as steps`,
  })
  const { rows } = await sql<HistogramRow>`
    select ${keyOf(question)} as key, ${stepsOf((step) => `sum(sign * steps[${step}])::bigint`)} as counts
    from (${parts}) parts group by 1 ${hasRows}`.execute(queryable)
  return rows
}
