import './navigation.css'
import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { allProjects } from '../../projects/all-projects.ts'
import { useCurrentProjectId } from '../current-project.ts'
import { useTexts } from '../texts.ts'
import { navigationGroups, useDestinations } from './destinations.ts'
import { NavItem } from './nav-item.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'

export const Navigation = () => {
  const t = useTexts('shell.navigation')
  const projectId = useCurrentProjectId()
  const destinations = useDestinations()
  const { data: projects = [], isPending } = useQuery(allProjects)
  const isLive = projects.some(({ Id, IsLive }) => Id === projectId && IsLive)
  // A project that appears later would move the items below it.
  if (isPending) return null
  return navigationGroups.map((group) => {
    const items = destinations.filter((one) => one.group === group)
    if (items.length === 0) return null
    return (
      <div className="nav-part" key={group}>
        {group !== 'main' && (
          <Text size="xs" fw={550} c="dimmed" className="nav-title">
            {t(group)}
          </Text>
        )}
        {group === 'project' && projectId !== null && <ProjectSwitcher projectId={projectId} />}
        {items.map((destination) => (
          <NavItem
            key={destination.to}
            destination={destination}
            mark={
              isLive &&
              destination.to.endsWith('/live') && (
                <span className="nav-live" role="img" aria-label={t('onAir')} />
              )
            }
          />
        ))}
      </div>
    )
  })
}
