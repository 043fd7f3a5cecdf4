import type { MediaFile } from '@zoetrope/sdk'
import { useMemo, useState, type ReactNode } from 'react'
import type { zoetrope } from '../shell/api.ts'
import { useCan } from '../shell/session.ts'
import { useStable } from '../ui/hooks/use-stable.ts'
import { ListResults } from '../ui/lists/list-results.tsx'
import { ListSkeleton } from '../ui/lists/list-skeleton.tsx'
import { BulkBar } from './bulk/bulk-bar.tsx'
import { useLibraryActs } from './bulk/use-library-acts.ts'
import { FileGrid } from './file-grid.tsx'
import { FileTable } from './file-table.tsx'
import { filterOf, limitOf, pageSizes, type LibraryChanges, type LibrarySearch } from './library-query.ts'
import { MoveDialog } from './move/move-dialog.tsx'
import { useDragSource } from './move/use-drag-source.ts'
import { oneFile, type FilesToMove } from './move/use-move.ts'
import { useSelection } from './use-selection.ts'
import type { View } from './view.ts'

/** A page of files and their selection. A selection does not render the rest of the screen again. */
export const LibraryFiles = ({
  projectId,
  label,
  search,
  view,
  list,
  empty,
  onChange,
}: {
  readonly projectId: number
  readonly label: string
  readonly search: LibrarySearch
  readonly view: View
  readonly list: {
    readonly data: Awaited<ReturnType<typeof zoetrope.files.list>> | undefined
    readonly error: unknown
    readonly isPending: boolean
    readonly refetch: () => Promise<unknown>
  }
  /** Shown when no file matches. */
  readonly empty: ReactNode
  readonly onChange: (changes: LibraryChanges) => void
}) => {
  const can = useCan(projectId)
  const files = list.data?.Files ?? []
  const total = list.data?.TotalCount ?? 0
  const isTrash = search.trash !== undefined
  const selection = useSelection(files, JSON.stringify([projectId, filterOf(search)]))
  const acts = useLibraryActs({ projectId, search, selection, total })
  const [moving, setMoving] = useState<{ what: FilesToMove; onMoved: () => void } | null>(null)
  const mayMove = can('files:delete') && !isTrash
  const move = useStable((file: MediaFile) =>
    setMoving({ what: oneFile(file), onMoved: () => selection.remove(file) }),
  )
  const remove = useStable(acts.removeOne)
  const actions = useMemo(() => (mayMove ? { move, remove } : null), [mayMove, move, remove])
  // Without a right to change files, a selection has no actions.
  const maySelect = can('files:delete') || (!isTrash && (can('files:publish') || can('files:write')))
  const dragProps = useDragSource({
    ...{ projectId, selection, selectedCount: acts.count, isEnabled: mayMove },
    onDrop: acts.move,
  })
  const { orderBy = 'created', sort = 'desc' } = search
  const order = useMemo(() => ({ orderBy, sort: sort === 'asc' ? 'asc' : 'desc' }) as const, [orderBy, sort])
  const sizes = useMemo(
    () => ({
      sizes: pageSizes,
      onSize: (size: number) => onChange({ limit: size === pageSizes[0] ? '' : String(size) }),
    }),
    [onChange],
  )
  const shared = { selection: maySelect ? selection : null, label, actions, dragProps }
  const tableProps = { ...shared, onOrder: onChange, order }

  return (
    <>
      <ListResults
        list={list}
        entriesOf={(page) => page.Files}
        place={search}
        limit={limitOf(search)}
        pageSizes={sizes}
        onGo={onChange}
        skeleton={
          view === 'list' ? (
            <FileTable files={[]} isLoading {...tableProps} />
          ) : (
            <ListSkeleton rowHeight={180} />
          )
        }
        empty={empty}
      >
        {(shown) =>
          view === 'list' ? (
            <FileTable files={shown} {...tableProps} />
          ) : (
            <FileGrid files={shown} {...shared} />
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
    </>
  )
}
