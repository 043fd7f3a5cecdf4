import './analytics.css'
import { Select, Stack } from '@mantine/core'
import { ProjectFilter } from '../projects/project-filter.tsx'
import { useTexts } from '../shell/texts.ts'
import { SectionTabs } from '../ui/layout/section-tabs.tsx'
import { FilterRow } from '../ui/lists/filter-row.tsx'
import { useAddress } from '../ui/lists/use-address.ts'
import { Screen } from '../ui/screen.tsx'
import '../ui/styles/split.css'
import { AlertsPart } from './alerts/alerts-part.tsx'
import { isMeasured, useMetric, type Filters } from './analytics-queries.ts'
import { Audience } from './audience.tsx'
import { Breakdowns } from './breakdowns.tsx'
import { DimensionChip } from './dimensions/dimension-chip.tsx'
import { filterBy, filterIn } from './dimensions/dimensions.ts'
import { FileFilter } from './file-filter.tsx'
import { LiveNow } from './live/live-now.tsx'
import { MetricSection } from './metric-section.tsx'
import { MetricTiles } from './metric-tiles.tsx'
import { metricOf, qualityMetricOf, type Metric } from './metrics.ts'
import { NoViews } from './no-views.tsx'
import { periodOf, periods, type Period } from './period.ts'
import { Quality } from './quality/quality.tsx'

const tabs = ['overview', 'audience', 'quality', 'live', 'alerts'] as const

/** Who watches, and how well it plays. All filters are part of the URL. */
export const AnalyticsScreen = () => {
  const t = useTexts('analytics.screen')
  const [address, go] = useAddress()
  const open = tabs.find((name) => name === address['tab']) ?? 'overview'
  const period = periodOf(address['period'])
  const filter = filterIn(address)
  const filters: Filters = {
    ...(address['project'] !== undefined && { projectId: address['project'] }),
    ...(address['file'] !== undefined && { fileId: address['file'] }),
    ...(filter !== null && { [filter.name]: filter.value }),
  }
  const metric = isMeasured(metricOf(address['metric']), filters) ? metricOf(address['metric']) : 'views'
  return (
    <Screen title={t('title')} description={t('explained')}>
      <FilterRow label={t('filters')}>
        <ProjectFilter />
        {open !== 'live' && open !== 'alerts' && (
          <>
            <Select
              aria-label={t('period')}
              allowDeselect={false}
              w={190}
              value={period}
              data={periods.map((one) => ({ value: one, label: t(`period${one}`) }))}
              onChange={(one) => go({ period: one === '30d' ? undefined : (one ?? undefined) })}
            />
            {filters.fileId !== undefined && (
              <FileFilter fileId={filters.fileId} onRemove={() => go({ file: undefined })} />
            )}
            {filter !== null && <DimensionChip {...filter} onRemove={() => go(filterBy())} />}
          </>
        )}
      </FilterRow>
      <SectionTabs
        label={t('title')}
        open={open}
        onOpen={(name) => go({ tab: name === 'overview' ? undefined : name, metric: undefined })}
        sections={[
          {
            ...{ name: 'overview', title: t('overview') },
            panel: <Overview {...{ metric, period, filters }} onGo={go} />,
          },
          {
            ...{ name: 'audience', title: t('audience') },
            panel: <Audience {...{ metric, period, filters }} onGo={go} />,
          },
          {
            ...{ name: 'quality', title: t('quality') },
            panel: (
              <Quality
                metric={qualityMetricOf(address['metric'])}
                period={period}
                filters={filters}
                onChoose={(one) => go({ metric: one === 'startuptime-p50' ? undefined : one })}
              />
            ),
          },
          { ...{ name: 'live', title: t('live') }, panel: <LiveNow projectId={filters.projectId} /> },
          {
            ...{ name: 'alerts', title: t('alerts') },
            panel: <AlertsPart projectId={filters.projectId} />,
          },
        ]}
      />
    </Screen>
  )
}

const Overview = ({
  metric,
  period,
  filters,
  onGo,
}: {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
  readonly onGo: (changed: Record<string, string | undefined>) => void
}) => {
  const views = useMetric('views', period, filters)
  const chosen = useMetric(metric, period, filters)
  const failures = useMetric('failures', period, filters)
  const hasNothing = views.now?.Total === 0 && failures.now?.Total === 0
  const place = { metric, period, filters }
  return (
    <Stack>
      <MetricTiles
        chosen={metric}
        {...{ period, filters }}
        onChoose={(one) => onGo({ metric: one === 'views' ? undefined : one })}
      />
      {hasNothing ? (
        <NoViews isCollecting={views.now?.IsCollecting ?? true} />
      ) : (
        <>
          <MetricSection {...place} />
          {/* The chart is higher than its placeholder, and would move them. */}
          {filters.fileId === undefined && chosen.now !== undefined && <Breakdowns {...place} onGo={onGo} />}
        </>
      )}
    </Stack>
  )
}
