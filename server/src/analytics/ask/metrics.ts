import type { ViewMeasures } from '../../platform/db/tables/analytics.ts'

export interface Metric {
  readonly unit: 'views' | 'viewers' | 'seconds' | 'milliseconds' | 'ratio' | 'bytes'
  /** One sentence, the definition of docs/analytics.md. */
  readonly definition: string
  /** Value of summed measures; null where nothing was measured. Null = not a sum. */
  readonly valueOf: ((sums: ViewMeasures) => number | null) | null
}

const quotient = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export const metrics = {
  views: {
    unit: 'views',
    definition: 'Sessions that played for at least two seconds.',
    valueOf: ({ views }) => views,
  },
  uniqueviewers: {
    unit: 'viewers',
    definition: 'Viewers with at least one view, counted once a day for each project or file.',
    valueOf: null,
  },
  watchtime: {
    unit: 'seconds',
    definition: 'Time during which players were playing.',
    valueOf: ({ watch_ms }) => watch_ms / 1_000,
  },
  averageviewtime: {
    unit: 'seconds',
    definition: 'Watch time divided by views.',
    valueOf: ({ watch_ms, views }) => quotient(watch_ms / 1_000, views),
  },
  startuptime: {
    unit: 'milliseconds',
    definition: 'Mean time from the request to play until the first frame.',
    valueOf: ({ startup_ms, startups }) => quotient(startup_ms, startups),
  },
  rebuffering: {
    unit: 'ratio',
    definition: 'Share of rebuffering in the time of playing and rebuffering.',
    valueOf: ({ rebuffer_ms, watch_ms }) => quotient(rebuffer_ms, watch_ms + rebuffer_ms),
  },
  failures: {
    unit: 'views',
    definition: 'Sessions that ended with an error before the first frame.',
    valueOf: ({ failures }) => failures,
  },
  errors: {
    unit: 'views',
    definition: 'Sessions that ended with an error after the first frame.',
    valueOf: ({ errors }) => errors,
  },
  exits: {
    unit: 'views',
    definition: 'Sessions that the viewer left before the first frame.',
    valueOf: ({ exits }) => exits,
  },
  livelatency: {
    unit: 'milliseconds',
    definition: 'Mean latency of live streams that players reported while playing.',
    valueOf: ({ latency_ms, latencies }) => quotient(latency_ms, latencies),
  },
  concurrentviewers: {
    unit: 'viewers',
    definition: 'Largest number of views that played in the same minute.',
    valueOf: null,
  },
  bytes: {
    unit: 'bytes',
    definition: 'Bytes that the api processes sent to answer requests for media.',
    valueOf: ({ bytes }) => bytes,
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

export const metricNames = Object.keys(metrics) as MetricName[]
