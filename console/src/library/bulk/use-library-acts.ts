import type { MediaFile, Project } from '@zoetrope/sdk'
import { zoetrope } from '../../shell/api.ts'
import { useTexts } from '../../shell/texts.ts'
import { filterOf, type LibrarySearch } from '../library-query.ts'
import { oneFile, useMove, type FilesToMove } from '../move/use-move.ts'
import type { Selection } from '../use-selection.ts'
import { deleteFile, type BulkAct } from './bulk-acts.ts'
import { useBulk, type Bulk } from './use-bulk.tsx'

export interface LibraryActs {
  /** Number of selected files. */
  readonly count: number
  readonly selected: () => FilesToMove
  /** Runs an action on the selected files, and clears the selection. */
  readonly run: (act: BulkAct, words: Pick<Bulk, 'doing' | 'said'>) => void
  /** Null = the selected files. */
  readonly move: (file: MediaFile | null, target: Project) => void
  readonly remove: () => void
  readonly removeOne: (file: MediaFile) => void
}

/** Actions on the files of the library. */
export const useLibraryActs = ({
  projectId,
  search,
  selection,
  total,
}: {
  readonly projectId: number
  readonly search: LibrarySearch
  readonly selection: Selection
  readonly total: number
}): LibraryActs => {
  const t = useTexts('library.bulkBar')
  const bulk = useBulk()
  const moveFiles = useMove()
  const count = selection.isAll ? total : selection.files.size
  // Sorted by creation: in another order, a changed file could appear again.
  const selected = (): FilesToMove => ({
    projectId,
    files: selection.isAll
      ? zoetrope.files.list(projectId, { ...filterOf(search), limit: 500 })
      : [...selection.files.values()],
    total: count,
  })
  const deletion = {
    act: deleteFile,
    doing: t('deleting'),
    said: (done: number) => t('deleted', { count: done }),
  }
  const run: LibraryActs['run'] = (act, words) => {
    void bulk({ ...selected(), act, ...words })
    selection.clear()
  }
  return {
    count,
    selected,
    run,
    move: (file, target) => {
      void moveFiles(file === null ? selected() : oneFile(file), target)
      if (file === null) selection.clear()
    },
    remove: () => run(deletion.act, deletion),
    removeOne: (file) => {
      void bulk({ ...oneFile(file), ...deletion })
      selection.remove(file)
    },
  }
}
