import { expect, test } from 'vitest'
import { createHourCounts } from './hour-counts.ts'

const attempt = {
  webhookId: 1,
  state: 'delivered' as const,
  startedAt: new Date('2026-03-01T11:59:59.900Z'),
  durationMs: 50,
  statusCode: 200,
}
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0)

test('createHourCounts counts an attempt in the hour it ended, and its latency when it was answered', () => {
  const counts = createHourCounts()
  counts.add(attempt)
  counts.add({ ...attempt, durationMs: 200, state: 'waiting', statusCode: 503 })
  counts.add({ ...attempt, durationMs: 15_000, state: 'failed', statusCode: null })
  const [before, after, ...rest] = counts.take()
  expect(rest).toEqual([])
  expect(before).toMatchObject({
    hour: new Date('2026-03-01T11:00:00Z'),
    deliveredCount: 1,
    failedCount: 0,
  })
  expect(after).toMatchObject({ hour: new Date('2026-03-01T12:00:00Z'), deliveredCount: 0, failedCount: 2 })
  expect([before, after].map((count) => sumOf(count?.latencyCounts ?? []))).toEqual([1, 1])
})

test('createHourCounts returns counts put back, merged and sorted by webhook and hour', () => {
  const counts = createHourCounts()
  counts.add({ ...attempt, webhookId: 2 })
  counts.add(attempt)
  const taken = counts.take()
  expect(counts.take()).toEqual([])
  counts.add(attempt)
  counts.add({ ...attempt, startedAt: new Date('2026-03-01T10:00:00Z') })
  counts.putBack(taken)
  const again = counts.take()
  expect(again.map((count) => [count.webhookId, count.hour.getUTCHours(), count.deliveredCount])).toEqual([
    [1, 10, 1],
    [1, 11, 2],
    [2, 11, 1],
  ])
  expect(sumOf(again[1]?.latencyCounts ?? [])).toBe(2)
})
