import { formatDuration, formatNumber, perLanguage } from '../ui/format.ts'

/** The metrics with a tile: four about the audience, four about quality. */
export const metrics = [
  ...(['views', 'uniqueviewers', 'watchtime', 'averageviewtime'] as const),
  ...(['startuptime', 'rebuffering', 'failures', 'errors'] as const),
]

/** The metrics with a tile in the part about quality. */
export const qualityMetrics = [
  ...(['startuptime-p50', 'startuptime-p95', 'rebuffering', 'rebuffercount'] as const),
  ...(['failurerate', 'errorrate', 'averagebitrate', 'upscaling'] as const),
]

/** The first score is a mean of the others. */
export const scores = [
  ...(['viewerexperiencescore', 'playbacksuccessscore', 'startuptimescore'] as const),
  ...(['smoothnessscore', 'videoqualityscore'] as const),
]
export type Score = (typeof scores)[number]

export type Metric = (typeof metrics)[number] | (typeof qualityMetrics)[number] | Score

export const metricOf = (text: string | undefined): Metric => metrics.find((name) => name === text) ?? 'views'

export const qualityMetricOf = (text: string | undefined): Metric =>
  qualityMetrics.find((name) => name === text) ?? 'startuptime-p50'

const higherIsBetter: readonly Metric[] = [
  ...(['views', 'uniqueviewers', 'watchtime', 'averageviewtime', 'averagebitrate'] as const),
  ...scores,
]
export const isLowerBetter = (metric: Metric): boolean => !higherIsBetter.includes(metric)

/** Name and percentile of a metric in the API. */
export const askedOf = (metric: Metric) => {
  if (metric === 'startuptime-p50') return { name: 'startuptime', percentile: 50 } as const
  if (metric === 'startuptime-p95') return { name: 'startuptime', percentile: 95 } as const
  return { name: metric } as const
}

const unitFormat = (unit: 'hour' | 'minute' | 'second', maximumFractionDigits: number) =>
  perLanguage(
    (language) =>
      new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits }),
  )

const hours = unitFormat('hour', 1)
const minutes = unitFormat('minute', 1)
const wholeSeconds = unitFormat('second', 0)
const seconds = unitFormat('second', 2)
const percent = perLanguage(
  (language) => new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }),
)
const changes = perLanguage(
  (language) =>
    new Intl.NumberFormat(language, {
      ...{ style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 },
    }),
)

const formatWatchTime = (value: number): string => {
  if (value < 60) return wholeSeconds().format(value)
  return value < 3_600 ? minutes().format(value / 60) : hours().format(value / 3_600)
}

export const formatShare = (share: number): string => percent().format(share)
/** `+12%`, or `−3%`. */
export const formatChange = (change: number): string => changes().format(change)

const oneDecimal = perLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 1 }))
const twoDecimals = perLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 2 }))
const wholeNumber = perLanguage((language) => new Intl.NumberFormat(language, { maximumFractionDigits: 0 }))

const formatSeconds = (milliseconds: number): string => seconds().format(milliseconds / 1_000)
const formatBitRate = (value: number): string => `${oneDecimal().format(value / 1_000_000)} Mbit/s`
export const formatScore = (value: number): string => wholeNumber().format(value)

const formats: Readonly<Record<Metric, (value: number) => string>> = {
  views: formatNumber,
  uniqueviewers: formatNumber,
  watchtime: formatWatchTime,
  averageviewtime: formatDuration,
  startuptime: formatSeconds,
  rebuffering: formatShare,
  failures: formatNumber,
  errors: formatNumber,
  'startuptime-p50': formatSeconds,
  'startuptime-p95': formatSeconds,
  rebuffercount: (value) => twoDecimals().format(value),
  failurerate: formatShare,
  errorrate: formatShare,
  averagebitrate: formatBitRate,
  upscaling: formatShare,
  viewerexperiencescore: formatScore,
  playbacksuccessscore: formatScore,
  startuptimescore: formatScore,
  smoothnessscore: formatScore,
  videoqualityscore: formatScore,
}

/** A dash, if nothing was measured. */
export const formatMetric = (metric: Metric, value: number | null | undefined): string =>
  value == null ? '–' : formats[metric](value)
