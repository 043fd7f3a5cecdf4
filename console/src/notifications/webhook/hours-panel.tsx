import { Accordion, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { formatNumber, formatTime } from '../../ui/format.ts'
import { ProblemAlert } from '../../ui/problem-alert.tsx'
import { Section } from '../../ui/section.tsx'
import { WideTable } from '../../ui/lists/wide-table.tsx'
import { stackRequests } from './hour-series.ts'
import { HoursChart, type ChartSeries } from './hours-chart.tsx'
import { hoursQuery, type Hour } from '../webhook-queries.ts'

const wasUsed = ({ DeliveredCount, FailedCount }: Hour): boolean => DeliveredCount + FailedCount > 0

export const HoursPanel = ({ webhookId }: { readonly webhookId: number }) => {
  const t = useTexts('notifications.webhookHours')
  const { data: hours, error, refetch } = useQuery(hoursQuery(webhookId))
  return (
    <Stack>
      <ProblemAlert error={error} onRetry={() => void refetch()} />
      {hours !== undefined && !hours.some(wasUsed) && <Text>{t('nothing')}</Text>}
      {hours?.some(wasUsed) === true && (
        <>
          <Charts hours={hours} />
          <Accordion variant="contained">
            <Accordion.Item value="table">
              <Accordion.Control>{t('table')}</Accordion.Control>
              <Accordion.Panel>
                <HoursTable hours={hours.filter(wasUsed)} />
              </Accordion.Panel>
            </Accordion.Item>
          </Accordion>
        </>
      )}
    </Stack>
  )
}

const Charts = ({ hours }: { readonly hours: readonly Hour[] }) => {
  const t = useTexts('notifications.webhookHours')
  const begins = useMemo(() => hours.map(({ Hour: begin }) => begin), [hours])
  const requests = useMemo((): ChartSeries[] => {
    const { delivered, all } = stackRequests(hours)
    return [
      { label: t('failed'), values: all, light: '#c92a2a', dark: '#ff8787', form: 'bars' },
      { label: t('delivered'), values: delivered, light: '#2b8a3e', dark: '#51cf66', form: 'bars' },
    ]
  }, [hours, t])
  const latencies = useMemo(
    (): ChartSeries[] => [
      {
        label: t('p95'),
        values: hours.map(({ LatencyP95Ms }) => LatencyP95Ms),
        light: '#d9480f',
        dark: '#ffc078',
        form: 'dashes',
      },
      {
        label: t('p50'),
        values: hours.map(({ LatencyP50Ms }) => LatencyP50Ms),
        light: '#1864ab',
        dark: '#4dabf7',
        form: 'line',
      },
    ],
    [hours, t],
  )
  const sum = (of: (hour: Hour) => number): string =>
    formatNumber(hours.reduce((before, hour) => before + of(hour), 0))
  const last = hours.findLast(({ LatencyP50Ms }) => LatencyP50Ms !== null)
  const firstRead = hours.findLastIndex(wasUsed)
  const requestsIn = (place: number): string => {
    const { Hour: begin = null, DeliveredCount = 0, FailedCount = 0 } = hours[place] ?? {}
    const counts = { delivered: formatNumber(DeliveredCount), failed: formatNumber(FailedCount) }
    return `${formatTime(begin)}: ${t('requestsRead', counts)}`
  }
  const latencyIn = (place: number): string => {
    const { Hour: begin = null, LatencyP50Ms = null, LatencyP95Ms = null } = hours[place] ?? {}
    const read =
      LatencyP50Ms === null || LatencyP95Ms === null
        ? t('noAnswer')
        : t('latencyRead', { p50: formatLatency(LatencyP50Ms), p95: formatLatency(LatencyP95Ms) })
    return `${formatTime(begin)}: ${read}`
  }
  const requestsDrawn = t('requestsDrawn', {
    delivered: sum(({ DeliveredCount }) => DeliveredCount),
    failed: sum(({ FailedCount }) => FailedCount),
  })
  const latencyDrawn = t('latencyDrawn', {
    p50: formatLatency(last?.LatencyP50Ms ?? 0),
    p95: formatLatency(last?.LatencyP95Ms ?? 0),
  })
  return (
    <>
      <Section title={t('requests')}>
        <Text size="sm">{requestsDrawn}</Text>
        <HoursChart
          label={requestsDrawn}
          hours={begins}
          series={requests}
          format={formatNumber}
          reading={requestsIn}
          firstRead={firstRead}
        />
      </Section>
      {last !== undefined && (
        <Section title={t('latency')}>
          <Text size="sm">{latencyDrawn}</Text>
          <HoursChart
            label={latencyDrawn}
            hours={begins}
            series={latencies}
            format={formatLatency}
            reading={latencyIn}
            firstRead={firstRead}
          />
        </Section>
      )}
    </>
  )
}

const formatLatency = (milliseconds: number): string =>
  milliseconds < 1_000
    ? `${formatNumber(milliseconds)} ms`
    : `${formatNumber(Math.round(milliseconds / 100) / 10)} s`

const HoursTable = ({ hours }: { readonly hours: readonly Hour[] }) => {
  const t = useTexts('notifications.webhookHours')
  const shown = (milliseconds: number | null): string =>
    milliseconds === null ? '–' : formatLatency(milliseconds)
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('leftOut')}
      </Text>
      <WideTable
        label={t('requests')}
        heads={[t('hour'), t('delivered'), t('failed'), t('p50'), t('p95')]}
        minWidth={560}
      >
        {hours.toReversed().map((hour) => (
          <Table.Tr key={hour.Hour}>
            <Table.Td>{formatTime(hour.Hour)}</Table.Td>
            <Table.Td>{formatNumber(hour.DeliveredCount)}</Table.Td>
            <Table.Td>{formatNumber(hour.FailedCount)}</Table.Td>
            <Table.Td>{shown(hour.LatencyP50Ms)}</Table.Td>
            <Table.Td>{shown(hour.LatencyP95Ms)}</Table.Td>
          </Table.Tr>
        ))}
      </WideTable>
    </>
  )
}
