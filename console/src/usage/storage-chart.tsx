import 'uplot/dist/uPlot.min.css'
import { Box, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { formatBytes } from '../ui/format.ts'
import { kinds } from './kinds.ts'
import { stackDays } from './stack-days.ts'
import type { Usage } from './usage.ts'

const heightPixels = 280
const axisPixels = 74

/** Stacked areas are drawn from the top down: each area covers the lower part of the previous one. */
export const StorageChart = ({ days }: { readonly days: Usage['Days'] }) => {
  const t = useTexts('usage.screen')
  const scheme = useComputedColorScheme()
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>()
  const box = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(sizeRef, box)
  const language = currentLanguage()
  useEffect(() => {
    const target = box.current
    if (target === null || width === 0) return undefined
    const styles = getComputedStyle(target)
    const text = styles.getPropertyValue('--mantine-color-text')
    const line = styles.getPropertyValue('--mantine-color-default-border')
    const shortDay = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', timeZone: 'UTC' })
    const [times, ...stacks] = stackDays(days)
    const drawn = kinds.map((kind, place) => ({ kind, stack: stacks[place] ?? [] })).toReversed()
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
    const chart = new UPlot(
      {
        width,
        height: heightPixels,
        legend: { show: false },
        cursor: { show: false },
        tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
        scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, max * 1.05)] } },
        axes: [
          {
            ...axis,
            space: 70,
            incrs: [86_400, 7 * 86_400, 14 * 86_400, 30 * 86_400, 90 * 86_400],
            values: (_chart, ticks) => ticks.map((tick) => shortDay.format(tick * 1_000)),
          },
          { ...axis, size: axisPixels, values: (_chart, ticks) => ticks.map(formatBytes) },
        ],
        series: [
          {},
          ...drawn.map(({ kind }) => ({
            stroke: kind[scheme],
            fill: kind[scheme],
            width: 1,
            points: { show: days.length < 40, fill: kind[scheme] },
          })),
        ],
      },
      [times, ...drawn.map(({ stack }) => stack)],
      target,
    )
    return () => chart.destroy()
  }, [width, days, scheme, language])
  return <Box ref={ref} role="img" aria-label={t('chart')} mih={heightPixels} />
}
