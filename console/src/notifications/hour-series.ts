import type { Hour } from './webhook-queries.ts'

/** So much of the chart's height at least: three failures beside a thousand deliveries are what one looks for. */
const leastVisible = 0.03

/** The bars of each hour from the ground up: what was delivered, and behind it how far the failures reach above. */
export const stackRequests = (hours: readonly Hour[]): { delivered: number[]; all: number[] } => {
  const highest = Math.max(0, ...hours.map((hour) => hour.DeliveredCount + hour.FailedCount))
  return {
    delivered: hours.map(({ DeliveredCount }) => DeliveredCount),
    all: hours.map(({ DeliveredCount, FailedCount }) =>
      FailedCount === 0 ? DeliveredCount : DeliveredCount + Math.max(FailedCount, highest * leastVisible),
    ),
  }
}
