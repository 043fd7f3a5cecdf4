import { useCallback, useMemo, useState } from 'react'
import type UPlot from 'uplot'
import { useTexts } from '../shell/texts.ts'
import { ChartKeys } from '../ui/chart/chart-keys.tsx'
import { Chart, type ChartLook, type ChartOptions } from '../ui/chart/chart.tsx'
import { chartColors, fromZeroTo, spacedTicks } from './chart-look.ts'
import { formatMetric, type Metric } from './metrics.ts'
import { tickFormat, timeFormat } from './time-labels.ts'

const heightPixels = 260
const axisPixels = 72

export interface ChartRow {
  readonly start: string
  readonly value: number | null
  /** Value at the same position in the previous period. */
  readonly before: number | null
}

/** One metric over time; dashed, the period before. The pointer selects the values above the chart. */
export const MetricChart = ({
  metric,
  interval,
  rows,
  hasBefore,
}: {
  readonly metric: Metric
  readonly interval: 'hour' | 'day' | 'month'
  readonly rows: readonly ChartRow[]
  readonly hasBefore: boolean
}) => {
  const t = useTexts('analytics.chart')
  const names = useTexts('analytics.metrics')
  const [chosen, setChosen] = useState<number | null>(null)
  const data = useMemo(
    (): UPlot.AlignedData => [
      rows.map(({ start }) => Date.parse(start) / 1_000),
      rows.map(({ before }) => before),
      rows.map(({ value }) => value),
    ],
    [rows],
  )
  const options = useCallback(
    ({ axis, scheme, language }: ChartLook): ChartOptions => {
      const label = tickFormat(interval, language)
      const points = { show: true, size: 4 }
      const [now, before] = [chartColors.now[scheme], chartColors.before[scheme]]
      return {
        cursor: { y: false, drag: { x: false }, points: { size: 7 } },
        hooks: { setCursor: [({ cursor: { idx } }) => setChosen(idx ?? null)] },
        scales: { y: { range: fromZeroTo(1.1) } },
        axes: [
          { ...axis, splits: spacedTicks, values: (_chart, ticks) => ticks.map(label) },
          {
            ...axis,
            size: axisPixels,
            values: (_chart, ticks) => ticks.map((tick) => formatMetric(metric, tick)),
          },
        ],
        series: [
          {},
          { stroke: before, width: 1.5, dash: [4, 4], points: { show: false } },
          { stroke: now, fill: `${now}1f`, width: 2, points: { ...points, fill: now } },
        ],
      }
    },
    [metric, interval],
  )
  const read = rows[chosen ?? rows.length - 1]
  return (
    <div>
      <div className="metric-reading" aria-hidden>
        {read !== undefined && (
          <>
            <strong>{timeFormat(interval).format(Date.parse(read.start))}</strong>
            <span>{formatMetric(metric, read.value)}</span>
            {hasBefore && <span>{t('beforeValue', { value: formatMetric(metric, read.before) })}</span>}
          </>
        )}
      </div>
      <Chart
        heightPixels={heightPixels}
        data={data}
        options={options}
        role="img"
        aria-label={t('drawn', { metric: names(metric) })}
      />
      {hasBefore && (
        <ChartKeys
          series={[
            { label: t('now'), ...chartColors.now },
            { label: t('before'), ...chartColors.before },
          ]}
        />
      )}
    </div>
  )
}
