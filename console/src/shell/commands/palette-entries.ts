import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import {
  IconBook,
  IconBroadcast,
  IconCode,
  IconFolderPlus,
  IconFolders,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconMovie,
  IconSettings,
  IconShieldLock,
  IconUpload,
  IconUser,
  type Icon,
} from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { allProjects } from '../../projects/all-projects.ts'
import { addUploads } from '../../uploads/upload-queue.ts'
import { zoetrope } from '../api.ts'
import { useCurrentProjectId } from '../current-project.ts'
import { useDestinations } from '../navigation/destinations.ts'
import { queryKeys } from '../query.ts'
import { useCan, useSession } from '../session.ts'
import { useTexts } from '../texts.ts'
import type { CommandDialog } from './command-dialog.ts'

export interface PaletteEntry {
  readonly id: string
  readonly label: string
  readonly about?: string
  readonly icon: Icon
  readonly keys?: readonly string[]
  readonly run: () => void
}

export interface PaletteGroup {
  readonly title: string
  readonly entries: readonly PaletteEntry[]
}

export interface PaletteActions {
  readonly onShow: (dialog: CommandDialog) => void
  readonly onSignOut: () => void
}

const maxPerGroup = 6

/** Every word of the query begins a word of the text. */
export const matches = (query: string, text: string): boolean => {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}

const chooseFiles = (onFiles: (files: readonly File[]) => void): void => {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.addEventListener('change', () => onFiles([...(input.files ?? [])]))
  input.click()
}

const useFileEntries = (query: string, typed: string): readonly PaletteEntry[] => {
  const navigate = useNavigate()
  const { data: projects = [] } = useQuery(allProjects)
  const { data: files = [], isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.events, 'palette', query],
    queryFn: async ({ signal }) =>
      (await zoetrope.files.listAll({ search: query, limit: maxPerGroup }, { signal })).Files,
    enabled: query !== '',
    placeholderData: keepPreviousData,
  })
  if (query === '') return []
  // Enter must not open a file of an earlier query.
  const isCurrent = query === typed && !isPlaceholderData
  const shown = files.filter(({ Metadata, Name }) => isCurrent || matches(typed, Metadata.Title || Name))
  return shown.map(({ Id, ProjectId, Metadata, Name }) => ({
    id: `file-${Id}`,
    label: Metadata.Title || Name,
    about: projects.find((one) => one.Id === ProjectId)?.Name ?? '',
    icon: IconMovie,
    run: () =>
      void navigate({
        to: '/projects/$projectId/files/$fileId',
        params: { projectId: ProjectId, fileId: Id },
      }),
  }))
}

const useProjectEntries = (query: string): readonly PaletteEntry[] => {
  const t = useTexts('shell.palette')
  const navigate = useNavigate()
  const { data: projects = [] } = useQuery(allProjects)
  const can = useCan()
  if (query === '') return []
  return projects.flatMap(({ Id, Name }) => {
    const open = (screen: 'files' | 'live' | 'settings'): void =>
      void navigate({ to: `/projects/${Id}/${screen}` })
    return [
      { id: `project-${Id}`, label: Name, about: t('library'), icon: IconFolders, run: () => open('files') },
      { id: `live-${Id}`, label: Name, about: t('live'), icon: IconBroadcast, run: () => open('live') },
      ...(can('projects:write')
        ? [
            {
              ...{ id: `settings-${Id}`, label: Name, about: t('settings'), icon: IconSettings },
              run: () => open('settings'),
            },
          ]
        : []),
    ]
  })
}

const useActionEntries = ({ onShow, onSignOut }: PaletteActions): readonly PaletteEntry[] => {
  const t = useTexts('shell.palette')
  const navigate = useNavigate()
  const projectId = useCurrentProjectId()
  const { User } = useSession()
  const can = useCan()
  const canInProject = useCan(projectId ?? undefined)
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme() === 'dark'
  const upload = (): void => {
    if (projectId === null) return
    void navigate({ to: '/projects/$projectId/files', params: { projectId } })
    chooseFiles((files) => addUploads(projectId, User.Id, files))
  }
  const link = (url: string) => (): void => void open(url, '_blank', 'noopener')
  return [
    ...(projectId !== null && canInProject('files:upload')
      ? [{ id: 'upload', label: t('upload'), icon: IconUpload, run: upload }]
      : []),
    ...(can('projects:write')
      ? [{ id: 'project', label: t('newProject'), icon: IconFolderPlus, run: () => onShow('project') }]
      : []),
    { id: 'api', label: t('apiRequests'), icon: IconCode, run: () => onShow('api') },
    { id: 'keys', label: t('shortcuts'), icon: IconKeyboard, keys: ['?'], run: () => onShow('shortcuts') },
    {
      ...{ id: 'look', label: isDark ? t('light') : t('dark'), icon: IconMoon },
      run: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
    { id: 'profile', label: t('profile'), icon: IconUser, run: () => void navigate({ to: '/profile' }) },
    {
      id: 'security',
      label: t('security'),
      icon: IconShieldLock,
      run: () => void navigate({ to: '/security' }),
    },
    { id: 'docs', label: t('docs'), icon: IconBook, run: link('/docs') },
    { id: 'reference', label: t('reference'), icon: IconBook, run: link('/reference') },
    { id: 'out', label: t('signOut'), icon: IconLogout, run: onSignOut },
  ]
}

/** What the palette offers for a query: files from the server, everything else from here. */
export const usePaletteGroups = (
  typed: string,
  search: string,
  actions: PaletteActions,
): readonly PaletteGroup[] => {
  const t = useTexts('shell.palette')
  const query = typed.trim()
  const files = useFileEntries(search.trim(), query)
  const projects = useProjectEntries(query)
  const screens = useDestinations().map(({ to, label, icon, jump }) => ({
    ...{ id: to, label, icon },
    ...(jump !== undefined && { keys: ['G', jump.toUpperCase()] }),
    to,
  }))
  const navigate = useNavigate()
  const found = (entries: readonly PaletteEntry[], limit: number): readonly PaletteEntry[] =>
    entries
      .filter(({ label, about = '' }) => query === '' || matches(query, `${label} ${about}`))
      .slice(0, limit)
  const goTo = screens.map(({ to, ...entry }) => ({ ...entry, run: () => void navigate({ to }) }))
  return [
    { title: t('files'), entries: query === '' ? [] : files },
    { title: t('projects'), entries: found(projects, maxPerGroup) },
    { title: t('goTo'), entries: found(goTo, goTo.length) },
    { title: t('actions'), entries: found(useActionEntries(actions), maxPerGroup * 2) },
  ].filter(({ entries }) => entries.length > 0)
}
