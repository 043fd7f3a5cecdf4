import { useCallback, useMemo } from 'react'
import UPlot from 'uplot'
import { useTexts } from '../shell/texts.ts'
import { Chart, fromZero, type ChartLook, type ChartOptions } from '../ui/chart/chart.tsx'
import { formatBytes } from '../ui/format.ts'
import type { Forecast } from './forecast.ts'
import { kinds } from './kinds.ts'
import { stackDays } from './stack-days.ts'
import type { Usage } from './usage.ts'

const heightPixels = 280
const axisPixels = 74
const daySeconds = 86_400

/** Stacked areas are drawn from the top down: each area covers the lower part of the previous one. */
export const StorageChart = ({
  days,
  forecast,
}: {
  readonly days: Usage['Days']
  readonly forecast: Forecast
}) => {
  const t = useTexts('usage.screen')
  const data = useMemo((): UPlot.AlignedData => {
    const [times, ...stacks] = stackDays(days, forecast)
    return [times, ...stacks.toReversed()]
  }, [days, forecast])
  const hasPoints = days.length < 8
  const options = useCallback(
    ({ axis, scheme, language }: ChartLook): ChartOptions => {
      const shortDay = new Intl.DateTimeFormat(language, {
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
      })
      return {
        cursor: { show: false },
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
        scales: { y: { range: fromZero(1.05) } },
        axes: [
          {
            ...axis,
            space: 70,
            incrs: [1, 7, 14, 30, 90].map((step) => step * daySeconds),
            values: (_chart, ticks) => ticks.map((tick) => shortDay.format(tick * 1_000)),
          },
          { ...axis, size: axisPixels, values: (_chart, ticks) => ticks.map(formatBytes) },
        ],
        series: [
          {},
          { stroke: axis.stroke ?? '', width: 2, dash: [4, 4], points: { show: false } },
          ...kinds.toReversed().map((kind) => ({
            stroke: kind[scheme],
            fill: kind[scheme],
            width: 1,
            points: { show: hasPoints, fill: kind[scheme] },
          })),
        ],
      }
    },
    [hasPoints],
  )
  return (
    <Chart heightPixels={heightPixels} data={data} options={options} role="img" aria-label={t('chart')} />
  )
}
