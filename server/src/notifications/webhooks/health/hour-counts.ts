import { stepCount, stepOf } from '../../../platform/base/latency-steps.ts'
import type { AttemptResult } from '../store/write-results.ts'

export interface HourCount {
  readonly webhookId: number
  readonly hour: Date
  readonly deliveredCount: number
  readonly failedCount: number
  /** Latency histogram of answered requests; the index comes from `stepOf`. */
  readonly latencyCounts: readonly number[]
}

export const hourMs = 3_600_000

export const hourOf = (instant: Date): Date => new Date(Math.floor(instant.getTime() / hourMs) * hourMs)

type CountedAttempt = Pick<AttemptResult, 'webhookId' | 'state' | 'startedAt' | 'durationMs' | 'statusCode'>

interface Counting {
  readonly webhookId: number
  readonly hour: Date
  deliveredCount: number
  failedCount: number
  readonly latencyCounts: number[]
}

export interface HourCounts {
  readonly add: (attempt: CountedAttempt) => void
  readonly putBack: (counts: readonly HourCount[]) => void
  /**
   * Returns and clears all counts, sorted by webhook and hour: the order in which every worker locks the
   * rows.
   */
  readonly take: () => HourCount[]
}

export const createHourCounts = (): HourCounts => {
  let counting = new Map<string, Counting>()

  const countOf = (webhookId: number, hour: Date): Counting => {
    const key = `${webhookId}.${hour.getTime()}`
    const known = counting.get(key)
    if (known !== undefined) return known
    const latencyCounts = Array.from({ length: stepCount }, () => 0)
    const fresh = { webhookId, hour, deliveredCount: 0, failedCount: 0, latencyCounts }
    counting.set(key, fresh)
    return fresh
  }

  return {
    add: ({ webhookId, state, startedAt, durationMs, statusCode }) => {
      const count = countOf(webhookId, hourOf(new Date(startedAt.getTime() + durationMs)))
      if (state === 'delivered') count.deliveredCount += 1
      else count.failedCount += 1
      if (statusCode === null) return
      const step = stepOf(durationMs)
      count.latencyCounts[step] = (count.latencyCounts[step] ?? 0) + 1
    },
    putBack: (counts) => {
      for (const one of counts) {
        const count = countOf(one.webhookId, one.hour)
        count.deliveredCount += one.deliveredCount
        count.failedCount += one.failedCount
        for (const [step, added] of one.latencyCounts.entries())
          count.latencyCounts[step] = (count.latencyCounts[step] ?? 0) + added
      }
    },
    take: () => {
      const taken = [...counting.values()]
      counting = new Map()
      return taken.toSorted(
        (one, other) => one.webhookId - other.webhookId || one.hour.getTime() - other.hour.getTime(),
      )
    },
  }
}
