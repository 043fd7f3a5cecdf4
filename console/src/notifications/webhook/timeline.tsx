import { Button, Collapse, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber, formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { hoursQuery, type Hour } from '../webhook-queries.ts'
import { formatLatency } from './format-latency.ts'
import { stackRequests } from './hour-series.ts'
import { chartPixels, HoursChart, type ChartSeries } from './hours-chart.tsx'
import { HoursTable } from './hours-table.tsx'

const wasUsed = ({ DeliveredCount, FailedCount }: Hour): boolean => DeliveredCount + FailedCount > 0

type View = 'requests' | 'latency'

/** The last 48 hours: requests or response times. An hour leads to its deliveries. */
export const Timeline = ({
  webhookId,
  onPick,
}: {
  readonly webhookId: number
  readonly onPick: (hour: string) => void
}) => {
  const t = useTexts('notifications.webhookHours')
  const { data: hours, error, refetch } = useQuery(hoursQuery(webhookId))
  const [view, setView] = useState<View>('requests')
  const [isTableShown, { toggle }] = useDisclosure()
  const isUsed = hours?.some(wasUsed) === true
  return (
    <Section
      title={t('title')}
      actions={
        isUsed && (
          <>
            <Button size="compact-sm" variant="subtle" aria-expanded={isTableShown} onClick={toggle}>
              {t(isTableShown ? 'hideTable' : 'table')}
            </Button>
            <SegmentedControl
              size="xs"
              aria-label={t('view')}
              value={view}
              data={[
                { value: 'requests', label: t('requests') },
                { value: 'latency', label: t('latency') },
              ]}
              onChange={(chosen) => setView(chosen === 'latency' ? 'latency' : 'requests')}
            />
          </>
        )
      }
    >
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {hours === undefined && error === null && <Skeleton height={chartPixels} />}
      {hours !== undefined && !isUsed && <Text c="dimmed">{t('nothing')}</Text>}
      {hours !== undefined && isUsed && (
        <>
          {view === 'requests' ? (
            <Requests hours={hours} onPick={onPick} />
          ) : (
            <Latency hours={hours} onPick={onPick} />
          )}
          <Collapse expanded={isTableShown}>
            {isTableShown && <HoursTable hours={hours.filter(wasUsed)} onPick={onPick} />}
          </Collapse>
        </>
      )}
    </Section>
  )
}

interface ViewProps {
  readonly hours: readonly Hour[]
  readonly onPick: (hour: string) => void
}

const Requests = ({ hours, onPick }: ViewProps) => {
  const t = useTexts('notifications.webhookHours')
  const begins = useMemo(() => hours.map(({ Hour: begin }) => begin), [hours])
  const series = useMemo((): ChartSeries[] => {
    const { delivered, all } = stackRequests(hours)
    return [
      { label: t('failed'), values: all, light: '#c42b33', dark: '#ff8087', form: 'bars' },
      { label: t('delivered'), values: delivered, light: '#17803d', dark: '#57c981', form: 'bars' },
    ]
  }, [hours, t])
  const sum = (of: (hour: Hour) => number): string =>
    formatNumber(hours.reduce((before, hour) => before + of(hour), 0))
  const reading = (place: number): string => {
    const { Hour: begin = null, DeliveredCount = 0, FailedCount = 0 } = hours[place] ?? {}
    const counts = { delivered: formatNumber(DeliveredCount), failed: formatNumber(FailedCount) }
    return `${formatTime(begin)}: ${t('requestsRead', counts)}`
  }
  return (
    <HoursChart
      label={t('requestsDrawn', {
        delivered: sum(({ DeliveredCount }) => DeliveredCount),
        failed: sum(({ FailedCount }) => FailedCount),
      })}
      hours={begins}
      series={series}
      format={formatNumber}
      reading={reading}
      firstRead={hours.findLastIndex(wasUsed)}
      onPick={onPick}
    />
  )
}

const Latency = ({ hours, onPick }: ViewProps) => {
  const t = useTexts('notifications.webhookHours')
  const begins = useMemo(() => hours.map(({ Hour: begin }) => begin), [hours])
  const series = useMemo(
    (): ChartSeries[] => [
      {
        label: t('p95'),
        values: hours.map(({ LatencyP95Ms }) => LatencyP95Ms),
        light: '#96590a',
        dark: '#e5a84b',
        form: 'dashes',
      },
      {
        label: t('p50'),
        values: hours.map(({ LatencyP50Ms }) => LatencyP50Ms),
        light: '#4546b4',
        dark: '#a9abfa',
        form: 'line',
      },
    ],
    [hours, t],
  )
  const last = hours.findLast(({ LatencyP50Ms }) => LatencyP50Ms !== null)
  const reading = (place: number): string => {
    const { Hour: begin = null, LatencyP50Ms = null, LatencyP95Ms = null } = hours[place] ?? {}
    const read =
      LatencyP50Ms === null || LatencyP95Ms === null
        ? t('noAnswer')
        : t('latencyRead', { p50: formatLatency(LatencyP50Ms), p95: formatLatency(LatencyP95Ms) })
    return `${formatTime(begin)}: ${read}`
  }
  return (
    <HoursChart
      label={t('latencyDrawn', {
        p50: formatLatency(last?.LatencyP50Ms ?? 0),
        p95: formatLatency(last?.LatencyP95Ms ?? 0),
      })}
      hours={begins}
      series={series}
      format={formatLatency}
      reading={reading}
      firstRead={hours.findLastIndex(wasUsed)}
      onPick={onPick}
    />
  )
}
