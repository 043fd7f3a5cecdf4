import { Group, Text } from '@mantine/core'
import type { MediaFile } from '@zoetrope/sdk'
import { useTexts } from '../shell/texts.ts'
import { formatBytes } from '../ui/format.ts'
import { SelectBox } from '../ui/lists/select-box.tsx'
import { RelativeTime } from '../ui/relative-time.tsx'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { FileStatus } from './file-status.tsx'
import { FileTitle, titleOf } from './file-title.tsx'
import { Thumb } from './thumb.tsx'
import { FileMenu, type FileActions } from './file-menu.tsx'
import type { DragProps } from './move/use-drag-source.ts'
import type { Selection } from './use-selection.ts'

export const FileGrid = ({
  files,
  selection,
  label,
  actions,
  dragProps,
}: {
  readonly files: readonly MediaFile[]
  readonly selection: Selection
  readonly label: string
  readonly actions: FileActions | null
  readonly dragProps: DragProps
}) => {
  const t = useTexts('ui.dataTable')
  return (
    <ul className="library-grid" aria-label={label}>
      {files.map((file) => (
        <li key={file.Id} className="library-card" data-selected={selection.has(file)} {...dragProps(file)}>
          <Thumb file={file} withLength isDraggable={actions !== null} />
          <SelectBox
            className="library-card-select"
            label={t('select', { name: titleOf(file) })}
            isSelected={selection.has(file)}
            onToggle={(withShift) => selection.toggle(file, withShift)}
          />
          {actions !== null && (
            <div className="library-card-menu">
              <FileMenu file={file} actions={actions} />
            </div>
          )}
          <div className="library-card-text">
            <FileTitle file={file} />
            <Text size="xs" c="dimmed">
              <RelativeTime instant={file.CreatedAt} />
              {file.Properties !== null && ` · ${formatBytes(file.Properties.Size)}`}
            </Text>
            <Group gap="xs" justify="space-between">
              <FileStatus file={file} name={titleOf(file)} />
              <ReleaseBadge status={file.Metadata.ReleaseStatus} />
            </Group>
          </div>
        </li>
      ))}
    </ul>
  )
}
