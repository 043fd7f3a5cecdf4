import { sql, type RawBuilder } from 'kysely'
import type { Queryable } from '../../platform/db/database.ts'
import { stepCount } from '../../platform/base/latency-steps.ts'
import type { ViewHistograms, ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { measureNames } from '../store/sums.ts'
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

export interface ViewerRow {
  readonly key: string
  readonly viewers: number
}

/** Others than the wanted measures are 0. */
const summed = (wanted: ReadonlySet<string | symbol>): RawBuilder<unknown> =>
  sql.raw(
    measureNames
      .map((name) => `${wanted.has(name) ? `sum(${name})::bigint` : '0::bigint'} as ${name}`)
      .join(', '),
  )

export const within = (column: RawBuilder<unknown>, ids: readonly number[] | null): RawBuilder<unknown> =>
  ids === null ? sql`true` : sql`${column} = any(${[...ids]}::bigint[])`

const dayText = (instant: Date): string => instant.toISOString().slice(0, 10)

/** Rows of days overlap a period that begins and ends at days. */
const daysOf = ({ from, to }: Period) => sql`day >= ${dayText(from)}::date and day < ${dayText(to)}::date`
const scopeOf = ({ accountId, projectIds }: Question) =>
  sql`account_id = ${accountId} and ${within(sql`project_id`, projectIds)}`

/** Key of the group that a row belongs to, `at` being its time. */
const keyOf = ({ groupBy, interval }: Question, at: RawBuilder<unknown>): RawBuilder<string> => {
  if (groupBy === 'project') return sql`project_id::text`
  if (groupBy === 'file') return sql`file_id::text`
  if (groupBy === 'value') return sql`value`
  return sql`(extract(epoch from date_trunc(${sql.lit(interval)}, ${at}))::bigint * 1000)::text`
}
const hourAt = sql`hour at time zone 'utc'`
const dayAt = sql`day::timestamp`

/** Column that the key follows from. Rows are added up by it first, because a key takes longer to compute than to add a row. */
const columnOf = ({ groupBy }: Question, at: 'day' | 'hour'): RawBuilder<unknown> =>
  sql.ref({ interval: at, project: 'project_id', file: 'file_id', value: 'value' }[groupBy])

/** Reads sums of measures from the smallest table that has them. */
export const readSums = async (
  queryable: Queryable,
  question: Question,
  measures: ReadonlySet<string | symbol>,
): Promise<SumRow[]> => {
  const sums = summed(measures)
  const rowsOf = async (at: 'day' | 'hour', from: RawBuilder<unknown>): Promise<SumRow[]> => {
    const column = columnOf(question, at)
    const { rows } = await sql<SumRow>`
      select ${keyOf(question, at === 'day' ? dayAt : hourAt)} as key, ${sums}
      from (select ${column}, ${sums} from ${from} group by 1) parts group by 1`.execute(queryable)
    return rows
  }
  const scope = scopeOf(question)
  const { dimension } = question
  if (dimension !== null) {
    const ofValue = dimension.value === null ? sql`true` : sql`value = ${dimension.value}`
    return rowsOf(
      'day',
      sql`view_dimension_days where ${scope} and dimension = ${dimension.name} and ${ofValue} and ${daysOf(question)}`,
    )
  }
  if (question.groupBy === 'file' || question.fileIds !== null)
    return rowsOf(
      'day',
      sql`file_view_days where ${scope} and ${within(sql`file_id`, question.fileIds)} and ${daysOf(question)}`,
    )
  return rowsOf('hour', sql`view_hours where ${scope} and hour >= ${question.from} and hour < ${question.to}`)
}

/** One sum for each step is three times as fast as `unnest`. */
export const summedSteps = (column: keyof ViewHistograms): RawBuilder<number[]> =>
  sql.raw(
    `array[${Array.from({ length: stepCount }, (_, step) => `coalesce(sum(${column}[${step + 1}]), 0)`).join(', ')}]`,
  )

/** Reads histograms, which project hours and file days have. */
export const readHistograms = async (
  queryable: Queryable,
  question: Question,
  column: keyof ViewHistograms,
): Promise<HistogramRow[]> => {
  const scope = scopeOf(question)
  if (question.groupBy === 'file' || question.fileIds !== null) {
    const { rows } = await sql<HistogramRow>`
      select ${keyOf(question, dayAt)} as key, ${summedSteps(column)} as counts from file_view_days
      where ${scope} and ${within(sql`file_id`, question.fileIds)} and ${daysOf(question)} group by 1`.execute(
      queryable,
    )
    return rows
  }
  const { rows } = await sql<HistogramRow>`
    select ${keyOf(question, hourAt)} as key, ${summedSteps(column)} as counts from view_hours
    where ${scope} and hour >= ${question.from} and hour < ${question.to} group by 1`.execute(queryable)
  return rows
}

/** Reads daily viewers, added up over days and over projects or files. */
export const readViewers = async (queryable: Queryable, question: Question): Promise<ViewerRow[]> => {
  if (question.groupBy === 'file' || question.fileIds !== null) {
    const day = question.groupBy === 'interval' ? sql`day` : sql`null::date`
    const { rows } = await sql<ViewerRow>`
      select ${keyOf(question, dayAt)} as key, sum(viewers)::bigint as viewers
      from (
        select f.project_id, v.file_id, v.day, v.viewers
        from (
          select file_id, ${day} as day, sum(viewers) as viewers from file_viewer_days
          where account_id = ${question.accountId} and ${within(sql`file_id`, question.fileIds)} and ${daysOf(question)}
          group by 1, 2
        ) v join media_files f on f.account_id = ${question.accountId} and f.id = v.file_id
      ) days
      where ${within(sql`project_id`, question.projectIds)} group by 1`.execute(queryable)
    return rows
  }
  const { rows } = await sql<ViewerRow>`
    select ${keyOf(question, dayAt)} as key, sum(viewers)::bigint as viewers from viewer_days
    where ${scopeOf(question)} and ${daysOf(question)} group by 1`.execute(queryable)
  return rows
}

const minuteAt = sql`minute at time zone 'utc'`

/** Reads the largest number of concurrent viewers. Minutes are kept for two days. */
export const readPeaks = async (queryable: Queryable, question: Question): Promise<ViewerRow[]> => {
  const ofProject = question.groupBy === 'project' ? sql`, project_id` : sql``
  const { rows } = await sql<ViewerRow>`
    select ${keyOf(question, minuteAt)} as key, max(viewers)::bigint as viewers
    from (
      select minute, sum(viewers) as viewers ${ofProject} from view_minutes
      where ${scopeOf(question)} and minute >= ${question.from} and minute < ${question.to}
      group by minute ${ofProject}
    ) minutes group by 1`.execute(queryable)
  return rows
}
