import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo } from 'react'
import type UPlot from 'uplot'
import { useTexts } from '../../shell/texts.ts'
import { ChartTable } from '../../ui/chart/chart-table.tsx'
import { Chart, type ChartLook, type ChartOptions } from '../../ui/chart/chart.tsx'
import { Figure, Figures } from '../../ui/chart/figures.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { formatNumber } from '../../ui/format.ts'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { Section } from '../../ui/section.tsx'
import { realtimeQuery, type Realtime } from '../analytics-queries.ts'
import { chartColors, fromZeroTo, spacedTicks } from '../chart-look.ts'
import { NoViews } from '../no-views.tsx'
import { PlayingNow } from './playing-now.tsx'
import { PresentValues } from './present-values.tsx'
import { tickFormat, timeFormat } from '../time-labels.ts'

const heightPixels = 180
const axisPixels = 52
const loadingPixels = 420

/** Viewers of this moment and of the last hour, and what they watch. */
export const LiveNow = ({ projectId }: { readonly projectId: string | undefined }) => {
  const t = useTexts('analytics.live')
  const tViewers = useTexts('live.viewers')
  const { data, error, refetch } = useQuery(realtimeQuery(projectId === undefined ? {} : { projectId }))
  if (data === undefined)
    return error === null ? (
      <Skeleton height={loadingPixels} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  if (!data.IsCollecting) return <NoViews isCollecting={false} />
  const most = Math.max(0, ...data.Minutes.map(({ Viewers }) => Viewers))
  return (
    <Stack>
      <Figures label={t('title')}>
        <Figure label={tViewers('title')} value={<span role="status">{formatNumber(data.Viewers)}</span>}>
          {t('refreshed')}
        </Figure>
        <Figure label={t('most')} value={formatNumber(most)}>
          {t('perMinute')}
        </Figure>
      </Figures>
      <Minutes minutes={data.Minutes} />
      {data.Viewers > 0 && <PresentValues realtime={data} />}
      {data.Playouts.length > 0 && <PlayingNow playouts={data.Playouts} />}
    </Stack>
  )
}

const Minutes = ({ minutes }: { readonly minutes: Realtime['Minutes'] }) => {
  const t = useTexts('analytics.live')
  const data = useMemo(
    (): UPlot.AlignedData => [
      minutes.map(({ Start }) => Date.parse(Start) / 1_000),
      minutes.map(({ Viewers }) => Viewers),
    ],
    [minutes],
  )
  const options = useCallback(({ axis, scheme, language }: ChartLook): ChartOptions => {
    const label = tickFormat('hour', language)
    const color = chartColors.now[scheme]
    return {
      cursor: { show: false },
      // Without it, the plot moves when the values arrive.
      padding: [8, 24, 0, 0],
      scales: { y: { range: fromZeroTo(1.1) } },
      axes: [
        { ...axis, splits: spacedTicks, values: (_chart, ticks) => ticks.map(label) },
        {
          ...axis,
          size: axisPixels,
          incrs: [1, 2, 5, 10, 50, 100, 1_000, 10_000, 100_000],
          values: (_chart, ticks) => ticks.map(formatNumber),
        },
      ],
      series: [{}, { stroke: color, fill: `${color}1f`, width: 2, points: { show: false } }],
    }
  }, [])
  return (
    <Section title={t('lastHour')} description={t('lastHourExplained')}>
      <Chart heightPixels={heightPixels} data={data} options={options} role="img" aria-label={t('drawn')} />
      <ChartTable>
        <DataTable
          id="analytics-minutes"
          label={t('lastHour')}
          rows={minutes.toReversed()}
          keyOf={({ Start }) => Start}
          columns={[
            {
              ...{ key: 'start', header: t('minute') },
              cell: ({ Start }) => timeFormat('hour').format(Date.parse(Start)),
            },
            {
              ...{ key: 'viewers', header: t('viewers'), align: 'end', width: 120 },
              cell: ({ Viewers }) => formatNumber(Viewers),
            },
          ]}
        />
      </ChartTable>
    </Section>
  )
}
