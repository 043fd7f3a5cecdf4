import { Card, Checkbox, Group, Stack, Text } from '@mantine/core'
import type { MediaFile } from '@zoetrope/sdk'
import { useTexts } from '../shell/texts.ts'
import { formatBytes, formatDuration, formatTime } from '../ui/format.ts'
import { ReleaseBadge } from '../ui/release-status.tsx'
import { FileStatus } from './file-status.tsx'
import { FileTitle, Thumb, titleOf } from './file-title.tsx'
import type { Selection } from './use-selection.ts'

export const FileGrid = ({
  files,
  selection,
  label,
}: {
  readonly files: readonly MediaFile[]
  readonly selection: Selection
  readonly label: string
}) => {
  const t = useTexts('library.screen')
  return (
    <ul className="library-grid" aria-label={label}>
      {files.map((file) => (
        <Card key={file.Id} component="li" withBorder padding="xs">
          <Card.Section>
            <Thumb file={file} />
          </Card.Section>
          <Stack gap={6} mt="xs">
            <Group wrap="nowrap" align="flex-start" gap="xs">
              <Checkbox
                aria-label={t('select', { name: titleOf(file) })}
                checked={selection.has(file)}
                onChange={() => {}}
                onClick={(event) => selection.toggle(file, event.shiftKey)}
              />
              <FileTitle file={file} />
            </Group>
            <Group gap="xs">
              <FileStatus file={file} name={titleOf(file)} />
              <ReleaseBadge status={file.Metadata.ReleaseStatus} />
            </Group>
            <Text size="xs" c="dimmed">
              {file.Properties?.Length == null ? '' : `${formatDuration(file.Properties.Length)} · `}
              {file.Properties === null ? '' : `${formatBytes(file.Properties.Size)} · `}
              {formatTime(file.CreatedAt)}
            </Text>
          </Stack>
        </Card>
      ))}
    </ul>
  )
}
