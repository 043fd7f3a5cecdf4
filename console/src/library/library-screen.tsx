import './library.css'
import { Button, EmptyState, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconMovie, IconSearchOff, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan, useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { ListResults } from '../ui/lists/list-results.tsx'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { Screen } from '../ui/screen.tsx'
import { DropZone } from '../uploads/drop-zone.tsx'
import { addUploads } from '../uploads/upload-queue.ts'
import { BulkBar } from './bulk-bar.tsx'
import { useColumns, useView } from './columns.ts'
import { FileGrid } from './file-grid.tsx'
import { isInWork } from './file-status.tsx'
import { FileTable } from './file-table.tsx'
import { LibraryFilters } from './library-filters.tsx'
import {
  filterCount,
  filterOf,
  isFiltered,
  limitOf,
  queryOf,
  withChanges,
  withoutFilters,
  type LibrarySearch,
} from './library-query.ts'
import { LibraryToolbar } from './library-toolbar.tsx'
import { UploadButton } from './upload-button.tsx'
import { useSelection } from './use-selection.ts'

const route = getRouteApi('/inside/projects/$projectId/files')

const progressMs = 2_000

export const LibraryScreen = () => {
  const t = useTexts('library.screen')
  const { projectId } = route.useParams()
  const search: LibrarySearch = route.useSearch()
  const navigate = route.useNavigate()
  const { User } = useSession()
  const can = useCan(projectId)
  const [shownColumns, setColumns] = useColumns()
  const [view, setView] = useView()
  const [areFiltersOpen, { toggle: toggleFilters }] = useDisclosure(filterCount(search) > 0)
  const isTrash = search.trash !== undefined
  const query = queryOf(search)

  const project = useQuery({
    queryKey: queryKeys.project(projectId),
    queryFn: ({ signal }) => zoetrope.projects.get(projectId, { signal }),
  })
  const list = useQuery({
    queryKey: [...queryKeys.files(projectId), query],
    queryFn: async ({ signal }) => await zoetrope.files.list(projectId, query, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.Files.some(isInWork) === true ? progressMs : false),
  })
  const files = list.data?.Files ?? []
  const total = list.data?.TotalCount ?? 0
  const selection = useSelection(files, JSON.stringify([projectId, filterOf(search)]))

  const go = (next: LibrarySearch): void => void navigate({ to: '.', search: { ...next } })
  const change = (changes: Parameters<typeof withChanges>[1]): void => go(withChanges(search, changes))
  const mayUpload = can('files:upload') && !isTrash
  const upload = useCallback(
    (chosen: readonly File[]) => addUploads(projectId, User.Id, chosen),
    [projectId, User.Id],
  )
  const name = project.data?.Name ?? ''
  const label = t('files', { name })
  const { orderBy = 'created', sort = 'desc' } = search

  return (
    <Screen
      title={isTrash ? t('trashTitle') : name === '' ? t('title') : `${t('title')}: ${name}`}
      actions={
        <>
          <Button
            variant="default"
            leftSection={isTrash ? null : <IconTrash size={16} aria-hidden />}
            onClick={() => go(isTrash ? {} : { trash: '1' })}
          >
            {isTrash ? t('leaveTrash') : t('trash')}
          </Button>
          {mayUpload && <UploadButton projectId={projectId} onFiles={upload} />}
        </>
      }
    >
      {mayUpload && <DropZone projectName={name} onFiles={upload} />}
      {isTrash && <Text>{t('trashExplained')}</Text>}
      <LibraryToolbar
        search={search}
        onChange={change}
        view={view}
        onView={setView}
        shownColumns={shownColumns}
        onColumns={setColumns}
        areFiltersOpen={areFiltersOpen}
        onToggleFilters={toggleFilters}
      />
      {areFiltersOpen && (
        <LibraryFilters search={search} onChange={change} onClear={() => go(withoutFilters(search))} />
      )}
      <BulkBar
        projectId={projectId}
        search={search}
        selection={selection}
        total={total}
        isTrash={isTrash}
        offersAll={files.length > 0 && files.length < total && files.every(selection.has)}
      />
      <ListResults
        list={{ ...list, error: list.error ?? project.error }}
        entriesOf={(page) => page.Files}
        place={search}
        limit={limitOf(search)}
        onGo={change}
        skeleton={<ListSkeleton rowHeight={70} />}
        empty={
          isFiltered(search) ? (
            <EmptyState
              py="xl"
              icon={<IconSearchOff aria-hidden />}
              title={t('nothing')}
              description={t('nothingText')}
            >
              <Button variant="default" onClick={() => go(withoutFilters(search))}>
                {t('clearFilters')}
              </Button>
            </EmptyState>
          ) : (
            <EmptyState
              py="xl"
              icon={isTrash ? <IconTrash aria-hidden /> : <IconMovie aria-hidden />}
              title={isTrash ? t('trash') : t('empty')}
              description={isTrash ? t('trashEmpty') : mayUpload ? t('emptyText') : t('emptyReader')}
            >
              {mayUpload && <UploadButton projectId={projectId} onFiles={upload} />}
            </EmptyState>
          )
        }
      >
        {(shown) =>
          view === 'list' ? (
            <FileTable
              files={shown}
              columns={shownColumns}
              selection={selection}
              label={label}
              order={{ orderBy, sort: sort === 'asc' ? 'asc' : 'desc' }}
              onOrder={change}
            />
          ) : (
            <FileGrid files={shown} selection={selection} label={label} />
          )
        }
      </ListResults>
    </Screen>
  )
}
