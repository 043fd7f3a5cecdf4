import { SimpleGrid, Skeleton } from '@mantine/core'
import type { Filters } from './analytics-queries.ts'
import { Breakdown, useBreakdown } from './breakdown.tsx'
import type { Metric } from './metrics.ts'
import type { Period } from './period.ts'

/** What the figures are made of. All lists appear together, because each would move those below it. */
export const Breakdowns = ({
  onGo,
  ...place
}: {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
  readonly onGo: (changed: Record<string, string | undefined>) => void
}) => {
  const files = useBreakdown({ ...place, groupBy: 'file' })
  const sites = useBreakdown({ ...place, groupBy: 'site' })
  const projects = useBreakdown({ ...place, groupBy: 'project' })
  if (files.isPending || sites.isPending || projects.isPending) return <Skeleton height={320} />
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }}>
      <Breakdown values={files} onPick={(file) => onGo({ file })} />
      <Breakdown values={sites} />
      {place.filters.projectId === undefined && (
        <Breakdown values={projects} onPick={(project) => onGo({ project })} />
      )}
    </SimpleGrid>
  )
}
