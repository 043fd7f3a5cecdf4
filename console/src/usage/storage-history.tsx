import { Text } from '@mantine/core'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { ChartTable } from '../ui/chart/chart-table.tsx'
import { formatBytes, formatNumber } from '../ui/format.ts'
import { DataTable } from '../ui/lists/data-table.tsx'
import { Section } from '../ui/section.tsx'
import { minDays, type Forecast } from './forecast.ts'
import { kinds } from './kinds.ts'
import { StorageChart } from './storage-chart.tsx'
import { StorageKinds } from './storage-kinds.tsx'
import type { Usage } from './usage.ts'

/** Formats a UTC day, independent of the time zone of the user. */
const formatDay = (day: string): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(day))

export const StorageHistory = ({
  usage,
  forecast,
}: {
  readonly usage: Usage
  readonly forecast: Forecast
}) => {
  const t = useTexts('usage.screen')
  const { Days: days } = usage
  return (
    <Section title={t('history')} description={t('historyExplained')}>
      {days.length > 1 && <StorageChart days={days} forecast={forecast} />}
      <StorageKinds usage={usage} />
      {days.length < 2 ? (
        <Text size="sm" c="dimmed">
          {t('oneDay')}
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {forecast.kind === 'unknown'
              ? t('noForecast', { needed: minDays, count: forecast.historyDays })
              : t('forecastExplained', {
                  count: forecast.overDays,
                  growth: growthText(forecast.bytesPerDay),
                })}
          </Text>
          <ChartTable>
            <DaysTable days={days} />
          </ChartTable>
        </>
      )}
    </Section>
  )
}

/** `+1.2 GB` */
export const growthText = (bytes: number): string =>
  `${bytes < 0 ? '−' : '+'}${formatBytes(Math.round(Math.abs(bytes)))}`

const DaysTable = ({ days }: { readonly days: Usage['Days'] }) => {
  const t = useTexts('usage.screen')
  const end = { align: 'end', width: 120 } as const
  return (
    <DataTable
      id="usage-days"
      label={t('history')}
      rows={days.toReversed()}
      keyOf={({ Day }) => Day}
      columns={[
        { key: 'day', header: t('day'), cell: ({ Day }) => formatDay(Day) },
        { key: 'storage', header: t('storage'), cell: (day) => formatBytes(day.StorageBytes), ...end },
        ...kinds.map(({ name, field }) => ({
          key: name,
          header: t(name),
          cell: (day: Usage['Days'][number]) => formatBytes(day[field]),
          hideable: true,
          ...end,
        })),
        {
          key: 'evictable',
          header: t('evictable'),
          cell: (day) => formatBytes(day.EvictableBytes),
          hideable: true,
          ...end,
        },
        { key: 'videos', header: t('videos'), cell: (day) => formatNumber(day.FileCount), ...end, width: 80 },
        {
          key: 'playable',
          header: t('playable'),
          cell: (day) => t('minutes', { shown: formatNumber(Math.round(day.PlayableSeconds / 60)) }),
          ...end,
        },
      ]}
    />
  )
}
