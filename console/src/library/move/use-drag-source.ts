import type { MediaFile, Project } from '@zoetrope/sdk'
import { useCallback, useState, type DragEvent } from 'react'
import { useTexts } from '../../shell/texts.ts'
import { useStable } from '../../ui/hooks/use-stable.ts'
import { titleOf } from '../file-title.tsx'
import type { Selection } from '../use-selection.ts'
import { beginFileDrag, setFileDrag } from './file-drag.ts'

/** Properties of the element that shows a file. Inside of it, picture and title can be dragged. */
export type DragProps = (file: MediaFile) => Record<string, unknown>

/** Text can be selected, and a selection can be dragged into another program. */
const isHandle = ({ target }: DragEvent): boolean =>
  target instanceof Element && target.closest('a, [draggable=true]') !== null

/** A selected file drags the whole selection with it. */
export const useDragSource = ({
  projectId,
  selection,
  selectedCount,
  isEnabled,
  onDrop,
}: {
  readonly projectId: number
  readonly selection: Selection
  readonly selectedCount: number
  readonly isEnabled: boolean
  /** `file` is null for the selection. */
  readonly onDrop: (file: MediaFile | null, target: Project) => void
}): DragProps => {
  const t = useTexts('library.screen')
  const [dragged, setDragged] = useState<Dragged>(none)
  const begin = useStable((event: DragEvent, file: MediaFile): void => {
    const isSelected = selection.has(file)
    const count = isSelected ? selectedCount : 1
    beginFileDrag(event, count === 1 ? titleOf(file) : t('selected', { count }), {
      projectId,
      count,
      onDrop: (target) => onDrop(isSelected ? null : file, target),
    })
    // Chromium ends a drag when its source changes in this event.
    setTimeout(() =>
      setDragged(
        isSelected
          ? { isAll: selection.isAll, ids: new Set(selection.files.keys()) }
          : { isAll: false, ids: new Set([file.Id]) },
      ),
    )
  })
  // Stays the same until a drag begins or ends, so that a selection does not render all rows.
  return useCallback(
    (file) =>
      isEnabled
        ? {
            'data-dragged': dragged.isAll || dragged.ids.has(file.Id),
            onDragStart: (event: DragEvent) => isHandle(event) && begin(event, file),
            onDragEnd: () => {
              setFileDrag(null)
              setDragged(none)
            },
          }
        : {},
    [isEnabled, dragged, begin],
  )
}

interface Dragged {
  readonly isAll: boolean
  readonly ids: ReadonlySet<number>
}

const none: Dragged = { isAll: false, ids: new Set() }
