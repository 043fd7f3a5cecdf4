import { Stack } from '@mantine/core'
import { useMetric, type Filters } from '../analytics-queries.ts'
import { MetricSection } from '../metric-section.tsx'
import { MetricTiles } from '../metric-tiles.tsx'
import { qualityMetrics, type Metric } from '../metrics.ts'
import { NoViews } from '../no-views.tsx'
import type { Period } from '../period.ts'
import { RawViews } from './raw-views.tsx'
import { ScoreSection } from './score-section.tsx'

/** Scores in words, the figures behind them, and the records of views. */
export const Quality = ({
  metric,
  period,
  filters,
  onChoose,
}: {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
  readonly onChoose: (metric: Metric) => void
}) => {
  const experience = useMetric('viewerexperiencescore', period, filters)
  const place = { period, filters }
  if (experience.now !== undefined && experience.now.Total === null)
    return <NoViews isCollecting={experience.now.IsCollecting} />
  return (
    <Stack>
      <ScoreSection {...place} />
      <MetricTiles metrics={qualityMetrics} chosen={metric} {...place} onChoose={onChoose} />
      <MetricSection metric={metric} {...place} />
      <RawViews {...place} />
    </Stack>
  )
}
