import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../projects/all-projects.ts'
import { useTexts } from '../shell/texts.ts'
import type { Filters } from './analytics-queries.ts'
import { Breakdown, useBreakdowns } from './breakdown.tsx'
import {
  customDimension,
  filterBy,
  filterIn,
  listedDimensions,
  type Dimension,
} from './dimensions/dimensions.ts'
import { MetricSection } from './metric-section.tsx'
import { MetricTiles } from './metric-tiles.tsx'
import type { Metric } from './metrics.ts'
import { NoViews } from './no-views.tsx'
import type { Period } from './period.ts'

interface Place {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
}

interface Going {
  readonly onGo: (changed: Readonly<Record<string, string | undefined>>) => void
}

/** Custom dimensions of the projects that the screen shows. */
const useCustomDimensions = ({ projectId }: Filters): Dimension[] => {
  const { data: projects = [] } = useQuery(allProjects)
  const shown = projects.filter(({ Id }) => projectId === undefined || String(Id) === projectId)
  return [...new Set(shown.flatMap(({ AnalyticsDimensions: names }) => names))].map(customDimension)
}

/** Installations collect pages only on request. */
const hasValues = (dimension: Dimension, keys: readonly string[]): boolean =>
  dimension !== 'page' || keys.some((key) => key !== 'unknown')

const Lists = ({ onGo, ...place }: Place & Going) => {
  const t = useTexts('analytics.audience')
  const custom = useCustomDimensions(place.filters)
  const { lists, isPending, isCollecting } = useBreakdowns({
    ...place,
    groupings: [...listedDimensions, 'page', ...custom],
  })
  if (isPending) return <Skeleton height={640} />
  if (lists.every(({ rows }) => rows.length === 0)) return <NoViews isCollecting={isCollecting} />
  return (
    <>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {lists
          .filter(({ groupBy, rows }) =>
            hasValues(
              groupBy as Dimension,
              rows.map(({ key }) => key),
            ),
          )
          .map((values) => (
            <Breakdown
              key={values.groupBy}
              values={values}
              onPick={(key) => onGo(filterBy(values.groupBy as Dimension, key))}
            />
          ))}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('fewViews')}
      </Text>
    </>
  )
}

/** Who watches: a list for each dimension, or the metric over time for one value. */
export const Audience = ({ onGo, ...place }: Place & Going) => {
  const t = useTexts('analytics.audience')
  const isFiltered = filterIn(place.filters) !== null
  const hasFile = place.filters.fileId !== undefined
  return (
    <Stack>
      <MetricTiles
        chosen={place.metric}
        period={place.period}
        filters={place.filters}
        onChoose={(one) => onGo({ metric: one === 'views' ? undefined : one })}
      />
      {isFiltered || hasFile ? (
        <>
          <MetricSection {...place} />
          <Text size="sm" c="dimmed">
            {t(isFiltered ? 'oneFilter' : 'noFiles')}
          </Text>
        </>
      ) : (
        <Lists {...place} onGo={onGo} />
      )}
    </Stack>
  )
}
