import { SimpleGrid, Skeleton } from '@mantine/core'
import type { Filters } from './analytics-queries.ts'
import { Breakdown, useBreakdown } from './breakdown.tsx'
import { filterIn } from './dimensions/dimensions.ts'
import type { Metric } from './metrics.ts'
import type { Period } from './period.ts'

interface Props {
  readonly metric: Metric
  readonly period: Period
  readonly filters: Filters
  readonly onGo: (changed: Record<string, string | undefined>) => void
}

const Projects = ({ onGo, ...place }: Props) => {
  const projects = useBreakdown({ ...place, groupBy: 'project' })
  if (projects.isPending) return <Skeleton height={320} />
  return <Breakdown values={projects} onPick={(project) => onGo({ project })} />
}

/** Files and projects with the largest values. Both lists appear together, because each would move those below it. */
const FilesAndProjects = ({ onGo, ...place }: Props) => {
  const files = useBreakdown({ ...place, groupBy: 'file' })
  const projects = useBreakdown({ ...place, groupBy: 'project' })
  if (files.isPending || projects.isPending) return <Skeleton height={320} />
  const hasProjects = place.filters.projectId === undefined
  return (
    <SimpleGrid cols={{ base: 1, lg: hasProjects ? 2 : 1 }}>
      <Breakdown values={files} onPick={(file) => onGo({ file })} />
      {hasProjects && <Breakdown values={projects} onPick={(project) => onGo({ project })} />}
    </SimpleGrid>
  )
}

/** Files are not counted by dimension. */
export const Breakdowns = (props: Props) => {
  if (filterIn(props.filters) === null) return <FilesAndProjects {...props} />
  return props.filters.projectId === undefined ? <Projects {...props} /> : null
}
