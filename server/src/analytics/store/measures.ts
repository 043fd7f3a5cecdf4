import type { ViewHistograms, ViewMeasures } from '../../platform/db/tables/analytics.ts'

/** Measures that have sums of minutes as well, which alerts read. */
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

export const measureNames = [
  ...minuteMeasures,
  'exits',
  'bytes',
  'bot_views',
  'preview_views',
  'starts',
  'complete_views',
  'rated_ms',
  'rated_bits',
  'scaled_ms',
  'upscaled_ms',
  'upscale_ms',
] as const satisfies readonly (keyof ViewMeasures)[]

/**
 * Measures that count in the hour and day in which their view began. Shares divide one by another, so both must be of the same
 * views; all others count when they were measured.
 */
export const measuresOfStart: ReadonlySet<keyof ViewMeasures> = new Set([
  ...(['views', 'starts', 'startups', 'startup_ms', 'rebuffers', 'failures', 'errors', 'exits'] as const),
  ...(['complete_views', 'bot_views', 'preview_views'] as const),
])

export const histogramNames = [
  'startup_counts',
  'latency_counts',
] as const satisfies readonly (keyof ViewHistograms)[]

export const noMeasures = (): ViewMeasures =>
  Object.fromEntries(measureNames.map((name) => [name, 0])) as unknown as ViewMeasures
