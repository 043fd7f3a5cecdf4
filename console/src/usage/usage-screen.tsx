import { Alert, Select, Skeleton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { allProjects } from '../projects/all-projects.ts'
import { ProjectFilter } from '../projects/project-filter.tsx'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { currentLanguage, useTexts } from '../shell/texts.ts'
import { Figure, Figures } from '../ui/chart/figures.tsx'
import { formatBytes, formatNumber } from '../ui/format.ts'
import { FilterRow } from '../ui/lists/filter-row.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { Screen } from '../ui/screen.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { aheadDays, daysUntilFull, forecastOf, type Forecast } from './forecast.ts'
import { growthText, StorageHistory } from './storage-history.tsx'
import type { Usage } from './usage.ts'
import { UsageOfProjects } from './usage-of-projects.tsx'

const periods = ['30', '90', '400'] as const
const dayMs = 86_400_000

export const UsageScreen = () => {
  const t = useTexts('usage.screen')
  const [address, go] = useAddress()
  const { data: projects = [] } = useQuery(allProjects)
  const days = periods.find((period) => period === address['days']) ?? '30'
  const query = { days: Number(days), ...(address['project'] && { projectId: address['project'] }) }
  const { data, error, refetch } = useQuery({
    queryKey: [...queryKeys.usage, query],
    queryFn: ({ signal }) => zoetrope.usage.get(query, { signal }),
    placeholderData: keepPreviousData,
  })
  const forecast = useMemo(() => forecastOf(data?.Days ?? []), [data])
  const project = projects.find(({ Id }) => String(Id) === address['project'])
  return (
    <Screen title={t('title')} description={t('explained')}>
      <FilterRow>
        <ProjectFilter />
        <Select
          aria-label={t('days')}
          allowDeselect={false}
          w={140}
          value={days}
          data={periods.map((period) => ({ value: period, label: t(`days${period}`) }))}
          onChange={(period) => go({ days: period === '30' ? undefined : (period ?? undefined) })}
        />
      </FilterRow>
      {error !== null && data === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton height={480} />}
      {data !== undefined && (
        <>
          {project != null && project.StorageQuotaBytes !== null && (
            <QuotaForecast usage={data} forecast={forecast} quotaBytes={project.StorageQuotaBytes} />
          )}
          <UsageFigures usage={data} forecast={forecast} />
          <StorageHistory usage={data} forecast={forecast} />
        </>
      )}
      {address['project'] === undefined && (data !== undefined || error !== null) && <UsageOfProjects />}
    </Screen>
  )
}

interface ForecastProps {
  readonly usage: Usage
  readonly forecast: Forecast
}

const UsageFigures = ({ usage, forecast }: ForecastProps) => {
  const t = useTexts('usage.screen')
  return (
    <Figures label={t('title')}>
      <Figure label={t('storage')} value={formatBytes(usage.StorageBytes)}>
        {t('pinned', { size: formatBytes(usage.PinnedBytes) })}
      </Figure>
      <Figure label={t('evictable')} value={formatBytes(usage.EvictableBytes)}>
        {t('evictableExplained')}
      </Figure>
      <Figure
        label={t('ahead', { count: aheadDays })}
        value={forecast.kind === 'known' ? formatBytes(Math.round(forecast.bytesAhead)) : '–'}
      >
        {forecast.kind === 'known'
          ? t('perDay', { growth: growthText(forecast.bytesPerDay) })
          : t('tooLittleData')}
      </Figure>
      <Figure label={t('videos')} value={formatNumber(usage.FileCount)} />
      <Figure
        label={t('playable')}
        value={t('minutes', { shown: formatNumber(Math.round(usage.PlayableSeconds / 60)) })}
      />
    </Figures>
  )
}

const dateIn = (days: number): string =>
  new Intl.DateTimeFormat(currentLanguage(), { dateStyle: 'long' }).format(Date.now() + days * dayMs)

/** When the quota of the chosen project is used up. Renders nothing if that is not in sight. */
const QuotaForecast = ({ usage, forecast, quotaBytes }: ForecastProps & { readonly quotaBytes: number }) => {
  const t = useTexts('usage.screen')
  const days = daysUntilFull(forecast, usage.StorageBytes, quotaBytes)
  if (days === null) return null
  const date = dateIn(days)
  const quota = formatBytes(quotaBytes)
  return (
    <Alert
      variant="light"
      {...(days <= aheadDays ? { color: 'red', bg: 'var(--tone-danger-soft)' } : { color: 'gray' })}
      icon={<IconAlertTriangle aria-hidden />}
      title={days === 0 ? t('quotaFull', { quota }) : t('quotaIn', { quota, count: days, date })}
    >
      {t('quotaThen')}
    </Alert>
  )
}
