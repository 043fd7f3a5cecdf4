import type { Hour } from '../webhook-queries.ts'

/** Minimum share of the chart height: three failures must be visible beside a thousand deliveries. */
const leastVisible = 0.03

type Counts = Pick<Hour, 'DeliveredCount' | 'FailedCount'>

/** Stacks the bars of each hour: deliveries, then failures above them. */
export const stackRequests = (hours: readonly Counts[]): { delivered: number[]; all: number[] } => {
  const highest = Math.max(0, ...hours.map((hour) => hour.DeliveredCount + hour.FailedCount))
  return {
    delivered: hours.map(({ DeliveredCount }) => DeliveredCount),
    all: hours.map(({ DeliveredCount, FailedCount }) =>
      FailedCount === 0 ? DeliveredCount : DeliveredCount + Math.max(FailedCount, highest * leastVisible),
    ),
  }
}
