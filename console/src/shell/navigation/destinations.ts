import {
  IconBell,
  IconBroadcast,
  IconCategory,
  IconChartAreaLine,
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
import type { Permission } from '@zoetrope/vocabulary'
import { useCurrentProjectId } from '../current-project.ts'
import { useCan } from '../session.ts'
import { useTexts } from '../texts.ts'

export const navigationGroups = ['main', 'project', 'content', 'account'] as const

export interface Destination {
  readonly group: (typeof navigationGroups)[number]
  readonly to: string
  readonly icon: Icon
  readonly label: string
  /** Also active on screens below it, unless exact. */
  readonly exact?: boolean
  /** Letter that follows `g`. */
  readonly jump?: string
}

/** The screens that the user may open, in the order of the navigation. */
export const useDestinations = (): readonly Destination[] => {
  const t = useTexts('shell.navigation')
  const projectId = useCurrentProjectId()
  const can = useCan()
  const canInProject = useCan(projectId ?? undefined)
  const project = `/projects/${projectId}`
  const all: readonly (Destination & { readonly needs?: Permission })[] = [
    { group: 'main', to: '/', icon: IconHome, label: t('start'), exact: true, jump: 'h' },
    { group: 'main', to: '/projects', icon: IconFolders, label: t('projects'), exact: true, jump: 'p' },
    { group: 'project', to: `${project}/files`, icon: IconMovie, label: t('library'), jump: 'l' },
    { group: 'project', to: `${project}/live`, icon: IconBroadcast, label: t('live'), jump: 'v' },
    ...(canInProject('projects:write')
      ? [
          {
            ...({ group: 'project', to: `${project}/settings`, icon: IconSettings } as const),
            ...{ label: t('projectSettings'), jump: 's' },
          },
        ]
      : []),
    { group: 'content', to: '/playlists', icon: IconPlaylist, label: t('playlists'), jump: 'y' },
    { group: 'content', to: '/catalog', icon: IconCategory, label: t('catalog'), jump: 'c' },
    {
      ...({ group: 'content', to: '/notifications', icon: IconBell, label: t('notifications') } as const),
      ...({ jump: 'n', needs: 'webhooks:read' } as const),
    },
    {
      ...({ group: 'content', to: '/analytics', icon: IconChartAreaLine } as const),
      ...({ label: t('analytics'), jump: 'w', needs: 'analytics:read' } as const),
    },
    { group: 'account', to: '/users', icon: IconUsers, label: t('users'), jump: 'u', needs: 'users:read' },
    { group: 'account', to: '/api-keys', icon: IconKey, label: t('apiKeys'), jump: 'k', needs: 'keys:read' },
    {
      group: 'account',
      to: '/partners',
      icon: IconPlugConnected,
      label: t('partners'),
      needs: 'partners:read',
    },
    { group: 'account', to: '/usage', icon: IconChartBar, label: t('usage'), jump: 'd' },
    { group: 'account', to: '/queue', icon: IconStack2, label: t('queue'), jump: 'e' },
    { group: 'account', to: '/audit', icon: IconHistory, label: t('audit'), jump: 'a', needs: 'audit:read' },
  ]
  return all.filter(
    ({ group, needs }) => (group !== 'project' || projectId !== null) && (needs === undefined || can(needs)),
  )
}
