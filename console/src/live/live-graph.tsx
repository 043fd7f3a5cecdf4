import 'uplot/dist/uPlot.min.css'
import { Group, Stack, Text, useComputedColorScheme, useMantineTheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { formatNumber } from '../ui/format.ts'
import type { Figures } from './figures.ts'
import './live.css'

const heightPixels = 180
const axisPixels = 52

const dataOf = ({ at, kilobitsPerSecond, framesPerSecond }: Figures): UPlot.AlignedData => [
  [...at],
  [...kilobitsPerSecond],
  [...framesPerSecond],
]

const clock = (seconds: number): string =>
  new Intl.DateTimeFormat(currentLanguage(), { timeStyle: 'medium' }).format(new Date(seconds * 1_000))

/** Starts at zero with headroom, so that a steady stream is a straight line. */
const fromZero: UPlot.Range.Function = (_plot, _min, max) => [0, Math.max(1, (max || 0) * 1.2)]

/** Renders one colour scheme only; use the scheme as `key`. */
const Plot = ({
  figures,
  isDark,
  colors: [bits, frames],
  label,
}: {
  readonly figures: Figures
  readonly isDark: boolean
  readonly colors: readonly [string, string]
  readonly label: string
}) => {
  const { ref, width } = useElementSize()
  const holder = useRef<HTMLDivElement | null>(null)
  const plot = useRef<UPlot | null>(null)
  useEffect(() => {
    if (holder.current === null) return undefined
    const grid = { stroke: isDark ? '#424242' : '#dee2e6', width: 1 }
    const axis = { stroke: isDark ? '#c9c9c9' : '#495057', grid, ticks: grid }
    const size = axisPixels
    const made = new UPlot(
      {
        width: 300,
        height: heightPixels,
        legend: { show: false },
        cursor: { show: false },
        scales: { bits: { range: fromZero }, frames: { range: fromZero } },
        series: [
          {},
          { scale: 'bits', stroke: bits, width: 2, points: { show: false } },
          { scale: 'frames', stroke: frames, width: 2, points: { show: false }, dash: [6, 3] },
        ],
        axes: [
          { ...axis, values: (_plot, splits) => splits.map((split) => clock(split)), space: 90 },
          { ...axis, scale: 'bits', size, values: (_plot, all) => all.map((one) => formatNumber(one)) },
          // oxlint-disable-next-line typescript/no-unsafe-enum-assignment -- its enum of sides exists in the types alone; 1 is right
          { ...axis, scale: 'frames', side: 1, size, grid: { show: false } },
        ],
      },
      [[], [], []],
      holder.current,
    )
    plot.current = made
    return () => {
      plot.current = null
      made.destroy()
    }
  }, [isDark, bits, frames])
  useEffect(() => {
    plot.current?.setData(dataOf(figures))
  }, [figures])
  useEffect(() => {
    if (width > 0) plot.current?.setSize({ width, height: heightPixels })
  }, [width])
  return (
    <div ref={ref} style={{ overflow: 'hidden' }}>
      <div ref={holder} role="img" aria-label={label} />
    </div>
  )
}

export const LiveGraph = ({ figures }: { readonly figures: Figures }) => {
  const t = useTexts('live.health')
  const theme = useMantineTheme()
  const isDark = useComputedColorScheme() === 'dark'
  const shade = isDark ? 4 : 8
  const colors = [theme.colors.blue[shade], theme.colors.orange[shade]] as const
  const shown = (value: number | null | undefined): string =>
    value == null ? '–' : formatNumber(Math.round(value))
  const label = t('graph', {
    bits: shown(figures.kilobitsPerSecond.at(-1)),
    frames: shown(figures.framesPerSecond.at(-1)),
  })
  return (
    <Stack gap={4}>
      <Plot key={String(isDark)} figures={figures} isDark={isDark} colors={colors} label={label} />
      <Group gap="md" justify="center" aria-hidden>
        {(['bitRate', 'frames'] as const).map((name, index) => (
          <Group key={name} gap={6}>
            <span className="live-graph-key" style={{ background: colors[index] }} />
            <Text size="xs">{t(name)}</Text>
          </Group>
        ))}
      </Group>
    </Stack>
  )
}
