import { Stack } from '@mantine/core'
import { useMemo } from 'react'
import type UPlot from 'uplot'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { ChartKeys } from '../ui/chart/chart-keys.tsx'
import { Chart, fromZero, type ChartLook, type ChartOptions } from '../ui/chart/chart.tsx'
import { formatNumber } from '../ui/format.ts'
import type { Figures } from './figures.ts'

const heightPixels = 180
const axisPixels = 52

const colors = {
  bitRate: { light: '#4f50c8', dark: '#a9abfa' },
  frames: { light: '#b0751a', dark: '#e5a84b' },
} as const

const clock = (seconds: number): string =>
  new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'medium' }).format(new Date(seconds * 1_000))

/** Whole seconds: labels of parts of a second would repeat. */
const tickSeconds = [1, 2, 5, 10, 30, 60, 120, 300]

/** Without a line, the axes would count from 0 to 1. */
const labels = (plot: UPlot, splits: number[]): string[] =>
  splits.map((value) => (plot.data[0].length < 2 ? '' : formatNumber(value)))

/** Headroom, so that a steady stream is a straight line. */
const range = fromZero(1.2)

const options = ({ axis, scheme }: ChartLook): ChartOptions => {
  const line = { width: 2, points: { show: false } }
  return {
    cursor: { show: false },
    scales: { bits: { range }, frames: { range } },
    series: [
      {},
      { ...line, scale: 'bits', stroke: colors.bitRate[scheme] },
      { ...line, scale: 'frames', stroke: colors.frames[scheme], dash: [6, 3] },
    ],
    axes: [
      { ...axis, incrs: tickSeconds, values: (_plot, splits) => splits.map(clock), space: 90 },
      { ...axis, scale: 'bits', size: axisPixels, values: labels },
      // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its enum of sides exists in the types alone; 1 is right
      { ...axis, scale: 'frames', side: 1, size: axisPixels, grid: { show: false }, values: labels },
    ],
  }
}

export const LiveGraph = ({ figures }: { readonly figures: Figures }) => {
  const t = useTexts('live.health')
  const { at, kilobitsPerSecond, framesPerSecond } = figures
  const data = useMemo(
    (): UPlot.AlignedData => [[...at], [...kilobitsPerSecond], [...framesPerSecond]],
    [at, kilobitsPerSecond, framesPerSecond],
  )
  const shown = (value: number | null | undefined): string =>
    value == null ? '–' : formatNumber(Math.round(value))
  const label = t('graph', {
    bits: shown(kilobitsPerSecond.at(-1)),
    frames: shown(framesPerSecond.at(-1)),
  })
  return (
    <Stack gap={4}>
      <Chart heightPixels={heightPixels} data={data} options={options} role="img" aria-label={label} />
      <ChartKeys
        series={(['bitRate', 'frames'] as const).map((name) => ({ label: t(name), ...colors[name] }))}
      />
    </Stack>
  )
}
