import type { ViewHistograms, ViewMeasures } from '../../platform/db/tables/analytics.ts'
import { from } from './sums/from-measures.ts'
import {
  attemptMeasures,
  attemptsOf,
  playbackSuccessScore,
  smoothnessScore,
  startupTimeScore,
  videoQualityScore,
  viewerExperienceScore,
} from './scores.ts'

export interface Metric {
  readonly unit:
    | 'views'
    | 'viewers'
    | 'seconds'
    | 'milliseconds'
    | 'ratio'
    | 'bytes'
    | 'bits per second'
    | 'interruptions per view'
    | 'score'
  /** One sentence, the definition of docs/analytics.md. */
  readonly definition: string
  /** Measures that `valueOf` reads: adding up all of them takes several times as long. */
  readonly measures?: readonly (keyof ViewMeasures)[]
  /** Value of summed measures; null where nothing was measured. Null = not a sum. */
  readonly valueOf: ((sums: ViewMeasures) => number | null) | null
  /** Durations whose percentiles can be asked for. */
  readonly histogram?: keyof ViewHistograms
}

const quotient = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

export const metrics = {
  views: {
    unit: 'views',
    definition: 'Sessions that played for at least two seconds.',
    ...from(['views'], ({ views }) => views),
  },
  uniqueviewers: {
    unit: 'viewers',
    definition: 'Viewers with at least one view, counted once a day for each project or file.',
    valueOf: null,
  },
  watchtime: {
    unit: 'seconds',
    definition: 'Time during which players were playing.',
    ...from(['watch_ms'], ({ watch_ms }) => watch_ms / 1_000),
  },
  averageviewtime: {
    unit: 'seconds',
    definition: 'Watch time divided by views.',
    ...from(['watch_ms', 'views'], ({ watch_ms, views }) => quotient(watch_ms / 1_000, views)),
  },
  startuptime: {
    unit: 'milliseconds',
    definition: 'Mean time from the request to play until the first frame.',
    ...from(['startup_ms', 'startups'], ({ startup_ms, startups }) => quotient(startup_ms, startups)),
    histogram: 'startup_counts',
  },
  rebuffering: {
    unit: 'ratio',
    definition: 'Share of rebuffering in the time of playing and rebuffering.',
    ...from(['rebuffer_ms', 'watch_ms'], ({ rebuffer_ms, watch_ms }) =>
      quotient(rebuffer_ms, watch_ms + rebuffer_ms),
    ),
  },
  rebuffercount: {
    unit: 'interruptions per view',
    definition: 'Mean number of interruptions to load media in a view, without those after a seek.',
    ...from(['rebuffers', 'views'], ({ rebuffers, views }) => quotient(rebuffers, views)),
  },
  failures: {
    unit: 'views',
    definition: 'Sessions that ended with an error before the first frame.',
    ...from(['failures'], ({ failures }) => failures),
  },
  errors: {
    unit: 'views',
    definition: 'Sessions that ended with an error after the first frame.',
    ...from(['errors'], ({ errors }) => errors),
  },
  exits: {
    unit: 'views',
    definition: 'Sessions that the viewer left before the first frame.',
    ...from(['exits'], ({ exits }) => exits),
  },
  livelatency: {
    unit: 'milliseconds',
    definition: 'Mean latency of live streams that players reported while playing.',
    ...from(['latency_ms', 'latencies'], ({ latency_ms, latencies }) => quotient(latency_ms, latencies)),
    histogram: 'latency_counts',
  },
  concurrentviewers: {
    unit: 'viewers',
    definition: 'Largest number of views that played in the same minute.',
    valueOf: null,
  },
  bytes: {
    unit: 'bytes',
    definition: 'Bytes that the api processes sent to answer requests for media.',
    ...from(['bytes'], ({ bytes }) => bytes),
  },
  completeviews: {
    unit: 'views',
    definition: 'Views of a file that played at least 90 % of its length.',
    ...from(['complete_views'], ({ complete_views }) => complete_views),
  },
  failurerate: {
    unit: 'ratio',
    definition: 'Share of the sessions that ended with an error before the first frame.',
    ...from(attemptMeasures, (sums) => quotient(sums.failures, attemptsOf(sums))),
  },
  errorrate: {
    unit: 'ratio',
    definition: 'Share of the sessions with a first frame that ended with an error.',
    ...from(['errors', 'starts', 'views'], ({ errors, starts, views }) =>
      quotient(errors, Math.max(starts, views)),
    ),
  },
  exitrate: {
    unit: 'ratio',
    definition: 'Share of the sessions that the viewer left before the first frame.',
    ...from(attemptMeasures, (sums) => quotient(sums.exits, attemptsOf(sums))),
  },
  averagebitrate: {
    unit: 'bits per second',
    definition: 'Mean bit rate of the renditions that players reported, weighted by playing time.',
    ...from(['rated_bits', 'rated_ms'], ({ rated_bits, rated_ms }) => quotient(rated_bits * 1_000, rated_ms)),
  },
  upscaling: {
    unit: 'ratio',
    definition: 'Share of the playing time in which the picture was larger than the rendition.',
    ...from(['upscaled_ms', 'scaled_ms'], ({ upscaled_ms, scaled_ms }) => quotient(upscaled_ms, scaled_ms)),
  },
  viewerexperiencescore: {
    unit: 'score',
    definition: 'Weighted mean of the other four scores.',
    ...viewerExperienceScore,
  },
  playbacksuccessscore: {
    unit: 'score',
    definition: 'From 0 to 100: sessions without errors and exits before the first frame.',
    ...playbackSuccessScore,
  },
  startuptimescore: {
    unit: 'score',
    definition: 'From 0 to 100, by the mean startup time.',
    ...startupTimeScore,
  },
  smoothnessscore: {
    unit: 'score',
    definition: 'From 0 to 100, by the share and the number of interruptions.',
    ...smoothnessScore,
  },
  videoqualityscore: {
    unit: 'score',
    definition: 'From 0 to 100, by how much larger the picture was than the rendition.',
    ...videoQualityScore,
  },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof metrics

/** Null for metrics without percentiles. */
export const histogramOf = (name: MetricName): keyof ViewHistograms | null => {
  const metric: Metric = metrics[name]
  return metric.histogram ?? null
}

export const metricNames = Object.keys(metrics) as MetricName[]
