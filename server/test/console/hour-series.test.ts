import { expect, test } from 'vitest'
import { stackRequests } from '../../../console/src/notifications/webhook/hour-series.ts'

const hour = (DeliveredCount: number, FailedCount: number) => ({
  Hour: '2026-03-01T12:00:00.000+00:00',
  DeliveredCount,
  FailedCount,
  LatencyP50Ms: null,
  LatencyP95Ms: null,
})

test('failures are stacked on deliveries with a minimum height that stays visible beside a thousand deliveries', () => {
  const { delivered, all } = stackRequests([
    hour(1_000, 0),
    hour(900, 3),
    hour(500, 500),
    hour(0, 0),
    hour(0, 1),
  ])
  expect(delivered).toEqual([1_000, 900, 500, 0, 0])
  expect(all).toEqual([1_000, 930, 1_000, 0, 30])
})

test('an empty series draws nothing', () => {
  expect(stackRequests([])).toEqual({ delivered: [], all: [] })
})
