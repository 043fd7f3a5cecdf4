import 'uplot/dist/uPlot.min.css'
import { Box, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef } from 'react'
import UPlot from 'uplot'
import { currentLanguage } from '../shell/words.ts'
import './notifications.css'

const heightPixels = 180
const axisPixels = 64
const hourAxisPixels = 34
const dayHours = 24

export interface ChartSeries {
  readonly label: string
  readonly values: readonly (number | null)[]
  readonly light: string
  readonly dark: string
  readonly form: 'bars' | 'line' | 'dashes'
}

const bars = UPlot.paths.bars?.({ size: [0.7, 24] })

const formOf = ({ form }: ChartSeries, color: string): Partial<UPlot.Series> => {
  if (form === 'bars')
    return { stroke: color, fill: color, width: 0, points: { show: false }, ...(bars && { paths: bars }) }
  // A single hour has no line, so the points are drawn too.
  const points = { show: true, size: 4, stroke: color, fill: color }
  return { stroke: color, width: 2, points, ...(form === 'dashes' && { dash: [6, 3] }) }
}

/** The hour, and the day where one begins: by the clock of the reader. */
const hourLabel = (language: string): ((seconds: number) => string) => {
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  return (seconds) => {
    const instant = new Date(seconds * 1_000)
    return (instant.getHours() === 0 ? day : time).format(instant)
  }
}

/** What happened in each hour, drawn from the first series to the last. */
export const HoursChart = ({
  label,
  hours,
  series,
  format,
}: {
  readonly label: string
  /** When each began. */
  readonly hours: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
}) => {
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
    const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } }
    const shownHour = hourLabel(language)
    const chart = new UPlot(
      {
        width,
        height: heightPixels,
        legend: { show: false },
        cursor: { show: false },
        scales: { y: { range: (_chart, _min, max) => [0, Math.max(1, (max || 0) * 1.05)] } },
        axes: [
          {
            ...axis,
            size: hourAxisPixels,
            space: 48,
            incrs: [3, 6, 12, dayHours].map((step) => step * 3_600),
            values: (_chart, ticks) => ticks.map(shownHour),
          },
          { ...axis, size: axisPixels, values: (_chart, ticks) => ticks.map(format) },
        ],
        series: [{}, ...series.map((one) => formOf(one, one[scheme]))],
      },
      [hours.map((hour) => Date.parse(hour) / 1_000), ...series.map(({ values }) => [...values])],
      target,
    )
    return () => chart.destroy()
  }, [width, hours, series, format, scheme, language])
  return (
    <div>
      <Box ref={ref} role="img" aria-label={label} mih={heightPixels} style={{ overflow: 'hidden' }} />
      <Group gap="md" justify="center" aria-hidden>
        {series.toReversed().map((one) => (
          <Group key={one.label} gap={6}>
            <span className="notifications-key" style={{ background: one[scheme] }} />
            <Text size="xs">{one.label}</Text>
          </Group>
        ))}
      </Group>
    </div>
  )
}
