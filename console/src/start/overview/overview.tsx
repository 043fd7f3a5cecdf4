import './overview.css'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { CreateProjectButton } from '../../projects/create-project-button.tsx'
import { useCan } from '../../shell/session.ts'
import { useTexts } from '../../shell/texts.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ListSkeleton } from '../../ui/lists/list-skeleton.tsx'
import { Attention } from './attention.tsx'
import { LiveNow } from './live-now.tsx'
import { useIsReady } from './overview-queries.ts'
import { QueueCard } from './queue-card.tsx'
import { RecentFiles } from './recent-files.tsx'
import { StorageCard } from './storage-card.tsx'

/** Overview for daily use, over all projects, limited to values that the API returns cheaply. */
export const Overview = () => {
  const t = useTexts('start.overview')
  const can = useCan()
  const { data: projects } = useQuery(allProjects)
  const isReady = useIsReady()
  if (!isReady) return <ListSkeleton rows={3} rowHeight={160} />
  if (projects?.length === 0)
    return (
      <EmptyState picture="film" title={t('noProject')} action={<CreateProjectButton />}>
        <Text>{can('projects:write') ? t('noProjectText') : t('noProjectReader')}</Text>
      </EmptyState>
    )
  return (
    <div className="overview">
      <Attention />
      <div className="overview-facts">
        <LiveNow />
        <QueueCard />
        <StorageCard />
      </div>
      <RecentFiles />
    </div>
  )
}
