import { Skeleton, Text } from '@mantine/core'
import { useMemo } from 'react'
import { useTexts } from '../shell/texts.ts'
import { ChartTable } from '../ui/chart/chart-table.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import { ProblemAlert } from '../ui/problem-alert.tsx'
import { Section } from '../ui/section.tsx'
import { useMetric, type Filters } from './analytics-queries.ts'
import { CsvButton } from './csv-button.tsx'
import { MetricChart, type ChartRow } from './metric-chart.tsx'
import { formatMetric, type Metric } from './metrics.ts'
import type { Period } from './period.ts'
import { timeFormat } from './time-labels.ts'

const loadingPixels = 344

/** The chosen metric over time, as a chart, a table and a file. */
export const MetricSection = ({
  metric,
  period,
  filters,
}: {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
}) => {
  const t = useTexts('analytics.chart')
  const names = useTexts('analytics.metrics')
  const explained = useTexts('analytics.definitions')
  const { range, now, before, error, retry } = useMetric(metric, period, filters)
  const rows = useMemo(
    (): ChartRow[] =>
      (now?.Buckets ?? []).map(({ Start, Value }, place) => ({
        start: Start ?? '',
        value: Value,
        before: before?.Buckets[place]?.Value ?? null,
      })),
    [now, before],
  )
  const hasBefore = range.before !== null
  const label = names(metric)
  const end = { align: 'end', width: 150 } as const
  const interval = now?.interval ?? range.interval
  return (
    <Section title={label} description={explained(metric)}>
      {error !== null && now === undefined && <ProblemAlert error={error} onRetry={retry} />}
      {error === null && now === undefined && <Skeleton height={loadingPixels} />}
      {now !== undefined && (
        <>
          <MetricChart {...{ metric, interval, rows, hasBefore }} />
          {interval !== 'hour' && (
            <Text size="xs" c="dimmed">
              {t(period === '24h' ? 'wholeDays' : 'inUtc')}
            </Text>
          )}
          <ChartTable
            actions={
              <CsvButton
                name={`${metric}-${period}`}
                label={label}
                rows={[
                  ['start', metric, ...(hasBefore ? ['before'] : [])],
                  ...rows.map((row) => [row.start, row.value, ...(hasBefore ? [row.before] : [])]),
                ]}
              />
            }
          >
            <DataTable
              id="analytics-metric"
              label={label}
              rows={rows.toReversed()}
              keyOf={({ start }) => start}
              columns={[
                {
                  key: 'start',
                  header: t('time'),
                  cell: ({ start }) => timeFormat(interval).format(Date.parse(start)),
                },
                { key: 'value', header: label, cell: ({ value }) => formatMetric(metric, value), ...end },
                ...(hasBefore
                  ? [
                      {
                        ...{ key: 'before', header: t('before'), ...end },
                        cell: (row: ChartRow) => formatMetric(metric, row.before),
                      },
                    ]
                  : []),
              ]}
            />
          </ChartTable>
        </>
      )}
    </Section>
  )
}
