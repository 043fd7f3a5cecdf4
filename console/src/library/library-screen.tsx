import './library.css'
import { Button, Menu } from '@mantine/core'
import { IconArrowLeft, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { MediaFile } from '@zoetrope/sdk'
import { useCallback, useMemo, useState } from 'react'
import { projectQuery } from '../file/file-query.ts'
import { zoetrope } from '../shell/api.ts'
import { queryKeys } from '../shell/query.ts'
import { useCan, useSession } from '../shell/session.ts'
import { useTexts } from '../shell/texts.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ListResults } from '../ui/lists/list-results.tsx'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { Screen } from '../ui/screen.tsx'
import { useStable } from '../ui/hooks/use-stable.ts'
import { DropZone } from '../uploads/drop-zone.tsx'
import { addUploads } from '../uploads/upload-queue.ts'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { useLibraryActs } from './bulk/use-library-acts.ts'
import { FileGrid } from './file-grid.tsx'
import { isInWork } from './file-status.tsx'
import { FileTable } from './file-table.tsx'
import { FilterBar } from './filters/filter-bar.tsx'
import {
  filterOf,
  isFiltered,
  limitOf,
  pageSizes,
  queryOf,
  withChanges,
  withoutFilters,
  type LibrarySearch,
} from './library-query.ts'
import { LibraryToolbar } from './library-toolbar.tsx'
import { MoveDialog } from './move/move-dialog.tsx'
import { useDragSource } from './move/use-drag-source.ts'
import { oneFile, type FilesToMove } from './move/use-move.ts'
import { UploadButton } from './upload-button.tsx'
import { useSelection } from './use-selection.ts'
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

  const acts = useLibraryActs({ projectId, search, selection, total })
  const [moving, setMoving] = useState<{ what: FilesToMove; onMoved: () => void } | null>(null)
  const mayMove = can('files:delete') && !isTrash
  const move = useStable((file: MediaFile) =>
    setMoving({ what: oneFile(file), onMoved: () => selection.remove(file) }),
  )
  const remove = useStable(acts.removeOne)
  const actions = useMemo(() => (mayMove ? { move, remove } : null), [mayMove, move, remove])
  const dragProps = useDragSource({
    ...{ projectId, selection, selectedCount: acts.count, isEnabled: mayMove },
    onDrop: acts.move,
  })

  const tableProps = {
    ...{ selection, label, onOrder: change, actions, dragProps },
    order: { orderBy, sort: sort === 'asc' ? 'asc' : 'desc' },
  } as const
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
      <ListResults
        list={{ ...list, error: list.error ?? project.error }}
        entriesOf={(page) => page.Files}
        place={search}
        limit={limitOf(search)}
        pageSizes={{
          sizes: pageSizes,
          onSize: (size) => change({ limit: size === pageSizes[0] ? '' : String(size) }),
        }}
        onGo={change}
        skeleton={
          view === 'list' ? (
            <FileTable files={[]} isLoading {...tableProps} />
          ) : (
            <ListSkeleton rowHeight={180} />
          )
        }
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
      >
        {(shown) =>
          view === 'list' ? (
            <FileTable files={shown} {...tableProps} />
          ) : (
            <FileGrid files={shown} {...{ selection, label, actions, dragProps }} />
          )
        }
      </ListResults>
      <MoveDialog
        what={moving?.what ?? null}
        onClose={() => setMoving(null)}
        {...(moving !== null && { onMoved: moving.onMoved })}
      />
      <BulkBar
        projectId={projectId}
        selection={selection}
        acts={acts}
        total={total}
        onMove={() => setMoving({ what: acts.selected(), onMoved: selection.clear })}
        isTrash={isTrash}
        offersAll={files.length > 0 && files.length < total && files.every(selection.has)}
      />
    </Screen>
  )
}
