import { useNavigate } from '@tanstack/react-router'
import type { MediaFile } from '@zoetrope/sdk'
import { useCallback } from 'react'
import { afterPaint } from '../ui/hooks/after-paint.ts'
import type { TableOrder } from '../ui/lists/column-head.tsx'
import { DataTable } from '../ui/lists/data-table.tsx'
import { useFileColumns } from './file-columns.tsx'
import { titleOf } from './file-title.tsx'
import { FileMenu, type FileActions } from './file-menu.tsx'
import type { Selection } from './use-selection.ts'
import type { DragProps } from './move/use-drag-source.ts'

export const FileTable = ({
  files,
  isLoading = false,
  selection,
  label,
  order,
  onOrder,
  actions,
  dragProps,
}: {
  readonly files: readonly MediaFile[]
  readonly isLoading?: boolean
  /** Null = files cannot be selected. */
  readonly selection: Selection | null
  readonly label: string
  readonly order: TableOrder
  readonly onOrder: (order: TableOrder) => void
  readonly actions: FileActions | null
  readonly dragProps: DragProps
}) => {
  const navigate = useNavigate()
  const columns = useFileColumns(files, actions !== null)
  const renderMenu = useCallback(
    (file: MediaFile) => actions !== null && <FileMenu file={file} actions={actions} />,
    [actions],
  )
  return (
    <DataTable
      id="library"
      label={label}
      columns={columns}
      rows={files}
      keyOf={({ Id }) => Id}
      isLoading={isLoading}
      rowHeight="3.375rem"
      order={order}
      onOrder={onOrder}
      onOpen={({ ProjectId, Id, IsEnabled }) => {
        if (!IsEnabled) return
        afterPaint(
          () =>
            void navigate({
              to: '/projects/$projectId/files/$fileId',
              params: { projectId: ProjectId, fileId: Id },
            }),
        )
      }}
      rowProps={dragProps}
      {...(selection !== null && { selection: { ...selection, nameOf: titleOf } })}
      {...(actions !== null && { renderMenu })}
    />
  )
}
