import type { MediaFile } from '@zoetrope/sdk'
import { memo } from 'react'
import { useTexts } from '../shell/texts.ts'
import { formatBytes } from '../ui/format.ts'
import { SelectBox } from '../ui/lists/select-box.tsx'
import { useStable } from '../ui/hooks/use-stable.ts'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { FileStatus } from './file-status.tsx'
import { FileTitle, titleOf } from './file-title.tsx'
import { Thumb } from './thumb.tsx'
import { FileMenu, type FileActions } from './file-menu.tsx'
import type { DragProps } from './move/use-drag-source.ts'
import type { Selection } from './use-selection.ts'

interface CardProps {
  readonly file: MediaFile
  /** Undefined = it cannot be selected. */
  readonly isSelected: boolean | undefined
  readonly onToggle: (file: MediaFile, withShift: boolean) => void
  readonly actions: FileActions | null
  readonly dragProps: DragProps
}

/** Renders again when the file changes: a selection does not. */
const CardText = memo(({ file }: { readonly file: MediaFile }) => {
  const t = useTexts('library.screen')
  return (
    <div className="library-card-text">
      <FileTitle file={file} />
      <div className="library-card-facts">
        {file.DeletedAt === null ? (
          <RelativeTime instant={file.CreatedAt} />
        ) : (
          <>
            {t('purge')}: <RelativeTime instant={file.PurgeAt} />
          </>
        )}
        {file.Properties !== null && ` · ${formatBytes(file.Properties.Size)}`}
      </div>
      <div className="library-card-state">
        <FileStatus file={file} name={titleOf(file)} />
        {file.DeletedAt === null && <ReleaseBadge {...file.Metadata} />}
      </div>
    </div>
  )
})

/** Renders again when its own properties change: a click on one card does not render the others. */
const Card = memo(({ file, isSelected, onToggle, actions, dragProps }: CardProps) => {
  const t = useTexts('ui.dataTable')
  return (
    <li className="library-card" data-selected={isSelected} {...dragProps(file)}>
      <Thumb file={file} withLength isDraggable={actions !== null} />
      {isSelected !== undefined && (
        <SelectBox
          className="library-card-select"
          label={t('select', { name: titleOf(file) })}
          isSelected={isSelected}
          onToggle={(withShift) => onToggle(file, withShift)}
        />
      )}
      {actions !== null && (
        <div className="library-card-menu">
          <FileMenu file={file} actions={actions} />
        </div>
      )}
      <CardText file={file} />
    </li>
  )
})

export const FileGrid = ({
  files,
  selection,
  label,
  actions,
  dragProps,
}: {
  readonly files: readonly MediaFile[]
  readonly selection: Selection | null
  readonly label: string
  readonly actions: FileActions | null
  readonly dragProps: DragProps
}) => {
  const toggle = useStable((file: MediaFile, withShift: boolean) => selection?.toggle(file, withShift))
  return (
    <ul className="library-grid" aria-label={label}>
      {files.map((file) => (
        <Card
          key={file.Id}
          isSelected={selection?.has(file)}
          onToggle={toggle}
          {...{ file, actions, dragProps }}
        />
      ))}
    </ul>
  )
}
