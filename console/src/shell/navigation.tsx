import { NavLink, Select, Stack, Text } from '@mantine/core'
import {
  IconBell,
  IconBroadcast,
  IconBuildingStore,
  IconChartBar,
  IconFolders,
  IconHistory,
  IconHome,
  IconKey,
  IconMovie,
  IconPlaylist,
  IconPlugConnected,
  IconSettings,
  IconStack2,
  IconUsers,
  type Icon,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Permission } from '@zoetrope/vocabulary'
import { allProjects } from '../projects/all-projects.ts'
import { useCurrentProjectId } from './current-project.ts'
import { useCan } from './session.ts'
import { useTexts } from './texts.ts'

const Item = ({ to, icon: Picture, label, exact = false }: ItemProps) => (
  <NavLink
    renderRoot={(props) => (
      <Link
        {...props}
        to={to}
        activeOptions={{ exact, includeSearch: false }}
        activeProps={{ 'data-active': true, 'aria-current': 'page' }}
      />
    )}
    label={label}
    leftSection={<Picture size={18} aria-hidden />}
  />
)

interface ItemProps {
  readonly to: string
  readonly icon: Icon
  readonly label: string
  /** Also active on screens below it, unless exact. */
  readonly exact?: boolean
}

const Heading = ({ children }: { readonly children: string }) => (
  <Text size="xs" fw={700} c="dimmed" px="sm" pt="md" pb={4}>
    {children}
  </Text>
)

export const Navigation = () => {
  const t = useTexts('shell.navigation')
  const projectId = useCurrentProjectId()
  const { data: projects = [] } = useQuery(allProjects)
  const navigate = useNavigate()
  const can = useCan()
  const canInProject = useCan(projectId ?? undefined)
  const account: (ItemProps & { readonly needs?: Permission })[] = [
    { to: '/users', icon: IconUsers, label: t('users'), needs: 'users:read' },
    { to: '/api-keys', icon: IconKey, label: t('apiKeys'), needs: 'keys:read' },
    { to: '/partners', icon: IconPlugConnected, label: t('partners'), needs: 'partners:read' },
    { to: '/usage', icon: IconChartBar, label: t('usage') },
    { to: '/queue', icon: IconStack2, label: t('queue') },
    { to: '/audit', icon: IconHistory, label: t('audit'), needs: 'audit:read' },
  ]
  return (
    <Stack gap={0}>
      <Item to="/" icon={IconHome} label={t('start')} exact />
      <Item to="/projects" icon={IconFolders} label={t('projects')} exact />
      {projectId !== null && (
        <>
          <Heading>{t('project')}</Heading>
          <Select
            aria-label={t('project')}
            px="xs"
            pb="xs"
            searchable
            allowDeselect={false}
            value={String(projectId)}
            data={projects.map(({ Id, Name }) => ({ value: String(Id), label: Name }))}
            onChange={(id) => {
              if (id !== null)
                void navigate({ to: '/projects/$projectId/files', params: { projectId: Number(id) } })
            }}
          />
          <Item to={`/projects/${projectId}/files`} icon={IconMovie} label={t('library')} />
          <Item to={`/projects/${projectId}/live`} icon={IconBroadcast} label={t('live')} />
          {canInProject('projects:write') && (
            <Item to={`/projects/${projectId}/settings`} icon={IconSettings} label={t('projectSettings')} />
          )}
        </>
      )}
      <Heading>{t('content')}</Heading>
      <Item to="/playlists" icon={IconPlaylist} label={t('playlists')} />
      <Item to="/catalog" icon={IconBuildingStore} label={t('catalog')} />
      {can('webhooks:read') && <Item to="/notifications" icon={IconBell} label={t('notifications')} />}
      <Heading>{t('account')}</Heading>
      {account.map(({ needs, ...item }) =>
        needs === undefined || can(needs) ? <Item key={item.to} {...item} /> : null,
      )}
    </Stack>
  )
}
