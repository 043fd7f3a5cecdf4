import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'

/** What is added up for each minute, to answer alerts. */
export const minuteMeasures = [
  'views',
  'watch_ms',
  'startups',
  'startup_ms',
  'rebuffers',
  'rebuffer_ms',
  'failures',
  'errors',
  'latencies',
  'latency_ms',
] as const satisfies readonly (keyof ViewMeasures)[]

export interface MinuteSum extends Pick<ViewMeasures, (typeof minuteMeasures)[number]> {
  viewers: number
}

export const noMinute = (): MinuteSum => ({
  ...(Object.fromEntries(minuteMeasures.map((name) => [name, 0])) as unknown as MinuteSum),
  viewers: 0,
})

export const hasMinuteMeasure = (measures: Partial<ViewMeasures>): boolean =>
  minuteMeasures.some((name) => (measures[name] ?? 0) !== 0)

export const addToMinute = (sum: MinuteSum, measures: Partial<ViewMeasures>): void => {
  for (const name of minuteMeasures) sum[name] += measures[name] ?? 0
}
