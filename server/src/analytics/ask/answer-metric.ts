import type { Queryable } from '../../platform/db/database.ts'
import type { ViewHistograms, ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { percentileMs, stepCount } from '../../platform/base/latency-steps.ts'
import { toTimestamp } from '../../platform/base/timestamp.ts'
import { histogramOf, metrics, type Metric, type MetricName } from './metrics.ts'
import { startsOf } from './sums/period.ts'
import { readHistograms, readSums, type Question } from './sums/read-sums.ts'
import { readPeaks, readViewers } from './sums/read-viewers.ts'
import { isHidden, mergeSmallGroups, sumOf } from './sums/small-groups.ts'

export interface Bucket {
  readonly Start: string | null
  readonly Key: string | null
  readonly Value: number | null
}

interface Answered {
  readonly total: number | null
  readonly values: ReadonlyMap<string, number | null>
  /** Value of an interval without rows. */
  readonly empty: number | null
}

const answerPercentile = async (
  queryable: Queryable,
  column: keyof ViewHistograms,
  question: Question,
  percentile: number,
): Promise<Answered> => {
  const rows = await readHistograms(queryable, question, column)
  const all = Array.from({ length: stepCount }, (_, step) =>
    rows.reduce((sum, { counts }) => sum + (counts[step] ?? 0), 0),
  )
  return {
    total: percentileMs(all, percentile / 100),
    values: new Map(rows.map(({ key, counts }) => [key, percentileMs(counts, percentile / 100)])),
    empty: null,
  }
}

const answer = async (
  queryable: Queryable,
  name: MetricName,
  question: Question,
  { percentile, smallestGroup }: { readonly percentile: number | null; readonly smallestGroup: number },
): Promise<Answered> => {
  const column = percentile === null ? null : histogramOf(name)
  if (percentile !== null && column !== null) return answerPercentile(queryable, column, question, percentile)
  const { measures = [], valueOf }: Metric = metrics[name]
  if (valueOf !== null) {
    const { dimension, groupBy } = question
    // The number of views decides which groups are shown.
    const found = await readSums(queryable, question, new Set([...measures, 'views']))
    const all = sumOf(found)
    const shown = (row: ViewMeasures): number | null =>
      isHidden(row, dimension, smallestGroup) ? null : valueOf(row)
    if (dimension !== null && groupBy === 'value') {
      const rows = mergeSmallGroups(found, dimension, smallestGroup)
      return {
        total: valueOf(all),
        values: new Map(rows.map((row) => [row.key, valueOf(row)])),
        empty: null,
      }
    }
    return {
      total: found.length === 0 ? valueOf(all) : shown(all),
      values: new Map(found.map((row) => [row.key, shown(row)])),
      empty: valueOf(sumOf([])),
    }
  }
  const isPeak = name === 'concurrentviewers'
  const rows = await (isPeak ? readPeaks : readViewers)(queryable, question)
  const counts = rows.map(({ viewers }) => viewers)
  // The total of peaks is that of all projects together, not the largest of one.
  const total = isPeak
    ? Math.max(
        0,
        ...(await readPeaks(queryable, { ...question, groupBy: 'interval' })).map((row) => row.viewers),
      )
    : counts.reduce((sum, count) => sum + count, 0)
  return { total, values: new Map(rows.map((row) => [row.key, row.viewers])), empty: 0 }
}

/** Returns a bucket for each interval, or for each key, the largest first. */
export const answerMetric = async (
  queryable: Queryable,
  name: MetricName,
  question: Question,
  {
    limit,
    ...options
  }: { readonly limit: number; readonly percentile: number | null; readonly smallestGroup: number },
): Promise<{ readonly total: number | null; readonly buckets: readonly Bucket[] }> => {
  const { total, values, empty } = await answer(queryable, name, question, options)
  if (question.groupBy === 'interval')
    return {
      total,
      buckets: startsOf(question, question.interval).map((start) => {
        const value = values.get(String(start.getTime()))
        // Null is hidden or not measured, and not without rows.
        return { Start: toTimestamp(start), Key: null, Value: value === undefined ? empty : value }
      }),
    }
  const buckets = [...values]
    .map(([key, value]) => ({ Start: null, Key: key, Value: value }))
    .toSorted((one, other) => (other.Value ?? -1) - (one.Value ?? -1) || (one.Key < other.Key ? -1 : 1))
  return { total, buckets: buckets.slice(0, limit) }
}
