import './library.css'
import { Button, Menu } from '@mantine/core'
import { IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { projectQuery } from '../file/file-query.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan, useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { useStable } from '../ui/hooks/use-stable.ts'
import { Screen } from '../ui/screen.tsx'
import { DropZone } from '../uploads/drop-zone.tsx'
import { addUploads } from '../uploads/upload-queue.ts'
import { isInWork } from './file-status.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import { LibraryFiles } from './library-files.tsx'
import {
  isFiltered,
  queryOf,
  withChanges,
  withoutFilters,
  type LibraryChanges,
  type LibrarySearch,
} from './library-query.ts'
import { LibraryToolbar } from './library-toolbar.tsx'
import { UploadButton } from './upload-button.tsx'
import { useView } from './view.ts'

const route = getRouteApi('/inside/projects/$projectId/files')

const progressMs = 2_000

export const LibraryScreen = () => {
  const t = useTexts('library.screen')
  const { projectId } = route.useParams()
  const search: LibrarySearch = route.useSearch()
  const navigate = route.useNavigate()
  const { User } = useSession()
  const can = useCan(projectId)
  const [view, setView] = useView()
  const isTrash = search.trash !== undefined
  const query = queryOf(search)

  const project = useQuery(projectQuery(projectId))
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...queryKeys.files(projectId), query],
    queryFn: async ({ signal }) => await zoetrope.files.list(projectId, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.Files.some(isInWork) === true ? progressMs : false),
  })

  const go = (next: LibrarySearch): void => void navigate({ to: '.', search: { ...next } })
  const change = useStable((changes: LibraryChanges): void => go(withChanges(search, changes)))
  const mayUpload = can('files:upload') && !isTrash && !project.isError
  const upload = useCallback(
    (chosen: readonly File[]) => addUploads(projectId, User.Id, chosen),
    [projectId, User.Id],
  )
  const name = project.data?.Name ?? ''
  const projects = { label: t('projects'), to: '/projects' }
  const library = { label: name, to: `/projects/${projectId}/files` }

  return (
    <Screen
      title={isTrash ? t('trashTitle') : name === '' ? t('title') : name}
      crumbs={isTrash ? [projects, library] : [projects]}
      {...(isTrash && { description: t('trashExplained') })}
      actions={
        isTrash ? (
          <Button
            variant="default"
            leftSection={<IconArrowLeft size={16} aria-hidden />}
            onClick={() => go({})}
          >
            {t('leaveTrash')}
          </Button>
        ) : (
          mayUpload && <UploadButton projectId={projectId} onFiles={upload} />
        )
      }
      {...(!isTrash && {
        menu: (
          <Menu.Item leftSection={<IconTrash size={16} aria-hidden />} onClick={() => go({ trash: '1' })}>
            {t('trash')}
          </Menu.Item>
        ),
      })}
    >
      {mayUpload && <DropZone projectName={name} onFiles={upload} />}
      <LibraryToolbar search={search} onChange={change} view={view} onView={setView}>
        <FilterBar
          search={search}
          onChange={change}
          onClear={() => go(withoutFilters(search))}
          onApply={(filters) => go(withChanges(withoutFilters(search), filters))}
        />
      </LibraryToolbar>
      <LibraryFiles
        projectId={projectId}
        label={t('files', { name })}
        search={search}
        view={view}
        list={{ data, error: error ?? project.error, isPending, refetch }}
        onChange={change}
        empty={
          isFiltered(search) ? (
            <EmptyState
              picture="search"
              title={t('nothing')}
              action={
                <Button variant="default" onClick={() => go(withoutFilters(search))}>
                  {t('clearFilters')}
                </Button>
              }
            >
              {t('nothingText')}
            </EmptyState>
          ) : (
            <EmptyState
              picture={isTrash ? 'box' : 'film'}
              title={isTrash ? t('trash') : t('empty')}
              action={mayUpload && <UploadButton projectId={projectId} onFiles={upload} />}
            >
              {isTrash ? t('trashEmpty') : mayUpload ? t('emptyText') : t('emptyReader')}
            </EmptyState>
          )
        }
      />
    </Screen>
  )
}
