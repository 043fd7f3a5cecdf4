import { Button, Group, Text } from '@mantine/core'
import { useCallback, useMemo, useState, type KeyboardEvent } from 'react'
import UPlot from 'uplot'
import { useTexts } from '../../shell/texts.ts'
import { ChartKeys } from '../../ui/chart/chart-keys.tsx'
import { Chart, fromZero, type ChartLook, type ChartOptions } from '../../ui/chart/chart.tsx'

export const chartPixels = 150
const halfHourSeconds = 1_800
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
  onPick,
}: {
  readonly label: string
  readonly hours: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly format: (value: number) => string
  readonly reading: (place: number) => string
  readonly firstRead: number
  readonly onPick: (hour: string) => void
}) => {
  const t = useTexts('notifications.webhookHours')
  const [chosen, setChosen] = useState<number | null>(null)
  const place = Math.min(chosen ?? firstRead, hours.length - 1)
  const data = useMemo(
    (): UPlot.AlignedData => [
      hours.map((hour) => Date.parse(hour) / 1_000),
      ...series.map(({ values }) => [...values]),
    ],
    [hours, series],
  )
  const options = useCallback(
    ({ axis, scheme, language }: ChartLook): ChartOptions => {
      const shownHour = hourLabel(language)
      return {
        // The cursor line marks the selected hour, so it stays when the pointer leaves.
        cursor: { y: false, points: { show: false }, drag: { x: false }, bind: { mouseleave: () => null } },
        hooks: { setCursor: [({ cursor: { idx } }) => setChosen((before) => idx ?? before)] },
        scales: {
          // The first and the last bar are whole.
          x: { range: (_chart, min, max) => [min - halfHourSeconds, max + halfHourSeconds] },
          y: { range: fromZero(1.05) },
        },
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
      }
    },
    [series, format],
  )
  const step = (event: KeyboardEvent): void => {
    const wanted = steppedTo(event.key, place, hours.length)
    if (wanted === null) return
    event.preventDefault()
    setChosen(wanted)
  }
  return (
    <div>
      <Chart
        heightPixels={chartPixels}
        data={data}
        options={options}
        cursorAt={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={hours.length}
        aria-valuenow={place + 1}
        aria-valuetext={reading(place)}
        onKeyDown={step}
      />
      <Group justify="space-between" gap="xs" mih={32}>
        <Group gap="xs">
          <Text size="sm" fw={550} aria-hidden>
            {reading(place)}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => hours[place] !== undefined && onPick(hours[place])}
          >
            {t('pick')}
          </Button>
        </Group>
        <ChartKeys series={series.toReversed()} />
      </Group>
    </div>
  )
}
