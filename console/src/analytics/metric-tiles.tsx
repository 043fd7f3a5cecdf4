import './analytics.css'
import { Skeleton, Stack, Text } from '@mantine/core'
import { useTexts } from '../shell/texts.ts'
import { isMeasured, useMetric, type Filters, type MetricValues } from './analytics-queries.ts'
import {
  formatChange,
  formatMetric,
  isLowerBetter,
  metrics as overviewMetrics,
  type Metric,
} from './metrics.ts'
import type { Period } from './period.ts'
import { Sparkline } from './sparkline.tsx'

interface TileProps {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
  readonly isChosen: boolean
  readonly onChoose: (metric: Metric) => void
}

/** Relative change against the period before. Null without anything to compare. */
const changeOf = ({ now, before }: MetricValues): number | null =>
  now?.Total == null || before?.Total == null || before.Total === 0 ? null : now.Total / before.Total - 1

const toneOf = (metric: Metric, change: number): 'ok' | 'danger' | 'neutral' => {
  // Rounded to the zero that is shown.
  if (Math.abs(change) < 0.005) return 'neutral'
  return change > 0 === isLowerBetter(metric) ? 'danger' : 'ok'
}

const Tile = ({ metric, period, filters, isChosen, onChoose }: TileProps) => {
  const t = useTexts('analytics.metrics')
  const values = useMetric(metric, period, filters)
  const change = changeOf(values)
  const { now } = values
  const hasValues = isMeasured(metric, filters)
  return (
    <button
      type="button"
      className="metric-tile"
      aria-pressed={isChosen}
      disabled={!hasValues}
      onClick={() => onChoose(metric)}
    >
      <span className="metric-name">{t(metric)}</span>
      <span className="metric-line">
        <span className="metric-value">
          {now === undefined && hasValues ? (
            <Skeleton height={18} width={64} mt={5} />
          ) : (
            formatMetric(metric, now?.Total)
          )}
        </span>
        {change !== null && (
          <span className="metric-change" data-tone={toneOf(metric, change)}>
            {formatChange(change)}
          </span>
        )}
      </span>
      <Sparkline values={now?.Buckets.map(({ Value }) => Value) ?? []} />
    </button>
  )
}

/** The figures of the period. A click shows the metric in the chart and in the lists. */
export const MetricTiles = ({
  chosen,
  metrics = overviewMetrics,
  ...rest
}: Omit<TileProps, 'metric' | 'isChosen'> & {
  readonly chosen: Metric
  readonly metrics?: readonly Metric[]
}) => {
  const t = useTexts('analytics.screen')
  return (
    <Stack gap={6}>
      <div className="metric-tiles" role="group" aria-label={t('metric')}>
        {metrics.map((metric) => (
          <Tile key={metric} metric={metric} isChosen={metric === chosen} {...rest} />
        ))}
      </div>
      <Text size="xs" c="dimmed">
        {t(rest.period === '12m' ? 'notCompared' : 'compared')}
      </Text>
    </Stack>
  )
}
