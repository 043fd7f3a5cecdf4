import 'uplot/dist/uPlot.min.css'
import { Box, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import UPlot from 'uplot'
import { currentLanguage } from '../../shell/texts.ts'
import '../notifications.css'

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
  // A single hour has no line, so points are drawn too.
  const points = { show: true, size: 4, stroke: color, fill: color }
  return { stroke: color, width: 2, points, ...(form === 'dashes' && { dash: [6, 3] }) }
}

/** Local hour, with the date at midnight. */
const hourLabel = (language: string): ((seconds: number) => string) => {
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric' })
  const day = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' })
  return (seconds) => {
    const instant = new Date(seconds * 1_000)
    return (instant.getHours() === 0 ? day : time).format(instant)
  }
}

/** Target of a slider key among this many hours (ARIA Authoring Practices, slider). */
const steppedTo = (key: string, place: number, count: number): number | null => {
  const places: Record<string, number> = {
    ...{ ArrowLeft: place - 1, ArrowDown: place - 1, ArrowRight: place + 1, ArrowUp: place + 1 },
    ...{ PageDown: place - dayHours, PageUp: place + dayHours, Home: 0, End: count - 1 },
  }
  const wanted = places[key]
  return wanted === undefined ? null : Math.min(count - 1, Math.max(0, wanted))
}

/**
 * Chart of hourly values, drawn from the first series to the last. Pointer and keys select the hour whose
 * values are shown.
 */
export const HoursChart = ({
  label,
  hours,
  series,
  format,
  reading,
  firstRead,
}: {
  readonly label: string
  readonly hours: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
  readonly reading: (place: number) => string
  readonly firstRead: number
}) => {
  const scheme = useComputedColorScheme()
  const { ref: sizeRef, width } = useElementSize<HTMLDivElement>()
  const box = useRef<HTMLDivElement>(null)
  const ref = useMergedRef(sizeRef, box)
  const [plot, setPlot] = useState<UPlot | null>(null)
  const [chosen, setChosen] = useState<number | null>(null)
  const place = Math.min(chosen ?? firstRead, hours.length - 1)
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
        // The cursor line marks the selected hour, so it stays when the pointer leaves.
        cursor: { y: false, points: { show: false }, drag: { x: false }, bind: { mouseleave: () => null } },
        hooks: { setCursor: [({ cursor: { idx } }) => setChosen((before) => idx ?? before)] },
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
    setPlot(chart)
    return () => {
      setPlot(null)
      chart.destroy()
    }
  }, [width, hours, series, format, scheme, language])
  useEffect(() => {
    const seconds = plot?.data[0][place]
    if (seconds !== undefined) plot?.setCursor({ left: plot.valToPos(seconds, 'x'), top: 0 }, false)
  }, [plot, place])
  const step = (event: KeyboardEvent): void => {
    const wanted = steppedTo(event.key, place, hours.length)
    if (wanted === null) return
    event.preventDefault()
    setChosen(wanted)
  }
  return (
    <div>
      <Box
        ref={ref}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={hours.length}
        aria-valuenow={place + 1}
        aria-valuetext={reading(place)}
        onKeyDown={step}
        mih={heightPixels}
        style={{ overflow: 'hidden' }}
      />
      <Text size="sm" ta="center" fw={600} mb={4} aria-hidden>
        {reading(place)}
      </Text>
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
