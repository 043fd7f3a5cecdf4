import { formatDuration, formatNumber, perLanguage } from '../ui/format.ts'

/** The metrics with a tile: four about the audience, four about quality. */
export const metrics = [
  ...(['views', 'uniqueviewers', 'watchtime', 'averageviewtime'] as const),
  ...(['startuptime', 'rebuffering', 'failures', 'errors'] as const),
]
export type Metric = (typeof metrics)[number]

export const metricOf = (text: string | undefined): Metric => metrics.find((name) => name === text) ?? 'views'

const qualityMetrics: readonly Metric[] = ['startuptime', 'rebuffering', 'failures', 'errors']
export const isLowerBetter = (metric: Metric): boolean => qualityMetrics.includes(metric)

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

const formats: Readonly<Record<Metric, (value: number) => string>> = {
  views: formatNumber,
  uniqueviewers: formatNumber,
  watchtime: formatWatchTime,
  averageviewtime: formatDuration,
  startuptime: (value) => seconds().format(value / 1_000),
  rebuffering: formatShare,
  failures: formatNumber,
  errors: formatNumber,
}

/** A dash, if nothing was measured. */
export const formatMetric = (metric: Metric, value: number | null | undefined): string =>
  value == null ? '–' : formats[metric](value)
